"""The audit reports differences, but not events that are not projected yet."""

from typing import Any

import pytest

from hoodwink.domain.projections import HISTORY, LEDGER, LOBBY, PROJECTIONS, STATISTICS, Projection
from hoodwink.domain.tables.commands import Act
from hoodwink.service.adapters.store.packing import packed, unpacked
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.ports import StreamId
from hoodwink.service.auditing import Finding
from tests.service.application.audits import differences as audited
from tests.service.application.test_projections import (
    every_projection,
    follow,
    projector_of,
    stored,
    streams_of,
)
from tests.service.application.world import EventfulClock, StandingClock, World, service_on
from tests.service.databases import copied


@pytest.fixture
def client(followed):
    """A Redis with tables and up-to-date projections."""
    return copied(followed)


@pytest.fixture(scope="module")
def followed():
    client = stored()
    for projection in PROJECTIONS:
        assert follow(client, projection)
    return client


def audit(
    client: Any, projection: Projection, patience_seconds: float = 0.0, clock: Any = None
) -> list[Difference]:
    service = service_on(client, clock)
    return audited(service, projection.name, patience_seconds=patience_seconds)


def key(client: Any, name: str) -> bytes:
    """Returns a key with this name in any partition."""
    found: bytes = min(client.keys(f"hw:*:{name}"))
    return found


def stream_key(client: Any, table: str) -> bytes:
    (found,) = client.keys(f"hw:{{p??}}:table:{table}")
    assert isinstance(found, bytes)
    return found


@every_projection
def test_intact_projections_have_no_differences(client, projection):
    assert audit(client, projection) == []


@every_projection
def test_the_progress_callback_is_called_once_for_every_stream(client, projection):
    service, done = service_on(client), list[StreamId]()
    audited(service, projection.name, done=done.append)
    assert [stream for stream in sorted(done, key=repr) if stream.category == projection.category] == sorted(
        streams_of(projection), key=repr
    )


def test_a_wrong_counter_is_reported(client):
    client.hincrby(key(client, "statistics:counters"), "blindside|tables_opened", 1)
    (found,) = audit(client, STATISTICS)
    assert found.location.endswith(", counters, blindside|tables_opened")
    assert found.live == found.replayed + 1


def test_a_missing_row_is_reported(client):
    rows = key(client, "ledger:rows")
    name = client.hkeys(rows)[0]
    client.hdel(rows, name)
    (found,) = audit(client, LEDGER)
    assert found.location.endswith(f", rows, {name.decode()}")
    assert found.live is None
    assert name.decode().partition(":")[0] in found.replayed


def test_changed_and_invented_rows_are_reported(client):
    rows = key(client, "history:rows")
    client.hset(rows, client.hkeys(rows)[0], "{}")
    client.hset(rows, "nobody:nowhere", "{}")
    changed, made_up = sorted(audit(client, HISTORY), key=lambda difference: difference.replayed is None)
    assert (changed.live, made_up.live, made_up.replayed) == ("{}", "{}", None)


def test_a_wrongly_listed_row_is_reported(client):
    journal = key(client, "ledger:index:journal")
    client.zincrby(journal, 1, client.zrange(journal, 0, 0)[0])
    (found,) = audit(client, LEDGER)
    assert ", index journal, " in found.location
    assert found.live == found.replayed + 1


def test_a_lost_index_row_is_reported(client):
    journal = key(client, "ledger:index:journal")
    client.delete(journal)
    assert {found.live for found in audit(client, LEDGER)} == {None}


def test_an_unprojected_table_is_reported(client):
    world = World(client)
    table = world.table("ada", "bo", table="late")
    found = audit(client, LOBBY)
    assert found == [Difference("lobby", f"applied, table:{table}", 0, 4)]
    assert audit(client, LEDGER) == []


def test_lost_effects_are_reported(client):
    world = World(client)
    table = world.table("bot", "bot", table="late")
    projector_of(client, LEDGER).project(world.read("ledger"))
    world.settle()
    lost = [entry for entry in world.read("ledger") if entry.stream.id == table]
    assert lost
    (found,) = audit(client, LEDGER)
    assert (found.location, found.live) == ("applied, table:late", 0)
    assert found.replayed > 0


def test_a_version_beyond_the_log_is_reported(client):
    applied = key(client, "lobby:applied")
    stream, mark = min(client.hgetall(applied).items())
    version = mark.partition(b" ")[0]
    client.hset(applied, stream, int(version) + 1_000)
    (found,) = audit(client, LOBBY)
    assert (found.live, found.replayed) == (f"{int(version) + 1_000}", version.decode())


def test_a_hash_of_another_history_is_reported(client):
    applied = key(client, "lobby:applied")
    stream, mark = min(client.hgetall(applied).items())
    version, _, head = mark.partition(b" ")
    client.hset(applied, stream, version + b" " + packed("f" * 64))
    (found,) = audit(client, LOBBY)
    assert (found.live, found.replayed) == (
        f"{version.decode()} {'f' * 64}",
        f"{version.decode()} {unpacked(head)}",
    )


@every_projection
def test_versions_without_a_hash_are_accepted(client, projection):
    for applied in client.keys(f"hw:*:{projection.name}:applied"):
        for stream, mark in client.hgetall(applied).items():
            client.hset(applied, stream, mark.partition(b" ")[0])
    assert audit(client, projection) == []


def test_a_mark_without_its_stream_is_reported(client):
    client.delete(stream_key(client, "open"))
    found = audit(client, LOBBY)
    assert {difference.replayed for difference in found} == {None}
    assert any(difference.location.endswith(", applied, table:open") for difference in found)


def test_an_unreplayable_log_does_not_end_the_audit(client):
    client.xadd(
        stream_key(client, "open"),
        {"type": "coconut.nonsense", "data": "{}", "at": 1, "by": "worker", "cmd": "c", "hash": "f"},
        id="99-0",
    )
    assert audit(client, LOBBY) == []


# ------------------------------------------------------------------------------------ pending


@pytest.fixture
def late(client):
    """Projects the remaining events when the audit starts to wait."""
    world = World(client)
    world.table("bot", "bot", table="late")
    world.settle()
    return world


@every_projection
def test_events_stored_during_the_audit_are_no_difference(client, projection, late):
    clock = EventfulClock(lambda: follow(client, projection))
    assert audit(client, projection, patience_seconds=60, clock=clock) == []


@every_projection
def test_play_during_the_audit_is_no_difference(client, projection):
    world = World(client)
    table = world.table("ada", "bo", table="lively")
    world.settle()
    service = service_on(client)
    follow(client, projection)

    def play_on(_: object) -> None:
        loaded = world.now_at(table)
        for seat in loaded.rulebook.turn(loaded.state).owes[:1]:
            world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
        world.settle()
        follow(client, projection)

    assert audited(service, projection.name, done=play_on, patience_seconds=60) == []
    assert world.now_at(table).version > 5


def test_waiting_for_the_projector_ends_without_progress(client, late):
    clock = StandingClock()
    (found,) = audit(client, LOBBY, patience_seconds=3, clock=clock)
    assert found.location == "applied, table:late"
    assert clock.elapsed_ms() == 3_000


def test_long_values_are_shown_in_part():
    shown = str(Finding("leaderboards", Difference("leaderboards", "rows, coconut:", "a" * 5_000, None)))
    assert shown == f"leaderboards: rows, coconut:: is {'a' * 1_000}… (5,000 characters), should be missing"
