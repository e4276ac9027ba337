"""The one place for greenlets: code that never awaits runs on an event loop and is suspended at each reply it needs.

It is the pattern of SQLAlchemy's `greenlet_spawn` and `await_only`. `GreenletPool.run` runs a function in a greenlet;
where the function calls `suspend_until`, the greenlet hands an awaitable to the loop and goes on with its result.
Between two such calls nothing else runs on the loop's thread. So such a function

* does not block: no lock that another one may hold while it is suspended, no sleep, no input or output of its own;
* finds everything that is made lazily made already: what is half made when it is suspended would be seen half made;
* keeps nothing in thread-local variables over a suspension, because all of them share the loop's thread. Context
  variables are its own: it begins with those of the pool, and what it sets is gone when it returns.

A new greenlet costs an mmap, a munmap and the page faults of a fresh stack, so greenlets are used again.
"""

from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any, Final

from greenlet import GreenletExit, getcurrent, greenlet

_MAX_IDLE: Final = 64


class _Task(greenlet):
    """Runs one function after the other.

    Attributes:
        is_running: the function has not returned; what a switch gives is an awaitable.
        outcome: what the last function returned, and what it raised.
    """

    is_running = False
    outcome: tuple[Any, BaseException | None] = None, None

    def run(self) -> None:
        """Waits for the next function; keeps nothing of the last one, because a task may be idle for long."""
        assert self.parent is not None, "only the main greenlet has no parent"
        while True:
            self._carry_out(*self.parent.switch())

    def _carry_out(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.is_running = True
        try:
            self.outcome = function(*arguments), None
        except BaseException as error:
            self.outcome = None, error
            if isinstance(error, GreenletExit):  # it ends this greenlet, which may have been abandoned
                raise
        finally:
            self.is_running = False


class GreenletPool:
    """Runs functions in greenlets that are used again. All calls belong on one event loop."""

    def __init__(self, context: Context) -> None:
        """Takes the context variables with which each function begins."""
        self._context = context
        self._idle: list[_Task] = []

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what the function returns; while it is suspended, the loop goes on with other work.

        What goes wrong with the awaitable, cancellation included, is raised inside the function.
        """
        task = self._idle.pop() if self._idle else _new_task()
        task.gr_context = self._context.copy()
        given = task.switch(function, arguments)
        while task.is_running:
            try:
                result = await given
            except BaseException as error:  # noqa: BLE001 - it is the function's to handle
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
    """Returns a task that waits for its first function; a function given at the start would never be freed."""
    task = _Task()
    task.switch()
    return task


def suspend_until(awaitable: Awaitable[Any]) -> Any:
    """Returns the awaitable's result and lets the loop go on meanwhile; only for code that a `GreenletPool` runs."""
    loop = getcurrent().parent
    assert loop is not None, "only code in a greenlet can be suspended"
    return loop.switch(awaitable)
