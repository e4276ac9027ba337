"""The phrases and nudges of players at tables. They pass through the quiet feed, which only event streams follow, and are not
stored elsewhere.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:nudged:<table>:<seat>` | string | the beginning of the turn in which the seat was last nudged, in ms |
"""

from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys, named
from hoodwink.service.application.ports import StreamId

_DAY_MS: Final = 86_400_000


class RedisSayings:
    """Passes sayings to all API processes. Safe to share between threads; each call may raise `StoreUnavailable`."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def tell(self, table: str, message: bytes) -> None:
        """Sends a message to the watchers of a table. Nobody learns whether it arrives."""
        stream = StreamId("table", table)
        feed = self._keys.quiet[self._keys.partition(stream)]
        # The fields of any entry, in the same order: it points to no commit.
        pointer = (
            "stream",
            named(stream),
            "first",
            0,
            "version",
            0,
            "types",
            "",
            "due",
            "",
            "head",
            "",
            "request",
            "",
        )
        self._transport.call(feed, "XADD", feed, "*", *pointer, "said", message)

    def nudge(self, table: str, seat: int, since: int) -> bool:
        """Notes that a seat is nudged in its turn since that time; returns whether it was the first time."""
        key = self._nudged(table, seat)
        before = self._transport.call(key, "SET", key, since, "PX", _DAY_MS, "GET")
        return before is None or int(before) != since

    def last_nudge(self, table: str, seat: int) -> int | None:
        """Returns the beginning of the turn in which the seat was last nudged, or `None`."""
        key = self._nudged(table, seat)
        since = self._transport.call(key, "GET", key)
        return None if since is None else int(since)

    def _nudged(self, table: str, seat: int) -> str:
        return self._keys.at(self._keys.partition(StreamId("table", table)), f"nudged:{table}:{seat}")
