"""The actors who ask for commands. Logs store them as text, which only this module writes and reads."""

from typing import Final, NewType

Actor = NewType("Actor", str)
"""The actor of a command, as in the field `by` of a log entry."""

HOST: Final = Actor("host")
ORGANISER: Final = Actor("organiser")
ADMIN: Final = Actor("admin")
RATER: Final = Actor("rater")
WORKER: Final = Actor("worker")
"""The service itself, when it does scheduled work."""


def by_player(seat_or_id: int | str | None) -> Actor:
    """Returns the player in a seat, or the player registering with an id; `None` is a seat that does not exist."""
    return Actor(f"player:{seat_or_id}")


def by_bot(seat: int) -> Actor:
    """Returns the bot that moves for a seat: the seat's own, a stand-in, or one that replaces an absent player."""
    return Actor(f"bot:{seat}")


_ENTRANT: Final = "entrant:"


def by_entrant(id_: str) -> Actor:
    return Actor(f"{_ENTRANT}{id_}")


def entrant_of(actor: str) -> str | None:
    """Returns the id of the entrant who acted in a tournament, otherwise `None`."""
    return actor.removeprefix(_ENTRANT) if actor.startswith(_ENTRANT) else None


_CO_ORGANISER: Final = "co_organiser:"


def by_co_organiser(id_: str) -> Actor:
    return Actor(f"{_CO_ORGANISER}{id_}")


def co_organiser_of(actor: str) -> str | None:
    """Returns the id of the player who acted as a co-organiser, otherwise `None`."""
    return actor.removeprefix(_CO_ORGANISER) if actor.startswith(_CO_ORGANISER) else None


def is_organiser(actor: str) -> bool:
    """Returns whether the actor is the organiser or a co-organiser of a tournament."""
    return actor == ORGANISER or co_organiser_of(actor) is not None


def is_player(actor: str) -> bool:
    """Returns whether the actor is a player who acts for their own seat."""
    return actor.startswith("player:")


def is_bot(actor: str) -> bool:
    return actor.startswith("bot:")


def seat_of(actor: str) -> int | None:
    """Returns the seat of a table's player or bot, otherwise `None`."""
    kind, _, seat = actor.partition(":")
    return int(seat) if kind in {"player", "bot"} and seat.isdecimal() else None
