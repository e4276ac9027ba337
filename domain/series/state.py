"""The state of a series, and facts that follow from it."""

import hashlib
from enum import StrEnum

import msgspec

from hoodwink.domain.series.events import Missed, Stopped
from hoodwink.domain.series.plan import HOUR_MS, Points, Schedule
from hoodwink.domain.tournaments.life import Admission, ArenaTimes, Placing, Setup, Visibility
from hoodwink.domain.tournaments.terms import Compare


class SeasonPhase(StrEnum):
    """The phases of a series."""

    RUNNING = "running"
    ENDED = "ended"


class DateStatus(StrEnum):
    """The outcome of a date so far."""

    PLANNED = "planned"
    OPEN = "open"  # its tournament is open, and not over
    OVER = "over"  # its tournament is over, and its result counts
    SKIPPED = "skipped"  # the organiser left it out, or ended the series before it
    MISSED = "missed"  # the service could not open its tournament


UNSETTLED = frozenset({DateStatus.PLANNED, DateStatus.OPEN})
"""The dates that may still bring points."""


class SeasonDate(msgspec.Struct, frozen=True, kw_only=True):
    """One date of a series.

    Attributes:
        starts_at: in ms since the epoch.
        tournament: `None` unless it was opened.
        why: why it was missed.
        version: of the tournament's last event that counts; 0 before its end.
        counted_at: when that was counted, in ms since the epoch; 0 before.
    """

    number: int
    starts_at: int
    status: DateStatus = DateStatus.PLANNED
    tournament: str | None = None
    why: Missed | None = None
    version: int = 0
    counted_at: int = 0
    placings: tuple[Placing, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a series."""

    setup: Setup
    compare: Compare | None
    arena: ArenaTimes | None
    admission: Admission
    schedule: Schedule
    points: Points


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a series at one version.

    Attributes:
        id: empty before it is opened, and then `plan` is `None`.
        corrected: the date before the last event, if that event corrected its result.
    """

    id: str = ""
    version: int = 0
    phase: SeasonPhase = SeasonPhase.RUNNING
    organiser: str = ""
    plan: Plan | None = None
    dates: tuple[SeasonDate, ...] = ()
    stopped: Stopped | None = None
    corrected: SeasonDate | None = None

    @property
    def server_seed(self) -> str:
        """Empty, because the log of a series has no secret."""
        return ""


UNOPENED = Series()


def plan_of(series: Series) -> Plan:
    assert series.plan is not None, "a series is opened with its settings"
    return series.plan


def is_listed(series: Series) -> bool:
    """Returns whether everybody finds the series in lists (T-24)."""
    return plan_of(series).admission.visibility is Visibility.PUBLIC


def tournament_id(series: str, number: int) -> str:
    """Returns the id of a tournament: 20 hex digits that depend on its place in the series alone (S-3)."""
    return hashlib.sha256(f"series:{series}:{number}".encode()).hexdigest()[:20]


def date_of(series: Series, number: int) -> SeasonDate | None:
    return series.dates[number - 1] if 1 <= number <= len(series.dates) else None


def next_date(series: Series) -> SeasonDate | None:
    """Returns the first date whose tournament is still to be opened."""
    return next((date for date in series.dates if date.status is DateStatus.PLANNED), None)


def opens_at(series: Series, date: SeasonDate) -> int:
    """Returns when the tournament of a date opens for entries, in ms since the epoch."""
    return date.starts_at - plan_of(series).schedule.opens_hours * HOUR_MS
