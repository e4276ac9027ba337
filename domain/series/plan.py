"""The settings of a series, apart from those of its tournaments: dates and points (S-2, S-8)."""

from collections.abc import Mapping
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series.codes import SeriesCode
from hoodwink.domain.tournaments.terms import Format

MAX_DATES: Final = 60
HOUR_MS: Final = 3_600_000
MAX_OPEN: Final = 3
"""The number of tournaments of a series that may take entries at the same time (S-3)."""

USUAL_POINTS: Final = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


class Weekday(StrEnum):
    """The days of the week, in the order of ISO 8601."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class PointsBy(StrEnum):
    """The measure that gives the season points of a tournament (S-8)."""

    PLACE = "place"  # a list of points
    SCORE = "score"  # the score in the tournament


_DAY: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"

PATTERNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "time": "^([01][0-9]|2[0-3]):[0-5][0-9]$",
        "zone": "^[A-Za-z][A-Za-z0-9_+/-]{1,49}$",
        "first_day": _DAY,
        "last_day": _DAY,
    }
)
"""How the texts in a schedule are spelled."""

_Day: TypeAlias = Annotated[str, Meta(pattern=_DAY)]


class Schedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When the tournaments of a series take place."""

    weekdays: Annotated[
        tuple[Weekday, ...], Meta(min_length=1, max_length=7, description="The days of the week.")
    ]
    time: Annotated[
        str,
        Meta(
            pattern=PATTERNS["time"],
            description="The local time of the start, such as `20:00`.",
        ),
    ]
    zone: Annotated[
        str,
        Meta(
            pattern=PATTERNS["zone"],
            description="The time zone by its name in the IANA database, such as `Europe/Berlin`.",
        ),
    ]
    first_day: Annotated[_Day, Meta(description="The first day on which a tournament may take place.")]
    every_weeks: Annotated[
        int, Meta(ge=1, le=8, description="2 for every second week, counted from the week of the first day.")
    ] = 1
    tournaments: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_DATES)] | None,
        Meta(description="The number of tournaments; either this or `last_day`."),
    ] = None
    last_day: Annotated[
        _Day | None,
        Meta(
            description=f"The last day on which a tournament may take place; at most {MAX_DATES} may result."
        ),
    ] = None
    opens_hours: Annotated[
        int,
        Meta(
            ge=1,
            le=336,
            description=f"How many hours before its start a tournament takes entries; at most {MAX_OPEN} may do so at the "
            "same time.",
        ),
    ] = 72


class Points(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the results of the tournaments become season points."""

    by: Annotated[
        PointsBy,
        Meta(description="Whether the place in a tournament earns points, or the score is the points."),
    ] = PointsBy.PLACE
    places: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
        Meta(
            max_length=100,
            description="The points for the first place, the second, and so on; later places earn none. Only for "
            "`by: place`.",
        ),
    ] = USUAL_POINTS
    participation: Annotated[
        int, Meta(ge=0, le=1000, description="Points for everybody who played, in addition.")
    ] = 0
    best_of: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_DATES)] | None,
        Meta(description="The number of each player's best tournaments that count; all by default."),
    ] = None


def check_plan(schedule: Schedule, points: Points, format_: Format, dates: tuple[int, ...], now: int) -> None:
    """Raises `RuleViolation` for the first setting that is not allowed."""
    _require(len(set(schedule.weekdays)) == len(schedule.weekdays), "`weekdays` must name each day once.")
    _require(
        (schedule.tournaments is None) != (schedule.last_day is None),
        "Give either the number of `tournaments` or the `last_day`.",
    )
    _require(
        1 <= len(dates) <= MAX_DATES,
        f"A series has 1 to {MAX_DATES} tournaments; check `first_day`, `last_day` and `weekdays`.",
    )
    in_order = all(before < after for before, after in pairwise(dates))
    _require(in_order, "The dates must be in order.")
    _require(now < dates[0], "The first tournament would start in the past; choose a later `first_day`.")
    opens = schedule.opens_hours * HOUR_MS
    _require(  # S-3
        all(later - opens >= date for date, later in zip(dates, dates[MAX_OPEN:], strict=False)),
        f"`opens_hours` is too long: more than {MAX_OPEN} tournaments would take entries at the same time.",
    )
    falling = all(more >= less for more, less in pairwise(points.places))
    _require(falling, "In `places`, no place may earn more than a better one.")
    _require(
        points.by is PointsBy.PLACE or format_ is not Format.KNOCKOUT,
        "Use `by: place`: a knockout ranks by rounds and not by score.",
    )
    _require(
        points.best_of is None or points.best_of <= len(dates),
        "`best_of` must be at most the number of tournaments.",
    )


def _require(holds: bool, detail: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise RuleViolation(SeriesCode.INVALID_SERIES, detail)
