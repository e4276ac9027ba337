"""Players: registration, sessions, and changes by players and administrators."""

from collections.abc import Callable
from typing import Final

import msgspec

from hoodwink.domain.players import (
    BanLifted,
    BotRegistered,
    PasskeyMade,
    Player,
    PlayerBanned,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerRenamed,
    RecoveryCodeMade,
    Session,
    SessionOpened,
    SignIn,
    TokenEnded,
    TokenReplaced,
    hash_token,
    session_of,
    signed_in,
)
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
from hoodwink.service.application.players.identity import registration
from hoodwink.service.application.players.new_names import checked_name
from hoodwink.service.application.players.player_lookup import PlayerLookup
from hoodwink.service.application.players.stored_players import CATEGORY, commit_of
from hoodwink.service.application.ports import Appended, AppendResult, Duplicate, IdempotencyKey, StreamId

REPEATABLE_MS: Final = 600_000
"""Ten minutes in which a registration may be repeated. During that time, anyone who guesses its key and name gets the token."""

_MAX_ATTEMPTS: Final = 10


class Registration(msgspec.Struct, frozen=True, gc=False):
    """A player with a new token, which is shown only now, because only its hash is stored."""

    player: Player
    token: str


class Players(PlayerLookup):
    """Registers and changes players. Safe to share between threads."""

    def register(
        self,
        *,
        name: str | None,
        owner: str | None = None,
        key: str | None = None,
        fingerprint: str = "",
        count: Callable[[], None] = lambda: None,
    ) -> Registration:
        """Registers a player, a guest without `name`, or a bot of the player `owner`.

        The same key and name again return the same token, for `REPEATABLE_MS` and only while it is valid. Later, or
        with another name, the key registers another player. A bot's name may change, so that of its request decides.

        Args:
            name: as the client sent it.
            owner: the id of the player to whom a bot belongs.
            key: the idempotency key of the request.
            fingerprint: of the request that registers a bot.
            count: called before a registration; may raise `LimitReached`, which is ignored for a repetition.

        Raises:
            RuleViolation: the name is not allowed.
            KeyReused, LimitReached, StoreUnavailable
        """
        checked = None if name is None else checked_name(name, is_bot=owner is not None)
        request = registration(checked, self._identities.key_or_fresh(key), owner)
        player_id = self._identities.player_id(request)
        token = self._identities.token(player_id, request)
        try:
            count()
        except LimitReached:
            # Only a refusal costs a read, and only with a key, because without one nothing can be repeated.
            former = None if key is None else self._find(player_id)
            if former is None or not self._may_repeat(former, token):
                raise
        hashed = hash_token(token)
        event = BotRegistered(player_id, hashed, owner) if owner else PlayerRegistered(player_id, hashed)
        # A person's id is derived from the whole request, so it needs no fingerprint of the key and name.
        answer = self._append(None, event, IdempotencyKey(player_id, fingerprint), name=checked)
        assert isinstance(answer, Appended | Duplicate), "one player id is derived from one request alone"
        player = self.get(player_id)
        if isinstance(answer, Duplicate) and not self._may_repeat(player, token):
            # The key acts like an unused one: a refusal would tell a stranger that somebody has used it.
            return self.register(name=name, owner=owner, fingerprint=fingerprint)
        return Registration(player, token)

    def _may_repeat(self, player: Player, token: str) -> bool:
        """Returns whether a repeated registration may still return its token."""
        is_recent = self._clock.now_ms() - player.registered_at < REPEATABLE_MS
        return is_recent and session_of(player, hash_token(token)) is not None

    def rename(self, actor: Player, name: str) -> Player:
        """Renames the actor; raises `SignedOut`, and `RuleViolation` like `register`."""
        name = checked_name(name, is_bot=actor.owner is not None)
        self._change(
            actor, lambda player: None if player.name == name else PlayerRenamed(player.id), name=name
        )
        return self.get(actor.id)

    def open_session(
        self,
        player_id: str,
        how: SignIn,
        secret: str,
        key: IdempotencyKey,
        *,
        check: Callable[[Player], None],
        make_room: Callable[[Player], tuple[int, ...]],
    ) -> Registration:
        """Signs a player in once more, with a token derived from `secret`. The same key again returns the same token.

        Args:
            check: raises an error if the stored player may not be signed in.
            make_room: returns the sessions that end.

        Raises:
            TokenSuperseded: the token that the key returned has ended since.
            KeyReused, NotFound
        """
        token = self._identities.new_token(player_id, secret)
        hashed = hash_token(token)
        for _ in range(_MAX_ATTEMPTS):
            player = self._read([player_id]).get(player_id)
            if player is None:
                raise NotFound(NotFoundCode.PLAYER_NOT_FOUND)
            if self._is_stored(player, key):
                break
            check(player)
            event = SessionOpened(player_id, player.version + 1, hashed, how, make_room(player))
            if isinstance(self._append(player, event, key, name=None), Appended | Duplicate):
                break
        else:
            raise Busy(BusyCode.PLAYER_BUSY)
        return self._registration(player_id, token)

    def set_recovery_code(self, actor: Player, code_hash: str) -> Player:
        """Replaces the actor's recovery code; raises `SignedOut`."""

        def made(player: Player) -> RecoveryCodeMade | None:
            known = player.recovery_code
            is_known = known is not None and known.code_hash == code_hash
            return None if is_known else RecoveryCodeMade(player.id, code_hash)

        self._change(actor, made)
        return self.get(actor.id)

    def check_key(self, actor: Player, key: IdempotencyKey) -> None:
        """Raises `KeyReused` if the actor has used the key for another command."""
        self._is_stored(actor, key)

    def use_challenge(self, actor: Player, key: IdempotencyKey) -> None:
        """Uses up the challenge of a new passkey. The key is derived from it.

        Raises:
            KeyReused: another request has used it.
            SignedOut: the actor's token has ended.
        """
        self._change(actor, lambda player: PasskeyMade(player.id), key=key)

    def replace_token(self, actor: Player, key: IdempotencyKey | None, secret: str) -> Registration:
        """Ends the actor's token and returns a new one for the same session, derived from `secret`.

        The same key again returns the same token.

        Raises:
            SignedOut: the actor's token has ended.
            TokenSuperseded: the token that the key returned has ended since.
        """
        token = self._identities.new_token(actor.id, secret)

        def replaced(player: Player) -> TokenReplaced:
            session = session_of(player, actor.token_hash)
            assert session is not None, "checked by `_change`"
            return TokenReplaced(player.id, hash_token(token), session.number)

        self._change(actor, replaced, key=key)
        return self._registration(actor.id, token)

    def _registration(self, player_id: str, token: str) -> Registration:
        player, hashed = self.get(player_id), hash_token(token)
        if session_of(player, hashed) is None:
            raise TokenSuperseded
        return Registration(signed_in(player, hashed), token)

    def end_sessions(self, actor: Player, choose: Callable[[Session], bool]) -> Player:
        """Ends some sessions of the actor, so that nobody can use their tokens any more.

        Raises:
            SignedOut: the actor's token has ended.
        """

        def ended(player: Player) -> TokenEnded | None:
            chosen = tuple([session.number for session in player.sessions if choose(session)])
            return TokenEnded(player.id, chosen) if chosen else None

        self._change(actor, ended)
        return signed_in(self.get(actor.id), actor.token_hash)

    def erase(self, actor: Player, key: IdempotencyKey | None) -> Player:
        """Ends all sessions of the actor and erases the name; raises `SignedOut`."""
        # One commit ends the sessions and erases the name, so a kill cannot leave one of the two.
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
        name = checked_name(name, is_bot=self.get(player_id).owner is not None)
        return self._administer(
            player_id, lambda player: None if player.name == name else PlayerRenamed(player.id), name=name
        )

    def erase_other(self, player_id: str) -> Player:
        """Ends all sessions of a player and erases the name; raises `NotFound`."""
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
            # First, because a command that ends its own token is repeated with a token that has ended.
            is_repeated = any(session.cmd == own_key.id for session in player.sessions)
            if is_repeated and self._is_stored(player, own_key):
                return
            if is_own and session_of(player, actor.token_hash) is None:
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
