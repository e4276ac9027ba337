"""The speed of computing ratings from a rating stream, and the time of a void that changes all later ratings."""

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
"""The number of the table that is voided."""

_BATCH: Final = 500
_SECONDS: Final = 0.5


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rates of the fold, and the time that a void takes in the projector."""
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
            _GAME,
            f"table{number}",
            120,
            tuple([RatedSeat(player, chance.randint(1, _SEATS)) for player in chance.sample(names, _SEATS)]),
        )
        for number in range(tables)
    ]


def entries_of(events: Sequence[RatingEvent], *, after: int = 0, head: str = GENESIS) -> tuple[Entry, ...]:
    found = []
    for version, event in enumerate(events, start=after):
        cmd = f"{event.table}:{event.version}"
        (recorded,) = seal(
            events=(event,), server_seed="", head=head, version=version, at=version, by=RATER, cmd=cmd
        )
        head = recorded.entry.hash
        found.append(recorded.entry)
    return tuple(found)


def _fold(stored: Sequence[Entry]) -> int:
    return extended(RATINGS, Loaded(RATINGS.unopened), stored).state.version


def measure_void_ms(later: int, players: int) -> float:
    """Returns the milliseconds that a projector needs to void a table when this many later tables were rated."""
    events = random_tables(later + _VOIDED + 1, players)
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
        void = RatedTableVoided(_GAME, events[_VOIDED].table, 122)
        _append(
            service, entries_of([void], after=len(stored), head=stored[-1].hash), len(stored), stored[-1].hash
        )
        delivered, began = _read_feed(service), time.perf_counter()
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
    answer = service.store.append(commit)
    assert isinstance(answer, Appended), answer


def _read_feed(service: Service) -> list[FeedEntry]:
    feed = service.feed
    return feed.read(
        group=LEADERBOARDS.name, consumer="bench", partitions=feed.partitions, count=1_000, block_ms=0
    )
