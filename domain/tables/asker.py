"""Who asked for a command. The log holds it as text, and only this module writes and reads that text."""

from typing import Final, NewType

Asker = NewType("Asker", str)
"""The asker of a command, as the field `by` of a log's entry names it."""

HOST: Final = Asker("host")
ORGANISER: Final = Asker("organiser")
ADMIN: Final = Asker("admin")
RATER: Final = Asker("rater")
WORKER: Final = Asker("worker")
"""The service itself, when it does what is due."""


def by_player(seat_or_id: int | str | None) -> Asker:
    """Returns the player of a seat, or the one who registers under an id; `None` is a seat that does not exist."""
    return Asker(f"player:{seat_or_id}")


def by_bot(seat: int) -> Asker:
    """Returns the bot that moves for a seat: a bot that holds it, a stand-in, or one that keeps it for a player."""
    return Asker(f"bot:{seat}")


def by_entrant(id_: str) -> Asker:
    """Returns an entrant of a tournament."""
    return Asker(f"entrant:{id_}")


def is_player(asker: str) -> bool:
    """Returns whether a player asked, for their own seat."""
    return asker.startswith("player:")


def is_bot(asker: str) -> bool:
    """Returns whether a bot moved, for any seat."""
    return asker.startswith("bot:")
