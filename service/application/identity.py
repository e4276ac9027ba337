"""Derives ids and tokens from idempotency keys, so that a repeated request finds what the first one made."""

import hmac
from base64 import b32encode, urlsafe_b64encode
from functools import cached_property
from hashlib import blake2b
from typing import Final, Protocol

from service.application.ports import Entropy, IdempotencyKey

_CODE_LENGTH: Final = 12
_GROUP: Final = 4
_LEGIBLE: Final = str.maketrans("IO", "89")
"""Base 32 lacks 0, 1, 8 and 9; with these two for I and O, no two characters of a code look alike."""


class Vault(Protocol):
    """Holds the secret of the installation, from which ids and tokens are derived."""

    def secret(self) -> bytes:
        """Returns at least 32 bytes, the same ones at every call; may raise `StoreUnavailable`."""
        ...


class Identities:
    """Derives ids and tokens from keys and the installation's secret; without a key they are random."""

    def __init__(self, *, vault: Vault, entropy: Entropy) -> None:
        self._vault = vault
        self._entropy = entropy

    @cached_property
    def _secret(self) -> bytes:
        return self._vault.secret()

    def forget(self) -> None:
        """Forgets the secret, so that it is read again: Redis may have come back with another one."""
        vars(self).pop("_secret", None)

    def key_or_fresh(self, key: str | None) -> str:
        """Returns the key, or a random one if there is none."""
        return self._entropy.server_seed() if key is None else key

    def player_id(self, key: str) -> str:
        return _readable(self._derived("player", key))

    def token(self, player_id: str, key: str) -> str:
        """Returns `hw_<player id>_<256 bits>`. The key is as secret as the token: it leads to the same token again."""
        secret = urlsafe_b64encode(self._derived("token", key)).decode().rstrip("=")
        return f"hw_{player_id}_{secret}"

    def new_token(self, player_id: str, key: str) -> str:
        """Returns a token that replaces the player's; one key leads to another token here than at the registration."""
        return self.token(player_id, f"{player_id}:{key}")

    def table_id(self, player_id: str, key: str) -> str:
        return _readable(self._derived("table", f"{player_id}:{key}"))

    def rematch_id(self, table_id: str, number: int) -> str:
        """Returns the id of a table's rematch; `number` counts those before it, which were closed."""
        return _readable(self._derived("rematch", f"{table_id}:{number}"))

    def tournament_id(self, player_id: str, key: str) -> str:
        return _readable(self._derived("tournament", f"{player_id}:{key}"))

    def invitation(self, table_id: str) -> str:
        """Returns the invitation code of a table: 60 bits as `XXXX-XXXX-XXXX`, in characters that are not mixed up."""
        code = (
            b32encode(self._derived("invitation", table_id)[:10]).decode()[:_CODE_LENGTH].translate(_LEGIBLE)
        )
        return "-".join(code[start : start + _GROUP] for start in range(0, _CODE_LENGTH, _GROUP))

    def is_invitation(self, table_id: str, given: str) -> bool:
        """Returns whether a text is the invitation code of a table; case and hyphens do not matter."""
        # In constant time, so that the answer's delay does not tell how much of a guess was right.
        return hmac.compare_digest(_plain(given), _plain(self.invitation(table_id)))

    def stream_proof(self, player_id: str, token_hash: str, expires_at: int, table_id: str) -> str:
        """Returns the proof of a token for streams, 64 hex digits; see `StreamTokens`."""
        return self._derived("stream", f"{player_id}:{token_hash}:{expires_at}:{table_id}").hex()

    def _derived(self, purpose: str, text: str) -> bytes:
        return hmac.digest(self._secret, f"{purpose}:{text}".encode(), "sha256")


def idempotency_key(player_id: str, key: str, request: bytes) -> IdempotencyKey:
    """Returns the key under which the store knows a player's request with an idempotency key.

    The key itself never reaches a log: a client may use one key in several places, and for a new
    player the key is as good as the token.
    """
    scoped = f"{player_id}:{key}".encode()
    return IdempotencyKey(
        blake2b(scoped, digest_size=16).hexdigest(), blake2b(request, digest_size=16).hexdigest()
    )


def _plain(code: str) -> bytes:
    return code.upper().replace("-", "").encode()


def _readable(digest: bytes) -> str:
    """Returns 80 bits as 16 lower-case letters and digits."""
    return b32encode(digest[:10]).decode().lower()
