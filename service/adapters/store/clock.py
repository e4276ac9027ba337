"""The clock of a process, set so that it is not behind the clocks of earlier and other processes.

When the wall clock is put back, the clocks of running processes go on and are ahead of it. A process that starts then
would be behind them by as much, and the times that they record would seem to it to lie in the future: every turn
would take that much longer. So a new process first reads how late it is for the others:

| key | type | holds |
|---|---|---|
| `hw:clocks` | hash | a machine → how far its processes' clocks are ahead of the time since it was started, in ms; with `:check` behind its name the CRC-32 of that number |

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
from hoodwink.service.adapters.store.feed_entries import feed_entry
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StoreUnavailable

_KEY: Final = "hw:clocks"
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
"""Names one run of a machine, the same in all its containers; only Linux has it."""

_ROUNDING_MS: Final = 1
_CHECK_EVERY_SECONDS: Final = 0.5


def clock_on(*, client: Client, partitions: int) -> SystemClock:
    """Returns a clock that is not behind the times recorded in Redis.

    Raises:
        StoreUnavailable: Redis does not answer.
    """
    transport, clock = Transport(client), SystemClock()
    clock.keep_up_with(_recorded(transport, Keys(partitions)))
    ahead_ms = _share(transport, clock)
    watch = threading.Thread(
        target=_watch, args=(ref(client), ref(clock), ahead_ms), name="clock", daemon=True
    )
    watch.start()
    return clock


def _watch(client_ref: ReferenceType[Client], clock_ref: ReferenceType[SystemClock], shared_ms: int) -> None:
    """Reads the clock regularly as long as it exists, and shares with other processes how far it was put forward.

    A process that reads no clock while the wall clock is put forward and back would not notice, and be behind the
    processes that did.
    """
    pause = threading.Event()  # never set, only waited for
    while (clock := clock_ref()) is not None and (client := client_ref()) is not None:
        clock.now_ms()
        if clock.ahead_ms > shared_ms + _ROUNDING_MS:
            with suppress(StoreUnavailable):  # the next turn tries again
                shared_ms = _share(Transport(client), clock)
        del clock, client  # this thread must not keep alive what nobody uses any more
        pause.wait(_CHECK_EVERY_SECONDS)


def _share(transport: Transport, clock: SystemClock) -> int:
    """Sets the clock and the value stored for its machine to the later of the two; returns how far it is ahead then."""
    machine = _machine()
    noted = _noted(*transport.call(_KEY, "HMGET", _KEY, machine, f"{machine}:check"))
    clock.keep_up_with([noted + clock.elapsed_ms()])
    ahead = clock.ahead_ms
    if abs(ahead - noted) > _ROUNDING_MS:
        transport.call(_KEY, "HSET", _KEY, machine, ahead, f"{machine}:check", crc32(str(ahead).encode()))
    return ahead


def _noted(stored: bytes | None, check: bytes | None) -> int:
    """Returns the stored value, or 0 if it is damaged: a clock that is ahead by years would never come back."""
    if stored is None or (check is not None and check != str(crc32(stored)).encode()):
        return 0
    return int(stored)


def _machine() -> str:
    # The time since the start begins at zero again when the machine is restarted. Where there is no boot id, the value
    # stored before a restart is read as an earlier moment then, which changes nothing.
    return _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else platform.node()


def _recorded(transport: Transport, keys: Keys) -> Iterator[int]:
    """Yields the time of the newest commit of each feed, in ms since the epoch."""
    # The ids of feed entries hold a time, too, but by the clock of Redis, which may have been put back.
    feeds = [(feed, ("XREVRANGE", feed, "+", "-", "COUNT", 1)) for feed in (*keys.feeds, *keys.quiet)]
    entries = [feed_entry(0, *entry) for page in transport.call_each(feeds) for entry in page]
    streams = {keys.stream(entry.stream) for entry in entries}
    newest = [(stream, ("XREVRANGE", stream, "+", "-", "COUNT", 1)) for stream in streams]
    for page in transport.call_each(newest):
        for _, fields in page:
            yield int(fields[fields.index(b"at") + 1])
