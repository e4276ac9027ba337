"""`hoodwink archive`: moves finished tables, tournaments and series to the archive and back, and checks it."""

import sys
from functools import partial

import click

from hoodwink.service.adapters.store.archive import RedisArchive
from hoodwink.service.application.ports import StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.options import FiniteRange
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.shared.progress import progress_bars, progress_step
from hoodwink.service.cli.shared.stopping import stoppable

_DAY_MS = 86_400_000


@click.group("archive")
def command() -> None:
    """Move finished tables, tournaments and series from memory to the archive, check it, or move them back.

    The service archives by itself; with these commands, operators can archive earlier, and check the archive.
    """


@command.command()
@click.option(
    "--days",
    default=1.0,
    show_default=True,
    type=FiniteRange(min=0),
    help="Archive tables, tournaments and series that have been unchanged for this many days.",
)
def run(days: float) -> None:
    """Archive all finished tables, tournaments and series now."""
    interrupted = "Interrupted. Nothing is lost; the next run finishes the work."
    with stoppable(interrupted), connected_service() as service, progress_bars() as progress:
        _archive_of(service)
        assert service.archiver is not None, "there is an archiver if there is an archive"
        # Even one log: an operator who asks for it does not want to wait until a segment is worthwhile.
        moved = service.archiver.run(
            idle_ms=round(days * _DAY_MS), min_logs=1, begin=partial(progress_step, progress, "logs")
        )
    say(f"{_counted(moved, 'log')} moved to the archive.")


@command.command()
def status() -> None:
    """Show how much is archived."""
    with connected_service() as service:
        archive = _archive_of(service)
        segments, size = archive.size()
        in_memory = sum(
            len(service.store.in_memory(category)) for category in ("table", "tournament", "series")
        )
        say(f"{_counted(archive.count(), 'log')} in {_counted(segments, 'segment')}, {size / 1e6:.1f} MB.")
        say(f"{_counted(in_memory, 'log')} in memory.")


@command.command()
def verify() -> None:
    """Read every archived log and check its hash chain.

    Exits with 0 if all logs are intact, otherwise with 1 after a line for each fault. A damaged
    segment is one fault.
    """
    interrupted = "Interrupted."
    with stoppable(interrupted), connected_service() as service, progress_bars() as progress:
        archive = _archive_of(service)
        count = archive.count()
        step = progress_step(progress, "archive", count)
        partitions = range(service.settings.partitions)
        found = [line for number in partitions for line in archive.faults(number, step, thoroughly=True)]
    for line in found:
        say(line)
    say(f"{_counted(len(found), 'fault')}." if found else f"{_counted(count, 'log')} intact.")
    sys.exit(1 if found else 0)


@command.command()
@click.argument("names", metavar="CATEGORY:ID...", nargs=-1, required=True)
def restore(names: tuple[str, ...]) -> None:
    """Move archived logs back to memory.

    Name each log as in `table:abc` or `tournament:cup`. The service may archive it again within minutes, because its last
    event is as old as before, unless HOODWINK_ARCHIVE_DAYS is 0.
    """
    with connected_service() as service:
        archive = _archive_of(service)
        for name in names:
            category, _, id_ = name.partition(":")
            is_restored = archive.restore(StreamId(category, id_))
            say(f"{name} is in memory again." if is_restored else f"{name} is not in the archive.")


def _archive_of(service: Service) -> RedisArchive:
    if service.archive is None:
        raise click.ClickException(
            "This service has no archive. Set HOODWINK_ARCHIVE to a folder that all of its processes share."
        )
    return service.archive


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
