"""The messages of webhooks. Each says what one event of a tournament says to everybody who may see the tournament.

Under the embargo of D-7 the log itself has no results, and their events follow its end. So no message is early.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final, TypeAlias, assert_never, get_args

import msgspec

from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import Phase, Tournament, standings_of
from hoodwink.domain.tournaments.life.events import (
    Announced,
    PairingChanged,
    ResultRuled,
    RoundCompleted,
    RoundOpened,
    RoundStarted,
    RulingReversed,
    SeedRevealed,
    TableReported,
    TableVoided,
    VoidScored,
)
from hoodwink.domain.tournaments.standings import three_decimals
from hoodwink.service.application.jobs.effort import has_many_lines
from hoodwink.service.application.webhooks.webhooks import MessageType

ResultChange: TypeAlias = ResultRuled | RulingReversed | TableVoided | VoidScored

Announceable: TypeAlias = (
    RoundOpened
    | PairingChanged
    | RoundStarted
    | TableReported
    | ResultChange
    | RoundCompleted
    | SeedRevealed
    | Announced
)
"""The events that have messages. The seed is revealed when a tournament is over and its last table has ended."""

_TYPES: Final[Mapping[type[Event], MessageType]] = MappingProxyType(
    {
        RoundOpened: MessageType.ROUND_PAIRED,
        PairingChanged: MessageType.ROUND_PAIRED,
        RoundStarted: MessageType.ROUND_STARTED,
        TableReported: MessageType.TABLE_RESULT,
        ResultRuled: MessageType.RESULT_CHANGED,
        RulingReversed: MessageType.RESULT_CHANGED,
        TableVoided: MessageType.RESULT_CHANGED,
        VoidScored: MessageType.RESULT_CHANGED,
        RoundCompleted: MessageType.ROUND_ENDED,
        SeedRevealed: MessageType.TOURNAMENT_ENDED,
        Announced: MessageType.ANNOUNCEMENT,
    }
)

WIRES: Final = frozenset(kind.wire for kind in get_args(Announceable))
"""The wire names of the events that have messages."""

_ID_BYTES: Final = 12


class Message(msgspec.Struct, frozen=True, gc=False):
    """A message as it is sent: `type`, `timestamp` in ISO 8601, and `data`."""

    type: str
    timestamp: str
    data: dict[str, Any]


def type_of(recorded: Recorded) -> MessageType | None:
    """Returns the type of an event's message, or `None` if it has none."""
    return _TYPES.get(type(recorded.event))


def message_of(recorded: Recorded, tournament: Tournament, text_of: Callable[[str], str | None]) -> Message:
    """Returns the message of an event that has one.

    Args:
        recorded: the event.
        tournament: the tournament at that event or later.
        text_of: returns the text with a hash in an event, unless it was erased.
    """
    event: Announceable = recorded.event  # type: ignore[assignment]
    data = {"tournament": tournament.id, "version": recorded.entry.version}
    return Message(_TYPES[type(event)], _iso(recorded.entry.at), data | _data(event, tournament, text_of))


def ping(tournament: Tournament, now: int) -> Message:
    """Returns a message for tests, with the name of the tournament."""
    return Message("ping", _iso(now), {"tournament": tournament.id, "version": tournament.version})


def message_id(webhook: str, what: str) -> str:
    """Returns the id of a message: the same at each attempt, and different for each webhook.

    >>> message_id("w1", "7")
    'msg_2d27eeede02083bd33a6a527'
    """
    return f"msg_{blake2b(f'{webhook}:{what}'.encode(), digest_size=_ID_BYTES).hexdigest()}"


def _data(
    event: Announceable, tournament: Tournament, text_of: Callable[[str], str | None]
) -> dict[str, Any]:
    match event:
        case RoundOpened() | PairingChanged():
            return {"round": event.round, "boards": _boards(event.tables)}
        case RoundStarted():
            return {"round": event.round}
        case TableReported():
            return _result(event, tournament)
        case ResultRuled() | RulingReversed() | TableVoided() | VoidScored():
            return {"round": event.round, "board": event.board, **_change(event)}
        case RoundCompleted():
            return {"round": event.round, "standings": _standings(tournament, event.round)}
        case SeedRevealed():
            has_places = tournament.phase is Phase.FINISHED
            standings = _standings(tournament, None) if has_places else None
            return {"phase": tournament.phase, "standings": standings}
        case Announced():
            return {"by": event.official, "text": text_of(event.text)}
        case _ as never:
            assert_never(never)


def _boards(tables: tuple[tuple[int | None, ...], ...]) -> list[dict[str, Any]]:
    return [{"board": number, "seats": seats} for number, seats in enumerate(tables, start=1)]


def _result(event: TableReported, tournament: Tournament) -> dict[str, Any]:
    match = tournament.rounds[event.round - 1].matches[event.board - 1]
    return {
        "round": event.round,
        "board": event.board,
        "deal": event.deal,
        "table": event.table,
        "seats": match.deals[event.deal - 1].seats,
        "outcome": event.outcome,
        "places": event.places,
        "points": event.points,
        "no_shows": event.no_shows,
    }


def _change(event: ResultChange) -> dict[str, Any]:
    match event:
        case ResultRuled():
            ruled = {"places": event.places, "points": event.points, "score": _fraction(event.score)}
            return {"change": "ruled", **ruled}
        case RulingReversed():
            return {"change": "ruling_reversed"}
        case TableVoided():
            return {"change": "voided", "deal": event.deal}
        case VoidScored():
            return {"change": "void_scored", "score": _fraction(event.score)}
        case _ as never:
            assert_never(never)


def _standings(tournament: Tournament, after: int | None) -> list[dict[str, Any]] | None:
    """Returns the standings, or `None` if nobody has a place, or if computing them takes long."""
    if tournament.terms is None or has_many_lines(tournament):
        return None
    return [
        {
            "entrant": row.entrant,
            # An id and no name: people can erase their names here, but not at the receiver.
            "id": tournament.entrants[row.entrant - 1].id,
            "rank": row.rank,
            "score": _fraction(row.score),
            "decimals": three_decimals(row.score),
        }
        for row in standings_of(tournament, after=after).rows
    ]


def _fraction(score: Fraction | None) -> str | None:
    return None if score is None else str(score)


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
