"""Who asked for what is recorded. The log holds it as text, which is written and read here alone."""

from typing import Final, NewType

Asker = NewType("Asker", str)
"""Who asked for a command, as `by` of an entry says it."""

HOST: Final = Asker("host")
ORGANISER: Final = Asker("organiser")
ADMIN: Final = Asker("admin")
RATER: Final = Asker("rater")
WORKER: Final = Asker("worker")
"""The service itself, which does what is due."""


def by_player(who: int | str | None) -> Asker:
    """Returns the player of a seat, or who registers under an id; `None` is a seat that the table does not have."""
    return Asker(f"player:{who}")


def by_bot(seat: int) -> Asker:
    """Returns the bot that moves for a seat, be it the seat's own, a stand-in or one that keeps it."""
    return Asker(f"bot:{seat}")


def by_entrant(id_: str) -> Asker:
    """Returns an entrant of a tournament."""
    return Asker(f"entrant:{id_}")


def is_player(asker: str) -> bool:
    """Returns whether a player asked, for the seat that is theirs."""
    return asker.startswith("player:")


def is_bot(asker: str) -> bool:
    """Returns whether a bot moved, for whatever seat."""
    return asker.startswith("bot:")
