"""The limits of one job in its process: processor time, wall time and memory."""

import math
import resource
import signal
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

NICENESS: Final = 10
"""Niceness of job processes, so that players come first."""

WALL_PER_CPU: Final = 2
"""Seconds of wall time per second of processor time, because other processes come first."""

_STATUS: Final = "/proc/self/statm"


class TooExpensive(BaseException):
    """Raised in the middle of work that has used up its processor time or its wall time."""

    # Not an `Exception`: it may be raised in any line, and no `except Exception` there may catch it.


def run_limited(work: Callable[[], T], *, cpu_seconds: int, memory_bytes: int) -> T:
    """Returns the result of the work; raises `TooExpensive` or `MemoryError` in work that exceeds a limit.

    Must be called in the main thread, which alone receives signals. The limits count from the work's beginning.
    """
    # Only soft limits are changed, because a process may not raise its hard limits again for the next job.
    cpu, memory = resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS)
    is_at_work = True

    def end(*_: Any) -> None:
        # A signal may come right after the work has ended. An exception then would leave the limits in place.
        if is_at_work:
            raise TooExpensive

    signal.signal(signal.SIGXCPU, end)
    signal.signal(signal.SIGALRM, end)
    try:
        try:
            # The kernel counts the whole life of the process, which may have run other jobs before.
            used = math.ceil(time.process_time())
            resource.setrlimit(resource.RLIMIT_CPU, (_within(used + cpu_seconds, cpu[1]), cpu[1]))
            memory_limit = _within(_address_space() + memory_bytes, memory[1])
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory[1]))
            signal.setitimer(signal.ITIMER_REAL, WALL_PER_CPU * cpu_seconds)
            return work()
        finally:
            is_at_work = False
    finally:  # a second one, because a signal may still raise at the beginning of the first
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_CPU, cpu)
        resource.setrlimit(resource.RLIMIT_AS, memory)


def _within(soft: int, hard: int) -> int:
    return soft if hard == resource.RLIM_INFINITY else min(soft, hard)


def _address_space() -> int:
    """Returns the bytes of this process's address space; a large guess on systems without `/proc`."""
    try:
        with open(_STATUS) as file:  # noqa: PTH123 - Path would be slower to import than this is to read
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 34
