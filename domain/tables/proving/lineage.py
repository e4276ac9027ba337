"""Checks the log of a fork together with the logs of the tables that it continues."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from hoodwink.domain.tables.deciding.forks import parent_entries
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.domain.tables.proving.proof import Finding, OnProgress, ignore_progress
from hoodwink.domain.tables.proving.verify import Verdict, invalid, verify_log


def verify_lineage(logs: Sequence[bytes], on_progress: OnProgress = ignore_progress) -> Verdict:
    """Returns the verdict on a log and the logs of the tables that it was forked from, each continuing the next.

    Args:
        logs: at least one: the log of a table, then those of its parent, its parent's parent and so on.
        on_progress: called with the number of events checked.
    """
    verdict = verify_log(logs[0], on_progress)
    fork = verdict
    for number, (log, older) in enumerate(pairwise(logs), start=2):
        if not verdict.valid:
            return verdict
        parent = verify_log(older, on_progress)
        finding = parent.finding or _lineage_fault(fork, log, parent, older)
        if finding is not None:
            return invalid(
                replace(finding, detail=f"log {number}: {finding.detail}", version=None, line=None)
            )
        fork = parent
    return replace(verdict, generations=len(logs)) if verdict.valid else verdict


def _lineage_fault(fork: Verdict, log: bytes, parent: Verdict, older: bytes) -> Finding | None:
    """Returns why a valid log does not continue another one, or `None` if it does."""
    if fork.parent is None:
        detail = f"table {fork.table} was not forked from another, so its log continues none"
    elif fork.parent.table != parent.table:
        detail = f"it is the log of table {parent.table}, and table {fork.table} was forked from table {fork.parent.table}"
    else:
        kept, entries = parent_entries(parse_log(log)[1]), parse_log(older)[1]
        if kept == entries[: len(kept)]:
            return None
        detail = (
            f"table {fork.table} was forked from a table {parent.table} with other events than this log has"
        )
    return Finding(code="wrong_parent", detail=detail, version=None, line=None)
