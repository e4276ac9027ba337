"""A series in memory, whose tournaments are counted without play."""

from fractions import Fraction
from typing import Any

from hoodwink.domain import series as lib
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series.plan import HOUR_MS, Points, Schedule, Weekday
from hoodwink.domain.tables.actor import WORKER
from hoodwink.domain.tables.entries import Entry, decoded
from hoodwink.domain.tables.proving.log import apply, head_of
from hoodwink.domain.tournaments.life import OPEN_TO_ALL, Admission, Placing, Sitting
from tests.tournaments.world import setup

DAY_MS = 24 * HOUR_MS
START = 30 * DAY_MS
"""The first date; a date follows each day."""


class _Decider:
    decide = staticmethod(lib.decide)
    evolve = staticmethod(lib.evolve)


def schedule(**changes: Any) -> Schedule:
    given: dict[str, Any] = {
        "weekdays": (Weekday.THURSDAY,),
        "time": "20:00",
        "zone": "Europe/Berlin",
        "first_day": "1970-01-31",
        "tournaments": 3,
        "opens_hours": 24,
    }
    return Schedule(**(given | changes))


class Season:
    """A series with its log."""

    def __init__(
        self,
        *,
        dates: int = 3,
        points: Points | None = None,
        admission: Admission = OPEN_TO_ALL,
        opens_hours: int = 24,
        now: int = START - 20 * DAY_MS,
        **changes: Any,
    ) -> None:
        self.now = now
        self.series: Any = lib.UNOPENED
        self.entries: list[Entry] = []
        given = {"name": "Club night", "sittings": (Sitting(rounds=3),)} | changes
        self.opening = lib.OpenSeries(
            series="club",
            organiser="olga",
            setup=setup(**given),
            compare=None,
            arena=None,
            admission=admission,
            schedule=schedule(tournaments=dates, opens_hours=opens_hours),
            points=points or Points(),
            dates=tuple(START + number * DAY_MS for number in range(dates)),
        )
        self.do(self.opening)

    def do(self, command: lib.SeriesCommand) -> Any:
        """Executes a command; returns its events after storing and reading them."""
        head, cmd = head_of(self.entries), f"{len(self.entries):x}"
        self.series, events = apply(
            _Decider, self.series, command, head=head, at=self.now, by=WORKER, cmd=cmd
        )
        entries = [recorded.entry for recorded in events]
        assert decoded(entries, lib.decode_series_event) == events, "an event is read as it was written"
        self.entries += entries
        return tuple([recorded.event for recorded in events])

    def refusal(self, command: lib.SeriesCommand) -> str:
        """Returns the code with which a command would be refused, or an empty string; changes nothing."""
        try:
            lib.decide(self.series, command, self.now)
        except RuleViolation as violation:
            return violation.code
        return ""

    def count(self, number: int, *places: tuple[str, int, Any], version: int = 9) -> Any:
        """Counts a tournament with players, their places and scores."""
        placings = tuple([Placing(player, place, Fraction(score)) for player, place, score in places])
        return self.do(lib.CountTournament(number=number, version=version, head="ab", placings=placings))

    def table(self) -> Any:
        return [(row.place, row.player, row.points) for row in lib.season_table(self.series)]

    def statuses(self) -> list[str]:
        return [date.status.value for date in self.series.dates]
