"""Administrators' reasons, stored separately from the events so that they can be erased.

| key | type | holds |
|---|---|---|
| `hw:reasons` | hash | the hash of a reason, as in events → `<salt> <text>`; empty after it was erased |
"""

from collections.abc import Sequence
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.players.administration import Reason

KEY: Final = "hw:reasons"


class RedisReasons:
    """Stores reasons in Redis. Safe to share between threads."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def keep(self, digest: str, reason: Reason) -> None:
        """Stores a reason, unless one with that hash is stored or was erased."""
        self._transport.call(KEY, "HSETNX", KEY, digest, f"{reason.salt} {reason.text}")

    def find(self, digests: Sequence[str]) -> list[Reason | None]:
        """Returns the reasons with these hashes; `None` for those that are not stored."""
        found = self._transport.call(KEY, "HMGET", KEY, *digests) if digests else []
        return [Reason(*stored.decode().split(" ", 1)) if stored else None for stored in found]

    def erase(self, digest: str) -> None:
        """Erases a reason permanently."""
        # Emptied, not deleted: a repeated request would store it again.
        self._transport.call(KEY, "HSET", KEY, digest, "")
