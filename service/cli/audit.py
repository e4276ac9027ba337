"""`hoodwink audit`: verifies every log, and compares all other stored data with the logs."""

import sys
from collections.abc import Iterable

import click

from hoodwink.service.adapters.process.audit_notes import NOTES, AuditNotes
from hoodwink.service.application.audit.audit import PATIENCE_SECONDS
from hoodwink.service.auditing import Stage, stages, unfinished
from hoodwink.service.cli.shared.connection import connected_service, progress_bars, progress_step, stoppable
from hoodwink.service.cli.shared.output import say

_INTERRUPTED = "Interrupted. The next `hoodwink audit` resumes after the logs already verified."


@click.command("audit")
@click.option(
    "--wait",
    default=PATIENCE_SECONDS,
    show_default=True,
    type=click.FloatRange(min=0),
    help="Seconds without progress until an event that is missing from a projection counts as lost.",
)
@click.option(
    "--afresh",
    is_flag=True,
    help="Verify every log again, including those that an interrupted audit has verified.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Check archived logs by the indexes of their segments only, and no projections or ratings.",
)
def command(*, wait: float, afresh: bool, quick: bool) -> None:
    """Verify every log, and compare all other stored data with the logs.

    Checks the hash chain and the legality of each log, whether its table has ended or not, and the data stored with
    the logs: the index of commands, feeds, players and names. Then replays the logs in memory and compares the
    result with every projection, with the rated tables, and with the recorded due times. Play can continue
    meanwhile. An interrupted audit resumes after the logs already verified.

    Exits with 0 if there are no differences, otherwise with 1 after a line for each difference.
    """
    with stoppable(_INTERRUPTED), connected_service() as service:
        notes = AuditNotes(service.settings.data_folder / NOTES, afresh=afresh)
        if notes.count:
            say(
                f"Resuming: {_counted(notes.count, 'log')} already verified. "
                "Use --afresh to verify every log again.",
                err=True,
            )
        audits = list(stages(service, notes, patience_seconds=wait, quick=quick))
        found = _differences(audits, notes)
        # A projector that is not running also causes differences, which are no damage.
        caveat = unfinished(service) if found else None
    for line in found:
        say(line)
    if caveat:
        say(caveat)
    say(
        f"{_counted(len(found), 'difference')}."
        if found
        else f"No differences in {', '.join(stage.name for stage in audits)}."
    )
    sys.exit(1 if found else 0)


def _differences(audits: Iterable[Stage], notes: AuditNotes) -> list[str]:
    try:
        with progress_bars() as progress:
            found = [
                line
                for stage in audits
                for line in stage.findings(progress_step(progress, stage.name, stage.size()))
            ]
    finally:
        notes.close()
        if notes.fault:  # no reason to stop: only a later audit would have more to do
            say(
                f"The progress could not be saved, so an interrupted audit would start again: {notes.fault}",
                err=True,
            )
    notes.remove()  # only now: after Ctrl-C, the next audit needs them
    return found


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
