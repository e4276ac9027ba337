"""`hoodwink audit`: verifies every log, and compares projections, ratings and due times with the logs."""

import sys
from collections.abc import Iterator
from typing import Any

import click
from rich.progress import Progress

from domain.projections import PROJECTIONS
from service.adapters.audit_notes import AuditNotes
from service.application.audit import PATIENCE_SECONDS, Difference
from service.application.log_audit import BrokenLog
from service.bootstrap import Service
from service.cli.connection import connected_service, progress_bars, progress_step, stoppable
from service.cli.output import say

NOTES = "audit.progress"
"""The file in the data folder that names the logs already verified."""

_INTERRUPTED = "Interrupted. The next `hoodwink audit` resumes after the logs already verified."


@click.command("audit")
@click.option(
    "--wait",
    default=PATIENCE_SECONDS,
    show_default=True,
    type=click.FloatRange(min=0),
    help="Seconds without progress after which an event missing from a projection counts as lost.",
)
@click.option(
    "--afresh",
    is_flag=True,
    help="Verify every log again, including those that an interrupted audit has verified.",
)
def command(*, wait: float, afresh: bool) -> None:
    """Verify every log, and compare projections, ratings and due times with the logs.

    Checks the hash chain and the legality of each log, whether its table has ended or not. Then replays the logs
    into memory and compares the outcome with every projection, with the rated tables, and with the recorded due
    times. Tables may be played meanwhile. An interrupted audit resumes after the logs already verified.

    Exits with 0 if nothing differs, and otherwise with 1 and a line for each difference.
    """
    with stoppable(_INTERRUPTED), connected_service() as service:
        notes = AuditNotes(service.settings.data_folder / NOTES, afresh=afresh)
        if notes.count:
            say(
                f"Resuming: {_counted(notes.count, 'log')} already verified. "
                "Use --afresh to verify every log again.",
                err=True,
            )
        found = _found(service, notes, wait)
    for line in found:
        say(line)
    names = ", ".join(("logs", *[projection.name for projection in PROJECTIONS], "ratings", "due times"))
    say(f"{_counted(len(found), 'difference')}." if found else f"No differences in {names}.")
    sys.exit(1 if found else 0)


def _found(service: Service, notes: AuditNotes, wait: float) -> list[str]:
    try:
        with progress_bars() as progress:
            found = list(_lines(service, notes, wait, progress))
    finally:
        notes.close()
        if notes.fault:
            say(
                f"The progress could not be saved, so an interrupted audit would start again: {notes.fault}",
                err=True,
            )
    notes.remove()
    return found


def _lines(service: Service, notes: AuditNotes, wait: float, progress: Progress) -> Iterator[str]:
    count = _stream_count(service, "table")
    logs = count + _stream_count(service, "tournament")
    for broken in service.log_audit(notes).broken(progress_step(progress, "logs", logs)):
        yield _broken(broken)
    for projection in PROJECTIONS:
        audit = service.audit(projection, patience_seconds=wait)
        streams = _stream_count(service, projection.category)
        for difference in audit.differences(progress_step(progress, projection.name, streams)):
            yield _different(difference)
    rating_audit = service.rating_audit(patience_seconds=wait)
    for difference in rating_audit.differences(progress_step(progress, "ratings", count)):
        yield _different(difference)
    due_audit = service.due_audit(patience_seconds=wait)
    for difference in due_audit.differences(progress_step(progress, "due times", logs)):
        yield _different(difference)


def _stream_count(service: Service, category: str) -> int:
    return sum(1 for _ in service.store.streams(category))


def _broken(broken: BrokenLog) -> str:
    event = "" if broken.finding.version is None else f", event {broken.finding.version}"
    return f"log: {broken.stream.category}:{broken.stream.id}{event}: {broken.finding.code}: {broken.finding.detail}"


def _different(difference: Difference) -> str:
    live, replayed = _shown(difference.live), _shown(difference.replayed)
    return f"{difference.source}: {difference.location}: is {live}, should be {replayed}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _shown(value: Any) -> str:
    return "missing" if value is None else str(value)
