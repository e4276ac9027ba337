"""A process's clock, not behind those of the processes that ran before or run beside it.

A clock that kept its pace while the wall clock was put back is ahead of it. A process that starts then would be
behind the others by as much, and what they record would seem to it to lie in the future: every turn would take
that much longer. So it asks the store how late it is:

| key | type | holds |
|---|---|---|
| `hw:clocks` | hash | a machine → how far its processes' clocks are ahead of the time since it was started, in ms |

Processes of other machines are known by the newest events that they recorded.
"""

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from service.adapters.connection import Client
from service.adapters.feed_entries import feed_entry
from service.adapters.keys import Keys
from service.adapters.system import SystemClock
from service.adapters.wire import Wire

_KEY: Final = "hw:clocks"
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
"""Names a machine between two starts, to all containers on it; only Linux has it."""

_ROUNDING_MS: Final = 1


def clock_on(*, client: Client, partitions: int) -> SystemClock:
    """Returns a clock that goes on where the store's knowledge of the time ends.

    Raises:
        StoreUnavailable: it does not answer.
    """
    wire, clock, machine = Wire(client), SystemClock(), _machine()
    clock.keep_up_with(_recorded(wire, Keys(partitions)))
    noted = int(wire.call(_KEY, "HGET", _KEY, machine) or 0)
    clock.keep_up_with([noted + clock.elapsed_ms()])
    ahead = clock.now_ms() - clock.elapsed_ms()
    if abs(ahead - noted) > _ROUNDING_MS:
        wire.call(_KEY, "HSET", _KEY, machine, ahead)
    return clock


def _machine() -> str:
    # After a new start the time since then begins anew. Where machines go by their names, what was noted before
    # then only means an earlier moment, which changes nothing.
    return _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else platform.node()


def _recorded(wire: Wire, keys: Keys) -> Iterator[int]:
    """Yields when the newest commit of each feed was recorded, in ms since the epoch.

    The ids of the feeds tell that by the clock of Redis, which may have been put back, too.
    """
    feeds = [(feed, ("XREVRANGE", feed, "+", "-", "COUNT", 1)) for feed in (*keys.feeds, *keys.quiet)]
    entries = [feed_entry(0, *entry) for page in wire.call_each(feeds) for entry in page]
    streams = {keys.stream(entry.stream) for entry in entries}
    newest = [(stream, ("XREVRANGE", stream, "+", "-", "COUNT", 1)) for stream in streams]
    for page in wire.call_each(newest):
        for _, fields in page:
            yield int(fields[fields.index(b"at") + 1])
