"""Derives ids and tokens from idempotency keys, so that a repeated request finds the result of the first one."""

import hmac
import re
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from typing import Final, Protocol

import msgspec

from hoodwink.service.application.ports import Entropy, IdempotencyKey

_CODE_LENGTH: Final = 12
_GROUP: Final = 4
_LEGIBLE: Final = str.maketrans("IO", "89")
"""Base 32 has no 0, 1, 8 and 9. With 8 and 9 for I and O, no two characters of a code look alike."""
_READ: Final = str.maketrans("8901", "IOOI")
_TYPED: Final = re.compile(r"[\s-]+")


class Use(StrEnum):
    """Uses of the installation's secret whose keys can be rotated separately."""

    STREAM_TOKENS = "stream-tokens"
    INVITATIONS = "invitations"


class SecretStore(Protocol):
    """Stores the installation's secret, from which ids and tokens are derived, and the keys that replaced it."""

    def secret(self) -> bytes:
        """Returns at least 32 bytes, the same at every call; may raise `StoreUnavailable`."""
        ...

    def rotated_key(self, use: Use) -> bytes | None:
        """Returns the key that replaced the secret for one use, or `None`; may raise `StoreUnavailable`."""
        ...

    def rotate(self, use: Use) -> None:
        """Draws a new key for one use; may raise `StoreUnavailable`."""
        ...


class Identities:
    """Derives ids and tokens from keys and the installation's secret; without a key they are random."""

    def __init__(
        self, *, secrets: SecretStore, entropy: Entropy, hears: Callable[[], bool] = lambda: False
    ) -> None:
        """Caches rotated keys while `hears` returns True.

        It has to return whether `forget_rotated` is called soon after every rotation, by any process.
        """
        self._secrets = secrets
        self._entropy = entropy
        self._hears = hears
        self._rotated: dict[Use, bytes] = {}
        self._rotations = 0

    @cached_property
    def _secret(self) -> bytes:
        return self._secrets.secret()

    def forget(self) -> None:
        """Drops the cached secret, because Redis may have come back with another one."""
        vars(self).pop("_secret", None)
        self.forget_rotated()

    def forget_rotated(self) -> None:
        """Drops the cached keys of single uses, because one may have been rotated."""
        self._rotations += 1
        self._rotated = {}

    def rotate(self, use: Use) -> None:
        """Draws a new key for one use, which invalidates everything derived from the old one."""
        self._secrets.rotate(use)
        self.forget_rotated()

    def key_or_fresh(self, key: str | None) -> str:
        """Returns the key, or a random one if there is none."""
        return self._entropy.server_seed() if key is None else key

    def player_id(self, key: str) -> str:
        return _readable(self._derived("player", key))

    def token(self, player_id: str, key: str) -> str:
        """Returns `hw_<player id>_<256 bits>`. The key is as secret as the token, which it yields again."""
        secret = urlsafe_b64encode(self._derived("token", key)).decode().rstrip("=")
        return f"hw_{player_id}_{secret}"

    def new_token(self, player_id: str, key: str) -> str:
        """Returns a token that replaces the player's."""
        # With the id, so that a key which was also used for the registration yields a new token.
        return self.token(player_id, f"{player_id}:{key}")

    def sign_in_code(self, player_id: str, how: str, key: str) -> bytes:
        """Returns 32 bytes for a code with which a player can sign in."""
        return self._derived("sign-in", f"{how}:{player_id}:{key}")

    def challenge_proof(self, purpose: str, challenge: bytes) -> bytes:
        """Returns the proof of a challenge for an authenticator; see `Passkeys`."""
        return self._derived("challenge", f"{purpose}:{challenge.hex()}")

    def table_id(self, player_id: str, key: str) -> str:
        # With the player, because several may choose the same key.
        return _readable(self._derived("table", f"{player_id}:{key}"))

    def rematch_id(self, table_id: str, number: int) -> str:
        """Returns the id of a table's rematch; `number` counts the earlier ones, which were closed."""
        return _readable(self._derived("rematch", f"{table_id}:{number}"))

    def tournament_id(self, player_id: str, key: str) -> str:
        return _readable(self._derived("tournament", f"{player_id}:{key}"))

    def series_id(self, player_id: str, key: str) -> str:
        return _readable(self._derived("series", f"{player_id}:{key}"))

    def job(self, request: str) -> bytes:
        """Returns 32 bytes for the id of a job."""
        return self._derived("job", request)

    def invitation(self, to: str) -> str:
        """Returns an invitation code, to a table by its id: 60 bits as `XXXX-XXXX-XXXX`."""
        code = b32encode(self._derived("invitation", to, Use.INVITATIONS)[:10])
        return legible(code.decode()[:_CODE_LENGTH])

    def is_invitation(self, to: str, given: str) -> bool:
        """Returns whether a text is that invitation code; case and hyphens do not matter."""
        # In constant time, or the delay of the answer would reveal how much of a guess was right.
        return hmac.compare_digest(_plain(given), _plain(self.invitation(to)))

    def hidden_address(self, address: str) -> str:
        """Returns an address in a form that can be compared but not read."""
        # Keyed: a plain hash of an IPv4 address could be reversed by hashing all of them.
        return _readable(self._derived("address", address))

    def stream_proof(self, player_id: str, token_hash: str, expires_at: int, table_id: str) -> str:
        """Returns the proof of a token for streams, 64 hex digits; see `StreamTokens`."""
        # With the hash of the lasting token, so that a stream token ends when the lasting one does.
        text = f"{player_id}:{token_hash}:{expires_at}:{table_id}"
        return self._derived("stream", text, Use.STREAM_TOKENS).hex()

    def push_secret(self, number: int) -> bytes:
        """Returns 32 bytes for the key with this number that signs pushes. Subscriptions are bound to that key."""
        # The first key has no number in it. With one, it would be another key and end its subscriptions.
        return self._derived("push", str(number) if number > 1 else "")

    def push_id(self, player_id: str, endpoint: str) -> str:
        """Returns the id of a subscription to pushes, one per endpoint."""
        return _readable(self._derived("subscription", f"{player_id}:{endpoint}"))

    def webhook_id(self, request: str) -> str:
        return _readable(self._derived("webhook", request))

    def webhook_secret(self, webhook: str) -> bytes:
        """Returns 32 bytes that sign the messages of a webhook."""
        return self._derived("webhook-secret", webhook)

    def reason_salt(self, key: str | None) -> str:
        """Returns the salt of a reason, the same for a repeated request."""
        # Derived from the secret, or random: otherwise a short reason could be found by hashing guesses.
        return self._derived("reason", self.key_or_fresh(key)).hex()

    def _derived(self, purpose: str, text: str, use: Use | None = None) -> bytes:
        # The purpose keeps the uses apart: no value of one, such as a job's id, is ever a value of another.
        secret = self._secret if use is None else self._key(use)
        return hmac.digest(secret, f"{purpose}:{text}".encode(), "sha256")

    def _key(self, use: Use) -> bytes:
        """Returns the key of a use: the secret, until it is rotated for the first time."""
        known = self._rotated.get(use) if self._hears() else None
        if known is not None:
            return known
        rotations = self._rotations
        key = self._secrets.rotated_key(use) or self._secret
        # A rotation that was heard of meanwhile may be newer than this key.
        if rotations == self._rotations:
            self._rotated[use] = key
        return key


