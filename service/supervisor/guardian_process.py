"""The guardian process: a script without imports beyond Python's own, so that it starts immediately; see `Guardian`."""

import os
import signal
import sys
import time
from typing import IO

_PATIENCE_SECONDS = 1.0  # a zombie stays in its group until its parent reaps it, but holds no resources


def kill_group(group: int) -> bool:
    """Kills a process group immediately; returns whether it had any process."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS raises it for a group of zombies
        return False
    return True


def _guard(supervisor: IO[bytes], groups: set[int]) -> None:
    for line in supervisor:
        change = groups.discard if line.startswith(b"-") else groups.add
        change(int(line[1:]))
    give_up_at = time.monotonic() + _PATIENCE_SECONDS
    # Repeated, because a process may have forked while its group was being killed.
    while groups and time.monotonic() < give_up_at:
        groups = {group for group in groups if kill_group(group)}
        time.sleep(0.01)


if __name__ == "__main__":
    # A signal to the whole group or session must not end the guardian before it has done its work.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _guard(sys.stdin.buffer, groups=set(map(int, sys.argv[1:])))
