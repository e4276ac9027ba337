"""The times at which tables, tournaments and series next need work, in Redis.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:due:<kind>` | sorted set | ids of tables, tournaments or series by their due time in ms since the epoch; that of `rest` has a checksum |
| `hw:{pNN}:due:bots` | sorted set | the same for `work` at tables without people, which waits for all other work and has no versions of its own |
| `hw:{pNN}:due:<kind>:versions` | hash | id → the version that determined the due time, even if it left nothing due, until the stream is archived |
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Call, Script
from hoodwink.service.adapters.redis.transport import Keyed, Transport
from hoodwink.service.adapters.store.archived_logs import ARCHIVED_VERSION
from hoodwink.service.adapters.store.checksums import score_until, time_with_checksum
from hoodwink.service.adapters.store.earliest import earliest
from hoodwink.service.adapters.store.keys import Keys, named
from hoodwink.service.adapters.store.packing import IS_SAME, packed
from hoodwink.service.application.audit.due_audit import DueRecord
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.work.due import CATEGORIES, Due, DueKind

# KEYS: the stream, the tombstones, versions, times and, for `work`, the times of tables without people. ARGV: id,
# version, head, time or nothing, the number of the key for the time, the stream's name, and 1 if an ended stream is
# never due for this kind of work.
# A due time of an event that the stream does not have is refused: it is from before Redis came back older. So is a
# due time of a version before the recorded one, because feed entries arrive late and in any order. But a recorded
# version after the end of the stream is itself from before Redis came back, so it is replaced. The version stays
# when nothing is due any more, because another projector may still deliver an earlier entry again. For an archived
# stream, the version in its tombstone is enough, or each would keep a field for ever.
_RECORD: Final = Script(
    IS_SAME
    + ARCHIVED_VERSION
    + """\
local archived = archived_version(KEYS[2], ARGV[6])
local reached = archived + redis.call('XLEN', KEYS[1])
local version = tonumber(ARGV[2])
if version > reached or (version == 0 and reached > 0) then return 0 end
if version > archived and ARGV[3] ~= '' then
  local id = ARGV[2] .. '-0'
  local event = redis.call('XRANGE', KEYS[1], id, id)[1]
  if not event or not is_same(event[2][12], ARGV[3]) then return 0 end
end
if version < archived and ARGV[7] == '1' then return 0 end
local known = tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or '') or 0
if known > version and known <= reached then return 0 end
for place = 4, #KEYS do redis.call('ZREM', KEYS[place], ARGV[1]) end
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[tonumber(ARGV[5])], ARGV[4], ARGV[1]) end
if version == 0 or (version <= archived and ARGV[4] == '') then
  redis.call('HDEL', KEYS[3], ARGV[1])
