"""Answers costly reads in a single thread, which rests between them and between the parts of a long one.

While a thread computes, it holds Python's interpreter lock and delays the event loop. So costly reads get a limited
share of a process's time, however many clients send them. They wait in a queue of their own, so they occupy no
thread that other requests need.
"""

import re
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic, sleep, thread_time
from typing import Final, ParamSpec, TypeVar
from urllib.parse import unquote

from granian.rsgi import Scope

from hoodwink.service.application.streams.parts import resting
from hoodwink.service.http.framework.operations import Cost, Operation, accepts_only_streams

P = ParamSpec("P")
T = TypeVar("T")

_REST_RATIO: Final = 2.0
"""Rest per computing time: costly reads take at most a third of a process's time."""

_MAX_REST_SECONDS: Final = 1.0
_MIN_PART_SECONDS: Final = 0.005
"""Minimum computing time before the thread rests within a read."""

_SWITCH_SECONDS: Final = 0.001
"""Time after which other threads get their turn while this one computes. At other times Python's default, 5 ms, costs
less, because each switch has its price."""


class CostlyReads:
    """The costly reads of a process.

    Attributes:
        thread: the executor that answers them.
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._patterns = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", operation.path)), operation.cost)
            for operation in operations
            if operation.cost is not Cost.LITTLE
        ]
        self.thread = _Paced(1, thread_name_prefix="costly")

    def has(self, scope: Scope) -> bool:
        """Returns whether a request is a costly read."""
        # HEAD runs the handler of GET.
        if scope.method not in {"GET", "HEAD"}:
            return False
        for pattern, cost in self._patterns:
            if pattern.fullmatch(scope.path):
                match cost:
                    # The latest version is in memory. An earlier one is replayed from the log.
                    case Cost.MUCH_AT_VERSION:
                        return "version=" in unquote(scope.query_string)
                    case Cost.MUCH_UNLESS_LIVE:
                        # A repeated header reaches the handler as a list.
                        accepted = [value for name, value in scope.headers.items() if name == "accept"]
                        return not accepts_only_streams(",".join(accepted))
                return True
        return False


class _Paced(ThreadPoolExecutor):
    """One thread that rests in proportion to its computing time."""

    _computed = 0.0
    _free_at = 0.0

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        def paced() -> T:
            # A context variable of this thread, so `rest()` does nothing in others.
            resting.set(self._rest)
            self._sleep()  # before the read, not after the last one: that answer must not wait for the rest
            usual = sys.getswitchinterval()
            sys.setswitchinterval(_SWITCH_SECONDS)
            try:
                return work(*args, **kwargs)
            finally:
                sys.setswitchinterval(usual)
                self._end_part()

        return super().submit(paced)

    def _rest(self) -> None:
        """Rests between two parts of a read, unless the part was short."""
        if thread_time() - self._computed >= _MIN_PART_SECONDS:
            self._end_part()
            self._sleep()

    def _end_part(self) -> None:
        # CPU time, not wall time: a read that waits for Redis delays nobody.
        rest = min(_REST_RATIO * (thread_time() - self._computed), _MAX_REST_SECONDS)
        self._free_at = monotonic() + rest

    def _sleep(self) -> None:
        sleep(max(0.0, self._free_at - monotonic()))
        self._computed = thread_time()
