"""When tables are next due, in Redis.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:due:<kind>` | sorted set | tables that are due, by the time in ms since the epoch |
| `hw:{pNN}:due:<kind>:versions` | hash | the same tables → the version that made them due |
"""

from collections.abc import Iterator, Mapping
from heapq import merge
from itertools import islice
from typing import Final

from service.adapters.connection import Client
from service.adapters.keys import Keys
from service.adapters.marks import mark_of, mark_text
from service.adapters.scripts import Script
from service.adapters.wire import Keyed, Wire
from service.application.dispatch import Due, DueKind
from service.application.due_audit import DueRecord
from service.application.ports import StreamId

# KEYS: times, versions. ARGV: table, version, time or nothing. What is known of a later version stays.
_RECORD: Final = """\
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known and tonumber(known) > tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
return 1
"""


# KEYS: times, versions. ARGV: table, time and version as they were seen, version, time; nothing stands for none.
_REPLACE: Final = Script("""\
local at, version = redis.call('ZSCORE', KEYS[1], ARGV[1]), redis.call('HGET', KEYS[2], ARGV[1])
if (version or '') ~= ARGV[3] then return 0 end
if not at and ARGV[2] ~= '' or at and tonumber(at) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[5], ARGV[1])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
end
return 1
""")

_PAGE: Final = 500


class RedisDueTimes:
    """Keeps due times. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._wire = Wire(client)
        self._keys = Keys(partitions)

    def record(self, kind: DueKind, due: Mapping[str, Due]) -> None:
        """Sets each table's due time, unless that of a later version is known."""
        self._wire.call_each([self._change(kind, table, one) for table, one in due.items()])

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

    def tables(self, kind: DueKind) -> Iterator[str]:
        """Yields every table of which anything is on record, page by page; some may come twice."""
        for times in self._keys.in_each(f"due:{kind}"):
            for command, key in (("ZSCAN", times), ("HSCAN", f"{times}:versions")):
                cursor = b"0"
                while True:
                    cursor, page = self._wire.call(key, command, key, cursor, "COUNT", _PAGE)
                    yield from (table.decode() for table in page[::2])
                    if cursor == b"0":
                        break

    def find(self, kind: DueKind, table: str) -> DueRecord:
        """Returns what is on record of a table."""
        times, versions = self._keys_of(kind, table)
        at, version = self._wire.call_each(
            [(times, ("ZSCORE", times, table)), (versions, ("HGET", versions, table))]
        )
        return DueRecord(
            None if at is None else int(float(at)), None if version is None else mark_of(version)
        )

    def replace(self, kind: DueKind, table: str, seen: DueRecord, due: Due) -> bool:
        """Puts something else on record, unless there is something else than was seen."""
        was_at = "" if seen.at is None else seen.at
        was_of = "" if seen.mark is None else mark_text(seen.mark)
        at = "" if due.at is None else due.at
        keys = self._keys_of(kind, table)
        return bool(_REPLACE.run(self._wire, keys, table, was_at, was_of, due.version, at))

    def _keys_of(self, kind: DueKind, table: str) -> tuple[str, str]:
        times = self._keys.in_each(f"due:{kind}")[self._keys.partition(StreamId("table", table))]
        return times, f"{times}:versions"

    def _change(self, kind: DueKind, table: str, due: Due) -> Keyed:
        partition = self._keys.partition(StreamId("table", table))
        times = self._keys.in_each(f"due:{kind}")[partition]
        versions = f"{times}:versions"
        return times, (
            "EVAL",
            _RECORD,
            2,
            times,
            versions,
            table,
            due.version,
            "" if due.at is None else due.at,
        )
