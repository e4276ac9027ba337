"""Finds the service whose Redis a command reads, for commands that work on the stored events themselves."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.kernel import RuleViolation
from service.application.errors import ApplicationError
from service.application.ports import StoreUnavailable
from service.bootstrap import Service
from service.settings import InvalidSettings, Settings
from service.supervisor import find_instance

INTERRUPTED: Final = 130
"""The exit code by which shells know that a command was ended by Ctrl-C."""


@contextmanager
def reached_service() -> Iterator[Service]:
    """Gives the service on the Redis that REDIS_URL names, or else the one that runs on this data folder.

    Raises:
        ClickException: there is none, it does not answer, or what the command asks for is not there, or not allowed.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if settings.redis_url is None:
            instance = find_instance(settings.data_folder)
            if instance is None or instance.settings is None:
                raise click.ClickException(
                    f"No Hoodwink runs on the data folder {settings.data_folder}. Start one with "
                    "`hoodwink run`, or name the Redis of another with REDIS_URL."
                )
            settings = instance.settings
        service = Service(settings)
        service.check_store()
        yield service
    except (ApplicationError, RuleViolation) as error:
        raise click.ClickException(error.detail) from None
    except (StoreUnavailable, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def stoppable(broken_off: str) -> Iterator[None]:
    """Ends an interrupted command with one line and the exit code of an interrupt."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(broken_off, err=True)
        sys.exit(INTERRUPTED)


def progress_bars() -> Progress:
    """Returns bars on the standard error, which is not what a command's output is read from."""
    columns = TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True))


Step: TypeAlias = Callable[[object], None]


def a_step_of(progress: Progress, description: str, total: int) -> Step:
    """Adds a bar and returns what moves it on by one, whatever it is told."""
    task = progress.add_task(description, total=total)
    return lambda _done: progress.advance(task)
