"""The times at which tables and tournaments are next due, in Redis.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:due:<kind>` | sorted set | ids of tables or tournaments that are due, by the time in ms since the epoch |
| `hw:{pNN}:due:<kind>:versions` | hash | ids → the version that made them due, or that left nothing due |
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from service.adapters.connection import Client
from service.adapters.earliest import earliest
from service.adapters.keys import Keys
from service.adapters.scripts import Call, Script
from service.adapters.transport import Keyed, Transport
from service.application.dispatch import CATEGORIES, Due, DueKind
from service.application.due_audit import DueRecord
from service.application.ports import StreamId

# KEYS: times, versions, the stream. ARGV: id, version, head, time or nothing.
# Three cases: a due time of an event that the stream does not hold is refused, for it is from before Redis came back
# older. So is one of an earlier version than the recorded one, for feed entries arrive late and in any order. But a
# recorded version beyond the end of the stream is itself from before Redis came back, and is replaced. The version is
# kept where nothing is due any more: another projector may still deliver an earlier entry again.
_RECORD: Final = Script("""\
local reached = redis.call('XLEN', KEYS[3])
local version = tonumber(ARGV[2])
if version > reached or (version == 0 and reached > 0) then return 0 end
if version > 0 and ARGV[3] ~= '' then
  local id = ARGV[2] .. '-0'
  local event = redis.call('XRANGE', KEYS[3], id, id)[1]
  if not event or event[2][12] ~= ARGV[3] then return 0 end
end
local known = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
if known > version and known <= reached then return 0 end
if ARGV[4] == '' then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1]) end
if version == 0 then redis.call('HDEL', KEYS[2], ARGV[1]) else redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return 1
""")


_PAGE: Final = 500


class Backlog(NamedTuple):
    """The due times of one kind.

    Attributes:
        recorded: the number of streams that have one.
        due: the number of those that are due.
        oldest: since when the first of them is due, in ms since the epoch; `None` if none is.
    """

    recorded: int
    due: int
    oldest: int | None


class RedisDueTimes:
    """Stores due times. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def record(self, kind: DueKind, due: Mapping[str, Due]) -> None:
        """Records each due time, unless one of a later version is on record."""
        _RECORD.run_each(
            self._transport, [self._change(kind, id_, due_time) for id_, due_time in due.items()]
        )

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> dict[str, int]:
        """Returns up to `count` streams that are due by now, the longest due first: by id, since when in ms."""
        return earliest(self._transport, self._keys.in_each(f"due:{kind}"), now_ms, count=count)

    def backlog(self, kind: DueKind, now_ms: int) -> Backlog:
        """Returns how many streams have a due time, how many of them are due by now, and since when the oldest is."""
        keys = self._keys.in_each(f"due:{kind}")
        commands: list[Keyed] = [(key, ("ZCARD", key)) for key in keys]
        commands += [(key, ("ZCOUNT", key, "-inf", now_ms)) for key in keys]
        commands += [
            (key, ("ZRANGEBYSCORE", key, "-inf", now_ms, "WITHSCORES", "LIMIT", 0, 1)) for key in keys
        ]
        replies = self._transport.call_each(commands)
        recorded, due, first = (replies[at : at + len(keys)] for at in range(0, len(replies), len(keys)))
        times = [int(found[1]) for found in first if found]
        return Backlog(sum(recorded), sum(due), min(times, default=None))

    def ids(self, kind: DueKind) -> Iterator[str]:
        """Yields the id of every stream that has a time or a version on record; some may come twice."""
        for times in self._keys.in_each(f"due:{kind}"):
            for command, key in (("ZSCAN", times), ("HSCAN", f"{times}:versions")):
                cursor = b"0"
                while True:
                    cursor, page = self._transport.call(key, command, key, cursor, "COUNT", _PAGE)
                    yield from (id_.decode() for id_ in page[::2])
                    if cursor == b"0":
                        break

    def find(self, kind: DueKind, id_: str) -> DueRecord:
        """Returns the record of a stream."""
        times, versions = self._keys_of(kind, id_)
        at, version = self._transport.call_each(
            [(times, ("ZSCORE", times, id_)), (versions, ("HGET", versions, id_))]
        )
        return DueRecord(None if at is None else int(float(at)), None if version is None else int(version))

    def _keys_of(self, kind: DueKind, id_: str) -> tuple[str, str]:
        times = self._keys.at(self._keys.partition(StreamId(CATEGORIES[kind], id_)), f"due:{kind}")
        return times, f"{times}:versions"

    def _change(self, kind: DueKind, id_: str, due: Due) -> Call:
        keys = (*self._keys_of(kind, id_), self._keys.stream(StreamId(CATEGORIES[kind], id_)))
        return keys, (id_, due.version, due.head, "" if due.at is None else due.at)
