"""The speed of computing ratings from a rating stream, and the time to void a table that all later ratings depend on."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from bench.figures import Bar, Effort, Figure, rate
from bench.service import FSYNC
from hoodwink.domain.projections import LEADERBOARDS
from hoodwink.domain.ratings import RatedSeat, RatedTableVoided, RatingEvent, TableRated
from hoodwink.domain.tables.actor import RATER
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import GENESIS, seal
from hoodwink.service.application.ports import Appended, Commit, FeedEntry, IdempotencyKey, StreamId
from hoodwink.service.application.streams.aggregates import RATINGS
from hoodwink.service.application.streams.history import Loaded, extended
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis

FOLD_BAR: Final = Bar(20_000)
VOID_BAR: Final = Bar(1_000, is_ceiling=True)

_GAME: Final = "coconut"
_STREAM: Final = StreamId(RATINGS.category, _GAME)
_SEATS: Final = 4
_PLAYERS: Final = (100, 2_000, 20_000)
_VOIDED: Final = 400
"""The number of the table that is voided; the earlier tables keep their ratings."""

_BATCH: Final = 500
_SECONDS: Final = 0.5


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rates of the fold, and the time that the projector needs for a void."""
    for players in _PLAYERS:
        fold = partial(_fold, entries_of(random_tables(effort.events, players)))
        samples = tuple(rate(fold, seconds=min(effort.seconds, _SECONDS)) for _ in range(effort.repeats))
        name = f"{_SEATS} seats, {players:,} players, decoded and folded"
        yield Figure(name=name, unit="tables/s", samples=samples, bar=FOLD_BAR)
    for players in _PLAYERS[:2]:
        name = f"void before {effort.events:,} tables of {players:,} players, projected"
        samples = tuple(measure_void_ms(effort.events, players) for _ in range(effort.repeats))
        yield Figure(name=name, unit="ms", samples=samples, bar=VOID_BAR)


def random_tables(tables: int, players: int) -> list[RatingEvent]:
    """Returns rated tables between randomly chosen players."""
    chance = Random(1)  # noqa: S311 - the same tables every time
    names = [f"player{number}" for number in range(players)]
    return [
        TableRated(
            game=_GAME,
            table=f"table{number}",
            version=120,
            seats=tuple(
                [RatedSeat(player, chance.randint(1, _SEATS)) for player in chance.sample(names, _SEATS)]
            ),
        )
        for number in range(tables)
    ]


def entries_of(events: Sequence[RatingEvent], *, after: int = 0, head: str = GENESIS) -> tuple[Entry, ...]:
    """Returns the events as entries of a rating stream whose last event has this version and hash."""
    entries = []
    for version, event in enumerate(events, start=after):
        cmd = f"{event.table}:{event.version}"
        (recorded,) = seal(
            events=(event,), server_seed="", head=head, version=version, at=version, by=RATER, cmd=cmd
        )
        head = recorded.entry.hash
        entries.append(recorded.entry)
    return tuple(entries)


def _fold(stored: Sequence[Entry]) -> int:
    return extended(RATINGS, Loaded(RATINGS.unopened), stored).state.version


def measure_void_ms(later_tables: int, players: int) -> float:
    """Returns the milliseconds that a projector needs to void a table and rate all later tables again."""
    events = random_tables(_VOIDED + 1 + later_tables, players)
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        EmbeddedRedis(folder=Path(folder) / "redis", fsync=FSYNC) as redis,
    ):
        service = Service(Settings(redis_url=redis.url))
        stored = entries_of(events)
        for first in range(0, len(stored), _BATCH):
            _append(service, stored[first : first + _BATCH], first, stored[first - 1].hash if first else "")
        projector = service.projectors[LEADERBOARDS.name]
        projector.project(_read_feed(service))
        void = RatedTableVoided(game=_GAME, table=events[_VOIDED].table, version=122)
        count, head = len(stored), stored[-1].hash
        _append(service, entries_of([void], after=count, head=head), count, head)
        delivered = _read_feed(service)
        began = time.perf_counter()  # only now: reading the feed is not part of the void
        projector.project(delivered)
        return 1_000 * (time.perf_counter() - began)


def _append(service: Service, stored: tuple[Entry, ...], after: int, head: str) -> None:
    commit = Commit(
        stream=_STREAM,
        expected_version=after,
        expected_head=head,
        entries=stored,
        key=IdempotencyKey(stored[0].cmd, ""),
    )
    outcome = service.store.append(commit)
    assert isinstance(outcome, Appended), outcome


def _read_feed(service: Service) -> list[FeedEntry]:
    feed = service.feed
    return feed.read(
        group=LEADERBOARDS.name, consumer="bench", partitions=feed.partitions, count=1_000, block_ms=0
    )
