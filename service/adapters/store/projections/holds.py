"""Locks on a partition of a projection, in Redis: for audits, which read them, and for rebuilds.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:<projection>:held` | string, expiring | `<purpose> <token>` of the process that holds the partition |
| `hw:{pNN}:<projection>:rebuilding` | string | a mark that a rebuild of the partition was started |

A hold expires unless it is renewed, so a killed process blocks nobody for long. While a partition is held to `read`
or to `drop`, nothing is applied to it. While it is held to `replay`, other processes also apply events.
"""

import time
from collections.abc import Collection
from secrets import token_hex
from typing import Final, Literal, TypeAlias

from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.projecting.projections import PartitionHeld

Purpose: TypeAlias = Literal["read", "drop", "replay"]

HOLD_MS: Final = 5_000
_RENEW_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 0.05

_PAGE: Final = 500

# KEYS: held. ARGV: the hold, ms.
_TAKE: Final = Script("""\
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
""")
_RENEW: Final = Script("""\
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
""")
# KEYS: held, rebuilding. ARGV: the hold, `done` if the rebuild is complete.
_RELEASE: Final = Script("""\
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if ARGV[2] == 'done' then redis.call('DEL', KEYS[2]) end
return 1
""")
# KEYS: held, indexes, some indexes themselves. ARGV: the hold, ms, the names of these indexes.
_DROP_INDEXES: Final = Script("""\
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
for i = 3, #ARGV do redis.call('SREM', KEYS[2], ARGV[i]) end
return 1
""")
# KEYS: held, rebuilding, the other keys of the partition. ARGV: the hold, its new value, ms.
# One script, because others may apply events again as soon as the last contents are gone, and not before.
_DROP_REST: Final = Script("""\
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
""")


class Hold:
    """A lock on a partition of a projection. Every call may raise `PartitionHeld`."""

    def __init__(self, transport: Transport, keys: Keys, projection: str, partition: int) -> None:
        self._transport = transport
        self._keys = keys
        self._projection = projection
        self._partition = partition
        self._token = token_hex(8)
        self._value = ""
        self._renewed_at = time.monotonic()

    def take(self, purpose: Purpose, *, wait_seconds: float) -> None:
        """Takes the partition, if no other process holds it for longer than that."""
        deadline = time.monotonic() + wait_seconds
        value = f"{purpose} {self._token}"
        while not _TAKE.run(self._transport, [self._key("held")], value, HOLD_MS):
            if time.monotonic() >= deadline:
                raise self._lost()
            time.sleep(_RETRY_SECONDS)
        self._value = value

    def renew(self) -> None:
        """Checks that the partition is still held, and extends the hold by `HOLD_MS`."""
        self._renewed_at = time.monotonic()
        self._check(_RENEW.run(self._transport, [self._key("held")], self._value, HOLD_MS))

    def renew_in_time(self) -> None:
        """Renews the hold unless that was done within the last second."""
        if time.monotonic() - self._renewed_at >= _RENEW_SECONDS:
            self.renew()

    def release(self, *, done: bool = False) -> None:
        """Releases the partition. `done` means that its rebuild is complete."""
        keys = [self._key(part) for part in ("held", "rebuilding")]
        reply = _RELEASE.run(self._transport, keys, self._value, "done" if done else "")
        if done:
            self._check(reply)

    def drop(self, parts: Collection[str]) -> None:
        """Deletes all indexes and the given other parts. Afterwards, other processes may apply events again."""
        # Marked before anything is deleted: if this process is killed, the next projector sees that the contents
        # are incomplete, and rebuilds them.
        rebuilding = self._key("rebuilding")
        self._transport.call(rebuilding, "SET", rebuilding, 1)
        self._drop_indexes()
        keys = [self._key(part) for part in ("held", "rebuilding", *parts)]
        replaying = f"replay {self._token}"
        self._check(_DROP_REST.run(self._transport, keys, self._value, replaying, HOLD_MS))
        self._value = replaying

    def _drop_indexes(self) -> None:
        # In pages, because Redis serves nobody else during a command with all of them.
        held, indexes = self._key("held"), self._key("indexes")
        while names := self._transport.call(indexes, "SRANDMEMBER", indexes, _PAGE):
            keys = [held, indexes, *[self._key(f"index:{name.decode()}") for name in names]]
            self._check(_DROP_INDEXES.run(self._transport, keys, self._value, HOLD_MS, *names))
            self.renew_in_time()

    def _check(self, reply: int) -> None:
        if not reply:
            raise self._lost()

    def _lost(self) -> PartitionHeld:
        return PartitionHeld(self._projection, self._partition)

    def _key(self, part: str) -> str:
        return self._keys.at(self._partition, f"{self._projection}:{part}")
