"""The administrators of the service: their names and the hashes of their tokens."""

import hmac
import re
from secrets import token_urlsafe
from typing import Final

from hoodwink.domain.players import hash_token

LISTED_PATTERN: Final = (
    "^([a-z0-9][a-z0-9._-]{0,31}=[0-9a-f]{64}(,[a-z0-9][a-z0-9._-]{0,31}=[0-9a-f]{64})*)?$"
)
"""The form of the operator's list of administrators: `name=SHA-256 of the token`, separated by commas."""

_LISTED: Final = re.compile("([^=,]+)=([0-9a-f]{64})")


class Administrators:
    """The administrators on the operator's list. A name may occur twice while one token replaces another."""

    def __init__(self, listed: str) -> None:
        """Takes a text of `LISTED_PATTERN`."""
        self._hashes = tuple(_LISTED.findall(listed))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self._hashes)

    def authenticate(self, token: str) -> str | None:
        """Returns the name of the administrator with that token, or `None`."""
        given = hash_token(token)
        # Every hash is compared, even after a match, so that the time reveals nothing about the list.
        found = [name for name, token_hash in self._hashes if hmac.compare_digest(token_hash, given)]
        return found[0] if found else None


def new_token() -> str:
    """Returns a token of 256 bits for an administrator."""
    return f"hwa_{token_urlsafe(32)}"
