"""Taking back the last action of a table (G-20).

The table remembers its state before the action, so that nothing has to be computed backwards. The games know nothing
about this.
"""

from typing import Final

from msgspec.structs import replace

from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables.actor import is_player
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import ActionTakenBack
from hoodwink.domain.tables.state import Table, Undoable, deadline_of, stage_of

TAKE_BACK_MS: Final = 10_000
"""How long after an action it can be taken back."""


def after_take_back(table: Table, event: ActionTakenBack, at: int) -> Table:
    """Returns the table as it was before the action, at the version of the event."""
    assert table.undoable is not None, "decided before the event was recorded"
    return replace(
        table.undoable.before,
        version=table.version,
        # The count goes on, because decisions of bots belong to it: none of them may fit a later state.
        round_actions=table.round_actions + 1,
        person_acted_at=at,
        took_back=event.seat,
    )


def remembered(before: Table, after: Table, recorded: Recorded) -> Table:
    """Returns the table after an event of the game, with the action that may now be taken back."""
    if not before.take_backs:
        return after
    cause = recorded.event.cause()
    if cause is not None:
        undoable = _undoable(before, after, recorded)
        took_back = before.took_back if before.took_back == cause[0] else None
        return replace(after, undoable=undoable, took_back=took_back)
    undoable = before.undoable
    if undoable is not None and not _is_part(undoable, after, recorded):
        undoable = None
    return replace(
        after, undoable=undoable, took_back=None if recorded.event.starts_round else after.took_back
    )


def _undoable(before: Table, after: Table, recorded: Recorded) -> Undoable | None:
    event, entry = recorded.event, recorded.entry
    cause = event.cause()
    assert cause is not None, "checked by the caller"
    seat, action = cause
    is_offence = isinstance(action, before.rulebook.offences)
    if not is_player(entry.by) or is_offence or event.is_final or event.is_news():
        return None
    # With an action, a player also returns to a seat that they seemed to have left, and may not leave it again this way.
    is_return = before.missed_turns[seat] > 0 or seat in before.awaited
    if is_return or before.took_back == seat or stage_of(after) is not Stage.IN_PLAY:
        return None
    owing = before.rulebook.turn(before.state).owes
    deadlines = [at for owed in owing if (at := deadline_of(before, owed)) is not None]
    until = min([entry.at + TAKE_BACK_MS, *deadlines])
    return Undoable(seat, until, entry.cmd, replace(before, undoable=None))


def _is_part(undoable: Undoable, after: Table, recorded: Recorded) -> bool:
    """Returns whether an event is a consequence of the action after which it can still be taken back."""
    is_same_commit = recorded.entry.cmd == undoable.cmd
    return is_same_commit and not recorded.event.is_news() and stage_of(after) is Stage.IN_PLAY
