"""The limits of one job in its process: processor time, wall time and memory."""

import math
import resource
import signal
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

NICENESS: Final = 10
"""Niceness of the processes of jobs, so that players come first."""

WALL_PER_CPU: Final = 2
"""How many seconds a job may take for each second of processor time, since others come first."""

_STATUS: Final = "/proc/self/statm"


class TooExpensive(BaseException):
    """Raised in the middle of work that has used up its processor time or its wall time.

    It is no `Exception`, because it may be raised anywhere, and nothing shall take it for an error of its own.
    """


def run_limited(work: Callable[[], T], *, cpu_seconds: int, memory_bytes: int) -> T:
    """Returns what the work returns; raises `TooExpensive` or `MemoryError` in work that takes more.

    For the main thread of a process. The limits count from the beginning of the work. Nobody may raise a hard limit again,
    so only soft ones are set.
    """
    cpu, memory = resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_AS)
    is_at_work = True

    def end(*_: Any) -> None:
        # A signal may come when the work has just ended: then nothing may be raised, or the limits would stay.
        if is_at_work:
            raise TooExpensive

    signal.signal(signal.SIGXCPU, end)
    signal.signal(signal.SIGALRM, end)
    try:
        try:
            used = math.ceil(time.process_time())
            resource.setrlimit(resource.RLIMIT_CPU, (_within(used + cpu_seconds, cpu[1]), cpu[1]))
            memory_limit = _within(_address_space() + memory_bytes, memory[1])
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory[1]))
            signal.setitimer(signal.ITIMER_REAL, WALL_PER_CPU * cpu_seconds)
            return work()
        finally:
            is_at_work = False
    finally:  # of its own, because a signal may still raise where the other one begins
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_CPU, cpu)
        resource.setrlimit(resource.RLIMIT_AS, memory)


def _within(soft: int, hard: int) -> int:
    return soft if hard == resource.RLIM_INFINITY else min(soft, hard)


def _address_space() -> int:
    """Returns the bytes of this process's address space; without Linux's files, memory is not limited precisely."""
    try:
        with open(_STATUS) as file:  # noqa: PTH123 - Path would be slower to import than this is to read
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 34
