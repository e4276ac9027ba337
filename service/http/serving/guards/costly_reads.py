"""Answers costly reads in one thread of its own, which rests between them and between the parts of a long one.

A thread that computes holds up all others of its process for a moment each time that one of them wants to go on. So few
of a process's moments may belong to costly reads, however many clients ask for them. They wait in a queue, which takes no
thread from other requests.
"""

import re
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic, sleep, thread_time
from typing import Final, ParamSpec, TypeVar

from granian.rsgi import Scope

from hoodwink.service.application.streams.parts import resting
from hoodwink.service.http.framework.operations import EVENT_STREAM, Cost, Operation

P = ParamSpec("P")
T = TypeVar("T")

_REST: Final = 2.0
"""How many times as long as a read has computed the thread rests, so costly reads take a third of a process's time at most."""

_MAX_REST_SECONDS: Final = 1.0
_MIN_PART_SECONDS: Final = 0.005
"""How long the thread computes at least before it rests within a read."""

_SWITCH_SECONDS: Final = 0.001
"""How long other threads wait while this one computes. It is Python's default otherwise, five times as long, because each
switch costs something."""


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

    def find(self, scope: Scope) -> bool:
        if scope.method != "GET":
            return False
        for pattern, cost in self._patterns:
            if pattern.fullmatch(scope.path):
                match cost:
                    case Cost.MUCH_AT_VERSION:
                        return "version=" in scope.query_string
                    case Cost.MUCH_UNLESS_LIVE:
                        return EVENT_STREAM not in scope.headers.get("accept", "")
                return True
        return False


class _Paced(ThreadPoolExecutor):
    """One thread that rests after all that it has computed, before it goes on or begins something else."""

    _computed = 0.0
    _free_at = 0.0

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        def paced() -> T:
            resting.set(self._rest)
            self._sleep()
            usual = sys.getswitchinterval()
            sys.setswitchinterval(_SWITCH_SECONDS)
            try:
                return work(*args, **kwargs)
            finally:
                sys.setswitchinterval(usual)
                self._end_part()

        return super().submit(paced)

    def _rest(self) -> None:
        """Rests between two parts of a read, if it has computed for long enough."""
        if thread_time() - self._computed >= _MIN_PART_SECONDS:
            self._end_part()
            self._sleep()

    def _end_part(self) -> None:
        rest = min(_REST * (thread_time() - self._computed), _MAX_REST_SECONDS)
        self._free_at = monotonic() + rest

    def _sleep(self) -> None:
        sleep(max(0.0, self._free_at - monotonic()))
        self._computed = thread_time()
