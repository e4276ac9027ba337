"""Greenlets: synchronous code runs on an event loop and is suspended whenever it needs a reply.

It is the pattern of SQLAlchemy's `greenlet_spawn` and `await_only`. `GreenletPool.run` runs a function in a
greenlet. When the function calls `suspend_until`, the greenlet hands an awaitable to the loop and continues with
its result. Between two such calls nothing else runs on the loop's thread. So such a function must

* never block: no lock that another function may hold while suspended, no sleep, no I/O of its own;
* create nothing lazily: an object that is half created during a suspension would be visible to others;
* keep nothing in thread-local variables across a suspension, because all functions share the loop's thread. Context
  variables are its own: it starts with those of the pool, and its changes are dropped when it returns.
"""

from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any, Final

from greenlet import GreenletExit, getcurrent, greenlet

_MAX_IDLE: Final = 64


class _Task(greenlet):
    """Runs one function after another.

    Attributes:
        is_running: whether the function has not returned yet, so that a switch returns an awaitable.
        outcome: the result of the last function, and the error that it raised.
    """

    is_running = False
    outcome: tuple[Any, BaseException | None] = None, None

    def run(self) -> None:
        """Runs functions as they are given, until the greenlet is thrown away."""
        assert self.parent is not None, "only the main greenlet has no parent"
        while True:
            # No local variable holds the function or its arguments, which an idle task would keep in memory.
            self._carry_out(*self.parent.switch())

    def _carry_out(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.is_running = True
        try:
            self.outcome = function(*arguments), None
        except BaseException as error:
            self.outcome = None, error
            if isinstance(error, GreenletExit):  # ends this greenlet, whose caller may have abandoned it
                raise
        finally:
            self.is_running = False


class GreenletPool:
    """Runs functions in reusable greenlets. All calls belong on one event loop."""

    def __init__(self, context: Context) -> None:
        """Takes the context variables with which each function starts."""
        self._context = context
        # Reused, because a new greenlet costs an mmap, a munmap and the page faults of a fresh stack.
        self._idle: list[_Task] = []

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Returns the function's result. While it is suspended, the loop continues with other work.

        Errors of the awaitable, including cancellation, are raised inside the function.
        """
        task = self._idle.pop() if self._idle else _new_task()
        task.gr_context = self._context.copy()
        given = task.switch(function, arguments)
        while task.is_running:
            try:
                result = await given
            except BaseException as error:  # noqa: BLE001 - the function handles it
                given = task.throw(error)
            else:
                given = task.switch(result)
        result, failure = task.outcome
        if not task.dead and len(self._idle) < _MAX_IDLE:
            task.outcome, task.gr_context = (None, None), None
            self._idle.append(task)
        if failure is not None:
            raise failure
        return result


def _new_task() -> _Task:
    """Returns a task that waits for its first function."""
    task = _Task()
    task.switch()  # without the function, which the greenlet would otherwise keep as an argument of `run` forever
    return task


def suspend_until(awaitable: Awaitable[Any]) -> Any:
    """Returns the awaitable's result, and lets the loop continue meanwhile. Only for code run by a `GreenletPool`."""
    loop = getcurrent().parent
    assert loop is not None, "only code in a greenlet can be suspended"
    return loop.switch(awaitable)
