"""The people, bots or times that a table waits for, derived from public facts alone."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from hoodwink.domain.due_times import IMMEDIATELY
from hoodwink.domain.kernel import Stage, Turn
from hoodwink.domain.tables.pace import bot_moves_at, pause_until, unready
from hoodwink.domain.tables.state import (
    Table,
    deadline_of,
    grace_until,
    is_played_by_bot,
    reveals_until,
    unrevealed,
)

WaitingFor: TypeAlias = Literal["seeds", "entrants", "round_pause", "interrupts", "bot", "players"]


class Waiting(msgspec.Struct, frozen=True, gc=False, kw_only=True, rename={"for_": "for"}):
    """The reason why a table waits, at one version.

    Attributes:
        for: `seeds` that were committed to, `entrants` of a tournament who have not appeared, the end of a
            `round_pause`, `interrupts` by seats that may act out of turn while the seat to move leaves them time, a
            `bot`, or `players` who owe an action.
        until: when the wait ends at the latest, in ms since the epoch, or `None` if it has no limit. The time for
            `interrupts` ends without an event: from then on the table waits for the seat to move.
        seats: the seats that the table waits for; for `round_pause`, the players who are not ready.
    """

    for_: WaitingFor
    until: int | None
    seats: tuple[int, ...]


def waiting_of(table: Table, stage: Stage | None, turn: Turn, now: int) -> Waiting | None:
    """Returns what the table waits for at the time `now` (ms), or `None` if it waits for nothing.

    It waits for nothing before the start, after the end, while the service acts immediately, and within a commit.
    """
    if stage is None:
        return None
    until = reveals_until(table)
    if until is not None:
        seats = tuple([seat for seat in unrevealed(table) if seat is not None])
        return Waiting(for_="seeds", until=until, seats=seats)
    if stage is Stage.IN_PLAY:
        return _in_play(table, turn, now)
    until = pause_until(table)
    return None if until is None else Waiting(for_="round_pause", until=until, seats=unready(table))


def _in_play(table: Table, turn: Turn, now: int) -> Waiting | None:
    waits_until = table.rulebook.waits_until(table.state)
    if waits_until is not None and now < waits_until:
        return Waiting(for_="interrupts", until=waits_until, seats=turn.may)
    if not turn.owes:  # between two events of one commit
        return None
    people = tuple([seat for seat in turn.owes if not is_played_by_bot(table, seat)])
    if not people:
        moves_at = min([bot_moves_at(table, seat) for seat in turn.owes])
        is_due = moves_at <= (waits_until or IMMEDIATELY)
        return None if is_due else Waiting(for_="bot", until=moves_at, seats=turn.owes)
    deadlines = [deadline_of(table, seat) for seat in people] if table.turn_seconds else []
    if table.awaited and all(seat in table.awaited for seat in people):
        return Waiting(for_="entrants", until=_first([grace_until(table), *deadlines]), seats=people)
    return Waiting(for_="players", until=_first(deadlines) if deadlines else None, seats=people)


def _first(times: Iterable[int | None]) -> int | None:
    return min([at for at in times if at is not None], default=None)
