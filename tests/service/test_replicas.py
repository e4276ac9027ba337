"""A service whose commands wait for a replica that is paused, disconnected, or takes over from a killed server."""

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from uuid import uuid4

import pytest
from redis import Redis
from redis.exceptions import RedisError

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, find_redis
from tests.service.adapters.servers import Node, cut_off, replicated_cluster, server, take_over
from tests.service.api_processes import api_processes
from tests.service.older_store import Party, assert_sound
from tests.service.people import Refused, lost, open_bot_table, playing
from tests.service.processes import await_true, service_settings
from tests.service.scraping import free_port
from tests.service.test_operation import await_actions, await_end

pytestmark = pytest.mark.processes

WAIT_SECONDS = 0.3
BY_FLASK = {"Hoodwink-Invitation": "none"}
"""A header that makes the fast lane leave a request to Flask."""
SLOWLY = {"bot_delay": 40, "round_pause": 0}


@pytest.fixture(autouse=True)
def _binary():
    try:
        find_redis()
    except NoRedisBinary as reason:
        pytest.skip(f"REPLICAS NOT TESTED: {reason}")


@contextmanager
def replicated(folder: Path) -> Iterator[tuple[Node, Node, Path]]:
    """Runs a server and a replica; yields them and a socket that always leads to the primary."""
    with server(folder / "one", socket=True) as primary, server(folder / "two", socket=True) as replica:
        follow(replica, primary)
        way = folder / "primary.sock"
        way.symlink_to(primary.socket)
        yield primary, replica, way


def follow(replica: Node, primary: Node) -> None:
    """Makes a server the replica of another, and waits until it has its data."""
    with Redis(port=replica.port) as client:
        client.replicaof("127.0.0.1", primary.port)
        await_true(lambda: client.info("replication")["master_link_status"] == "up")


def fail_over(primary: Node, replica: Node, way: Path) -> None:
    """Kills the primary, makes the replica the primary, and starts the former one as its replica."""
    primary.kill()
    with Redis(port=replica.port) as client:
        client.replicaof("NO", "ONE")
        client.config_set("masterauth", "")
    way.unlink()
    way.symlink_to(replica.socket)
    primary.start()
    with Redis(port=primary.port) as client:
        await_true(lambda: answers(client))
    follow(primary, replica)


def answers(client: Redis) -> bool:
    with suppress(RedisError):
        return bool(client.ping())
    return False


@contextmanager
def service(folder: Path, url: str, *, replicas: int, broker: str | None = None) -> Iterator[Settings]:
    """Runs a service with one API process."""
    settings = service_settings(
        folder / "data",
        job_slots=0,
        redis_url=url,
        replicas=replicas,
        replicas_seconds=WAIT_SECONDS,
        metrics_port=free_port(),
        broker_url=broker,
    )
    with isolated_service(settings) as running:
        yield running


@pytest.mark.parametrize("replicas", [pytest.param(0, marks=pytest.mark.campaign), 1])
def test_a_failover_loses_nothing_that_a_replica_confirmed(tmp_path, replicas):
    with ExitStack() as stack:
        primary, replica, way = stack.enter_context(replicated(tmp_path))
        running = stack.enter_context(service(tmp_path, f"unix://{way}", replicas=replicas))
        with suppress(Refused), playing(running, 3) as people:
            await_actions(people, 10)
            cut_off(replica)
            if replicas:
                await_refusal(running, "POST", "/v1/players", "not_replicated")
            else:
                await_actions(people, 10)
            fail_over(primary, replica, way)
            await_actions(people, 5 * replicas)
        for pair in people:
            pair.client.close()  # a refused person left it open
        with connect(f"unix://{way}") as client:
            assert bool(lost(people, client, running.partitions)) == (replicas == 0)
        if replicas:
            await_end(running, open_bot_table(running, "blindside", 3))


# `make test` tries its parts alone: the wait on a cluster in the adapters' tests, a node's failover in test_lost_writes.
@pytest.mark.campaign
@pytest.mark.cluster
def test_a_failover_of_a_cluster_node_loses_nothing_acknowledged(tmp_path):
    with ExitStack() as stack:
        nodes = stack.enter_context(replicated_cluster(tmp_path / "cluster"))
        broker = stack.enter_context(server(tmp_path / "broker"))
        (master, replica), *others = nodes
        url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node, _ in nodes)
        running = stack.enter_context(
            service(tmp_path, url, replicas=1, broker=f"redis://127.0.0.1:{broker.port}")
        )
        with playing(running, 6) as people:
            await_actions(people, 10)
            cut_off(replica)
            await_refusal(running, "POST", "/v1/players", "not_replicated")
            master.kill()
            take_over(replica, [node for pair in others for node in pair])
            master.start()  # as a replica of the new primary
            await_actions(people, 5)
        with connect(url) as client:
            assert lost(people, client, running.partitions) == []


