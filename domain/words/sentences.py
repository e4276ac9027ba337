"""The sentence of a table's event."""

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.actor import HOST, is_bot
from hoodwink.domain.tables.events import is_of_table
from hoodwink.domain.words import tables
from hoodwink.domain.words.seating import Seating, with_capital


def sentence(game: str, event: Event, seating: Seating, *, by: str) -> str:
    """Returns the sentence of an event, which also says who chose an action if it was not the seat's player.

    Players are named rather than addressed as "you", so all viewers with the same knowledge read the same text.

    Args:
        game: the game of the table.
        event: redacted for the viewer; a hidden card is mentioned without its face.
        seating: the seating right after the event or at any later version.
        by: the actor recorded in the log.
    """
    if is_of_table(event):
        return with_capital(tables.say(game, event, seating, by=by))
    return with_capital(GAMES[game].say(event, seating.names) + _chosen_by(game, event, seating, by))


def _chosen_by(game: str, event: Event, seating: Seating, by: str) -> str:
    cause = event.cause()
    if cause is None:  # nobody chooses a deal, a score or a consequence
        return ""
    seat = cause[0]
    if by == HOST:
        return " The host entered this."
    if is_bot(by) and not seating.are_bots[seat]:
        return f" A bot chose for {seating.names[seat]}."
    return ""
