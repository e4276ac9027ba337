"""When tables are next due, in Redis: a sorted set a partition and kind, `hw:{pNN}:due:<kind>`, by ms since the epoch."""

from collections.abc import Mapping
from heapq import merge
from itertools import islice

from service.adapters.connection import Client
from service.adapters.keys import Keys
from service.adapters.wire import Keyed, Wire
from service.application.dispatch import DueKind
from service.application.ports import StreamId


class RedisDueTimes:
    """Keeps due times. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._wire = Wire(client)
        self._keys = Keys(partitions)

    def record(self, kind: DueKind, due: Mapping[str, int | None]) -> None:
        """Sets each table's due time; `None` means no longer due."""
        self._wire.call_each([self._change(kind, table, at) for table, at in due.items()])

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> list[str]:
        """Returns up to `count` tables due by now, longest due first."""
        replies = self._wire.call_each(
            [
                (key, ("ZRANGEBYSCORE", key, "-inf", now_ms, "WITHSCORES", "LIMIT", 0, count))
                for key in self._keys.in_each(f"due:{kind}")
            ]
        )
        each = [
            [(int(at), table.decode()) for table, at in zip(reply[::2], reply[1::2], strict=True)]
            for reply in replies
        ]
        return [table for _, table in islice(merge(*each), count)]

    def _change(self, kind: DueKind, table: str, at: int | None) -> Keyed:
        partition = self._keys.partition(StreamId("table", table))
        key = self._keys.in_each(f"due:{kind}")[partition]
        return (key, ("ZREM", key, table)) if at is None else (key, ("ZADD", key, at, table))
