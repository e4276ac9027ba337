"""Parts of the whole service, in other processes, are killed or stopped during play."""

import signal
import threading
import time
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException

import psutil
import pytest

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.supervisor import RestartPolicy, find_instance, isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.adapters.servers import server, slow_down_loading
from tests.service.people import RetryingClient, lost, open_bot_table, playing
from tests.service.plain_client import ServiceClient
from tests.service.processes import SERVER, await_true, is_alive, service_settings

pytestmark = pytest.mark.processes

STREAMS = 10
WITHOUT_REDIS = (
    "hoodwink.service.http.server",
    "hoodwink.workers.celery_worker",
    "hoodwink.workers.projector",
)
OLD_ENOUGH = RestartPolicy().early_exit + 1


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service shared by tests that do not stop it."""
    with isolated_service(service_settings(tmp_path_factory.mktemp("running"), job_slots=0)) as settings:
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
    await_true(lambda: all(pair.actions >= goal for pair, goal in goals))


def await_end(settings, table):
    client = RetryingClient(settings)
    await_true(lambda: client.ask("GET", table)["view"]["phase"] == "ended")
    client.close()


def await_ledger(settings, table):
    """Waits until the journal entries of an ended table are complete, and returns them."""
    client = RetryingClient(settings)
    version = client.ask("GET", table)["version"]
    entries = client.ask("GET", f"{table}/ledger?wait_for={version}")["entries"]
    client.close()
    return entries


# ---------------------------------------------------------------------------------- killed parts


@pytest.mark.parametrize("word", WITHOUT_REDIS)
def test_a_killed_part_stops_no_play_and_loses_nothing_acknowledged(running, word):
    with playing(running, 2) as people:
        await_actions(people, 5)
        bots = open_bot_table(running, "blindside", 4)
        killed = member(running, word)

        killed.kill()

        await_true(lambda: member(running, word).pid != killed.pid)
        await_actions(people, 10)
        await_end(running, bots)
    with connect(running.redis_url) as client:
        assert lost(people, client, running.partitions) == []


def test_a_killed_redis_that_loads_slowly_and_a_killed_supervisor_lose_nothing_acknowledged(tmp_path):
    settings = service_settings(tmp_path, job_slots=0)
    with isolated_service(settings) as first:
        bots = open_bot_table(first, "blindside", 4)
        await_end(first, bots)
        entries = await_ledger(first, bots)
        with playing(first, 3) as people:
            await_actions(people, 10)
            slow_down_loading(tmp_path / "redis", seconds=4)

            member(first, SERVER).kill()

            await_actions(people, 10)
            await_end(first, open_bot_table(first, "blindside", 4))
        assert (tmp_path / "logs" / "worker.log").read_text().count("the broker is gone") <= 1
        left = family(first)

        supervisor(first).kill()

        await_true(lambda: not any(is_alive(process.pid) for process in left))
    with isolated_service(settings) as second, connect(second.redis_url or "") as client:
        assert lost(people, client, second.partitions) == []
        assert await_ledger(second, bots) == entries
        pair = people[0]
        pair.client = RetryingClient(second)  # with the earlier tokens
        assert pair.move(pair.open())
        pair.client.close()
        assert_stops(second, stopped_by_a_person)


# --------------------------------------------------------------------------------------- stopping


class Crowd:
    """Keeps streams open and sends requests continuously until the service ends."""

    def __init__(self, settings, table):
        self.settings = settings
        self.table = table
        self.open = [self.watch() for _ in range(STREAMS)]
        self.answers = 0
        self.threads = [threading.Thread(target=self.ask) for _ in range(2)]
        for thread in self.threads:
            thread.start()

    def watch(self):
        connection = HTTPConnection(self.settings.host, self.settings.port, timeout=30)
        connection.request("GET", f"{self.table}/events", headers={"Accept": "text/event-stream"})
        response = connection.getresponse()
        assert response.status == 200
        response.readline()
        return connection, response

    def ask(self):
        connection = HTTPConnection(self.settings.host, self.settings.port, timeout=30)
        with suppress(OSError, HTTPException):
            while True:
                connection.request("GET", self.table)
                connection.getresponse().read()
                self.answers += 1
        connection.close()

    def leave(self):
        """Reads the streams to their end; raises `IncompleteRead` if the API was killed instead of ending them."""
        for connection, response in self.open:
            response.read()
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


def assert_stops(settings, stop):
    """Stops a service during streams and requests, and asserts that it ends by itself."""
    client = RetryingClient(settings)
    host = client.ask("POST", "/v1/players", body={})["token"]
    table = f"/v1/tables/{client.ask('POST', '/v1/tables', host, {'game': 'blindside', 'seats': 2})['view']['id']}"
    client.close()
    crowd = Crowd(settings, table)
    await_true(lambda: crowd.answers > 100)
    left = family(settings)

    stop(settings)

    await_true(lambda: not any(is_alive(process.pid) for process in left))
    # Not read from the log: granian may report the killing of a worker that has just ended by itself.
    crowd.leave()


@pytest.mark.campaign
def test_the_service_stops_quickly_despite_streams_and_requests(tmp_path):
    with isolated_service(service_settings(tmp_path, job_slots=0)) as settings:
        assert_stops(settings, stopped_by_a_shell)


# --------------------------------------------------------------------------------- external Redis


def test_an_external_redis_with_a_password_is_awaited_by_running_and_by_starting_parts(tmp_path):
    with ExitStack() as stack:
        node = stack.enter_context(server(tmp_path / "redis", password="p:ss@w/rd"))
        url = f"redis://:p%3Ass%40w%2Frd@127.0.0.1:{node.port}/2"
        given = service_settings(tmp_path / "data", job_slots=0, redis_url=url)
        settings = stack.enter_context(isolated_service(given))
        with playing(settings, 1) as people:
            table = open_bot_table(settings, "shithead", 3)
            kinds = [kind for kind, _ in ServiceClient(address(settings)).follow(f"{table}/events")]
            await_actions(people, 5)

            node.kill()
            node.start()

            await_actions(people, 5)
            assert kinds[-1] == "end"
            assert await_ledger(settings, table)

        node.kill()
        for word in WITHOUT_REDIS:
            member(settings, word).kill()
        await_true(lambda: all(age_of(member(settings, word)) > OLD_ENOUGH for word in WITHOUT_REDIS))
        node.start()

        await_end(settings, open_bot_table(settings, "blindside", 4))
        with connect(url) as client:
            assert lost(people, client, settings.partitions) == []
        assert_stops(settings, stopped_by_an_init_system)
    assert not any(b"p:ss" in log.read_bytes() for log in (tmp_path / "data" / "logs").iterdir())


def age_of(process):
    return time.time() - process.create_time()
