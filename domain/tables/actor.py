"""Who asked for a command. The log holds it as text, and only this module writes and reads that text."""

from typing import Final, NewType

Actor = NewType("Actor", str)
"""The actor of a command, as the field `by` of a log's entry names it."""

HOST: Final = Actor("host")
ORGANISER: Final = Actor("organiser")
ADMIN: Final = Actor("admin")
RATER: Final = Actor("rater")
WORKER: Final = Actor("worker")
"""The service itself, when it does what is due."""


def by_player(seat_or_id: int | str | None) -> Actor:
    """Returns the player of a seat, or the one who registers under an id; `None` is a seat that does not exist."""
    return Actor(f"player:{seat_or_id}")


def by_bot(seat: int) -> Actor:
    """Returns the bot that moves for a seat: a bot that holds it, a stand-in, or one that keeps it for a player."""
    return Actor(f"bot:{seat}")


def by_entrant(id_: str) -> Actor:
    return Actor(f"entrant:{id_}")


def is_player(actor: str) -> bool:
    """Returns whether a player asked, for their own seat."""
    return actor.startswith("player:")


def is_bot(actor: str) -> bool:
    return actor.startswith("bot:")
