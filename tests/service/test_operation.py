"""Parts of the whole service, in other processes, are killed or stopped during play."""

import signal
import threading
import time
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException

import psutil
import pytest

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.cli.shared.client import ServiceClient
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import RestartPolicy, find_instance, isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.adapters.servers import server, slow_down_loading
from tests.service.people import Pair, RetryingClient, lost, open_bot_table, playing
from tests.service.processes import await_true, is_alive

pytestmark = pytest.mark.processes

SECONDS_TO_END = 10
"""Twice the promised time, because the machine may be busy."""

STREAMS = 100
WITHOUT_REDIS = (
    "hoodwink.service.http.server",
    "hoodwink.workers.celery_worker",
    "hoodwink.workers.projector",
)
OLD_ENOUGH = RestartPolicy().early_exit + 1


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service shared by tests that do not stop it."""
    with isolated_service(Settings(port=0, data=str(tmp_path_factory.mktemp("running")))) as settings:
        yield settings


def supervisor(settings):
    instance = find_instance(settings.data_folder)
    assert instance
    return psutil.Process(instance.process)


def family(settings):
    """Returns the supervisor and all its descendants."""
    head = supervisor(settings)
    return [head, *head.children(recursive=True)]


def member(settings, word):
    """Waits for the part whose command line contains the word, and returns it."""
    found = []

    def look():
        for process in family(settings):
            with suppress(psutil.NoSuchProcess):  # also raised for a zombie
                if word in " ".join(process.cmdline()):
                    found.append(process)
        return bool(found)

    await_true(look)
    return found[0]


def await_actions(people, count):
    """Waits until each pair has this many more answered actions."""
    goals = [(pair, pair.actions + count) for pair in people]
    await_true(lambda: all(pair.actions >= goal for pair, goal in goals), within_s=60)


def await_end(settings, table):
    client = RetryingClient(settings)
    await_true(lambda: client.ask("GET", table)["view"]["phase"] == "ended", within_s=60)
    client.close()


def await_ledger(settings, table):
    """Waits until the journal entries of an ended table are complete, and returns them."""
    client = RetryingClient(settings)
    version = client.ask("GET", table)["version"]
    entries = client.ask("GET", f"{table}/ledger?wait_for={version}")["entries"]
    client.close()
    return entries


# ---------------------------------------------------------------------------------- killed parts


@pytest.mark.parametrize("word", ["redis-server", *WITHOUT_REDIS])
def test_a_killed_part_stops_no_play_and_loses_nothing_acknowledged(running, word):
    with playing(running, 3) as people:
        await_actions(people, 20)
        bots = open_bot_table(running, "blindside", 4)
        killed = member(running, word)

        killed.kill()

        await_actions(people, 40)
        await_end(running, bots)
        await_true(lambda: member(running, word).pid != killed.pid)
    with connect(running.redis_url) as client:
        assert lost(people, client, running.partitions) == []


def test_a_killed_supervisor_leaves_no_process_and_the_next_continues(tmp_path):
    settings = Settings(port=0, data=str(tmp_path))
    with isolated_service(settings) as first:
        bots = open_bot_table(first, "blindside", 4)
        await_end(first, bots)
        entries = await_ledger(first, bots)
        pair = Pair(first)
        table = pair.open()
        while pair.actions < 10:
            pair.move(table)
        pair.client.close()
        left = family(first)

        supervisor(first).kill()

        await_true(lambda: not any(is_alive(process.pid) for process in left))
    with isolated_service(settings) as second, connect(second.redis_url or "") as client:
        assert lost([pair], client, second.partitions) == []
        assert await_ledger(second, bots) == entries
        pair.client = RetryingClient(second)  # with the earlier tokens
        while pair.actions < 20:
            assert pair.move(table)
        pair.client.close()


def test_the_parts_wait_for_a_slowly_loading_redis(tmp_path):
    with isolated_service(Settings(port=0, data=str(tmp_path))) as settings, playing(settings, 3) as people:
        await_actions(people, 200)
        slow_down_loading(tmp_path / "redis", seconds=6)
        killed = member(settings, "redis-server")

        killed.kill()

        await_actions(people, 100)
        await_end(settings, open_bot_table(settings, "blindside", 4))
        with connect(settings.redis_url or "") as client:
            assert lost(people, client, settings.partitions) == []
    assert (tmp_path / "logs" / "worker.log").read_text().count("the broker is gone") <= 1


# --------------------------------------------------------------------------------------- stopping


class Crowd:
    """Keeps streams open and sends requests continuously until the service ends."""

    def __init__(self, settings, table):
        self.settings = settings
        self.table = table
        self.open = [self.watch() for _ in range(STREAMS)]
        self.answers = 0
        self.threads = [threading.Thread(target=self.ask) for _ in range(4)]
        for thread in self.threads:
            thread.start()

    def watch(self):
        connection = HTTPConnection(self.settings.host, self.settings.port, timeout=30)
        connection.request("GET", f"{self.table}/events", headers={"Accept": "text/event-stream"})
        response = connection.getresponse()
        assert response.status == 200
        response.readline()
        return connection

    def ask(self):
        connection = HTTPConnection(self.settings.host, self.settings.port, timeout=30)
        with suppress(OSError, HTTPException):
            while True:
                connection.request("GET", self.table)
                connection.getresponse().read()
                self.answers += 1
        connection.close()

    def leave(self):
        for connection in self.open:
            connection.close()
        for thread in self.threads:
            thread.join()


def stopped_by_a_person(settings):
    supervisor(settings).send_signal(signal.SIGINT)


def stopped_by_a_shell(settings):
    supervisor(settings).send_signal(signal.SIGTERM)


def stopped_by_an_init_system(settings):
    """Signals every process, like systemd."""
    for process in family(settings):
        with suppress(psutil.NoSuchProcess):
            process.terminate()


@pytest.mark.parametrize(
    "stop",
    [
        stopped_by_a_person,
        pytest.param(stopped_by_a_shell, marks=pytest.mark.campaign),
        stopped_by_an_init_system,
    ],
)
def test_the_service_stops_quickly_despite_streams_and_requests(tmp_path, stop):
    with isolated_service(Settings(port=0, data=str(tmp_path))) as settings:
        client = RetryingClient(settings)
        host = client.ask("POST", "/v1/players", body={})["token"]
        table = f"/v1/tables/{client.ask('POST', '/v1/tables', host, {'game': 'blindside', 'seats': 2})['view']['id']}"
        client.close()
        crowd = Crowd(settings, table)
        await_true(lambda: crowd.answers > 100)
        left = family(settings)

        stop(settings)

        await_true(lambda: not any(is_alive(process.pid) for process in left), within_s=SECONDS_TO_END)
        crowd.leave()
    assert "Killing" not in (tmp_path / "logs" / "api.log").read_text()


# --------------------------------------------------------------------------------- external Redis


def test_tables_are_played_on_an_external_redis_with_a_password(tmp_path):
    with ExitStack() as stack:
        node = stack.enter_context(server(tmp_path / "redis", password="p:ss@w/rd"))
        url = f"redis://:p%3Ass%40w%2Frd@127.0.0.1:{node.port}/2"
        given = Settings(port=0, data=str(tmp_path / "data"), redis_url=url)
        settings = stack.enter_context(isolated_service(given))
        people = stack.enter_context(playing(settings, 1))
        table = open_bot_table(settings, "shithead", 3)
        kinds = [kind for kind, _ in ServiceClient(address(settings)).follow(f"{table}/events")]
        await_actions(people, 5)

        node.kill()
        node.start()

        await_actions(people, 5)
        assert kinds[-1] == "end"
        assert await_ledger(settings, table)
        with connect(url) as client:
            assert lost(people, client, settings.partitions) == []
    assert not any(b"p:ss" in log.read_bytes() for log in (tmp_path / "data" / "logs").iterdir())


def test_parts_started_during_an_outage_wait_for_its_end(tmp_path):
    with server(tmp_path / "redis") as node:
        url = f"redis://127.0.0.1:{node.port}"
        with isolated_service(Settings(port=0, data=str(tmp_path / "data"), redis_url=url)) as settings:
            node.kill()
            for word in WITHOUT_REDIS:
                member(settings, word).kill()
            await_true(lambda: all(age_of(member(settings, word)) > OLD_ENOUGH for word in WITHOUT_REDIS))

            node.start()

            await_end(settings, open_bot_table(settings, "blindside", 4))


def age_of(process):
    return time.time() - process.create_time()