def legible(code: str) -> str:
    """Returns a code in base 32 in groups of four, with characters that do not look alike.

    >>> legible("mzxw6ytboi")
    'MZXW-6YTB-98'
    """
    text = code.upper().translate(_LEGIBLE)
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def illegible(text: str) -> str:
    """Returns the code that somebody typed in, in base 32; takes the digits 0 and 1 for the letters that they look like.

    >>> illegible("mzxw 6ytb-9I")
    'mzxw6ytboi'
    """
    return _TYPED.sub("", text).upper().translate(_READ).lower()


def idempotency_key(player_id: str, key: str, request: bytes) -> IdempotencyKey:
    """Returns the key under which the store knows a player's request with an idempotency key.

    The key itself never reaches a log: a client may use one key in several places, and for a new
    player the key is as good as the token.
    """
    scoped = f"{player_id}:{key}".encode()
    return IdempotencyKey(
        blake2b(scoped, digest_size=16).hexdigest(), blake2b(request, digest_size=16).hexdigest()
    )


def registration(name: str | None, key: str, owner: str | None) -> str:
    """Returns the text from which the id and token of a new player are derived."""
    # No key contains a line feed, so this text never equals one from which a replaced token is derived.
    return f"{key}\n\n{owner}" if owner else f"{key}\n{msgspec.json.encode(name).decode()}"


def _plain(code: str) -> bytes:
    return code.upper().replace("-", "").encode()


def _readable(digest: bytes) -> str:
    """Returns 80 bits as 16 lower-case letters and digits."""
    return b32encode(digest[:10]).decode().lower()
