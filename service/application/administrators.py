"""Who administers the service: names, and the hashes of the tokens that prove them."""

import hmac
import re
from secrets import token_urlsafe
from typing import Final

from domain.players import hash_token

LISTED_PATTERN: Final = (
    "^([a-z0-9][a-z0-9._-]{0,31}=[0-9a-f]{64}(,[a-z0-9][a-z0-9._-]{0,31}=[0-9a-f]{64})*)?$"
)
"""How the operator lists administrators: `name=SHA-256 of the token`, separated by commas."""

_LISTED: Final = re.compile("([^=,]+)=([0-9a-f]{64})")


class Administrators:
    """The administrators that the operator lists. A name may come twice, while one token replaces another."""

    def __init__(self, listed: str) -> None:
        """Takes a text of `LISTED_PATTERN`."""
        self._hashes = tuple(_LISTED.findall(listed))

    def authenticate(self, token: str) -> str | None:
        """Returns the name of the administrator whose token it is, if any."""
        given = hash_token(token)
        # Each hash is compared, so that the time taken tells nothing of which one is alike.
        found = [name for name, kept in self._hashes if hmac.compare_digest(kept, given)]
        return found[0] if found else None


def new_token() -> str:
    """Returns a token of 256 bits for an administrator."""
    return f"hwa_{token_urlsafe(32)}"
