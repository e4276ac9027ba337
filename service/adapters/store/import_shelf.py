"""Records of imports, in Redis.

| key | type | holds |
|---|---|---|
| `hw:{imports}:records` | hash | import → its record, as JSON with a checksum |
| `hw:{imports}:sizes` | hash | import → the bytes of its log |
| `hw:{imports}:expiry` | sorted set | imports by their expiry (ms), with a checksum; 0 for one that all keepers gave up, -1 for one that has expired |
| `hw:{imports}:keepers:<import>` | hash | player who keeps it → empty |
| `hw:{imports}:player:<player>` | hash | import that the player keeps → `<bytes> <time> <address>` |
| `hw:{imports}:address:<address>` | hash | `<import> <player>` from that address → `<bytes> <time>` |
| `hw:{imports}:addresses` | sorted set | addresses, in a form that does not reveal them, by their bytes |
| `hw:{imports}:total` | string | the bytes of all imports |
| `hw:{imports}:removed` | hash | reason → number of removed imports |

The events are in streams of their own, in other slots of a cluster. They are deleted before the record. If a
process is killed between the two, the record stays expired, and the next cleaning completes the deletion.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.checksums import (
    is_damaged_time,
    score_until,
    time_with_checksum,
    with_checksum,
    without_checksum,
)
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.commands.import_shelf import (
    Dropped,
    Figures,
    Found,
    Keeper,
    OverLimit,
    PendingDeletion,
    Reason,
    Shelved,
)
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import StreamId

_TAG: Final = "hw:{imports}:"
RECORDS: Final = f"{_TAG}records"
"""The key of the imports' records."""

_SIZES, _EXPIRY, _ADDRESSES = f"{_TAG}sizes", f"{_TAG}expiry", f"{_TAG}addresses"
_TOTAL, _REMOVED = f"{_TAG}total", f"{_TAG}removed"
_MEGABYTE: Final = 1 << 20

_BOUNDS: Final = (
    Limit.IMPORTS_PER_PLAYER,
    Limit.IMPORT_MEGABYTES_PER_PLAYER,
    Limit.IMPORTS_PER_ADDRESS,
    Limit.IMPORT_MEGABYTES_PER_ADDRESS,
)
_HELD: Final = "held"

# The scripts compute the names of further keys, which a cluster allows because all are in one slot.
_RELEASE: Final = """\
local tag = KEYS[1]
local function release(id, player)
  local kept = redis.call('HGET', tag .. 'player:' .. player, id)
  if not kept then return false end
  local size, address = string.match(kept, '^(%d+) %d+ (.*)$')
  redis.call('HDEL', tag .. 'player:' .. player, id)
  redis.call('HDEL', tag .. 'keepers:' .. id, player)
  redis.call('HDEL', tag .. 'address:' .. address, id .. ' ' .. player)
  if tonumber(redis.call('ZINCRBY', tag .. 'addresses', -tonumber(size), address)) <= 0 then
    redis.call('ZREM', tag .. 'addresses', address)
  end
  return true
end
"""

