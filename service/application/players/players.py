"""Players: registration, look-up of names and tokens, and changes by players and administrators."""

import hmac
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from threading import Lock
from typing import Final, Protocol

import msgspec

from hoodwink.domain.kernel import Names, without_name
from hoodwink.domain.players import (
    BanLifted,
    Player,
    PlayerBanned,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerRenamed,
    TokenEnded,
    TokenReplaced,
    checked_name,
    hash_token,
)
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.errors import (
    Busy,
    BusyCode,
    KeyReused,
    LimitReached,
    NotFound,
    NotFoundCode,
    SignedOut,
    TokenSuperseded,
)
from hoodwink.service.application.players.administration import STREAM as ADMINISTRATION
from hoodwink.service.application.players.identity import Identities, idempotency_key
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.players.stored_players import CATEGORY, commit_of, stored_player
from hoodwink.service.application.ports import (
    Appended,
    AppendResult,
    Clock,
    Duplicate,
    EventStore,
    IdempotencyKey,
    StreamId,
)
from hoodwink.service.application.streams.cache import Cache

ID_PATTERN = "^[a-z0-9]{4,32}$"
"""The form of players' and tables' ids."""

KNOWN_MS: Final = 1_000
"""How long a cached player may be used after the last moment up to which all changes are known."""

REPEATABLE_MS: Final = 600_000
"""Ten minutes in which a registration may be repeated. During that time, anyone who guesses its key and name gets the token."""

_ID = re.compile(ID_PATTERN)
_TOKEN_PARTS = 3
_MAX_ATTEMPTS: Final = 10


class PlayerStore(EventStore, Protocol):
    """An event store that also stores the names of players, apart from their events."""

    def read_named(self, streams: Sequence[StreamId]) -> Sequence[tuple[tuple[Entry, ...], str | None]]:
        """Returns all events and the stored name of each stream, in one round trip."""
        ...


class Registration(msgspec.Struct, frozen=True, gc=False):
    """A player with a new token, which is shown only now, because only its hash is stored."""

    player: Player
    token: str


