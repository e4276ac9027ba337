"""Progress bars of long commands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hoodwink.domain.tables.proving.proof import OnProgress, ignore_progress


def progress_bars() -> Progress:
    # On standard error, so that they do not mix with the output.
    columns = TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True))


LONG_EVENTS: Final = 5_000
"""Fewer events are checked so quickly that a progress bar would only flicker."""


@contextmanager
def checking(events: int) -> Iterator[OnProgress]:
    """Shows the progress of checking these events; yields a function that takes the number checked."""
    if events < LONG_EVENTS:
        yield ignore_progress
        return
    with progress_bars() as progress:
        task = progress.add_task("events checked", total=events)
        yield lambda checked: progress.advance(task, checked)


Step: TypeAlias = Callable[[object], None]


def progress_step(progress: Progress, description: str, total: int) -> Step:
    """Adds a progress bar; returns a function that advances it by one and ignores its argument."""
    task = progress.add_task(description, total=total)
    return lambda _done: progress.advance(task)
