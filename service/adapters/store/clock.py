"""The clock of a process, which is never slower than the clocks of earlier and other processes.

When the wall clock is set back, the clocks of running processes continue and are ahead of it. A process that starts
then would be slow by the difference. The times recorded by the others would be in its future, and every turn would
take that much longer. So a new process first reads the others' clocks:

| key | type | holds |
|---|---|---|
| `hw:clocks` | hash | machine → difference between its processes' clocks and the time since its start, in ms; `<machine>:check` → the CRC-32 of that number |

The clocks of other machines are estimated from the newest events in the feeds.
"""

import platform
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from weakref import ReferenceType, ref
from zlib import crc32

from hoodwink.service.adapters.process.system import SystemClock
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.event_store import stored_entries
from hoodwink.service.adapters.store.feeds.feed_entries import feed_entry
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StoreUnavailable

_KEY: Final = "hw:clocks"
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
"""Identifies one run of a machine, also in all its containers. Only Linux has it."""

_ROUNDING_MS: Final = 1
_CHECK_EVERY_SECONDS: Final = 0.5


def clock_on(*, client: Client, partitions: int) -> SystemClock:
    """Returns a clock that is not slower than the times recorded in Redis.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    transport, clock = Transport(client), SystemClock()
    clock.keep_up_with(_recorded(transport, Keys(partitions)))
    ahead_ms = _share(transport, clock)
    # Weak references, so that the thread ends with its clock.
    watch = threading.Thread(
        target=_watch, args=(ref(client), ref(clock), ahead_ms), name="clock", daemon=True
    )
    watch.start()
    return clock


def _watch(client_ref: ReferenceType[Client], clock_ref: ReferenceType[SystemClock], shared_ms: int) -> None:
    """Reads the clock regularly while it exists, and shares with other processes how far it was set forward."""
    # A process that reads no clock while the wall clock is set forward and back would be slower than others.
    pause = threading.Event()  # never set, only waited for
    while (clock := clock_ref()) is not None and (client := client_ref()) is not None:
        clock.now_ms()
        if clock.ahead_ms > shared_ms + _ROUNDING_MS:
            with suppress(StoreUnavailable):  # the next turn tries again
                shared_ms = _share(Transport(client), clock)
        del clock, client  # this thread must not keep unused objects alive
        pause.wait(_CHECK_EVERY_SECONDS)


def _share(transport: Transport, clock: SystemClock) -> int:
    """Sets the clock and the value stored for its machine to the later of the two; returns that value."""
    machine = _machine()
    noted = _noted(*transport.call(_KEY, "HMGET", _KEY, machine, f"{machine}:check"))
    clock.keep_up_with([noted + clock.elapsed_ms()])
    ahead = clock.ahead_ms
    if abs(ahead - noted) > _ROUNDING_MS:
        transport.call(_KEY, "HSET", _KEY, machine, ahead, f"{machine}:check", crc32(str(ahead).encode()))
    return ahead


def _noted(stored: bytes | None, check: bytes | None) -> int:
    """Returns the stored value, or 0 if it is damaged."""
    # A damaged value could be years ahead, and the clock never goes back.
    if stored is None or (check is not None and check != str(crc32(stored)).encode()):
        return 0
    return int(stored)


def _machine() -> str:
    # The time since the start begins at zero after a restart of the machine. Without a boot id, the value stored
    # before the restart then means an earlier moment, which changes nothing.
    return _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else platform.node()


def _recorded(transport: Transport, keys: Keys) -> Iterator[int]:
    """Yields the time of the newest commit of each feed, in ms since the epoch."""
    # Not the times in the ids of feed entries, which are by the clock of Redis, and that may have been set back.
    feeds = [(feed, ("XREVRANGE", feed, "+", "-", "COUNT", 1)) for feed in (*keys.feeds, *keys.quiet)]
    entries = [feed_entry(0, *entry) for page in transport.call_each(feeds) for entry in page]
    streams = {keys.stream(entry.stream) for entry in entries}
    newest = [(stream, ("XREVRANGE", stream, "+", "-", "COUNT", 1)) for stream in streams]
    for page in transport.call_each(newest):
        yield from (entry.at for entry in stored_entries(page))
