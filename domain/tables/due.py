"""When the workers have something to do at a table or in a tournament.

It follows from the state alone, so it is true of one version: a late or repeated task asks again and finds nothing.
"""

from typing import Final

import msgspec

from domain.kernel import Stage
from domain.tables.state import Phase, Table, deadline_of, grace_until, is_bot_kept, reveals_until

IMMEDIATELY: Final = 0
"""A time that has always passed, because the domain has no clock to ask for the present one."""


class WorkDue(msgspec.Struct, frozen=True, gc=False):
    """The times from which something is due, in ms since the epoch or `IMMEDIATELY`; `None` if nothing is.

    Attributes:
        at: for the work at the table or in the tournament itself.
        report_at: for the table's tournament, which then looks at the table.
    """

    at: int | None = None
    report_at: int | None = None


NOTHING_DUE: Final = WorkDue()


def work_due(table: Table) -> WorkDue:
    """Returns when the workers have something to do at the table."""
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
            # A bot, too, leaves the other seats the time that the rules give them, such as for a sneak (CO-37).
            return rulebook.waits_until(table.state) or IMMEDIATELY
    if not table.turn_seconds:
        return None
    return min(
        [deadline for seat in owes if (deadline := deadline_of(table, seat)) is not None], default=None
    )


def _report_due(table: Table) -> int | None:
    """Returns when the tournament looks at the table: at its end, or after the grace period."""
    return IMMEDIATELY if table.phase is Phase.ENDED else grace_until(table)
