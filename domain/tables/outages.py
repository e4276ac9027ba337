"""Outages of the service, which move every running deadline of a table by their length (G-18)."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.kernel import MIN_GAP_MS, Event, RuleViolation, postponed, replace_at
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import MoveClocks
from hoodwink.domain.tables.events import ClocksMoved
from hoodwink.domain.tables.pace import pause_until
from hoodwink.domain.tables.state import Phase, Table, deadline_of, grace_until, reveals_until, waits_until


def move_clocks(table: Table, command: MoveClocks, now: int) -> tuple[Event, ...]:
    """Returns the event that moves the deadlines; raises `RuleViolation` if the outage moves none."""
    if not _is_possible(table, command, now) or not _moved_fields(table, command):
        raise RuleViolation(TableCode.NO_CLOCK_MOVED)
    return (ClocksMoved(command.since, command.until),)


def pending_move(table: Table, gaps: Iterable[tuple[int, int]], now: int) -> MoveClocks | None:
    """Returns the command that moves the table's deadlines for the first outage that affects it, or `None`.

    Args:
        table: the table at its latest version.
        gaps: the starts and ends of the outages, in order, in ms.
        now: in ms.
    """
    if table.phase is not Phase.PLAYING:
        return None
    for since, until in gaps:
        # The cheapest check comes first: most tables began after the last outage.
        if until > table.started_at:
            command = MoveClocks(since, until)
            if _is_possible(table, command, now) and _moved_fields(table, command):
                return command
    return None


def after_outage(table: Table, since: int, until: int) -> Table:
    return replace(table, away_until=until, **_moved_fields(table, MoveClocks(since, until)))


def _is_possible(table: Table, gap: MoveClocks, now: int) -> bool:
    is_long = gap.since + MIN_GAP_MS <= gap.until <= now
    return table.phase is Phase.PLAYING and is_long and gap.since >= table.away_until


def _moved_fields(table: Table, gap: MoveClocks) -> dict[str, Any]:
    """Returns new values for the fields that determine deadlines, without those that the outage does not change."""
    since, until = gap.since, gap.until
    moves: dict[str, Any] = {}
    owing, rulebook = table.owing_since, table.rulebook
    for seat, began in enumerate(owing):
        if began is not None and began < until and deadline_of(table, seat) is not None:
            moves["owing_since"] = owing = replace_at(owing, seat, postponed(began, since=since, until=until))
    waiting = waits_until(table)
    if waiting is not None and (waiting > since or moves):
        # The wait moves together with the clock, which starts at the end of the wait.
        moves["state"] = rulebook.postpone(table.state, since, until)
    if reveals_until(table) is not None or grace_until(table) is not None:
        moves["awaiting_since"] = postponed(table.awaiting_since, since=since, until=until)
    if pause_until(table) is not None:
        moves["moved_at"] = postponed(table.moved_at, since=since, until=until)
    return {name: moved for name, moved in moves.items() if moved != getattr(table, name)}
