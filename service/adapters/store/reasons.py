"""The reasons of administrators, kept apart from the events so that they can be erased.

| key | type | holds |
|---|---|---|
| `hw:reasons` | hash | the hash of a reason, as events have it → `<salt> <text>`; empty once it is erased |
"""

from collections.abc import Sequence
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.players.administration import Reason

KEY: Final = "hw:reasons"


class RedisReasons:
    """Keeps reasons in Redis. Safe to share between threads."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def keep(self, digest: str, reason: Reason) -> None:
        """Keeps a reason, unless one with that hash is kept or was erased."""
        self._transport.call(KEY, "HSETNX", KEY, digest, f"{reason.salt} {reason.text}")

    def find(self, digests: Sequence[str]) -> list[Reason | None]:
        """Returns the reasons with these hashes; `None` for those that are not kept."""
        found = self._transport.call(KEY, "HMGET", KEY, *digests) if digests else []
        return [Reason(*stored.decode().split(" ", 1)) if stored else None for stored in found]

    def erase(self, digest: str) -> None:
        """Erases a reason for good."""
        self._transport.call(KEY, "HSET", KEY, digest, "")
