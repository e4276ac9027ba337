"""Runs work in several processes, with one progress bar for all of them."""

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import click

from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.application.errors import ApplicationError
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings

T = TypeVar("T")
R = TypeVar("R")

Advance: TypeAlias = Callable[[int], None]
"""Receives the number of events done since the last call."""

_LOOK_SECONDS: Final = 0.2
_MIN_EVENTS: Final = 50_000
"""Less work is done sooner by this process alone, because another one takes most of a second to start."""

option = click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="Processes that share the work. By default one per core, or one if there is little to do.",
)


class _Stopped(Exception):
    """Raised in the middle of the work if the command ends."""


def run_each(
    service: Service,
    work: Callable[[Service, T, Advance], R],
    items: Collection[T],
    *,
    processes: int | None,
    events: int,
    advance: Advance,
) -> Iterator[R]:
    """Yields the results of the work on each item, in no order.

    Args:
        service: the service in this process; other processes create their own.
        work: a function that can be pickled, and so can its results.
        items: to work on.
        processes: their number, or `None` to decide by the number of events.
        events: the approximate number of events in all items.
        advance: called regularly, for the progress bar.
    """
    if processes is None:
        processes = os.cpu_count() or 1 if events >= _MIN_EVENTS else 1
    processes = min(processes, len(items))
    if processes <= 1:
        for item in items:
            yield work(service, item, advance)
        return
    # Not forked, because a copy of a process with threads may inherit locks that nobody releases.
    context = multiprocessing.get_context("spawn")
    shared = _Shared(context.Value("q", 0), context.Event())
    begin = partial(_begin, service.settings, os.getpid(), shared)
    with ProcessPoolExecutor(processes, mp_context=context, initializer=begin) as pool:
        try:
            with _uninterrupted():
                # The processes start here, when they get their first work.
                waiting = {pool.submit(_run, work, item) for item in items}
            yield from _results(waiting, shared, advance)
        except BrokenProcessPool:
            raise click.ClickException("A process was killed. Run the command again to resume.") from None
        finally:
            # Each process notices this when it next calls `advance`; the pool waits for that.
            shared.stopping.set()
            pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Makes processes that start meanwhile ignore Ctrl-C, which reaches all processes of a terminal."""
    # The command itself tells them to stop.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _results(waiting: set[Any], shared: "_Shared", advance: Advance) -> Iterator[Any]:
    shown = 0
    while waiting:
        done, waiting = wait(waiting, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
        counted = shared.counted.value
        advance(counted - shown)
        shown = counted
        for future in done:
            yield future.result()


class _Shared(NamedTuple):
    """Shared by the processes: the number of events done, and whether to stop."""

    counted: Any
    stopping: Any


class _Process(NamedTuple):
    service: Service
    shared: _Shared


# A list, because the initializer of a process cannot return anything, and `_run` has to find it.
_process: list[_Process] = []
"""The parts of a worker process."""


def _begin(settings: Settings, parent: int, shared: _Shared) -> None:
    end_with_parent(parent, signal.SIGKILL)
    _process.append(_Process(Service(settings), shared))
    gc.freeze()  # or every full collection would look at all modules again, which takes a twentieth of an audit


def _run(work: Callable[[Service, T, Advance], R], item: T) -> R:
    ((service, shared),) = _process

    def advance(events: int) -> None:
        with shared.counted.get_lock():
            shared.counted.value += events
        if shared.stopping.is_set():
            raise _Stopped

    try:
        return work(service, item, advance)
    except ApplicationError as error:  # cannot be pickled
        raise click.ClickException(error.detail) from None
    except StoreUnavailable as error:
        raise click.ClickException(str(error)) from None
