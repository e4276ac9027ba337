"""Players: registration, look-up of names and tokens, and the changes that players make to themselves."""

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
"""The form of the ids of players and tables."""

KNOWN_MS: Final = 1_000
"""How long a cached player may be used after the last moment up to which every change is known."""

REPEATABLE_MS: Final = 600_000
"""How long a registration may be repeated: ten minutes."""

_ID = re.compile(ID_PATTERN)
_TOKEN_PARTS = 3
_ATTEMPTS: Final = 10


class PlayerStore(EventStore, Protocol):
    """An event store that also stores the names of players, apart from their events."""

    def read_named(self, streams: Sequence[StreamId]) -> Sequence[tuple[tuple[Entry, ...], str | None]]:
        """Returns all events and the stored name of each stream, in one round trip."""
        ...


class Registration(msgspec.Struct, frozen=True, gc=False):
    """A player with a new token, which is never shown again: only its hash is stored."""

    player: Player
    token: str


class Players:
    """Registers, finds and changes players. Safe to share between threads.

    Players are cached only while `hear` receives every change, so that a name or token that another process
    changed is never used for longer than `KNOWN_MS`, and no request has to ask for it.
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

    def is_there(self, player_id: str) -> bool:
        """Returns whether the player is registered and has not been erased."""
        player = self._find(player_id)
        return player is not None and not player.is_erased

    def names(self, player_ids: Collection[str], *, otherwise: Names = without_name) -> PlayerNames:
        """Returns the present names of these players; `otherwise` names those who are not registered here."""
        return PlayerNames(self._find_each(player_ids), otherwise)

    def token_hashes(self, player_ids: Collection[str]) -> dict[str, str]:
        """Returns the present hashes of these players' tokens, by id; who is not registered is left out."""
        return {player.id: player.token_hash for player in self._find_each(player_ids).values()}

    def authenticate(self, token: str, *, ends_it: bool = False, key: str | None = None) -> Player | None:
        """Returns the player with that token, if there is one.

        Args:
            token: as the client sent it.
            ends_it: whether the request ends the token; its repetition may bring the token that it has ended. All that an
                erased player can still ask for is the erasure, so that needs no key to be repeated.
            key: the idempotency key of such a request.
        """
        parts = token.split("_", _TOKEN_PARTS - 1)
        if len(parts) != _TOKEN_PARTS or parts[0] != "hw" or not is_id(parts[1]):
            return None
        player, hashed = self._find(parts[1]), hash_token(token)
        if player is not None and not hmac.compare_digest(player.token_hash, hashed):
            # In memory there may still be the token that this one has just replaced, through another process.
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

        The same key and name again return the same token, for `REPEATABLE_MS` and as long as it is valid. Later, and
        with another name, the key registers another player, as an unused one would: nobody learns which keys are in use.

        Args:
            name: as the client sent it.
            key: the idempotency key of the request.
            count: is called before a player is registered, and may raise `LimitReached`, which a repetition is spared.

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
            # Only a refusal asks the store, and only for a key: without one nothing can be repeated.
            former = None if key is None else self._find(player_id)
            if former is None or not self._may_repeat(former, token):
                raise
        event = PlayerRegistered(player_id, hash_token(token))
        # The player's id follows from the whole request, so nothing else about key and name is stored.
        answer = self._append(None, event, IdempotencyKey(player_id, ""), name=name)
        assert isinstance(answer, Appended | Duplicate), "one player id follows from one request alone"
        player = self.get(player_id)
        if isinstance(answer, Duplicate) and not self._may_repeat(player, token):
            return self.register(name=name)
        return Registration(player, token)

    def _may_repeat(self, player: Player, token: str) -> bool:
        """Returns whether a repeated registration may still return its token."""
        is_recent = self._clock.now_ms() - player.registered_at < REPEATABLE_MS
        return is_recent and player.token_hash == hash_token(token)

    def rename(self, actor: Player, name: str) -> Player:
        """Gives the actor another name; raises `SignedOut`, and `RuleViolation` as `register` does."""
        name = checked_name(name)
        self._change(
            actor, lambda player: None if player.name == name else PlayerRenamed(player.id), name=name
        )
        return self.get(actor.id)

    def replace_token(self, actor: Player, key: IdempotencyKey | None, secret: str) -> Registration:
        """Ends the actor's token and returns a new one, which follows from `secret`.

        The same key again returns the same token.

        Raises:
            SignedOut: the actor's token has ended.
            TokenSuperseded: the key led to a token that has ended since.
        """
        token = self._identities.new_token(actor.id, secret)
        self._change(actor, lambda player: TokenReplaced(player.id, hash_token(token)), key=key)
        player = self.get(actor.id)
        if player.token_hash != hash_token(token):
            raise TokenSuperseded
        return Registration(player, token)

    def end_token(self, actor: Player) -> None:
        """Ends the actor's token; nobody can sign in as this player any more. Raises `SignedOut`."""
        self._change(actor, lambda player: TokenEnded(player.id))

    def erase(self, actor: Player, key: IdempotencyKey | None) -> Player:
        """Ends the actor's token and erases the name; raises `SignedOut`."""
        self._change(actor, lambda player: PlayerErased(player.id), key=key, name="")
        return self.get(actor.id)

    # ------------------------------------------------------------------------------- by administrators

    def ban(self, player_id: str) -> Player:
        """Lets the player only read, and leave; raises `NotFound`."""
        return self._administer(
            player_id, lambda player: None if player.is_banned else PlayerBanned(player.id)
        )

    def lift_ban(self, player_id: str) -> Player:
        """Lifts the ban of the player; raises `NotFound`."""
        return self._administer(player_id, lambda player: BanLifted(player.id) if player.is_banned else None)

    def rename_other(self, player_id: str, name: str) -> Player:
        """Gives a player another name; raises `NotFound`, and `RuleViolation` as `register` does."""
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
        """Appends the event that is decided on the stored player, unless it is `None` or the key's command was stored.

        What is stored already is confirmed as an event of its own would be.

        The actor is the player as authenticated, which may be earlier than what is stored. Unless the change is the
        player's own, an administrator makes it.
        """
        own_key = key or IdempotencyKey(id=self._identities.key_or_fresh(None), fingerprint="")
        for _ in range(_ATTEMPTS):
            player = self._read([actor.id])[actor.id]
            if player.former_cmd == own_key.id and self._is_stored(player, own_key):
                return
            if is_own and not _is_signed_in(player, actor):
                raise SignedOut
            if (event := event_for(player)) is None:
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
        self._forget_some([event.player])
        return answer

    # ------------------------------------------------------------------------------- memory

    def now(self) -> int:
        """Returns the time by which `hear` reckons, in ms."""
        return self._clock.elapsed_ms()

    def hear(self, changed_ids: Iterable[str], *, until: int) -> None:
        """Learns which players have changed, or that administrators did something, since the last call and up to `until`."""
        changed = set(changed_ids)
        if ADMINISTRATION.id in changed:
            self._identities.forget_rotated()
        self._forget_some(changed)
        self._known_until = until

    def forget(self) -> None:
        """Forgets all players, so that each is read again: Redis may have come back without some of them."""
        with self._lock:
            self._changes += 1
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
        """Returns whether what is in memory can be used, because every change is heard of soon."""
        return self._clock.elapsed_ms() - self._known_until < KNOWN_MS

    def _read(self, player_ids: Sequence[str]) -> dict[str, Player]:
        """Returns those of the players that are stored, and remembers them."""
        changes = self._changes
        streams = [StreamId(CATEGORY, player_id) for player_id in player_ids]
        found = {
            player_id: stored_player(player_id, entries, name)
            for player_id, (entries, name) in zip(player_ids, self._store.read_named(streams), strict=True)
            if entries  # others are not remembered: another process may register them at any moment
        }
        with self._lock:
            # What was read may be older than a change that was heard of meanwhile.
            if changes == self._changes:
                for player in found.values():
                    self._cache.put(player.id, player)
        return found


def _is_signed_in(player: Player, actor: Player) -> bool:
    """Returns whether the token with which the actor came is still the player's."""
    return player.token_hash != "" and hmac.compare_digest(player.token_hash, actor.token_hash)


def registration(name: str | None, key: str) -> str:
    """Returns the text from which the id and token of a new player follow.

    No key contains a line feed, so the text is never the one from which another token follows.
    """
    return f"{key}\n{msgspec.json.encode(name).decode()}"


def is_id(text: str) -> bool:
    """Returns whether a text has the form of the id of a player or a table.

    >>> is_id("k3x9"), is_id("K3X9"), is_id("k:39"), is_id("")
    (True, False, False, False)
    """
    return _ID.fullmatch(text) is not None
