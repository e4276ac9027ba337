"""Thinks for bots that think ahead, one decision per visit."""

from collections.abc import Callable

from hoodwink.domain.bots import level_of
from hoodwink.domain.tables.pace import is_played_by_people, thinking_times, thinks
from hoodwink.domain.tables.state import Table, policy_of, turn_of
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.ports import Clock
from hoodwink.service.application.streams.seat_knowledge import SeatKnowledge
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.work.bot_actions import bot_action, bot_chance
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.application.work.thoughts import Thoughts


class Thinker:
    """Decides for bots, and keeps their decisions until they move.

    The decisions change nothing by themselves, so a thinker may be killed at any time. A worker that finds none sends
    the table to another thinker, and lets *Steady* move when it would be too late.
    """

    def __init__(
        self,
        *,
        tables: Tables,
        thoughts: Thoughts,
        clock: Clock,
        knowledge: SeatKnowledge,
        timed: Callable[[str, int], None] = lambda _level, _ms: None,
    ) -> None:
        """Calls `timed` with the level and the time, in ms, of each decision."""
        self._tables = tables
        self._thoughts = thoughts
        self._clock = clock
        self._knowledge = knowledge
        self._timed = timed

    def think(self, table_id: str) -> Task | None:
        """Thinks for the first seat that waits for it; returns the task that continues."""
        try:
            table = self._tables.load(table_id).state
        except NotFound:  # the store was restored to a time before the table
            return None
        waiting = undecided(table, self._thoughts, self._clock.now_ms())
        if not waiting or not self._decide(table, waiting[0]):
            return None
        # One decision per task, so that tables take turns.
        if waiting[1:]:
            return Task.THINK
        # At a table with people, the move has its own time, so that it does not show how long the bot thought.
        return None if is_played_by_people(table) else Task.RUN_BOTS

    def _decide(self, table: Table, seat: int) -> bool:
        """Returns whether the seat decided on an action."""
        known = self._knowledge.at(table, seat)
        if known is None:
            return False
        began, moves_at = self._clock.elapsed_ms(), thinking_times(table, seat)[1]
        level = policy_of(table, seat)
        action = bot_action(
            table,
            seat,
            level_of(level, table.rulebook).play,
            # As of its move: a rule about time may forbid now what it allows then (CO-37).
            now=max(moves_at, self._clock.now_ms()),
            chance=bot_chance(table, seat),
            known=known,
        )
        if action is None:
            return False
        self._thoughts.keep(table, seat, action)
        self._timed(level, self._clock.elapsed_ms() - began)
        return True


def undecided(table: Table, thoughts: Thoughts, now: int) -> list[int]:
    """Returns the seats whose bots have to think, and for which it is not too late."""
    return [
        seat
        for seat in turn_of(table).owes
        if thinks(table, seat) and now < thinking_times(table, seat)[2] and thoughts.find(table, seat) is None
    ]
