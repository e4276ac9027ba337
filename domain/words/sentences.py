"""The sentence of a table's event."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, cast

from domain.kernel import Event
from domain.tables.events import TABLE_EVENTS, TableEvent
from domain.words import blind_don, blindside, coconut, double_blind, shithead, tables
from domain.words.seating import Seating

_SAYERS: Final[Mapping[str, Callable[[Any, Sequence[str]], str]]] = MappingProxyType(
    {
        "blindside": blindside.say,
        "double_blind": double_blind.say,
        "coconut": coconut.say,
        "blind_don": blind_don.say,
        "shithead": shithead.say,
    }
)


def sentence(game: str, event: Event, seating: Seating, *, by: str) -> str:
    """Returns the sentence of an event, which also says who chose an action if it was not the seat's player.

    The players are called by their names, so all viewers with the same knowledge read the same text.

    Args:
        game: the game of the table.
        event: redacted for the viewer; a hidden card is mentioned without its face.
        seating: of the table right after the event, or at any later version.
        by: who asked for the event, as recorded in the log.
    """
    if isinstance(event, TABLE_EVENTS):
        return tables.say(game, cast("TableEvent", event), seating, by=by)
    return _SAYERS[game](event, seating.names) + _chosen_by(game, event, seating, by)


def _chosen_by(game: str, event: Event, seating: Seating, by: str) -> str:
    """Returns a sentence that says who chose the action, if it was not the seat's player."""
    cause = event.cause()
    if cause is None:  # a consequence, a deal or a score is nobody's choice
        return ""
    seat = cause[0]
    if by == "host":
        return " The host entered this."
    if by.startswith("bot:") and not seating.are_bots[seat]:
        return f" A bot chose for {seating.names[seat]}."
    return ""
