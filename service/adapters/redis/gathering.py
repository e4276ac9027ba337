"""Runs functions concurrently in one thread, and sends the Redis commands of all of them in one write.

A round trip costs about the same for one command or many. So code that handles many streams is written for a single
one and gathered here. The functions must obey the contract of `GreenletPool`. Each starts with an empty context.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from contextvars import Context, ContextVar
from copy import copy
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from hoodwink.service.adapters.redis.greenlets import GreenletPool, suspend_until
from hoodwink.service.application.ports import StoreUnavailable

T = TypeVar("T")
Exchange: TypeAlias = Callable[[Sequence[Any]], list[Any]]
"""Returns the replies to commands, in the same order."""

_is_gathered: Final = ContextVar("is_gathered", default=False)


class _Asked(NamedTuple):
    """Commands that a suspended function waits for. Awaiting it returns the replies."""

    exchange: Exchange
    commands: Sequence[Any]

    def __await__(self) -> "Generator[_Asked, list[Any], list[Any]]":
        return (yield self)


def is_gathered() -> bool:
    """Returns whether the calling code is run by `gather`."""
    return _is_gathered.get()


def exchange_together(exchange: Exchange, commands: Sequence[Any]) -> list[Any]:
    """Returns the replies to commands, sent together with those of the other functions. For gathered code only.

    Raises:
        StoreUnavailable: the functions were interrupted, and this one is ending.
    """
    if _of_thread.is_closing:
        raise StoreUnavailable("interrupted")
    replies: list[Any] = suspend_until(_Asked(exchange, commands))
    return replies


def gather(functions: Sequence[Callable[[], T]]) -> list[T]:
    """Returns the result of each function. If some raise, the others still finish, then the first error is raised."""
    assert not is_gathered(), "the greenlets of a thread share a parent, so they cannot be nested"
    return _Gathering(functions).results()


class _ThreadState(threading.local):
    """The greenlets of a thread, since a greenlet belongs to the thread that created it.

    Attributes:
        is_closing: suspended greenlets are being ended, and must not suspend again.
    """

    is_closing = False

    def __init__(self) -> None:
        context = Context()
        context.run(_is_gathered.set, True)  # noqa: FBT003 - the value of the variable
        self.pool = GreenletPool(context)


_of_thread: Final = _ThreadState()


class _Gathering:
    """One call of `gather`."""

    def __init__(self, functions: Sequence[Callable[[], Any]]) -> None:
        self._runs = [_of_thread.pool.run(function) for function in functions]
        self._results: list[Any] = [None] * len(functions)
        self._failures: list[Exception] = []
        self._waiting: dict[int, _Asked] = {}

    def results(self) -> list[Any]:
        try:
            for index, run in enumerate(self._runs):
                self._resume(index, run.send, None)
            while self._waiting:
                self._exchange_all()
        except BaseException:
            self._close()
            raise
        # Only now: raised earlier, an error of one function would leave the others suspended halfway.
        if self._failures:
            raise self._failures[0]
        return self._results

    def _close(self) -> None:
        """Ends the functions that are still suspended after one was interrupted."""
        # Not left to the garbage collector: it may run inside another greenlet, where the function would continue.
        _of_thread.is_closing = True
        try:
            for run in self._runs:
                with suppress(Exception):  # an error while closing must not hide the interruption
                    run.close()
        finally:
            _of_thread.is_closing = False

    def _exchange_all(self) -> None:
        """Sends the commands of all functions, and resumes the functions with the replies."""
        waiting, self._waiting = self._waiting, {}
        by_exchange = defaultdict[Exchange, dict[int, _Asked]](dict)
        for index, asked in waiting.items():
            by_exchange[asked.exchange][index] = asked
        for exchange, asked_at in by_exchange.items():
            self._exchange(exchange, asked_at)

    def _exchange(self, exchange: Exchange, asked_at: dict[int, _Asked]) -> None:
        try:
            replies = iter(exchange([command for asked in asked_at.values() for command in asked.commands]))
        except Exception as error:  # noqa: BLE001 - it is each function's to handle
            for index in asked_at:
                # A copy for each, because raising an error adds to its traceback.
                self._resume(index, self._runs[index].throw, copy(error))
        else:
            for index, asked in asked_at.items():
                self._resume(index, self._runs[index].send, [next(replies) for _ in asked.commands])

    def _resume(self, index: int, switch: Callable[[Any], Any], given: Any) -> None:
        """Runs a function until it waits for replies or ends."""
        try:
            self._waiting[index] = switch(given)
        except StopIteration as end:
            self._results[index] = end.value
        except Exception as error:  # noqa: BLE001 - raised once all have ended
            self._failures.append(error)
