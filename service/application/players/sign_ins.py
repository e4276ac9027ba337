"""Signing in on another device, by a link that another session made or by the recovery code."""

import hmac
import re
from base64 import b32encode
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn, Protocol

from hoodwink.domain.players import Player, SignIn, hash_token, session_of
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, KeyReused, NotFound, TokenSuperseded
from hoodwink.service.application.players.identity import Identities, idempotency_key, illegible, legible
from hoodwink.service.application.players.players import Players, Registration
from hoodwink.service.application.players.sessions import Sessions
from hoodwink.service.application.ports import Clock

LINK_MS: Final = 600_000
"""Ten minutes in which a link may be used."""

_SECRET_LENGTH: Final = 20
"""Letters in base 32 of a recovery code, before the player's id: 100 bits."""

_RECOVERY_CODE: Final = re.compile(f"[a-z2-7]{{{_SECRET_LENGTH}}}([a-z2-7]{{4,32}})")
_LINK: Final = re.compile("hwl_([a-z0-9]{4,32})_[0-9a-f]{32}")


class StoredLink(NamedTuple):
    """A link as it is stored.

    Attributes:
        code_hash: the hash of its code.
        token_hash: the hash of the token of the session that made it.
        expires_at: in ms since the epoch.
    """

    code_hash: str
    token_hash: str
    expires_at: int


class Links(Protocol):
    """The latest link of each player. Every call may raise `StoreUnavailable`."""

    def put(self, player: str, link: StoredLink, *, stays_ms: int) -> None: ...
    def get(self, player: str) -> StoredLink | None: ...


class Link(NamedTuple):
    """A link's code, which is shown only now, and the time in ms until which it may be used."""

    code: str
    expires_at: int


class SignIns:
    """Opens sessions. Every call may raise `StoreUnavailable`.

    Each code opens one session: the store knows a commit by the hash of its code. If the answer is lost, the
    code can be sent again with the same idempotency key. All invalid codes get the same refusal.
    """

    def __init__(
        self,
        *,
        players: Players,
        sessions: Sessions,
        links: Links,
        identities: Identities,
        clock: Clock,
    ) -> None:
        self._players = players
        self._sessions = sessions
        self._links = links
        self._identities = identities
        self._clock = clock

    def new_link(self, player: Player, key: str | None) -> Link:
        """Returns a link that replaces the player's former one; raises `Forbidden` for a bot."""
        code = f"hwl_{player.id}_{self._secret(player, SignIn.LINK, key)[:16].hex()}"
        link = Link(code, self._clock.now_ms() + LINK_MS)
        stored = StoredLink(hash_token(code), player.token_hash, link.expires_at)
        self._links.put(player.id, stored, stays_ms=LINK_MS)
        return link

    def new_recovery_code(self, player: Player, key: str | None) -> str:
        """Returns a recovery code that replaces the player's former one.

        Raises:
            Forbidden: the player is a bot.
            SignedOut: the player's token has ended.
        """
        secret = b32encode(self._secret(player, SignIn.RECOVERY_CODE, key)).decode().lower()
        # With the id, because no index leads from a code to its player.
        code = secret[:_SECRET_LENGTH] + player.id
        self._players.set_recovery_code(player, hash_token(code))
        return legible(code)

    def _secret(self, player: Player, how: SignIn, key: str | None) -> bytes:
        if player.owner is not None:
            raise Forbidden(ForbiddenCode.NOT_FOR_BOTS)
        return self._identities.sign_in_code(player.id, how, self._identities.key_or_fresh(key))

    def redeem(self, code: str, key: str | None, user_agent: str) -> Registration:
        """Signs in with a code; raises `Forbidden` for one that is not valid (any more)."""
        if found := _LINK.fullmatch(code):
            how = SignIn.LINK
        else:
            how, code = SignIn.RECOVERY_CODE, illegible(code)
            found = _RECOVERY_CODE.fullmatch(code)
        if found is None:
            _refuse()
        code_hash = hash_token(code)

        def check(player: Player) -> None:
            expected = self._expected(player, how)
            if expected is None or not hmac.compare_digest(expected, code_hash):
                _refuse()

        return self.open(found[1], how, code, key, user_agent, check=check)

    def open(
        self,
        player_id: str,
        how: SignIn,
        secret: str,
        key: str | None,
        user_agent: str,
        *,
        check: Callable[[Player], None],
    ) -> Registration:
        """Opens the one session that a secret opens.

        Args:
            check: raises an error if the secret is not one of the stored player's.

        Raises:
            Forbidden: another request has used the secret, or the player is gone.
        """
        given = self._identities.key_or_fresh(key)

        def check_all(player: Player) -> None:
            # Checked with the stored player at every attempt: the player may be erased between two.
            if player.is_erased:
                _refuse()
            check(player)

        try:
            made = self._players.open_session(
                player_id,
                how,
                f"{secret}\n{given}",
                idempotency_key(how, secret, given.encode()),
                check=check_all,
                make_room=self._sessions.to_make_room,
            )
        except (KeyReused, NotFound, TokenSuperseded):
            _refuse()
        self._sessions.note_device(made.player, user_agent)
        return made

    def _expected(self, player: Player, how: SignIn) -> str | None:
        """Returns the hash of the code that is valid now, or `None`."""
        if how is SignIn.RECOVERY_CODE:
            return None if player.recovery_code is None else player.recovery_code.code_hash
        link = self._links.get(player.id)
        if link is None or link.expires_at <= self._clock.now_ms():
            return None
        # A link ends with the session that made it, which may have been a thief's.
        return None if session_of(player, link.token_hash) is None else link.code_hash


def _refuse() -> NoReturn:
    raise Forbidden(ForbiddenCode.SIGN_IN_REFUSED)
