"""The commands of a series. The caller checks who may give them."""

from typing import TypeAlias

import msgspec

from hoodwink.domain.series.events import Missed, Stopped
from hoodwink.domain.series.plan import Points, Schedule
from hoodwink.domain.tournaments.life import Admission, ArenaTimes, Placing, Setup
from hoodwink.domain.tournaments.terms import Compare


class Command(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the commands of a series."""


class OpenSeries(Command, frozen=True, kw_only=True):
    """Open a series.

    Attributes:
        setup: the settings of each tournament, with one sitting that has no time.
        dates: the starts in ms since the epoch that follow from the schedule.
    """

    series: str
    organiser: str
    setup: Setup
    compare: Compare | None
    arena: ArenaTimes | None
    admission: Admission
    schedule: Schedule
    points: Points
    dates: tuple[int, ...]


class ConfirmTournament(Command, frozen=True):
    """Record that the tournament of a date was opened."""

    number: int


class SkipDate(Command, frozen=True):
    number: int


class MissDate(Command, frozen=True):
    """Record that the tournament of a date could not be opened."""

    number: int
    why: Missed


class CountTournament(Command, frozen=True, kw_only=True):
    """Count the result of a tournament that is over, or a corrected one."""

    number: int
    version: int
    head: str
    placings: tuple[Placing, ...]


class StopSeries(Command, frozen=True):
    """Open no further tournament."""

    why: Stopped


class CloseSeries(Command, frozen=True):
    """Open no further tournament, by decision of an administrator (S-13)."""

    reason: str


SeriesCommand: TypeAlias = (
    OpenSeries | ConfirmTournament | SkipDate | MissDate | CountTournament | StopSeries | CloseSeries
)
