"""Players: registered once, known by id; only the hash of their token is kept."""

import hashlib
from typing import ClassVar

import msgspec

from domain.kernel import Event


class PlayerRegistered(Event, frozen=True):
    """A guest or named player came; `token_hash` is SHA-256 of the bearer token, as hex."""

    wire: ClassVar[str] = "player.registered"
    player: str
    name: str
    token_hash: str


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
