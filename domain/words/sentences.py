"""From an event to its sentence, with whose choice it was."""

from domain.games import GAMES
from domain.kernel import Event
from domain.tables.asker import HOST, is_bot
from domain.tables.events import is_of_table
from domain.words import tables
from domain.words.seating import Seating


def sentence(game: str, event: Event, seating: Seating, *, by: str) -> str:
    """Returns what happened and, where it was not the seat's own player, whose choice it was.

    The players are called by their names, so all viewers who may know the same read the same.

    Args:
        game: the game of the table.
        event: as the viewer may know it, redacted before it comes here; a hidden card is spoken of without a face.
        seating: of the table right after the event, or at any later version.
        by: who asked for it, as the log says.
    """
    if is_of_table(event):
        return tables.say(game, event, seating, by=by)
    return GAMES[game].say(event, seating.names) + _chosen_by(game, event, seating, by)


def _chosen_by(game: str, event: Event, seating: Seating, by: str) -> str:
    """Returns whose choice it was, if that differs from what everybody would take for granted."""
    cause = event.cause()
    if cause is None:  # a consequence, a deal or a score is nobody's choice
        return ""
    seat = cause[0]
    if by == HOST:
        return " The host entered this."
    if is_bot(by) and not seating.are_bots[seat]:
        return f" A bot chose for {seating.names[seat]}."
    return ""
