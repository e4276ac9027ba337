"""`hoodwink audit`: do the logs hold, and do projections and due times hold what the logs say?"""

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
from service.cli.reach import a_step_of, progress_bars, reached_service, stoppable

NOTES = "audit.progress"
"""The file in the data folder."""

_BROKEN_OFF = "Broken off. The next `hoodwink audit` resumes after the logs already verified."


@click.command("audit")
@click.option(
    "--wait",
    default=PATIENCE_SECONDS,
    show_default=True,
    type=click.FloatRange(min=0),
    help="Seconds without progress after which what a projection lacks counts as lost.",
)
@click.option("--afresh", is_flag=True, help="Verify every log, also those of an audit that was broken off.")
def command(*, wait: float, afresh: bool) -> None:
    """Verify every log, and compare projections, ratings and due times with the logs.

    Chain and legality of each log are checked, whether its table has ended or not. Then the logs are
    replayed into memory and compared with every projection, with the tables that were rated, and with what
    is on record as due. Tables may be
    played meanwhile. An audit that was broken off resumes after the logs already verified.

    Exits with 0 if nothing differs, and otherwise with 1 and a line for each difference.
    """
    with stoppable(_BROKEN_OFF), reached_service() as service:
        notes = AuditNotes(service.settings.data_folder / NOTES, afresh=afresh)
        if notes.count:
            click.echo(
                f"Continuing: {_counted(notes.count, 'log')} verified before. "
                "Use --afresh to verify all of them again.",
                err=True,
            )
        found = _found(service, notes, wait)
    for line in found:
        click.echo(line)
    names = ", ".join(("logs", *[projection.name for projection in PROJECTIONS], "ratings", "due times"))
    click.echo(f"{_counted(len(found), 'difference')}." if found else f"No differences in {names}.")
    sys.exit(1 if found else 0)


def _found(service: Service, notes: AuditNotes, wait: float) -> list[str]:
    try:
        with progress_bars() as progress:
            found = list(_lines(service, notes, wait, progress))
    finally:
        notes.close()
        if notes.fault:
            click.echo(
                f"The progress could not be noted, so an audit cannot be continued: {notes.fault}", err=True
            )
    notes.remove()
    return found


def _lines(service: Service, notes: AuditNotes, wait: float, progress: Progress) -> Iterator[str]:
    count = _stream_count(service, "table")
    logs = count + _stream_count(service, "tournament")
    for broken in service.log_audit(notes).broken(a_step_of(progress, "logs", logs)):
        yield _broken(broken)
    for projection in PROJECTIONS:
        audit = service.audit(projection, patience_seconds=wait)
        streams = _stream_count(service, projection.category)
        for difference in audit.differences(a_step_of(progress, projection.name, streams)):
            yield _different(difference)
    rating_audit = service.rating_audit(patience_seconds=wait)
    for difference in rating_audit.differences(a_step_of(progress, "ratings", count)):
        yield _different(difference)
    due_audit = service.due_audit(patience_seconds=wait)
    for difference in due_audit.differences(a_step_of(progress, "due times", logs)):
        yield _different(difference)


def _stream_count(service: Service, category: str) -> int:
    return sum(1 for _ in service.store.streams(category))


def _broken(broken: BrokenLog) -> str:
    event = "" if broken.finding.version is None else f", event {broken.finding.version}"
    return f"log: {broken.stream.category}:{broken.stream.id}{event}: {broken.finding.code}: {broken.finding.detail}"


def _different(one: Difference) -> str:
    return f"{one.source}: {one.location}: is {_shown(one.live)}, should be {_shown(one.replayed)}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _shown(value: Any) -> str:
    return "missing" if value is None else str(value)
