"""Players: registered once, known by id; only the hash of their token is kept."""

import hashlib
from typing import ClassVar

import msgspec

from domain.kernel import Event, Public, Secret

LONGEST_NAME = 40

_VISIBLE = (
    r"[^\x00-\x20\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]"
)

NAME_PATTERN = f"^{_VISIBLE}+( {_VISIBLE}+)*$"
"""What a name looks like: visible characters, single blanks between them, nothing that turns text around."""


class PlayerRegistered(Event, frozen=True):
    """A guest or named player came; `token_hash` is SHA-256 of the bearer token, as hex."""

    wire: ClassVar[str] = "player.registered"
    player: Public[str]
    name: Public[str]
    token_hash: Secret


class Player(msgspec.Struct, frozen=True, gc=False):
    """A registered player."""

    id: str
    name: str
    token_hash: str


def register(*, player: str, name: str, token: str) -> PlayerRegistered:
    """Returns the registration of a player who will show `token` from now on."""
    return PlayerRegistered(player, name, hash_token(token))


def registered(event: PlayerRegistered) -> Player:
    """Returns the player an event registered."""
    return Player(event.player, event.name, event.token_hash)


def hash_token(token: str) -> str:
    """Returns SHA-256 of the token, as hex: tokens are random, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
