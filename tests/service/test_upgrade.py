"""The service continues with the data folder of an older commit, with tables in every state."""

import gzip
import json
from hashlib import sha256
from pathlib import Path
from random import Random
from time import time_ns
from typing import Any

import pytest
from redis import Redis

from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, find_redis
from tests.service.processes import await_true, service_settings
from tests.upgrade.checks import audit_faults, exported, log_faults, lost
from tests.upgrade.people import CountingClient, Players

GOLDEN = Path(__file__).parent / "golden"
KNOWN = json.loads(gzip.decompress((GOLDEN / "data-0.1.0.json.gz").read_bytes()))
TABLES: dict[str, Any] = KNOWN["tables"]
ENDED = [name for name, table in TABLES.items() if table["phase"] == "ended"]

CONTINUED = {"mid-shithead", "open-late", "clock-late", "to-score"}
"""The tables that `make test` plays to their ends, in every kind of state; the others take longer or are like them."""

LATER_MS = 3_600_000
"""The service continues one hour after the recording: turn clocks would have expired, but no table is abandoned."""

CLOCK = """\
import time

real_time, real_time_ns = time.time, time.time_ns
time.time = lambda: real_time() - {behind} / 1e9
time.time_ns = lambda: real_time_ns() - {behind}
"""
"""A `sitecustomize` module, which Python runs at the start of every process."""

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    folder = tmp_path_factory.mktemp("upgraded")
    unpack(folder / "data" / "redis")
    behind = time_ns() - (KNOWN["recorded_at"] + LATER_MS) * 1_000_000
    (folder / "sitecustomize.py").write_text(CLOCK.format(behind=behind))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with isolated_service(service_settings(folder / "data", job_slots=0)) as settings:
            yield settings


def unpack(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "appendonly.aof").write_bytes(gzip.decompress((GOLDEN / "data-0.1.0.aof.gz").read_bytes()))


@pytest.fixture
def client(running):
    client = CountingClient(running)
    yield client
    client.close()
    assert not [status for status in client.statuses if status >= 500]


def path(name: str) -> str:
    return f"/v1/tables/{TABLES[name]['id']}"


def token(person: str) -> str:
    return str(KNOWN["players"][person]["token"]) if person else ""


@pytest.mark.parametrize("search", ["", None], ids=["bundled", "on the path"])
def test_every_redis_reads_the_recorded_data(tmp_path, search):
    folder = tmp_path / "redis"
    unpack(folder)
    try:
        server = EmbeddedRedis(folder=folder, binary=find_redis(search))
    except NoRedisBinary:
        pytest.skip("NOT TESTED: there is no such Redis here")
    with server, Redis.from_url(server.url) as redis:
        assert len(redis.keys("hw:*:table:*")) >= len(TABLES)


def test_every_table_is_in_the_lobby_in_its_phase(client):
    """The old projections had read no event of some tables, and not the last events of others."""

    def listed() -> dict[str, str]:
        phases = ("open", "playing", "ended")
        pages = {phase: client.ask("GET", f"/v1/tables?phase={phase}&limit=100") for phase in phases}
        return {row["id"]: phase for phase, page in pages.items() for row in page["tables"]}

    def expected() -> dict[str, str]:
        return {table["id"]: client.ask("GET", path(name))["view"]["phase"] for name, table in TABLES.items()}

    await_true(lambda: listed() == expected())
    phases = expected()
    for name, table in TABLES.items():
        order = ("open", "playing", "ended")
        assert order.index(phases[table["id"]]) >= order.index(table["phase"]), name
        assert table["phase"] != "ended" or phases[table["id"]] == "ended"


@pytest.mark.parametrize("name", ENDED)
def test_an_old_log_is_exported_unchanged_and_verifies(running, name):
    (log,) = exported(running, [TABLES[name]["id"]]).values()
    assert sha256(log).hexdigest() == TABLES[name]["log"]
    assert verify_log(log).valid


