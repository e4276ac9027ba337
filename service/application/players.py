"""Players: registration, look-up, and the check of a bearer token."""

import hmac
import re

import msgspec

from domain.players import Player, PlayerRegistered, hash_token, register, registered
from domain.tables import GENESIS, Entry, chain_hash
from domain.tables.asker import by_player
from service.application.cache import Cache
from service.application.errors import KeyReused, NotFound, NotFoundCode
from service.application.identity import Identities, idempotency_key
from service.application.ports import (
    Appended,
    Clock,
    Commit,
    Duplicate,
    EventStore,
    IdempotencyKey,
    StreamId,
)

ID_PATTERN = "^[a-z0-9]{4,32}$"
"""The form of the ids of players and tables."""

_ID = re.compile(ID_PATTERN)
_TOKEN_PARTS = 3


class Registration(msgspec.Struct, frozen=True, gc=False):
    """A new player with the token, which is never shown again: only its hash is stored."""

    player: Player
    token: str


class Players:
    """Registers and finds players. Safe to share between threads."""

    def __init__(
        self, *, store: EventStore, clock: Clock, identities: Identities, cached: int = 100_000
    ) -> None:
        """Keeps up to `cached` players in memory until `forget`; a player never changes."""
        self._store = store
        self._clock = clock
        self._identities = identities
        self._cache: Cache[str, Player] = Cache(cached)

    def register(self, *, name: str | None, key: str | None = None) -> Registration:
        """Registers a player, or a guest without `name`; the same key again returns the same token.

        Raises:
            KeyReused: `key` came with another name before.
            StoreUnavailable
        """
        key = self._identities.key_or_fresh(key)
        player_id = self._identities.player_id(key)
        token = self._identities.token(player_id, key)
        event = register(player=player_id, name=name or f"Guest {player_id[:4]}", token=token)
        own_key = idempotency_key(player_id, key, msgspec.json.encode(name))
        answer = self._store.append(_commit(event, own_key, self._clock.now_ms()))
        if isinstance(answer, Duplicate) and answer.fingerprint != own_key.fingerprint:
            raise KeyReused
        assert isinstance(answer, Appended | Duplicate), "one player id follows from one key alone"
        player = registered(event)
        self._cache.put(player_id, player)
        return Registration(player, token)

    def get(self, player_id: str) -> Player:
        """Returns the player; raises `NotFound`."""
        player = self._find(player_id)
        if player is None:
            raise NotFound(NotFoundCode.PLAYER_NOT_FOUND)
        return player

    def authenticate(self, token: str) -> Player | None:
        """Returns the player with that token, if there is one."""
        parts = token.split("_", _TOKEN_PARTS - 1)
        if len(parts) != _TOKEN_PARTS or parts[0] != "hw" or not is_id(parts[1]):
            return None
        player = self._find(parts[1])
        if player is None or not hmac.compare_digest(player.token_hash, hash_token(token)):
            return None
        return player

    def forget(self) -> None:
        """Forgets the cached players, so that each is read again: Redis may have come back without some of them."""
        self._cache.clear()

    def _find(self, player_id: str) -> Player | None:
        player = self._cache.get(player_id)
        if player is not None:
            return player
        entries = self._store.read(_stream(player_id), count=1)
        if not entries:  # not remembered: another process may register the player at any moment
            return None
        player = registered(msgspec.json.decode(entries[0].data, type=PlayerRegistered))
        self._cache.put(player_id, player)
        return player


def is_id(text: str) -> bool:
    """Returns whether a text has the form of the id of a player or a table.

    >>> is_id("k3x9"), is_id("K3X9"), is_id("k:39"), is_id("")
    (True, False, False, False)
    """
    return _ID.fullmatch(text) is not None


def _stream(player_id: str) -> StreamId:
    return StreamId("player", player_id)


def _commit(event: PlayerRegistered, key: IdempotencyKey, at: int) -> Commit:
    wire, data, by, cmd = event.wire, msgspec.json.encode(event), by_player(event.player), key.id
    # Nobody is shown this hash, and nothing is hidden by it, so the chain needs no secret key.
    hash_ = chain_hash(b"", GENESIS, 1, wire, at, by, cmd, data)
    entry = Entry(version=1, type=wire, at=at, by=by, cmd=cmd, data=msgspec.Raw(data), hash=hash_)
    return Commit(stream=_stream(event.player), expected_version=0, entries=(entry,), key=key)
