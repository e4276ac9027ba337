"""The speed of replaying stored events, and of verifying exported logs."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from bench.figures import Bar, Effort, Figure, rate
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.history import Loaded, extended
from hoodwink.service.simulation.tables import BotTable

BARS: Final[Mapping[str, Bar]] = MappingProxyType({"blindside": Bar(300_000)})
BAR: Final = Bar(250_000)
"""The target for every other game: 10,000 events in 40 ms."""

LONG_GAME: Final = "shithead"
"""A game whose tables may have any number of events."""

_LONG_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType(
    {"decks": 2, "voluntary_pickup": True, "rounds": 10}
)
_SECONDS: Final = 0.5
_SEATS: Final = 4


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rates of replay and verification for each game, and the time that one long table takes."""
    for name in GAMES:
        tables = play_tables(name, events=effort.events)
        yield _replay_rate(name, tables, effort)
        yield _verify_rate(name, tables, effort)
    yield _long_table(effort)


def play_tables(
    game: str, *, events: int, options: Mapping[str, Any] = MappingProxyType({})
) -> list[tuple[str, tuple[Entry, ...]]]:
    """Returns tables played by random bots, by id, with at least this many events together."""
    fewest, most = GAMES[game].seats
    seats, tables, count = min(most, max(fewest, _SEATS)), list[tuple[str, tuple[Entry, ...]]](), 0
    while count < events:
        simulation = BotTable(
            game=game,
            seats=seats,
            options=options,
            policies=["random"] * seats,
            seed=f"{game}{len(tables)}",
            start_ms=1_700_000_000_000,
        )
        simulation.play()
        tables.append((simulation.table.id, tuple(simulation.entries)))
        count += len(simulation.entries)
    return tables


def replay(entries: Sequence[Entry]) -> int:
    """Replays a table's log; returns its version."""
    return extended(TABLE, Loaded(TABLE.unopened), entries).state.version


def _replay_rate(name: str, tables: list[tuple[str, tuple[Entry, ...]]], effort: Effort) -> Figure:
    logs = [entries for _, entries in tables]
    return Figure(
        name=f"{name}, replay",
        unit="events/s",
        samples=_sample_rates(lambda: sum(map(replay, logs)), effort),
        bar=BARS.get(name, BAR),
    )


def _verify_rate(name: str, tables: list[tuple[str, tuple[Entry, ...]]], effort: Effort) -> Figure:
    logs = [export_log(table, entries) for table, entries in tables]
    return Figure(
        name=f"{name}, verify",
        unit="events/s",
        samples=_sample_rates(lambda: sum(verify_log(log).events for log in logs), effort),
    )


def _long_table(effort: Effort) -> Figure:
    ((_, entries), *_) = play_tables(LONG_GAME, events=effort.events, options=_LONG_OPTIONS)
    entries = entries[: effort.events]
    rates = _sample_rates(lambda: replay(entries), effort)
    return Figure(
        name=f"{LONG_GAME}, one table of {len(entries):,} events",
        unit="ms",
        samples=tuple(1000 * len(entries) / events for events in rates),
        bar=Bar(40, is_ceiling=True),
    )


def _sample_rates(work: Any, effort: Effort) -> tuple[float, ...]:
    seconds = min(effort.seconds, _SECONDS)
    return tuple(rate(work, seconds=seconds) for _ in range(effort.repeats))
