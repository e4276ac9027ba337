"""What the workers owe a table or a tournament, and when."""

from typing import Final

import msgspec

from domain.kernel import Stage
from domain.tables.state import Phase, Table, deadline_of, grace_until, is_bot_kept, reveals_until

IMMEDIATELY: Final = 0


class WorkDue(msgspec.Struct, frozen=True, gc=False):
    """From when on something is due, in ms since the epoch, or `IMMEDIATELY`; `None` where nothing is.

    Attributes:
        at: what the workers do at the table or in the tournament itself.
        report_at: what the table's tournament does, which has to look at it.
    """

    at: int | None = None
    report_at: int | None = None


NOTHING_DUE: Final = WorkDue()


def work_due(table: Table) -> WorkDue:
    """Returns what the workers owe the table."""
    return WorkDue(_play_due(table), None if table.tournament is None else _report_due(table))


def _play_due(table: Table) -> int | None:
    if table.phase is not Phase.PLAYING:
        return None
    rulebook, until = table.rulebook, reveals_until(table)
    if until is not None:
        return until
    if rulebook.stage(table.state) is not Stage.IN_PLAY:
        return IMMEDIATELY
    owes = rulebook.turn(table.state).owes
    for seat in owes:
        if is_bot_kept(table, seat):
            return rulebook.waits_until(table.state) or IMMEDIATELY
    if not table.turn_seconds:
        return None
    return min(
        [deadline for seat in owes if (deadline := deadline_of(table, seat)) is not None], default=None
    )


def _report_due(table: Table) -> int | None:
    """Returns when the tournament looks at the table: at its end, or when the time of grace is over."""
    return IMMEDIATELY if table.phase is Phase.ENDED else grace_until(table)