# One script, because two imports at the same time could otherwise both pass the bounds. Without a record it only
# checks the bounds, so that an import beyond them is refused before its log is verified. An expired import is
# refused as `going`, because its events may already be deleted.
_KEEP: Final = Script("""\
local tag, id, player, address = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local size, now, until_, record = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], ARGV[7]
local expiry = redis.call('ZSCORE', tag .. 'expiry', id)
if expiry and math.floor(expiry) <= now then return 'going' end
local own, ours = tag .. 'player:' .. player, tag .. 'address:' .. address
local is_kept = redis.call('HEXISTS', own, id) == 1
if not is_kept then
  local function exceeded(key, most, max_bytes)
    local count, bytes = 1, size
    for _, kept in ipairs(redis.call('HVALS', key)) do
      count, bytes = count + 1, bytes + tonumber(string.match(kept, '^%d+'))
    end
    return most ~= '' and count > tonumber(most), max_bytes ~= '' and bytes > tonumber(max_bytes)
  end
  local count, bytes = exceeded(own, ARGV[8], ARGV[9])
  if count then return '0' elseif bytes then return '1' end
  count, bytes = exceeded(ours, ARGV[10], ARGV[11])
  if count then return '2' elseif bytes then return '3' end
end
if record == '' then return 'held' end
if not is_kept then
  redis.call('HSET', own, id, size .. ' ' .. ARGV[5] .. ' ' .. address)
  redis.call('HSET', ours, id .. ' ' .. player, size .. ' ' .. ARGV[5])
  redis.call('HSET', tag .. 'keepers:' .. id, player, '')
  redis.call('ZINCRBY', tag .. 'addresses', size, address)
end
if redis.call('HSETNX', tag .. 'records', id, record) == 1 then
  redis.call('HSET', tag .. 'sizes', id, size)
  redis.call('INCRBY', tag .. 'total', size)
end
if not expiry or tonumber(expiry) < tonumber(until_) then redis.call('ZADD', tag .. 'expiry', until_, id) end
return 'held'
""")

# The last keeper only marks the import as expired, because no script can reach its events in another slot.
_DROP: Final = Script(
    _RELEASE
    + """\
local id, player, reason = ARGV[1], ARGV[2], ARGV[3]
if not release(id, player) then return 'not_kept' end
if redis.call('HLEN', tag .. 'keepers:' .. id) > 0 then return 'kept_by_others' end
redis.call('ZADD', tag .. 'expiry', 0, id)
redis.call('HINCRBY', tag .. 'removed', reason, 1)
return 'gone'
"""
)

# The expiry is checked again, because somebody may have imported the same log since it was found to be expired.
_FORGET: Final = Script(
    _RELEASE
    + """\
local id, now = ARGV[1], tonumber(ARGV[2])
local expiry = redis.call('ZSCORE', tag .. 'expiry', id)
if not expiry or math.floor(expiry) > now then return 0 end
for _, player in ipairs(redis.call('HKEYS', tag .. 'keepers:' .. id)) do release(id, player) end
if tonumber(expiry) ~= 0 then redis.call('HINCRBY', tag .. 'removed', ARGV[3], 1) end
redis.call('DECRBY', tag .. 'total', redis.call('HGET', tag .. 'sizes', id) or 0)
redis.call('HDEL', tag .. 'records', id)
redis.call('HDEL', tag .. 'sizes', id)
redis.call('ZREM', tag .. 'expiry', id)
return 1
"""
)

# Evicts the oldest import of the player with the most bytes at the address with the most bytes. So a flood of
# imports from one address evicts its own, however many players it registers. Two addresses, since the first may
# only have the spared one.
_VICTIM: Final = Script("""\
local tag, spared = KEYS[1], ARGV[1]
for _, address in ipairs(redis.call('ZREVRANGE', tag .. 'addresses', 0, 1)) do
  local bytes, oldest, since, most = {}, {}, {}, nil
  local kept = redis.call('HGETALL', tag .. 'address:' .. address)
  for i = 1, #kept, 2 do
    local id, player = string.match(kept[i], '^(%S+) (%S+)$')
    local size, at = string.match(kept[i + 1], '^(%d+) (%d+)$')
    bytes[player] = (bytes[player] or 0) + tonumber(size)
    if id ~= spared and (not since[player] or tonumber(at) < since[player]) then
      oldest[player], since[player] = id, tonumber(at)
    end
  end
  for player, total in pairs(bytes) do
    if oldest[player] and (not most or total > bytes[most]) then most = player end
  end
  if most then return {oldest[most], most} end
end
return {}
""")

# KEYS: the events, the commands and the names of an import.
_UNLINK: Final = Script("""\
redis.call('HDEL', KEYS[3], ARGV[1])
return redis.call('UNLINK', KEYS[1], KEYS[2])
""")