class Players:
    """Registers, finds and changes players. Safe to share between threads.

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

    # ------------------------------------------------------------------------------- look-up

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

    def names(self, player_ids: Collection[str], *, otherwise: Names = without_name) -> PlayerNames:
        """Returns the current names of these players; `otherwise` names those who are not registered here."""
        return PlayerNames(self._find_each(player_ids), otherwise)

    def token_hashes(self, player_ids: Collection[str]) -> dict[str, str]:
        """Returns the current hashes of the tokens of those players who are registered, by id."""
        return {player.id: player.token_hash for player in self._find_each(player_ids).values()}

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
        if player is not None and not hmac.compare_digest(player.token_hash, hashed):
            # The cached token may be one that this one has just replaced through another process.
            player = self._read([player.id]).get(player.id)
        if player is None:
            return None
        if hmac.compare_digest(player.token_hash, hashed):
            return player
        is_repeated = key is not None and idempotency_key(player.id, key, b"").id == player.former_cmd
        if not ends_it or not (is_repeated or player.is_erased):
            return None
        return player if hmac.compare_digest(player.former_hash, hashed) else None

    # ------------------------------------------------------------------------------- changes

    def register(
        self, *, name: str | None, key: str | None = None, count: Callable[[], None] = lambda: None
    ) -> Registration:
        """Registers a player, or a guest without `name`.

        The same key and name again return the same token, for `REPEATABLE_MS` and only while it is valid. Later, or
        with another name, the key registers another player.

        Args:
            name: as the client sent it.
            key: the idempotency key of the request.
            count: called before a registration; may raise `LimitReached`, which is ignored for a repetition.

        Raises:
            RuleViolation: the name is not allowed.
            LimitReached, StoreUnavailable
        """
        if name is not None:
            name = checked_name(name)
        request = registration(name, self._identities.key_or_fresh(key))
        player_id = self._identities.player_id(request)
        token = self._identities.token(player_id, request)
        try:
            count()
        except LimitReached:
            # Only a refusal costs a read, and only with a key, because without one nothing can be repeated.
            former = None if key is None else self._find(player_id)
            if former is None or not self._may_repeat(former, token):
                raise
        event = PlayerRegistered(player_id, hash_token(token))
        # The player's id is derived from the whole request, so it needs no fingerprint of the key and name.
        answer = self._append(None, event, IdempotencyKey(player_id, ""), name=name)
        assert isinstance(answer, Appended | Duplicate), "one player id is derived from one request alone"
        player = self.get(player_id)
        if isinstance(answer, Duplicate) and not self._may_repeat(player, token):
            # The key acts like an unused one: a refusal would tell a stranger that somebody has used it.
            return self.register(name=name)
        return Registration(player, token)

    def _may_repeat(self, player: Player, token: str) -> bool:
        """Returns whether a repeated registration may still return its token."""
        is_recent = self._clock.now_ms() - player.registered_at < REPEATABLE_MS
        return is_recent and player.token_hash == hash_token(token)

    def rename(self, actor: Player, name: str) -> Player:
        """Renames the actor; raises `SignedOut`, and `RuleViolation` like `register`."""
        name = checked_name(name)
        self._change(
            actor, lambda player: None if player.name == name else PlayerRenamed(player.id), name=name
        )
        return self.get(actor.id)

    def replace_token(self, actor: Player, key: IdempotencyKey | None, secret: str) -> Registration:
        """Ends the actor's token and returns a new one, derived from `secret`.

        The same key again returns the same token.

        Raises:
            SignedOut: the actor's token has ended.
            TokenSuperseded: the token that the key returned has ended since.
        """
        token = self._identities.new_token(actor.id, secret)
        self._change(actor, lambda player: TokenReplaced(player.id, hash_token(token)), key=key)
        player = self.get(actor.id)
        if player.token_hash != hash_token(token):
            raise TokenSuperseded
        return Registration(player, token)

    def end_token(self, actor: Player) -> None:
        """Ends the actor's token, so that nobody can sign in as this player any more. Raises `SignedOut`."""
        self._change(actor, lambda player: TokenEnded(player.id))

    def erase(self, actor: Player, key: IdempotencyKey | None) -> Player:
        """Ends the actor's token and erases the name; raises `SignedOut`."""
        self._change(actor, lambda player: PlayerErased(player.id), key=key, name="")
        return self.get(actor.id)

    # ------------------------------------------------------------------------------- by administrators

    def ban(self, player_id: str) -> Player:
        """Bans the player, who then may only read and leave; raises `NotFound`."""
        return self._administer(
            player_id, lambda player: None if player.is_banned else PlayerBanned(player.id)
        )

    def lift_ban(self, player_id: str) -> Player:
        """Raises `NotFound`."""
        return self._administer(player_id, lambda player: BanLifted(player.id) if player.is_banned else None)

    def rename_other(self, player_id: str, name: str) -> Player:
        """Renames a player; raises `NotFound`, and `RuleViolation` like `register`."""
        name = checked_name(name)
        return self._administer(
            player_id, lambda player: None if player.name == name else PlayerRenamed(player.id), name=name
        )

    def erase_other(self, player_id: str) -> Player:
        """Ends a player's token and erases the name; raises `NotFound`."""
        return self._administer(
            player_id, lambda player: None if player.is_erased else PlayerErased(player.id), name=""
        )

    def _administer(
        self, player_id: str, event_for: Callable[[Player], PlayerEvent | None], *, name: str | None = None
    ) -> Player:
        self._change(self.get(player_id), event_for, name=name, is_own=False)
        return self.get(player_id)

    def _change(
        self,
        actor: Player,
        event_for: Callable[[Player], PlayerEvent | None],
        *,
        key: IdempotencyKey | None = None,
        name: str | None = None,
        is_own: bool = True,
    ) -> None:
        """Appends the event for the stored player, unless it is `None` or the key's command is already stored.

        The actor is the player as authenticated, which may be older than the stored one. If the change is not the
        player's own, an administrator makes it.
        """
        own_key = key or IdempotencyKey(id=self._identities.key_or_fresh(None), fingerprint="")
        for _ in range(_MAX_ATTEMPTS):
            # Read from the store: the cache may not have heard yet that the token has ended.
            player = self._read([actor.id])[actor.id]
            if player.former_cmd == own_key.id and self._is_stored(player, own_key):
                return
            if is_own and not _is_signed_in(player, actor):
                raise SignedOut
            if (event := event_for(player)) is None:
                # An earlier attempt may have stored it without a confirmation by the replicas.
                self._store.confirm(StreamId(CATEGORY, player.id))
                return
            if isinstance(self._append(player, event, own_key, name=name), Appended | Duplicate):
                return
        raise Busy(BusyCode.PLAYER_BUSY)

    def _is_stored(self, player: Player, key: IdempotencyKey) -> bool:
        known = self._store.known(StreamId(CATEGORY, player.id), key.id)
        if known is not None and known.fingerprint != key.fingerprint:
            raise KeyReused
        return known is not None

    def _append(
        self,
        player: Player | None,
        event: PlayerEvent,
        key: IdempotencyKey,
        *,
        name: str | None,
    ) -> AppendResult:
        commit = commit_of(player, event, key, self._clock.now_ms(), name)
        answer = self._store.append(commit)
        if isinstance(answer, Duplicate) and answer.fingerprint != key.fingerprint:
            raise KeyReused
        # The next request to this process must see the change, and the pointer in the feed comes later.
        self._forget_some([event.player])
        return answer

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

    def _find_each(self, player_ids: Collection[str]) -> Mapping[str, Player]:
        found = self._cache.get_each(player_ids) if self.is_known() else {}
        if len(found) == len(player_ids):
            return found
        missing = [player_id for player_id in player_ids if player_id not in found]
        return found | self._read(missing) if missing else found

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


def _is_signed_in(player: Player, actor: Player) -> bool:
    """Returns whether the actor's token is still the player's."""
    return player.token_hash != "" and hmac.compare_digest(player.token_hash, actor.token_hash)


def registration(name: str | None, key: str) -> str:
    """Returns the text from which the id and token of a new player are derived."""
    # No key contains a line feed, so this text never equals one from which a replaced token is derived.
    return f"{key}\n{msgspec.json.encode(name).decode()}"


def is_id(text: str) -> bool:
    """Returns whether a text has the form of the id of a player or a table.

    >>> is_id("k3x9"), is_id("K3X9"), is_id("k:39"), is_id("")
    (True, False, False, False)
    """
    return _ID.fullmatch(text) is not None
