"""The knowledge that a seat has of the round in play, folded from a table's log as the seat received it (G-19)."""

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from hoodwink.domain.kernel import (
    Event,
    Knowledge,
    Observation,
    Viewer,
    know_nothing,
    redact,
    see,
    see_taken_back,
    see_void_round,
)
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import Recorded, decoded
from hoodwink.domain.tables.events import (
    ActionTakenBack,
    ClocksMoved,
    RoundVoided,
    TableForked,
    TableOpened,
    is_of_table,
)
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.state import UNOPENED, Table
from hoodwink.domain.tables.view import plays_of

Known: TypeAlias = Knowledge[Any]


class Followed(NamedTuple):
    """A table as far as a viewer has followed it.

    Attributes:
        known: what the viewer knows there; `None` before the opening.
        undoable: what the viewer knew before the action that may be taken back, and the event of this action.
    """

    table: Table = UNOPENED
    known: Known | None = None
    undoable: tuple[Known, Event] | None = None


def follow(so_far: Followed, events: Iterable[Recorded], viewer: Viewer) -> Followed:
    """Returns the table after the events that come next, and what the viewer then knows."""
    table, known, undoable = so_far
    for recorded in events:
        before, table, earlier = table, evolve(table, recorded), known
        if isinstance(recorded.event, ActionTakenBack):
            assert undoable is not None, "decided before the event was recorded"
            known = _see_taken_back(table, *undoable, viewer)
        else:
            known = known_after(known, viewer, recorded, before, table)
        if table.undoable is None:
            undoable = None
        elif table.undoable.before.version == before.version:  # otherwise it is a consequence of the action
            assert earlier is not None, "nobody acts before the opening"
            undoable = earlier, recorded.event
    return Followed(table, known, undoable)


def _see_taken_back(table: Table, known: Known, event: Event, viewer: Viewer) -> Known:
    seen = redact(event, viewer)
    return see_taken_back(table.rulebook, known, seen) if seen is event else known


def knowledge_of(log: Iterable[Recorded], viewer: Viewer) -> Known:
    """Returns what the viewer knows at the end of a log, which begins with the opening of the table."""
    known = follow(Followed(), log, viewer).known
    assert known is not None, "a log begins with the opening of the table"
    return known


def known_after(
    known: Known | None, viewer: Viewer, recorded: Recorded, before: Table, after: Table
) -> Known:
    """Returns what the viewer knows after an event that led from one state of the table to another.

    Args:
        known: the knowledge before, `None` before the opening.
        viewer: a seat, or a spectator.
        recorded: the event.
        before: the table before it; only public facts are read.
        after: the table after it.
    """
    event = recorded.event
    if isinstance(event, TableOpened):
        assert after.options is not None, "the table was just opened"
        return know_nothing(after.rulebook, after.options, event.seats, viewer)
    assert known is not None, "a log begins with the opening of the table"
    match event:
        case TableForked():
            # The player there has what the seat saw at the parent, and not the rest of its log.
            return knowledge_of(decoded(event.entries, decode_event), viewer)
        case RoundVoided():
            return see_void_round(after.rulebook, known)
        case ClocksMoved() if after.state != before.state:
            return replace(known, state=after.rulebook.postpone(known.state, event.since, event.until))
        case _ if is_of_table(event):
            return known
        case _:
            seen = redact(event, viewer)
            return known if seen is None else see(after.rulebook, known, seen)


def observe(table: Table, seat: int, now: int, known: Known | None) -> Observation | None:
    """Returns what a bot in the seat receives, or `None` if the seat may not act at this time."""
    plays = plays_of(table, seat, now)
    if not plays:
        return None
    assert table.options is not None, "a table in play was opened"
    view = table.rulebook.view(table.state, seat)
    return Observation(seat, table.options, view, plays, known, table.round_actions)