class RedisImportShelf:
    """Stores records of imports; see `ImportShelf`. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def check(
        self, import_id: str, keeper: Keeper, size: int, bounds: Mapping[Limit, int], *, now: int
    ) -> None:
        """Raises `OverLimit` if the keeper may keep no more, unless they already keep this one."""
        self._keep(import_id, keeper, size, bounds, now=now, until=now, record="")

    def keep(
        self,
        import_id: str,
        keeper: Keeper,
        shelved: Shelved,
        bounds: Mapping[Limit, int],
        *,
        now: int,
        until: int,
    ) -> None:
        """Records one more keeper, and the import itself if it is new; raises `OverLimit` or `PendingDeletion`."""
        record = with_checksum(msgspec.json.encode(shelved).decode())
        if not self._keep(import_id, keeper, shelved.size, bounds, now=now, until=until, record=record):
            raise PendingDeletion

    def _keep(  # noqa: PLR0913 - what is noted, by whom and when
        self,
        import_id: str,
        keeper: Keeper,
        size: int,
        bounds: Mapping[Limit, int],
        *,
        now: int,
        until: int,
        record: str,
    ) -> bool:
        player_count, player_size, address_count, address_size = map(bounds.get, _BOUNDS)
        in_force = [player_count, _bytes(player_size), address_count, _bytes(address_size)]
        given = ["" if bound is None else bound for bound in in_force]
        expiry = time_with_checksum(until)
        arguments = (import_id, keeper.player, keeper.address, size, now, expiry, record, *given)
        reply = _KEEP.run(self._transport, [_TAG], *arguments).decode()
        if reply.isdecimal():
            raise OverLimit(_BOUNDS[int(reply)])
        return bool(reply == _HELD)

    def find(self, import_id: str, player: str, *, now: int) -> Found | None:
        """Returns an import, or `None` if it has expired or was given up."""
        return self._find_each([import_id], player, now=now)[0]

    def _find_each(self, import_ids: Sequence[str], player: str, *, now: int) -> list[Found | None]:
        own = f"{_TAG}player:{player}"
        replies = self._transport.call_each(
            [
                command
                for import_id in import_ids
                for command in (
                    (RECORDS, ("HGET", RECORDS, import_id)),
                    (_EXPIRY, ("ZSCORE", _EXPIRY, import_id)),
                    (own, ("HEXISTS", own, import_id)),
                )
            ]
        )
        found = zip(replies[::3], replies[1::3], replies[2::3], strict=True)
        return [
            Found(_shelved(record), int(float(expiry)), bool(is_own))
            if record is not None and expiry is not None and int(float(expiry)) > now
            else None
            for record, expiry, is_own in found
        ]

    def renew(self, import_id: str, until: int) -> None:
        """Makes an import expire later. One that was given up meanwhile stays given up."""
        _RENEW.run(self._transport, [_EXPIRY], import_id, time_with_checksum(until))

    def kept_by(self, player: str, *, now: int) -> Sequence[tuple[str, Found]]:
        """Returns the imports that a player keeps, with their ids."""
        own = f"{_TAG}player:{player}"
        # Looked up again, because an expired import stays in this hash until it is deleted.
        kept = [import_id.decode() for import_id in self._transport.call(own, "HKEYS", own)]
        each = zip(kept, self._find_each(kept, player, now=now), strict=True)
        return [(import_id, found) for import_id, found in each if found is not None]

    def drop(self, import_id: str, player: str, reason: Reason) -> Dropped:
        """Gives up an import for one player. After its last keeper, it is deleted."""
        return Dropped(_DROP.run(self._transport, [_TAG], import_id, player, reason).decode())

    def victim(self, *, spared: str) -> tuple[str, str] | None:
        """Returns the import to evict and its keeper; see `ImportShelf`."""
        reply = _VICTIM.run(self._transport, [_TAG], spared)
        return (reply[0].decode(), reply[1].decode()) if reply else None

    def figures(self) -> Figures:
        count, size, removed = self._transport.call_each(
            [
                (_SIZES, ("HLEN", _SIZES)),
                (_TOTAL, ("GET", _TOTAL)),
                (_REMOVED, ("HGETALL", _REMOVED)),
            ]
        )
        by_reason = dict(zip(removed[::2], removed[1::2], strict=True))
        return Figures(
            count, int(size or 0), {reason.decode(): int(number) for reason, number in by_reason.items()}
        )

    def due(self, *, now: int, count: int) -> Sequence[str]:
        """Returns up to `count` imports that have expired or were given up."""
        bounds = ("-inf", score_until(now), "BYSCORE", "LIMIT", 0, count)
        found = self._transport.call(_EXPIRY, "ZRANGE", _EXPIRY, *bounds)
        return [import_id.decode() for import_id in found]

    def delete(self, import_id: str, *, now: int) -> None:
        """Deletes an import that has expired or has no record."""
        if not _CONDEMN.run(self._transport, [_EXPIRY], import_id, now):  # somebody has imported it again
            return
        # The record last: while it exists, `due` finds the import, and an interrupted deletion is repeated.
        stream = StreamId("import", import_id)
        keys = (self._keys.stream(stream), self._keys.commands(stream), self._keys.names(stream))
        _UNLINK.run(self._transport, keys, import_id)
        _FORGET.run(self._transport, [_TAG], import_id, now, Reason.EXPIRED)

    def faults(self) -> Iterator[str]:
        """Yields each key whose contents contradict other keys of the same imports."""
        sizes, (total,) = self._hash(_SIZES), self._transport.call_each([(_TOTAL, ("GET", _TOTAL))])
        known = sum([int(size) for size in sizes.values() if size.isdecimal()])
        if (total or b"0").decode(errors="replace") != str(known):
            yield _TOTAL
        due = self._scores(_EXPIRY)
        if due.keys() != sizes.keys():
            yield _EXPIRY
        yield from (f"{_EXPIRY}, {import_id}" for import_id, at in due.items() if is_damaged_time(at))
        by_address = Counter[str]()
        for import_id, record in self._hash(RECORDS).items():
            size = str(_shelved(record.encode()).size)
            for player in self._hash(f"{_TAG}keepers:{import_id}"):
                kept = self._hash(f"{_TAG}player:{player}").get(import_id, "")
                noted, _, address = kept.rpartition(" ")
                theirs = self._hash(f"{_TAG}address:{address}").get(f"{import_id} {player}")
                if noted != theirs or {size, sizes.get(import_id)} != {noted.partition(" ")[0]}:
                    yield f"{_TAG}keepers:{import_id}, {player}"
                by_address[address] += int(size)
        if dict(by_address) != {address: float(size) for address, size in self._scores(_ADDRESSES).items()}:
            yield _ADDRESSES

    def _scores(self, key: str) -> dict[str, bytes]:
        flat = self._transport.call(key, "ZRANGE", key, 0, -1, "WITHSCORES")
        members = [member.decode(errors="backslashreplace") for member in flat[::2]]
        return dict(zip(members, flat[1::2], strict=True))

    def _hash(self, key: str) -> dict[str, str]:
        flat = [text.decode(errors="backslashreplace") for text in self._transport.call(key, "HGETALL", key)]
        return dict(zip(flat[::2], flat[1::2], strict=True))


# Marks an import as expired before its events are deleted, so that no view renews it in between.
_CONDEMN: Final = Script("""\
local expiry = redis.call('ZSCORE', KEYS[1], ARGV[1])
if expiry and math.floor(expiry) > tonumber(ARGV[2]) then return 0 end
if expiry and tonumber(expiry) > 0 then redis.call('ZADD', KEYS[1], -1, ARGV[1]) end
return 1
""")

_RENEW: Final = Script("""\
local expiry = redis.call('ZSCORE', KEYS[1], ARGV[1])
if expiry and tonumber(expiry) > 0 and tonumber(expiry) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
end
return 0
""")


def _shelved(record: bytes) -> Shelved:
    return msgspec.json.decode(without_checksum(record.decode()), type=Shelved)


def _bytes(megabytes: int | None) -> int | None:
    return None if megabytes is None else megabytes * _MEGABYTE
