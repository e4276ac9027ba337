"""A projector that has just started continues the ladder from its snapshot, as if it had read the whole rating stream."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.projections import LEADERBOARDS, leaderboards, snapshot_key
from hoodwink.domain.ratings import RatedSeat, RatedTableVoided, RatingEvent, TableRated
from hoodwink.domain.tables import actor
from hoodwink.domain.tables.proving.log import GENESIS, seal
from hoodwink.service.application.ports import Appended, Commit, IdempotencyKey, StreamId
from hoodwink.service.application.projecting import projecting
from hoodwink.service.application.projecting.projecting import Projector, rebuild
from tests.service.application.audits import differences
from tests.service.application.test_projections import contents, entries, projector_of
from tests.service.application.world import service_on
from tests.service.databases import new_redis

PLAYERS = ("ada", "bo", "cy", "dan", "eve", "k3x9abcd@bot", "steady@1")
STREAM = StreamId("ratings", "coconut")
INTERVAL = 8


@pytest.fixture(autouse=True)
def short_intervals(monkeypatch):
    monkeypatch.setattr(leaderboards, "SNAPSHOT_INTERVAL", INTERVAL)
    monkeypatch.setattr(projecting, "BATCH_SIZE", 5)


def season(tables: int, chance: Random) -> list[RatingEvent]:
    return [table(f"t{number}", chance) for number in range(1, tables + 1)]


def table(name: str, chance: Random) -> TableRated:
    seated = chance.sample(PLAYERS, chance.randint(2, 4))
    return TableRated("coconut", name, 99, tuple(map(RatedSeat, seated, range(1, 5))))


def void(name: str) -> RatedTableVoided:
    return RatedTableVoided("coconut", name, 101)


def append(client: Any, *events: RatingEvent) -> None:
    """Appends events to the rating stream, eight to an hour."""
    store = service_on(client).store
    for event in events:
        version = store.version(STREAM)
        head = store.read(STREAM, after=version - 1)[0].hash if version else GENESIS
        cmd, at = f"{event.table}:{event.version}", version * 450_000
        (sealed,) = seal(
            events=(event,), server_seed="", head=head, version=version, at=at, by=actor.RATER, cmd=cmd
        )
        commit = Commit(
            stream=STREAM,
            expected_version=version,
            expected_head=head,
            entries=(sealed.entry,),
            key=IdempotencyKey(cmd, ""),
        )
        assert isinstance(store.append(commit), Appended)


def project(client: Any, projector: Projector | None = None) -> list[int]:
    """Projects what is new, by default in a process that has just started; returns the versions after which it read."""
    projector, read = projector or projector_of(client, LEADERBOARDS), list[int]()
    store = projector.event_reader._store
    original = store.read

    def watched(stream: StreamId, *, after: int = 0, count: int | None = None) -> Any:
        read.append(after)
        return original(stream, after=after, count=count)

    store.read = watched  # type: ignore[method-assign]
    new = entries(client, LEADERBOARDS)
    projector.project(new)
    service_on(client).feed.ack(LEADERBOARDS.name, new)
    store.read = original  # type: ignore[method-assign]
    return read


def assert_as_from_the_beginning(client: Any) -> None:
    projected = contents(client, LEADERBOARDS)
    rebuild([projector_of(client, LEADERBOARDS)])
    assert contents(client, LEADERBOARDS) == projected


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(4, 100))]
)
def test_ratings_do_not_depend_on_restarts(seed):
    client, chance = new_redis(), Random(seed)
    rated, number, projector = list[str](), 0, None
    while number < 60:
        if rated and chance.random() < 0.15:
            append(client, void(rated.pop(chance.choice([-1, 0]))))
        else:
            number += 1
            rated.append(f"t{number}")
            append(client, table(rated[-1], chance))
        if chance.random() < 0.5:
            if projector is None or chance.random() < 0.4:
                projector = projector_of(client, LEADERBOARDS)
            project(client, projector)
    project(client, projector)
    assert_as_from_the_beginning(client)


def test_first_table_after_a_start_does_not_read_tables_before_the_snapshot():
    client, chance = new_redis(), Random(1)
    append(client, *season(5 * INTERVAL + 2, chance))
    project(client)
    append(client, table("new", chance))
    assert min(project(client)) == 5 * INTERVAL - 1, "the last event before the snapshot proves the history"
    assert_as_from_the_beginning(client)


def test_void_of_a_table_before_the_snapshot_reads_the_whole_stream_once(monkeypatch):
    client, chance = new_redis(), Random(2)
    append(client, *season(3 * INTERVAL + 2, chance))
    project(client)
    projector = projector_of(client, LEADERBOARDS)
    append(client, table("t27", chance))
    assert min(project(client, projector)) > 0
    monkeypatch.setattr(projecting, "BATCH_SIZE", 100)
    answers, apply = iter([False]), projector.target.apply
    # For a moment, an audit holds the partition.
    monkeypatch.setattr(
        projector.target, "apply", lambda *a, **b: next(answers, None) is None and apply(*a, **b)
    )
    append(client, void("t3"))
    assert min(project(client, projector)) == 0
    append(client, void("t2"))
    assert min(project(client, projector)) > 0, "this process now remembers every table"
    append(client, table("new", chance))
    assert min(project(client)) > 0, "the void made a snapshot"
    assert_as_from_the_beginning(client)


@pytest.mark.parametrize(
    ("old", "new"), [(b'"crc":', b'"crc":1'), (b'["ada",[', b'["ada",[1'), (b'"snapshot":{', b'"snapshot":')]
)
def test_damaged_snapshot_is_not_used_and_the_audit_finds_it(old, new):
    client = projected_season(3)
    row = snapshot(client)
    assert old in row
    assert_not_used(client, row.replace(old, new, 1))


def test_snapshot_of_another_history_is_not_used_and_the_audit_finds_it():
    assert_not_used(projected_season(3), snapshot(projected_season(4)))


def projected_season(seed: int) -> Any:
    client = new_redis()
    append(client, *season(2 * INTERVAL + 2, Random(seed)))
    project(client)
    return client


def snapshot(client: Any) -> bytes:
    (rows,) = client.keys(f"hw:*:{LEADERBOARDS.name}:rows")
    row: bytes = client.hget(rows, snapshot_key("coconut"))
    return row


def assert_not_used(client: Any, row: bytes) -> None:
    """Asserts that a stored snapshot is the only thing wrong after the next start and table, until a rebuild."""
    (rows,) = client.keys(f"hw:*:{LEADERBOARDS.name}:rows")
    client.hset(rows, snapshot_key("coconut"), row)
    append(client, table("new", Random(0)))
    assert min(project(client)) == 0
    (found,) = differences(service_on(client), LEADERBOARDS.name)
    assert found.location.endswith(f"rows, {snapshot_key('coconut')}")
    rebuild([projector_of(client, LEADERBOARDS)])
    assert differences(service_on(client), LEADERBOARDS.name) == []


def test_long_stream_reports_progress_before_each_batch():
    client = new_redis()
    append(client, *season(23, Random(5)))
    projector, known = projector_of(client, LEADERBOARDS), list[int]()
    projector.progressed = known.append
    projector.project(entries(client, LEADERBOARDS))
    assert known == [0, 5, 10, 15, 20]
