"""The whole service with its events on a Redis Cluster and its tasks on a separate server."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.application.commands.import_shelf import Dropped, Keeper
from hoodwink.service.supervisor import CannotStart, isolated_service
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, find_redis
from hoodwink.service.supervisor.roster import address
from tests.service.adapters.servers import cluster, server
from tests.service.api_processes import api_processes
from tests.service.direct import run_command, service_on
from tests.service.older_store import Party
from tests.service.people import RetryingClient, lost, open_bot_table, playing
from tests.service.plain_client import ServiceClient
from tests.service.processes import await_true, service_settings
from tests.service.test_operation import await_actions, await_end, await_ledger
from tests.service.test_personal_news import ME, is_snapshot_with, listed, of

GOLDEN = Path(__file__).parents[1] / "golden"

pytestmark = [pytest.mark.processes, pytest.mark.cluster]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    try:
        find_redis()
    except NoRedisBinary as reason:
        pytest.skip(f"CLUSTER TESTS NOT RUN: {reason}")
    with cluster(tmp_path_factory.mktemp("cluster"), durable=True) as nodes:
        yield nodes


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    with server(tmp_path_factory.mktemp("broker") / "redis") as node:
        yield node


@pytest.fixture(scope="module")
def running(nodes, broker, tmp_path_factory):
    settings = service_settings(
        tmp_path_factory.mktemp("data"),
        job_slots=0,
        api_workers=2,
        redis_url=f"redis://127.0.0.1:{nodes[0].port}",
        broker_url=f"redis://127.0.0.1:{broker.port}",
    )
    with isolated_service(settings) as running:
        yield running


def test_a_table_is_played_watched_recorded_and_listed(running):
    client = ServiceClient(address(running))
    table = open_bot_table(running, "blindside", 4)

    events = list(client.follow(f"{table}/events"))

    assert events[0][0] == "snapshot"
    assert events[-1][0] == "end"
    assert await_ledger(running, table)
    await_true(lambda: is_listed(client, table))


@pytest.fixture
def service(running):
    with service_on(running) as service:
        yield service


def test_an_import_is_stored_found_evicted_and_deleted(service):
    player = service.players.register(name="Ada").player.id
    ada, keeping = Keeper(player, "home"), service.import_retention
    kept = [service.imports.add(log.read_bytes(), ada) for log in sorted(GOLDEN.glob("blindside-1*.log"))]

    assert service.imports.look(kept[0], player).found.is_own
    assert keeping.figures().imports == len(keeping.kept_by(player)) == len(kept)
    assert keeping.shelf.victim(spared=kept[0]) in [(import_id, player) for import_id in kept[1:]]
    for import_id in kept:
        assert service.imports.give_up(import_id, player) is Dropped.GONE
    assert keeping.figures() == (0, 0, {"deleted": len(kept)})
    assert list(service.store.streams("import")) == []


def is_listed(client, table):
    ended = client.get("/v1/tables?phase=ended")["tables"]
    return table.rpartition("/")[2] in {row["id"] for row in ended}


def test_rebuilt_projections_equal_the_live_ones(running):
    await_end(running, open_bot_table(running, "double_blind", 3))

    for command in ("rebuild", "audit"):
        done = run_command(running, command)
        assert done.exit_code == 0, done.output


@pytest.fixture
def processes(running):
    found = api_processes(running)
    yield found
    for process in found:
        process.close()


def test_a_players_news_and_changes_reach_every_process(processes):
    first, second = processes
    party = Party(first)
    host, guest = party.tokens
    await_true(lambda: listed(second, guest) == [party.id])
    party.act_until_step(first, "draw")
    with second.watching(ME, guest) as news, second.watching(party.path, guest) as moves:
        news.await_frame(is_snapshot_with(party.id))
        await_true(lambda: first.get(f"{party.path}/presence")["seats"] == [1])
        party.act_on(first, 12)
        news.await_frame(of("your_turn", party.id))

        assert second.get(party.path)["view"]["seats"][1]["name"] != "Zoë"
        first.ask("PATCH", "/v1/players/me", guest, {"name": "Zoë"})
        await_true(lambda: second.get(party.path)["view"]["seats"][1]["name"] == "Zoë")

        first.post("/v1/players/me/token", guest)
        await_true(lambda: news.have_ended and moves.have_ended)
    assert second.ask("GET", "/v1/players/me", guest).status == 401
    await_true(lambda: [row["id"] for row in second.get("/v1/me/tables", host)["tables"]] == [party.id])


def test_a_stream_starts_with_a_token_of_any_process(running, processes):
    party = Party(processes[0])
    for process in processes:
        token = process.post("/v1/me/stream-tokens", party.tokens[0])["token"]
        for path in (ME, party.path):
            kind, _ = next(ServiceClient(address(running)).follow(f"{path}/events?token={token}"))
            assert kind == "snapshot"


@contextmanager
def stopped(node):
    node.kill()
    try:
        yield
    finally:
        node.start()


@pytest.mark.parametrize("number", [0, pytest.param(2, marks=pytest.mark.campaign)])
def test_a_killed_and_restarted_node_loses_nothing(running, nodes, number):
    with playing(running, 3) as people:
        bots = open_bot_table(running, "blindside", 4)
        await_actions(people, 10)
        client = RetryingClient(running)

        with stopped(nodes[number]):
            await_true(lambda: not is_ready(client))

        await_true(lambda: is_ready(client))
        await_actions(people, 20)
        await_end(running, bots)
        client.close()
    with connect(running.redis_url) as redis:
        assert lost(people, redis, running.partitions) == []


def test_a_killed_and_restarted_broker_delays_only_bots(running, processes, broker):
    process = processes[0]
    party = Party(process)
    before = party.act_until_step(process, "draw")

    with stopped(broker):
        assert party.act_on(process, 3) >= before + 3  # actions need no broker

    await_end(running, open_bot_table(running, "blindside", 4))


def is_ready(client):
    return client.status("/readyz") == 200


def test_a_cluster_without_broker_is_refused_in_one_line(nodes, tmp_path):
    settings = service_settings(tmp_path, job_slots=0, redis_url=f"redis://127.0.0.1:{nodes[1].port}")

    with (
        pytest.raises(CannotStart, match=r"^REDIS_URL names a Redis Cluster.*\.$"),
        isolated_service(settings),
    ):
        pass
