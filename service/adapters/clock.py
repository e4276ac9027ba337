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
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from weakref import ReferenceType, ref

from service.adapters.connection import Client
from service.adapters.feed_entries import feed_entry
from service.adapters.keys import Keys
from service.adapters.system import SystemClock
from service.adapters.transport import Transport
from service.application.ports import StoreUnavailable

_KEY: Final = "hw:clocks"
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
"""Names a machine between two starts, to all containers on it; only Linux has it."""

_ROUNDING_MS: Final = 1
_LOOK_SECONDS: Final = 0.5


def clock_on(*, client: Client, partitions: int) -> SystemClock:
    """Returns a clock that goes on where the store's knowledge of the time ends.

    Raises:
        StoreUnavailable: it does not answer.
    """
    transport, clock = Transport(client), SystemClock()
    clock.keep_up_with(_recorded(transport, Keys(partitions)))
    ahead_ms = _share(transport, clock)
    watch = threading.Thread(target=_watch, args=(client, ref(clock), ahead_ms), name="clock", daemon=True)
    watch.start()
    return clock


def _watch(client: Client, clock_ref: ReferenceType[SystemClock], shared_ms: int) -> None:
    """Looks at the clock as long as there is one, and shares how far it was put forward.

    A process with nothing to do would not notice that the wall clock was put forward and back meanwhile, and
    be behind those that did.
    """
    rest = threading.Event()  # which nobody sets
    while (clock := clock_ref()) is not None:
        clock.now_ms()
        if clock.ahead_ms > shared_ms + _ROUNDING_MS:
            with suppress(StoreUnavailable):  # it is tried again
                shared_ms = _share(Transport(client), clock)
        del clock
        rest.wait(_LOOK_SECONDS)


def _share(transport: Transport, clock: SystemClock) -> int:
    """Brings the clock and what is noted for its machine together; returns how far the clock is ahead then."""
    machine = _machine()
    noted = int(transport.call(_KEY, "HGET", _KEY, machine) or 0)
    clock.keep_up_with([noted + clock.elapsed_ms()])
    ahead = clock.ahead_ms
    if abs(ahead - noted) > _ROUNDING_MS:
        transport.call(_KEY, "HSET", _KEY, machine, ahead)
    return ahead


def _machine() -> str:
    # After a new start the time since then begins anew. Where machines go by their names, what was noted before
    # then only means an earlier moment, which changes nothing.
    return _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else platform.node()


def _recorded(transport: Transport, keys: Keys) -> Iterator[int]:
    """Yields when the newest commit of each feed was recorded, in ms since the epoch.

    The ids of the feeds tell that by the clock of Redis, which may have been put back, too.
    """
    feeds = [(feed, ("XREVRANGE", feed, "+", "-", "COUNT", 1)) for feed in (*keys.feeds, *keys.quiet)]
    entries = [feed_entry(0, *entry) for page in transport.call_each(feeds) for entry in page]
    streams = {keys.stream(entry.stream) for entry in entries}
    newest = [(stream, ("XREVRANGE", stream, "+", "-", "COUNT", 1)) for stream in streams]
    for page in transport.call_each(newest):
        for _, fields in page:
            yield int(fields[fields.index(b"at") + 1])