else
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
end
return 1
"""
)

_PAGE: Final = 500
_BOTS: Final = "bots"
_NAMES: Final[Mapping[DueKind, tuple[str, ...]]] = MappingProxyType(
    {kind: (kind, _BOTS) if kind == "work" else (kind,) for kind in CATEGORIES}
)
"""The names of the sorted sets of each kind."""

_AFTER_THE_END: Final = frozenset({"report", "result"})
"""The kinds of work that remain when a stream has ended. Its entries may arrive after it is archived."""


def due_keys(keys: Keys, kind: DueKind, stream: StreamId) -> list[str]:
    """Returns the keys of the versions and of each set of times that may contain the stream."""
    names = [f"due:{kind}:versions", *[f"due:{name}" for name in _NAMES[kind]]]
    return [keys.at(keys.partition(stream), name) for name in names]


class Backlog(NamedTuple):
    """The due times of one kind.

    Attributes:
        recorded: the number of streams with a due time.
        due: the number of those whose time has come.
        oldest: the earliest due time that has come, in ms since the epoch, or `None`.
    """

    recorded: int
    due: int
    oldest: int | None


class RedisDueTimes:
    """Stores due times. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def record(self, due: Mapping[DueKind, Mapping[str, Due]]) -> None:
        """Records each due time in one round trip, unless that of a later version has been recorded."""
        changes = [
            self._change(kind, id_, due_time)
            for kind, of_kind in due.items()
            for id_, due_time in of_kind.items()
        ]
        _RECORD.run_each(self._transport, changes)

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> dict[str, int]:
        """Returns the streams that are due now: id → due time."""
        due: dict[str, int] = {}
        # `work` that people wait for comes first, or thousands of tables between bots would delay it.
        for name in _NAMES[kind]:
            due |= earliest(self._transport, self._keys.in_each(f"due:{name}"), now_ms, count=count)
        return due

    def backlogs(self, now_ms: int) -> dict[str, Backlog]:
        """Returns the backlog of each kind. `bots` counts the work at tables without people, and `work` all other."""
        return {name: self._backlog(name, now_ms) for names in _NAMES.values() for name in names}

    def _backlog(self, name: str, now_ms: int) -> Backlog:
        keys = self._keys.in_each(f"due:{name}")
        commands: list[Keyed] = [(key, ("ZCARD", key)) for key in keys]
        commands += [(key, ("ZCOUNT", key, "-inf", score_until(now_ms))) for key in keys]
        commands += [
            (key, ("ZRANGEBYSCORE", key, "-inf", score_until(now_ms), "WITHSCORES", "LIMIT", 0, 1))
            for key in keys
        ]
        replies = self._transport.call_each(commands)
        recorded, due, first = (replies[at : at + len(keys)] for at in range(0, len(replies), len(keys)))
        times = [int(float(found[1])) for found in first if found]
        return Backlog(sum(recorded), sum(due), min(times, default=None))

    def ids(self, kind: DueKind, partition: int) -> Iterator[str]:
        """Yields the id of every stream of a partition with a recorded time or version; some may come twice."""
        scans = [("HSCAN", f"due:{kind}:versions"), *[("ZSCAN", f"due:{name}") for name in _NAMES[kind]]]
        for command, name in scans:
            key, cursor = self._keys.at(partition, name), b"0"
            while True:
                cursor, page = self._transport.call(key, command, key, cursor, "COUNT", _PAGE)
                yield from (id_.decode() for id_ in page[::2])
                if cursor == b"0":
                    break

    def find(self, kind: DueKind, id_: str) -> DueRecord:
        return self.find_each([(kind, id_)])[0]

    def find_each(self, wanted: Sequence[tuple[DueKind, str]]) -> list[DueRecord]:
        """Returns the records of streams, each of one kind, in one round trip."""
        keys = [self._keys_of(kind, id_) for kind, id_ in wanted]
        replies = iter(
            self._transport.call_each(
                [
                    (key, ("ZSCORE" if place else "HGET", key, id_))
                    for (_, id_), places in zip(wanted, keys, strict=True)
                    for place, key in enumerate(places)
                ]
            )
        )
        return [_record(*[next(replies) for _ in places]) for places in keys]

    def _keys_of(self, kind: DueKind, id_: str) -> list[str]:
        return due_keys(self._keys, kind, StreamId(CATEGORIES[kind], id_))

    def _change(self, kind: DueKind, id_: str, due: Due) -> Call:
        stream = StreamId(CATEGORIES[kind], id_)
        keys = (self._keys.stream(stream), self._keys.archived(stream), *self._keys_of(kind, id_))
        place = len(keys) if due.is_for_bots else 4  # Lua counts from 1
        # Only `rest` needs a checksum. The audit can compute all other times from the log.
        at = "" if due.at is None else time_with_checksum(due.at) if kind == "rest" else due.at
        ends = int(kind not in _AFTER_THE_END)
        return keys, (id_, due.version, packed(due.head), at, place, named(stream), ends)


def _record(version: bytes | None, *times: bytes | None) -> DueRecord:
    at = next((int(float(at)) for at in times if at is not None), None)
    # A damaged version counts as 0, which the audit reports and the next entry of the feed replaces.
    return DueRecord(at, None if version is None else int(version) if version.isdigit() else 0)
