"""`hoodwink audit`: verifies every log, and compares all other stored data with the logs."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from hoodwink.domain.phrases import counted
from hoodwink.service.adapters.process.audit_notes import FOLDER, AuditFolder, AuditNotes
from hoodwink.service.application.audit.difference import PATIENCE_SECONDS
from hoodwink.service.auditing import (
    Audited,
    Finding,
    audit_other_data,
    audit_partition,
    conclude,
    ends,
    names,
    unfinished,
)
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.options import FiniteRange
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.shared.processes import Advance, option, run_each
from hoodwink.service.cli.shared.progress import progress_bars
from hoodwink.service.cli.shared.stopping import stoppable

_INTERRUPTED = "Interrupted. The next `hoodwink audit` resumes after the logs already verified."


@click.command("audit")
@click.option(
    "--wait",
    default=PATIENCE_SECONDS,
    show_default=True,
    type=FiniteRange(min=0),
    help="Seconds without progress until an event that is missing from a projection counts as lost.",
)
@click.option(
    "--restart",
    is_flag=True,
    help="Verify every log again, including those that an interrupted audit has verified.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Check archived logs by the indexes of their segments only, and no projections or ratings.",
)
@click.option(
    "--changed",
    is_flag=True,
    help="Audit only tables and tournaments with events since the last audit without differences. "
    "Does not find damage to older data, nor to counters and to rows of other tables in projections.",
)
@option
def command(*, wait: float, restart: bool, quick: bool, changed: bool, processes: int | None) -> None:
    """Verify every log, and compare all other stored data with the logs.

    Checks the hash chain and the legality of each log, whether its table has ended or not, and the data stored with
    the logs: the index of commands, feeds, players and names. Then replays the logs in memory and compares the
    result with every projection, with the rated tables, and with the recorded due times. Play can continue
    meanwhile. An interrupted audit resumes after the logs already verified.

    Exits with 0 if there are no differences, otherwise with 1 after a line for each difference.
    """
    if quick and changed:
        raise click.UsageError("--quick and --changed cannot be combined.")
    with stoppable(_INTERRUPTED), connected_service() as service:
        files = AuditFolder(service.settings.data_folder / FOLDER)
        _announce(files, restart=restart, changed=changed)
        scope = _Scope(files.folder, quick=quick, only_changes=changed and files.has_clean())
        audits = names(service, quick=quick)
        parts = _audit(service, scope, processes)
        found = conclude(service, [part.audited for part in parts], audits, patience_seconds=wait)
        _finish(files, scope, parts, found, service.settings.partitions)
        # A projector that is not running also causes differences, which are no damage.
        caveat = unfinished(service) if found else None
    for finding in found:
        say(str(finding))
    if caveat:
        say(caveat)
    limit = (
        ", as far as they have changed since the last audit without differences" if scope.only_changes else ""
    )
    say(
        f"{counted(len(found), 'difference')}." if found else f"No differences in {', '.join(audits)}{limit}."
    )
    sys.exit(1 if found else 0)


class _Scope(NamedTuple):
    """The scope of an audit, and the folder of its notes."""

    folder: Path
    quick: bool
    only_changes: bool

    def notes(self, partition: int) -> AuditNotes:
        return AuditNotes(self.folder, partition, only_changes=self.only_changes)


class _Part(NamedTuple):
    """The outcome of one partition.

    Attributes:
        partition: its number, or `None` for the data that belong to no stream.
        fault: why its progress could not be saved, or `None`.
    """

    partition: int | None
    audited: Audited
    fault: str | None = None


def _announce(files: AuditFolder, *, restart: bool, changed: bool) -> None:
    if restart:
        files.forget_progress()
    elif count := files.count():
        say(
            f"Resuming: {counted(count, 'log')} already verified. Use --restart to verify every log again.",
            err=True,
        )
    if changed and not files.has_clean():
        say("No audit without differences is known here, so everything is audited.", err=True)


def _audit(service: Service, scope: _Scope, processes: int | None) -> list[_Part]:
    partitions = range(service.settings.partitions)
    events = sum(
        end.version
        for partition in partitions
        for end in ends(service, scope.notes(partition), partition, with_archive=not scope.quick)
    )
    with progress_bars() as progress:
        bar = progress.add_task("events", total=events)
        parts = run_each(
            service,
            partial(_audit_part, scope),
            [None, *partitions],  # the names of many players may take longest, so they come first
            processes=processes,
            events=events,
            advance=lambda done: progress.advance(bar, done),
        )
        # In this order, the differences are the same with any number of processes.
        return sorted(parts, key=lambda part: len(partitions) if part.partition is None else part.partition)


def _audit_part(scope: _Scope, service: Service, partition: int | None, advance: Advance) -> _Part:
    """See `_Part`."""
    if partition is None:
        return _Part(None, audit_other_data(service))
    notes = scope.notes(partition)
    try:
        audited = audit_partition(
            service,
            notes,
            partition,
            names(service, quick=scope.quick),
            with_archive=not scope.quick,
            done=lambda end: advance(end.version),
        )
        # Only a whole audit without a difference allows a later one to look at changes alone.
        if not (audited.findings or audited.awaited or scope.quick or scope.only_changes):
            notes.complete()
    finally:
        notes.close()
    return _Part(partition, audited, notes.fault)


def _finish(
    files: AuditFolder, scope: _Scope, parts: Sequence[_Part], found: Sequence[Finding], partitions: int
) -> None:
    """Leaves the notes for an audit of changes, or nothing; only now, because an interrupted audit needs them."""
    fault = next((part.fault for part in parts if part.fault), None)
    try:
        if found or scope.quick or fault:
            files.forget_progress()
        else:
            files.keep_as_clean(range(partitions), only_changes=scope.only_changes)
    except OSError as error:
        fault = str(error)
    if fault:  # no reason to stop: only later audits have more to do
        say(f"The progress could not be saved, so an interrupted audit would start again: {fault}", err=True)