def await_refusal(settings: Settings, method: str, path: str, code: str) -> None:
    """Waits until the service refuses a request for this reason."""

    def refused() -> bool:
        status, _, answer = ask(settings, method, path, body={}, headers={})
        return (status, answer["code"]) == (503, code) if status >= 500 else False

    await_true(refused)


def ask(settings, method, path, *, token="", body=None, headers):
    """Sends a request once; returns status, headers and body of the answer."""
    given = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        given |= {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        body = json.dumps(body)
    with closing(HTTPConnection(settings.host, settings.port, timeout=60)) as connection:
        connection.request(method, path, body, given | headers)
        response = connection.getresponse()
        return response.status, response.headers, json.loads(response.read())


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A service, its API process, and the replica awaited by its commands."""
    folder = tmp_path_factory.mktemp("paused")
    with replicated(folder) as (_, replica, way), service(folder, f"unix://{way}", replicas=1) as running:
        (process,) = api_processes(running)
        with closing(process):
            yield running, process, replica


def done(outcome):
    """Returns the outcome of a request, or `None` if a replica that is back has not confirmed it in time."""
    return None if outcome[0] == 503 else outcome


@contextmanager
def paused(node: Node) -> Iterator[None]:
    """Suspends a server during the block."""
    node.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        node.signal(signal.SIGCONT)


class TestPaused:
    """A replica is suspended for a while."""

    @pytest.mark.parametrize("way", [{}, BY_FLASK], ids=["fast_lane", "flask"])
    def test_a_refused_action_repeated_later_returns_the_first_result(self, scene, way):
        running, process, replica = scene
        party = Party(process)
        token, (action, *_) = await_true(lambda: (found := party.moves(process))[1] and found)
        request = {"token": token, "body": action, "headers": {"Idempotency-Key": uuid4().hex} | way}
        before = party.view(process)["version"]

        def act():
            return ask(running, "POST", f"{party.path}/actions", **request)

        with paused(replica):
            for _ in range(2):
                status, headers, answer = act()
                assert (status, answer["code"], headers["Retry-After"]) == (503, "not_replicated", "1")
                assert party.view(process)["version"] == before + 1  # a read may show it earlier
        (status, _, answer), (_, _, again) = (await_true(lambda: done(act())) for _ in range(2))

        assert (status, answer["version"]) == (200, before + 1)
        assert again == answer
        party.act(process)
        party.play_out(process)

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("PATCH", "/v1/players/me", {"name": "Augusta"}),
            ("POST", "/v1/players/me/erase", {"confirm": True}),
        ],
    )
    @pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": uuid4().hex}], ids=["fresh_key", "same_key"])
    def test_a_stored_change_is_acknowledged_only_after_replication(self, scene, method, path, body, headers):
        running, process, replica = scene
        token = process.post("/v1/players")["token"]

        def change():
            return ask(running, method, path, token=token, body=body, headers=headers)

        with paused(replica):
            for _ in range(3):
                status, _, answer = change()
                assert (status, answer["code"]) == (503, "not_replicated")
        assert await_true(lambda: done(change()))[0] == 200

    def test_reads_are_answered_while_actions_wait(self, scene):
        running, process, replica = scene
        party = Party(process)
        token, (action, *_) = await_true(lambda: (found := party.moves(process))[1] and found)
        request = {"token": token, "body": action, "headers": {"Idempotency-Key": uuid4().hex}}

        def looks_while_acting():
            with ThreadPoolExecutor(1) as threads:
                acting = threads.submit(partial(ask, running, "POST", f"{party.path}/actions", **request))
                looks = 0
                while not acting.done():
                    looks += ask(running, "GET", party.path, headers={})[0] == 200
            assert acting.result()[0] == 503
            return looks

        with paused(replica):
            # The first one alone might have waited, too. On a busy machine, there may be no second one.
            await_true(lambda: looks_while_acting() > 1)

    def test_bots_continue_when_the_replica_is_back(self, scene):
        running, _, replica = scene
        table = open_bot_table(running, "blindside", 3, pace=SLOWLY, options={"rounds": 2})
        with paused(replica):
            await_refusal(running, "POST", "/v1/players", "not_replicated")
            await_refusal(running, "POST", "/v1/players", "not_replicated")

        await_end(running, table)
        assert_sound(running)
