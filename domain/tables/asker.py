"""Who asked for what is recorded. The log holds it as text, which is written and read here alone."""

from typing import Final, NewType

Asker = NewType("Asker", str)
"""Who asked for a command, as `by` of an entry says it."""

HOST: Final = Asker("host")
ORGANISER: Final = Asker("organiser")
ADMIN: Final = Asker("admin")
WORKER: Final = Asker("worker")
"""The service itself, which does what is due."""

RATER: Final = Asker("rater")

_PLAYER: Final = "player:"
_BOT: Final = "bot:"


def by_player(who: int | str | None) -> Asker:
    """Returns the player of a seat, or who registers under an id; `None` is a seat that the table does not have."""
    return Asker(f"{_PLAYER}{who}")


def by_bot(seat: int) -> Asker:
    """Returns the bot that moves for a seat, be it the seat's own, a stand-in or one that keeps it."""
    return Asker(f"{_BOT}{seat}")


def by_entrant(id_: str) -> Asker:
    """Returns an entrant of a tournament, by id."""
    return Asker(f"entrant:{id_}")


def is_player(asker: str) -> bool:
    """Tells whether a player asked, for the seat that is theirs."""
    return asker.startswith(_PLAYER)


def is_bot(asker: str) -> bool:
    """Tells whether a bot moved, for whatever seat."""
    return asker.startswith(_BOT)