@pytest.mark.parametrize("name", TABLES)
def test_views_are_the_same_as_before(client, name):
    table = TABLES[name]
    for person, seen in table["views"].items():
        del seen["now"]  # an answer about an earlier version does not have it
        for seat in seen["view"]["seats"]:
            if seat["policy"]:
                del seat["name"]  # a bot is called by its level now, without a number
        shown = client.ask("GET", f"{path(name)}?version={table['version']}", token(person))
        assert missing(seen, shown) == []


def missing(old: Any, new: Any, where: str = "") -> list[str]:
    """Returns the paths where the new JSON lacks a value of the old one; additional fields are allowed."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            fault for name, value in old.items() for fault in missing(value, new.get(name), f"{where}.{name}")
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            fault
            for number, pair in enumerate(zip(old, new, strict=True))
            for fault in missing(*pair, f"{where}[{number}]")
        ]
    return [] if old == new else [f"{where}: {old!r} became {new!r}"]


def test_an_old_idempotency_key_repeats_its_first_result(client):
    # A registration can be repeated only for ten minutes.
    repeatable = [sent for sent in KNOWN["commands"] if sent["path"] != "/v1/players"]
    assert len(repeatable) > 10
    for sent in repeatable:
        body = json.loads(sent["body"])
        again = client.ask("POST", sent["path"], token(sent["person"]), body, key=sent["key"])
        assert missing(sent["told"], again) == [], sent


@pytest.mark.parametrize("name", ["clock", "clock-late"])
def test_g_18_a_clock_is_moved_by_the_outage_of_the_upgrade(client, name):
    seen = TABLES[name]["version"]

    def is_moved() -> bool:
        events = client.ask("GET", f"{path(name)}/events?cursor={seen}")["events"]
        return "table.clocks_moved" in [event["type"] for event in events]

    await_true(is_moved)


@pytest.mark.parametrize("name", ENDED)
def test_the_ledger_of_an_ended_table_is_unchanged(client, name):
    def faults() -> list[str]:
        entries = client.ask("GET", f"{path(name)}/ledger")["entries"]
        return missing(TABLES[name].get("ledger", []), entries)

    # At its start, the projector rebuilds books with a changed revision, which takes a moment.
    await_true(lambda: faults() == [])


@pytest.mark.parametrize("person", KNOWN["players"])
def test_the_history_of_a_player_has_every_ended_table(client, person):
    player = KNOWN["players"][person]["id"]
    over = {TABLES[name]["id"] for name in ENDED if person in TABLES[name]["persons"]}

    def listed() -> set[str]:
        return {
            row["table"] for row in client.ask("GET", f"/v1/players/{player}/history?limit=200")["tables"]
        }

    await_true(lambda: listed() >= over)


def test_an_audit_finds_no_differences(running):
    assert list(audit_faults(running)) == []


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in CONTINUED else pytest.mark.campaign)
        for name in TABLES
        if name not in ENDED
    ],
)
def test_the_same_people_play_every_table_to_its_end(running, client, name):
    players = Players(client, [token(person) for person in TABLES[name]["persons"]], Random(1))
    if TABLES[name]["phase"] == "open":
        fill_and_start(players, name)
    players.tokens = [player for player in players.tokens if player not in resigned(name)]
    players.play_on(path(name))
    logs = exported(running, [TABLES[name]["id"]])
    assert [*log_faults(logs, {}), *lost(players.acknowledged, logs)] == []


def fill_and_start(players: Players, name: str) -> None:
    free = [seat for seat in seats_of(name) if seat["player"] is None]
    others = [token(person) for person in KNOWN["players"] if token(person) not in players.tokens]
    for other, _ in zip(others, free, strict=False):
        players.tokens.append(other)
        players.command(f"{path(name)}/seats", other, {})
    players.command(f"{path(name)}/start", token(TABLES[name]["host"]), {})


def resigned(name: str) -> set[str]:
    """Returns the tokens of resigned players."""
    left = {seat["player"] for seat in seats_of(name) if seat["resigned"]}
    return {player["token"] for player in KNOWN["players"].values() if player["id"] in left}


def seats_of(name: str) -> list[Any]:
    return list(TABLES[name]["views"][""]["view"]["seats"])
