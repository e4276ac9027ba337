"""The times at which the workers have something to do at a table.

They depend on the state alone, so they hold for one version: a late or repeated task checks again and finds nothing.
"""

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables.pace import (
    bot_chances,
    bot_moves_at,
    is_played_by_people,
    pause_until,
    thinking_times,
    thinks,
)
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    deadline_of,
    grace_until,
    is_played_by_bot,
    reveals_until,
)


def work_due(table: Table, *, asked_until: int = -1) -> WorkDue:
    """Returns when the workers have something to do at the table.

    Args:
        asked_until: the time, in ms, up to which bots were asked for actions out of turn, and for decisions that take
            thought.
    """
    at = _play_due(table, asked_until)
    report_at = None if table.tournament is None else _report_due(table)
    return WorkDue(at, report_at, at is not None and not is_played_by_people(table))


def _play_due(table: Table, asked_until: int) -> int | None:
    if table.phase is not Phase.PLAYING:
        return None
    until = reveals_until(table)
    if until is not None:
        return until
    rulebook, state = table.rulebook, table.state
    if rulebook.stage(state) is not Stage.IN_PLAY:
        return pause_until(table) or IMMEDIATELY
    if rulebook.is_endless(state):
        return IMMEDIATELY
    times = [
        at for seat in rulebook.turn(state).owes if (at := _turn_due(table, seat, asked_until)) is not None
    ]
    if rulebook.interrupts:
        times += [at for at, _ in bot_chances(table) if at > asked_until]
    return min(times) if times else None


def asking_times(table: Table) -> tuple[int, ...]:
    """Returns the times at which bots are asked, which may leave no trace in the log."""
    times = [at for at, _ in bot_chances(table)]
    if table.phase is Phase.PLAYING:
        owes = [seat for seat in table.rulebook.turn(table.state).owes if thinks(table, seat)]
        times += [at for seat in owes for at in thinking_times(table, seat)]
    return tuple(times)


def _turn_due(table: Table, seat: int, asked_until: int) -> int | None:
    """Returns when the seat's bot begins to think or moves, or its player's clock runs out."""
    if thinks(table, seat):
        times = thinking_times(table, seat)
        return next((at for at in times if at > asked_until), times[-1])
    return bot_moves_at(table, seat) if is_played_by_bot(table, seat) else deadline_of(table, seat)


def _report_due(table: Table) -> int | None:
    """Returns when the tournament looks at the table: at its end, or after the grace period."""
    return IMMEDIATELY if table.phase is Phase.ENDED else grace_until(table)
