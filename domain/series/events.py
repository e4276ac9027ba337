"""The events of a series."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, TypeAlias, get_args

import msgspec

from hoodwink.domain.kernel import Event, Public
from hoodwink.domain.series.plan import Points, Schedule
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tournaments.life import Admission, ArenaTimes, Placing, Setup, read_fraction
from hoodwink.domain.tournaments.terms import Compare


class Missed(StrEnum):
    """Why the service did not open the tournament of a date (S-5)."""

    LATE = "late"  # the service was away until its start
    TOO_MANY = "too_many"  # the organiser had too many tournaments
    REFUSED = "refused"  # the rules no longer allow the settings


class Stopped(StrEnum):
    """Why no further tournament opens (S-5, S-6, S-13)."""

    ORGANISER = "organiser"  # the organiser said so
    ORGANISER_GONE = "organiser_gone"  # the organiser was deleted or banned
    ADMINISTRATOR = "administrator"  # an administrator said so


class SeriesOpened(Event, frozen=True):
    """A series was opened. `setup` are the settings of its tournaments, whose names are this one and a number.

    `dates` are the starts of the tournaments in ms since the epoch, which the service computed from the schedule.
    """

    wire: ClassVar[str] = "series.opened"
    series: Public[str]
    organiser: Public[str]
    setup: Public[Setup]
    compare: Public[Compare | None]
    arena: Public[ArenaTimes | None]
    admission: Public[Admission]
    schedule: Public[Schedule]
    points: Public[Points]
    dates: Public[tuple[int, ...]]


class SeriesTournamentOpened(Event, frozen=True):
    """The service opened the tournament of a date."""

    wire: ClassVar[str] = "series.tournament_opened"
    number: Public[int]
    tournament: Public[str]


class DateSkipped(Event, frozen=True):
    """The organiser left out a date."""

    wire: ClassVar[str] = "series.date_skipped"
    number: Public[int]


class DateMissed(Event, frozen=True):
    """The service could not open the tournament of a date."""

    wire: ClassVar[str] = "series.date_missed"
    number: Public[int]
    why: Public[Missed]


class TournamentCounted(Event, frozen=True):
    """A tournament is over, or its result was corrected (S-10). A cancelled one has no placings.

    `version` and `head` are those of the last event on the tournament's own stream.
    """

    wire: ClassVar[str] = "series.tournament_counted"
    number: Public[int]
    tournament: Public[str]
    version: Public[int]
    head: Public[str]
    placings: Public[tuple[Placing, ...]]


class SeriesStopped(Event, frozen=True):
    """No further tournament opens; those that are open still count."""

    wire: ClassVar[str] = "series.stopped"
    why: Public[Stopped]


class SeriesClosed(Event, frozen=True):
    """An administrator ended the series, so that no further tournament opens; those that are open still count.

    `reason` is the salted hash of the reason.
    """

    wire: ClassVar[str] = "series.closed"
    reason: Public[str]


class SeasonEnded(Event, frozen=True):
    """The last tournament is over, so the season table is final, except for corrections."""

    wire: ClassVar[str] = "series.season_ended"


SeriesEvent: TypeAlias = (
    SeriesOpened
    | SeriesTournamentOpened
    | DateSkipped
    | DateMissed
    | TournamentCounted
    | SeriesStopped
    | SeriesClosed
    | SeasonEnded
)

SERIES_EVENTS: tuple[type[SeriesEvent], ...] = get_args(SeriesEvent)

_DECODERS: Mapping[str, msgspec.json.Decoder[SeriesEvent]] = {
    kind.wire: msgspec.json.Decoder(kind, dec_hook=read_fraction) for kind in SERIES_EVENTS
}


def decode_series_event(wire: str, data: bytes) -> SeriesEvent:
    """Returns the event with that wire name; raises `UnknownEvent`."""
    decoder = _DECODERS.get(wire)
    if decoder is None:
        raise UnknownEvent(f"there is no event {wire!r}")
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None
