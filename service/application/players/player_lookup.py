"""Finds players and the holders of tokens, in memory where it is up to date and otherwise in the store."""

import hmac
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from threading import Lock
from typing import Final, Protocol

from hoodwink.domain.kernel import Names, without_name
from hoodwink.domain.players import Player, hash_token, session_of, signed_in
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.players.administration import STREAM as ADMINISTRATION
from hoodwink.service.application.players.identity import Identities, idempotency_key
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.players.stored_players import CATEGORY, stored_player
from hoodwink.service.application.ports import Clock, EventStore, StreamId
from hoodwink.service.application.streams.cache import Cache

ID_PATTERN = "^[a-z0-9]{4,32}$"
"""The form of players' and tables' ids."""

KNOWN_MS: Final = 1_000
"""How long a cached player may be used after the last moment up to which all changes are known."""

_ID = re.compile(ID_PATTERN)
_TOKEN_PARTS = 3


class PlayerStore(EventStore, Protocol):
    """An event store that also stores the names of players, apart from their events."""

    def read_named(self, streams: Sequence[StreamId]) -> Sequence[tuple[tuple[Entry, ...], str | None]]:
        """Returns all events and the stored name of each stream, in one round trip."""
        ...


class PlayerLookup:
    """Finds players. Safe to share between threads.

    Players are cached only while `hear` receives every change. So no request needs a round trip for its player, and
    a name or token that another process changed is used for at most `KNOWN_MS`.
    """

    def __init__(
        self, *, store: PlayerStore, clock: Clock, identities: Identities, cached: int = 100_000
    ) -> None:
        """Keeps up to `cached` players in memory."""
        self._store = store
        self._clock = clock
        self._identities = identities
        self._cache: Cache[str, Player] = Cache(cached)
        self._known_until = -KNOWN_MS
        self._changes = 0
        self._lock = Lock()

    def get(self, player_id: str) -> Player:
        """Returns the player; raises `NotFound`."""
        player = self._find(player_id)
        if player is None:
            raise NotFound(NotFoundCode.PLAYER_NOT_FOUND)
        return player

    def exists(self, player_id: str) -> bool:
        """Returns whether the player is registered and has not been erased."""
        player = self._find(player_id)
        return player is not None and not player.is_erased

    def find_each(self, player_ids: Collection[str]) -> Mapping[str, Player]:
        """Returns those of the players who are registered, by id."""
        found = self._cache.get_each(player_ids) if self.is_known() else {}
        if len(found) == len(player_ids):
            return found
        missing = [player_id for player_id in player_ids if player_id not in found]
        return found | self._read(missing) if missing else found

    def names(self, player_ids: Collection[str], *, otherwise: Names = without_name) -> PlayerNames:
        """Returns the current names of these players; `otherwise` names those who are not registered here."""
        return PlayerNames(self.find_each(player_ids), otherwise)

    def owners(self, player_ids: Collection[str]) -> dict[str, str]:
        """Returns the owners of those of the players who are bots, by id."""
        found = self._cache.get_each(player_ids)  # may be outdated, but an owner never changes
        missing = [player_id for player_id in player_ids if player_id not in found]
        both = found | self._read(missing) if missing else found
        return {player.id: player.owner for player in both.values() if player.owner is not None}

    def are_signed_in(self, actors: Sequence[Player]) -> list[bool]:
        """Returns for each player whether the token with which this copy acts is still valid."""
        found = self.find_each({actor.id for actor in actors})
        return [
            actor.id in found and session_of(found[actor.id], actor.token_hash) is not None
            for actor in actors
        ]

    def authenticate(self, token: str, *, ends_it: bool = False, key: str | None = None) -> Player | None:
        """Returns the player with that token, or `None`.

        Args:
            token: as the client sent it.
            ends_it: whether the request ends the token, so that its repetition may still use the ended token. An
                erased player can only repeat the erasure, which needs no key.
            key: the idempotency key of such a request.
        """
        # Not split further, because the secret is base64 for URLs and may contain underscores.
        parts = token.split("_", _TOKEN_PARTS - 1)
        if len(parts) != _TOKEN_PARTS or parts[0] != "hw" or not is_id(parts[1]):
            return None
        player, hashed = self._find(parts[1]), hash_token(token)
        if player is not None and session_of(player, hashed) is None:
            # The session may have begun, or its token been replaced, through another process a moment ago.
            player = self._read([player.id]).get(player.id)
        if player is None:
            return None
        if session_of(player, hashed) is not None:
            return signed_in(player, hashed)
        repeated = None if key is None else idempotency_key(player.id, key, b"").id
        ended = [
            session
            for session in player.sessions
            if (player.is_erased or session.cmd == repeated)
            and hmac.compare_digest(session.former_hash, hashed)
        ]
        return signed_in(player, hashed) if ends_it and ended else None

    # ------------------------------------------------------------------------------- memory

    def now(self) -> int:
        """Returns the time for `until` in `hear`, in ms."""
        return self._clock.elapsed_ms()

    def hear(self, changed_ids: Iterable[str], *, until: int) -> None:
        """Drops players that have changed from the cache, which then is up to date until the time `until`."""
        # An administrator's act may be a rotation of a key; its pointer comes through the same feed.
        changed = set(changed_ids)
        if ADMINISTRATION.id in changed:
            self._identities.forget_rotated()
        self._forget_some(changed)
        # Last: with this time set first, another thread could still use a copy that has changed.
        self._known_until = until

    def forget(self) -> None:
        """Drops all players from the cache, because Redis may have come back without some of them."""
        with self._lock:
            self._changes += 1  # so that a read which is in progress caches nothing
            self._known_until = -KNOWN_MS
            self._cache.clear()
        self._identities.forget_rotated()

    def _forget_some(self, player_ids: Iterable[str]) -> None:
        for player_id in player_ids:
            with self._lock:
                self._changes += 1
                self._cache.drop(player_id)

    def _find(self, player_id: str) -> Player | None:
        player = self._cache.get(player_id) if self.is_known() else None
        return player or self._read([player_id]).get(player_id)

    def is_known(self) -> bool:
        """Returns whether the cache may be used, because all changes up to `KNOWN_MS` ago are known."""
        return self._clock.elapsed_ms() - self._known_until < KNOWN_MS

    def _read(self, player_ids: Sequence[str]) -> dict[str, Player]:
        """Returns and caches those of the players that are stored."""
        changes = self._changes
        streams = [StreamId(CATEGORY, player_id) for player_id in player_ids]
        found = {
            player_id: stored_player(player_id, entries, name)
            for player_id, (entries, name) in zip(player_ids, self._store.read_named(streams), strict=True)
            if entries  # others are not cached: another process may register them at any moment
        }
        with self._lock:
            # A change that was heard of meanwhile may be newer than this copy.
            if changes == self._changes:
                for player in found.values():
                    self._cache.put(player.id, player)
        return found


def is_id(text: str) -> bool:
    """Returns whether a text has the form of the id of a player or a table.

    >>> is_id("k3x9"), is_id("K3X9"), is_id("k:39"), is_id("")
    (True, False, False, False)
    """
    return _ID.fullmatch(text) is not None
