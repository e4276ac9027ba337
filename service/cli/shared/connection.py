"""Connects commands to the Redis of a service, for direct access to the stored events."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.proving.proof import Checked, uncounted
from hoodwink.service.application.errors import ApplicationError
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.output import say
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.supervisor import find_instance

INTERRUPTED: Final = 130
"""The exit code that shells expect after Ctrl-C: 128 + SIGINT."""


@contextmanager
def connected_service() -> Iterator[Service]:
    """Yields the service on the Redis at REDIS_URL, or else the one that runs on this data folder.

    Raises:
        ClickException: no service was found, its Redis does not respond, or the command was rejected.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if settings.redis_url is None:
            instance = find_instance(settings.data_folder)
            if instance is None or instance.settings is None:
                raise click.ClickException(
                    f"No Hoodwink runs on the data folder {settings.data_folder}. Start one with "
                    "`make run` or `hoodwink run`, or set REDIS_URL to the Redis of another one."
                )
            # The running service may have been started with other variables than this shell has, such as limits.
            settings = instance.settings
        service = Service(settings)
        service.check_store()
        yield service
    except (ApplicationError, RuleViolation) as error:
        raise click.ClickException(error.detail) from None
    except (StoreUnavailable, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def stoppable(message: str) -> Iterator[None]:
    """After Ctrl-C, prints one line and exits with the usual code."""
    try:
        yield
    except KeyboardInterrupt:
        say(message, err=True)
        sys.exit(INTERRUPTED)


def progress_bars() -> Progress:
    # On standard error, so that they do not mix with the output.
    columns = TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True))


LONG_EVENTS: Final = 5_000
"""Fewer events are checked so quickly that a progress bar would only flicker."""


@contextmanager
def checking(events: int) -> Iterator[Checked]:
    """Shows the progress of checking these events; yields a function that takes the number checked."""
    if events < LONG_EVENTS:
        yield uncounted
        return
    with progress_bars() as progress:
        task = progress.add_task("events checked", total=events)
        yield lambda checked: progress.advance(task, checked)


Step: TypeAlias = Callable[[object], None]


def progress_step(progress: Progress, description: str, total: int) -> Step:
    """Adds a progress bar; returns a function that advances it by one and ignores its argument."""
    task = progress.add_task(description, total=total)
    return lambda _done: progress.advance(task)
