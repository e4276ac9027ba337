"""Passkeys: keys that a device or a password manager keeps, with which a player signs in.

A challenge is not stored: it has its purpose and the time until which it may be used, under an HMAC. So no stranger can fill
the service with them. It is used up by the event that follows from it, whose command id is its hash.
"""

import hmac
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from hoodwink.domain.players import Player, SignIn
from hoodwink.service.application.errors import (
    ApplicationError,
    ConflictCode,
    Forbidden,
    ForbiddenCode,
    KeyReused,
    NotFound,
    NotFoundCode,
)
from hoodwink.service.application.players.identity import Identities, idempotency_key
from hoodwink.service.application.players.player_lookup import is_id
from hoodwink.service.application.players.players import Players, Registration
from hoodwink.service.application.players.sign_ins import SignIns
from hoodwink.service.application.ports import Clock, PlayerRecords

MAX_PASSKEYS: Final = 10
CHALLENGE_MS: Final = 300_000
"""Five minutes in which a challenge may be used."""

_NONCE: Final = 16
_TIME: Final = 8


class Passkey(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A passkey as it is stored.

    Attributes:
        public_key: in COSE form, as hex.
        count: how often its device says that it has signed; 0 if the device does not count.
        device: the name of the device on which it was made.
        made_at: in ms since the epoch.
    """

    public_key: str
    count: int
    device: str
    made_at: int


class Refused(Exception):
    """Raised for the answer of an authenticator that is malformed or does not verify."""


class Claim(NamedTuple):
    """The unverified contents of an authenticator's answer.

    Attributes:
        player: the id of the player whose passkey the answer claims to be; empty when a passkey is made.
    """

    challenge: bytes
    credential: str
    player: str


class Authenticators(Protocol):
    """Checks the answers of authenticators at the address of the service (Web Authentication)."""

    @property
    def can_be_used(self) -> bool:
        """Whether passkeys work at the address of the service."""
        ...

    def to_make(self, player: Player, challenge: bytes, known: list[str]) -> dict[str, Any]:
        """Returns the options with which a browser makes a passkey, without the `known` ones."""
        ...

    def to_sign(self, challenge: bytes) -> dict[str, Any]:
        """Returns the options with which a browser signs in."""
        ...

    def claim(self, answer: Mapping[str, Any]) -> Claim:
        """Raises `Refused`."""
        ...

    def made(self, answer: Mapping[str, Any], challenge: bytes) -> tuple[str, str, int]:
        """Returns the credential id, the public key, as hex, and the count of a new passkey; raises `Refused`."""
        ...

    def signed(self, answer: Mapping[str, Any], challenge: bytes, passkey: Passkey) -> int:
        """Returns the count after a signature; raises `Refused`."""
        ...


class Passkeys:
    """Makes, lists and removes passkeys, and signs in with them. Every call may raise `StoreUnavailable`."""

    def __init__(
        self,
        *,
        players: Players,
        sign_ins: SignIns,
        store: PlayerRecords[Passkey],
        authenticators: Authenticators,
        identities: Identities,
        clock: Clock,
    ) -> None:
        self._players = players
        self._sign_ins = sign_ins
        self._store = store
        self._authenticators = authenticators
        self._identities = identities
        self._clock = clock

    def of(self, player: Player) -> dict[str, Passkey]:
        """Returns the passkeys of a player by credential id, the oldest first."""
        return dict(sorted(self._store.of(player.id).items(), key=lambda found: found[1].made_at))

    def to_make(self, player: Player) -> dict[str, Any]:
        """Returns the options with which the player's browser makes a passkey.

        Raises:
            Forbidden: the player is a bot.
            ApplicationError: passkeys do not work at the address of the service.
        """
        self._check_usable()
        if player.owner is not None:
            raise Forbidden(ForbiddenCode.NOT_FOR_BOTS)
        return self._authenticators.to_make(
            player, self._challenge(player.id), list(self._store.of(player.id))
        )

    def to_sign(self) -> dict[str, Any]:
        """Returns the options with which a browser signs in with a passkey of any player; raises like `to_make`."""
        self._check_usable()
        return self._authenticators.to_sign(self._challenge(""))

    def add(self, player: Player, answer: Mapping[str, Any], key: str | None, device: str) -> None:
        """Stores a new passkey.

        Raises:
            Forbidden: the answer does not verify, or its challenge was used already.
            ApplicationError: the player has too many passkeys.
            SignedOut: the player's token has ended.
        """
        try:
            claim = self._authenticators.claim(answer)
            self._check(claim.challenge, player.id)
            credential, public_key, count = self._authenticators.made(answer, claim.challenge)
            # Before the passkey is stored: two requests with one challenge must not both store one.
            self._players.use_challenge(player, self._once(claim.challenge, key))
        except (Refused, KeyReused):
            raise Forbidden(ForbiddenCode.PASSKEY_REFUSED) from None
        passkey = Passkey(public_key=public_key, count=count, device=device, made_at=self._clock.now_ms())
        if not self._store.put(player.id, credential, passkey, most=MAX_PASSKEYS):
            raise ApplicationError(ConflictCode.TOO_MANY_PASSKEYS)

    def remove(self, player: Player, credential: str) -> None:
        self._store.remove(player.id, credential)

    def sign_in(self, answer: Mapping[str, Any], key: str | None, user_agent: str) -> Registration:
        """Signs in with the answer to `to_sign`; raises `Forbidden` if it does not verify or was used already."""
        try:
            claim = self._authenticators.claim(answer)
            self._check(claim.challenge, "")
            passkey = self._claimed(claim)
            count = self._authenticators.signed(answer, claim.challenge, passkey)
        except Refused:
            raise Forbidden(ForbiddenCode.PASSKEY_REFUSED) from None
        try:
            made = self._sign_ins.open(
                claim.player, SignIn.PASSKEY, claim.challenge.hex(), key, user_agent, check=lambda _: None
            )
        except Forbidden:
            raise Forbidden(ForbiddenCode.PASSKEY_REFUSED) from None
        if count != passkey.count:
            self._store.update(claim.player, claim.credential, msgspec.structs.replace(passkey, count=count))
        return made

    def _claimed(self, claim: Claim) -> Passkey:
        """Returns the passkey that an answer says it comes from; raises `Refused`."""
        found = self._store.of(claim.player) if is_id(claim.player) else {}
        if claim.credential not in found:
            raise Refused
        return found[claim.credential]

    def _check_usable(self) -> None:
        if not self._authenticators.can_be_used:
            raise ApplicationError(ConflictCode.NO_PASSKEYS_HERE)

    def _challenge(self, purpose: str) -> bytes:
        """Returns a challenge for signing in or, with a player's id as its purpose, for a new passkey of that player."""
        nonce = bytes.fromhex(self._identities.key_or_fresh(None))[:_NONCE]
        head = nonce + (self._clock.now_ms() + CHALLENGE_MS).to_bytes(_TIME)
        return head + self._identities.challenge_proof(purpose, head)

    def _check(self, challenge: bytes, purpose: str) -> None:
        """Raises `Refused` unless the service made a challenge for this purpose, and it may still be used."""
        head, proof = challenge[: _NONCE + _TIME], challenge[_NONCE + _TIME :]
        if not hmac.compare_digest(proof, self._identities.challenge_proof(purpose, head)):
            raise Refused
        if int.from_bytes(head[_NONCE:]) <= self._clock.now_ms():
            raise Refused

    def _once(self, challenge: bytes, key: str | None) -> Any:
        given = self._identities.key_or_fresh(key)
        return idempotency_key(SignIn.PASSKEY, challenge.hex(), given.encode())


def check_credential(text: str) -> str:
    """Returns a credential id from an address; raises `NotFound` if it is malformed."""
    if not text.replace("-", "").replace("_", "").isalnum() or not text.isascii():
        raise NotFound(NotFoundCode.PASSKEY_NOT_FOUND)
    return text
