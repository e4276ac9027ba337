"""An arena in memory whose tables last random times, with points recomputed from its events alone (T-44)."""

from collections import defaultdict
from fractions import Fraction
from operator import itemgetter
from random import Random
from typing import Any

from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import Advance, Sitting, next_step
from hoodwink.domain.tournaments.life.events import (
    BellRung,
    RoundOpened,
    TableReported,
    TournamentStarted,
)
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.terms import Format
from tests.tournaments.world import World, setup


def arena_setup(**changes: Any) -> Any:
    given = {
        "format": Format.ARENA,
        "seats": 2,
        "sittings": (Sitting(),),
        "turn_seconds": 30,
        "advance": Advance.AUTOMATIC,
    }
    return setup(**(given | changes))


class ArenaWorld(World):
    """An arena; `play_until` ends its tables at their times."""

    def __init__(self, *, minutes: int = 30, finish: int = 10, seed: int = 1, **changes: Any) -> None:
        super().__init__(arena_setup(**changes), arena=ArenaTimes(minutes, finish))
        self.chance = Random(seed)
        self.lasts = (20_000, 300_000)
        self.ends: dict[str, int] = {}

    def play_until(self, until: int) -> None:
        """Lets the service act and tables end at their times, until a time or the end of the tournament."""
        while True:
            self.settle()
            for table in self.open.keys() - self.ends.keys():
                self.ends[table] = self.now + self.chance.randrange(*self.lasts)
            step = next_step(self.tournament)
            times = [self.ends[table] for table in self.open]
            if step is not None:
                times.append(step.at)
            if not times or min(times) > until:
                self.now = max(self.now, until)
                return
            self.now = max(self.now, min(times))
            for table in [table for table in self.open if self.ends[table] <= self.now]:
                seats = len(self.open[table].seats)
                self.end(table, points=tuple(self.chance.choices(range(3), k=seats)))

    def waves(self) -> list[Recorded]:
        return [recorded for recorded in self.log if isinstance(recorded.event, RoundOpened)]


def points_of(log: list[Recorded]) -> dict[int, Fraction]:
    """Returns everybody's points from the events of an arena without voids and rulings, by starting rank."""
    seats: dict[tuple[int, int], tuple[int | None, ...]] = {}
    reports: dict[tuple[int, int], TableReported] = {}
    points: dict[int, Fraction] = defaultdict(Fraction)
    for recorded in log:
        event = recorded.event
        if isinstance(event, TournamentStarted):
            points |= dict.fromkeys(range(1, len(event.entrants) + 1), Fraction())
        elif isinstance(event, RoundOpened):
            seats |= {(event.round, board): table for board, table in enumerate(event.tables, 1)}
        elif isinstance(event, TableReported):
            reports[event.round, event.board] = event
    wins: dict[int, int] = defaultdict(int)
    for place_in_time in sorted(reports):
        _add(seats[place_in_time], reports[place_in_time], points, wins)
    return points


def _add(
    seats: tuple[int | None, ...],
    report: TableReported,
    points: dict[int, Fraction],
    wins: dict[int, int],
) -> None:
    away = {seats[seat] for seat in report.no_shows}
    for entrant in away - {None}:
        wins[entrant or 0] = 0
    there = [entrant for entrant in seats if entrant is not None and entrant not in away]
    if report.places is None:
        return
    if len(there) == 1 and len(away) > 0:
        points[there[0]] += 2
        return
    ranked = [
        (place, entrant) for place, entrant in zip(report.places, seats, strict=True) if entrant not in away
    ]
    order = sorted(ranked, key=itemgetter(0))
    for place, entrant in order:
        if entrant is None:
            continue
        same = [rank for rank, (other, _) in enumerate(order, 1) if other == place]
        share = sum((Fraction(len(seats) - rank, len(seats) - 1) for rank in same), Fraction()) / len(same)
        points[entrant] += (4 if wins[entrant] > 1 else 2) * share
        wins[entrant] = wins[entrant] + 1 if same == [1] else 0


def check_seats(log: list[Recorded], *, patience_ms: int | None = None) -> None:
    """Asserts that nobody is at two tables, and that nobody waits for longer than this while somebody else waits, too."""
    waiting: dict[int, int] = {}
    seats: dict[tuple[int, int], list[int]] = {}
    alone_until = 0
    for recorded in log:
        event, at = recorded.event, recorded.entry.at
        waits = [at - max(since, alone_until) for since in waiting.values()]
        assert patience_ms is None or len(waiting) < 2 or max(waits) <= patience_ms
        alone_until = at if len(waiting) < 2 else alone_until
        if isinstance(event, TournamentStarted):
            waiting = dict.fromkeys(range(1, len(event.entrants) + 1), at)
        elif isinstance(event, RoundOpened):
            for board, table in enumerate(event.tables, 1):
                seats[event.round, board] = [number for number in table if number is not None]
                for number in seats[event.round, board]:
                    assert number in waiting, "nobody is at two tables at once"
                    del waiting[number]
        elif isinstance(event, TableReported):
            waiting |= dict.fromkeys(seats[event.round, event.board], at)
        elif isinstance(event, BellRung):
            patience_ms = None
