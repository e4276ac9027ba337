"""The service's own work at a table: bot moves, deals, scores and expired clocks."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from hoodwink.domain.bots import level_of
from hoodwink.domain.kernel import Action, RuleViolation, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import WORKER, Actor, by_bot
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.outages import pending_move
from hoodwink.domain.tables.pace import (
    bot_chances,
    bot_moves_at,
    is_played_by_people,
    pause_until,
    thinking_times,
    thinks,
)
from hoodwink.domain.tables.state import (
    STAND_IN,
    Phase,
    Table,
    deadline_of,
    is_person,
    is_played_by_bot,
    policy_of,
    reveals_until,
    stage_of,
    turn_of,
    unrevealed,
    waits_until,
)
from hoodwink.service.application.errors import Busy, NotFound
from hoodwink.service.application.ports import Clock
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.history import Loaded
from hoodwink.service.application.streams.outages import Outages
from hoodwink.service.application.streams.tables import LoadedTable, Tables
from hoodwink.service.application.work.bot_actions import bot_action, bot_chance
from hoodwink.service.application.work.due import (
    Due,
    DueKind,
    DueTimes,
    IdleTimes,
    due_time,
)
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.application.work.thinker import undecided
from hoodwink.service.application.work.thoughts import Thoughts

STEPS_PER_VISIT = 100
"""Steps per task, so that tables take turns. The task sends another one for the remaining steps."""

BOTS_VISIT_MS: Final = 100
"""Duration of a task for tables without people, so that work for people waits no longer than this."""

_KINDS: Final[tuple[DueKind, ...]] = ("work", "rest")
"""The kinds of due times that depend on the table alone."""


class Visit(NamedTuple):
    """The result of a worker's visit to a table.

    Attributes:
        steps: the number of commands.
        next_task: the task that continues the work, or `None` if nothing more is due.
    """

    steps: int
    next_task: Task | None = None


_Step: TypeAlias = tuple[commands.TableCommand, Actor]

_Late: TypeAlias = list[str]
"""The level of the bot whose decision is late, if *Steady* moves for it in the step."""


class TableWorker:
    """Does the work that is due at a table, with ordinary commands.

    Two workers may visit the same table. Each step is decided on the latest version, so the second worker finds nothing due.
    """

    def __init__(  # noqa: PLR0913 - everything that happens at a table
        self,
        *,
        tables: Tables,
        due_times: DueTimes,
        clock: Clock,
        idle_times: IdleTimes,
        outages: Outages,
        thoughts: Thoughts,
        fell_back: Callable[[str], None] = lambda _level: None,
    ) -> None:
        """Takes the parts that it depends on.

        Args:
            tables, due_times, clock, idle_times, outages, thoughts: of the service.
            fell_back: called with the level of a bot for which *Steady* moves, because its decision is late.
        """
        self._tables = tables
        self._due_times = due_times
        self._clock = clock
        self._idle_times = idle_times
        self._outages = outages
        self._thoughts = thoughts
        self._fell_back = fell_back

    def run_due(self, table_id: str) -> Visit:
        """Does all work that is due now, up to `STEPS_PER_VISIT` steps.

        Leaves tables at which no person plays to `run_bots`.

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        return self._visit(table_id, self._due_step_for_people, Task.RUN_TABLE)

    def run_bots(self, table_id: str, *, until: int) -> Visit:
        """Does all work that is due now at a table without people: at least one step, and none that begins after `until`.

        Args:
            table_id: the id of the table.
            until: a time in ms, as in the clock's `elapsed_ms`.
        """
        return self._visit(table_id, self._due_step, Task.RUN_BOTS, until=until)

    def _visit(
        self,
        table_id: str,
        due: Callable[[_Late, Table], _Step | None],
        task: Task,
        *,
        until: int | None = None,
    ) -> Visit:
        late = _Late()
        for steps in range(STEPS_PER_VISIT):
            # At least one step: otherwise an overloaded process would never make progress at any table.
            if steps and until is not None and self._clock.elapsed_ms() >= until:
                return Visit(steps, task)
            # Read before the decision: a bot whose chance comes during the decision has not been asked yet.
            asked_until = self._clock.now_ms()
            try:
                accepted = self._tables.execute_due(table_id, partial(due, late))
            except NotFound:
                accepted = None
            except Busy:  # the table stays due, so another task will be sent
                return Visit(steps)
            if accepted is None:
                # After a step, the feed entry of its commit contains the new due time. Without a step, nothing else would
                # correct the outdated due time, and the dispatcher would send tasks for it forever.
                return Visit(steps) if steps else self._reschedule(table_id, task, asked_until)
            # Not before: a step that was decided on an old copy of the table changes nothing.
            for level in late:
                self._fell_back(level)
            if self._is_done(accepted.after):
                return Visit(steps + 1)
        return Visit(STEPS_PER_VISIT, task)

    def _is_done(self, after: LoadedTable) -> bool:
        """Returns whether nothing is due right after a step."""
        # The append has proven this state to be the latest, so it is not read again. A later event has a feed entry of
        # its own, for which the dispatcher sends another task.
        now = self._clock.now_ms()
        assert after.due is not None, "the step computed it"
        times = after.due.at, due_at("rest", after.state, now=now, idle_times=self._idle_times)
        return all(at is None or at > now for at in times)

    def _reschedule(self, table_id: str, task: Task, asked_until: int) -> Visit:
        """Hands a table over to `run_bots` if no person plays there; otherwise records when it is due next.

        The recorded time was outdated: a feed entry was late, somebody acted in the meantime, or a bot passed or has to
        think, for which this returns the task.
        """
        try:
            loaded = self._tables.load(table_id)
        except NotFound:  # the store was restored to a time before the table
            loaded = Loaded(TABLE.unopened)
        if task is Task.RUN_TABLE and _is_left_to_bots(loaded.state):
            return Visit(0, Task.RUN_BOTS)
        now, is_for_bots = self._clock.now_ms(), not is_played_by_people(loaded.state)
        times: dict[DueKind, int | None] = {
            kind: due_at(kind, loaded.state, now=now, asked_until=asked_until, idle_times=self._idle_times)
            for kind in _KINDS
        }
        version, head = loaded.state.version, loaded.head
        self._due_times.record(
            {kind: {table_id: Due(version, head, at, is_for_bots)} for kind, at in times.items()}
        )
        return Visit(0, Task.THINK if undecided(loaded.state, self._thoughts, now) else None)

    def _due_step_for_people(self, late: _Late, table: Table) -> _Step | None:
        return None if _is_left_to_bots(table) else self._due_step(late, table)

    def _due_step(self, late: _Late, table: Table) -> _Step | None:
        late.clear()
        now = self._clock.now_ms()
        if table.phase is not Phase.PLAYING:
            return self._step_before_start(table, now)
        reveal_end = reveals_until(table)
        if reveal_end is not None and reveal_end <= now:
            return self._at_deadline(table, reveal_end, commands.MissSeed(unrevealed(table)[0]), WORKER)
        # A fork may begin with a round in play or to be scored, which waits for the seeds like a first deal.
        stage = stage_of(table) if reveal_end is None else None
        pause_end = pause_until(table)
        if stage is Stage.TO_DEAL and (pause_end is None or pause_end <= now):
            deal = commands.DealRound()
            return (deal, WORKER) if pause_end is None else self._at_deadline(table, pause_end, deal, WORKER)
        if stage is Stage.TO_SCORE:
            return commands.ScoreRound(), WORKER
        # Before the check of the stage, because people may also have left between two rounds.
        if now >= table.person_acted_at + self._idle_times.playing and has_person(table):
            return commands.AbandonTable(), WORKER
        if stage is not Stage.IN_PLAY:
            return None
        return self._due_move(table, now, late)

    def _step_before_start(self, table: Table, now: int) -> _Step | None:
        until = expires_at(table, self._idle_times)
        if until is None or now < until:
            return None
        return commands.ExpireTable(), WORKER

    def _at_deadline(
        self, table: Table, deadline: int, command: commands.TableCommand, by: Actor
    ) -> _Step | None:
        """Returns the command for a passed deadline, or after an outage the command that moves the deadlines.

        Returns `None` while an outage may still last: the deadline stays due and is checked again.
        """
        gaps = self._outages.gaps_before(deadline)
        if gaps is None:
            return None
        move = pending_move(table, gaps, self._clock.now_ms())
        return (command, by) if move is None else (move, WORKER)

    def _due_move(self, table: Table, now: int, late: _Late) -> _Step | None:
        if table.rulebook.is_endless(table.state):
            return commands.VoidRound(), WORKER
        # Before the moves that seats owe: without a delay both are due, and a move would end these chances.
        for at, seat in bot_chances(table):
            if at <= now and (action := chosen_action(table, seat, now)):
                return commands.Act(seat, action), by_bot(seat)
        for seat in turn_of(table).owes:
            deadline = deadline_of(table, seat)
            is_bots_turn = is_played_by_bot(table, seat) and bot_moves_at(table, seat) <= now
            if is_bots_turn and (action := self._move(table, seat, now, late)):
                # The bot had to wait so that people could act out of turn. An outage must not take that time from them.
                act, waited = commands.Act(seat, action), waits_until(table)
                if waited is None or not is_played_by_people(table):
                    return act, by_bot(seat)
                return self._at_deadline(table, waited, act, by_bot(seat))
            if deadline is not None and deadline <= now:
                forced = table.rulebook.overdue(table.state, seat) or chosen_action(table, seat, now)
                if forced:
                    return self._at_deadline(
                        table, deadline, commands.ExpireClock(seat, forced), by_bot(seat)
                    )
        return None

    def _move(self, table: Table, seat: int, now: int, late: _Late) -> Action | None:
        """Returns the action that the seat's bot owes; `None` while it still thinks, or if it may not act now."""
        if not thinks(table, seat):
            return chosen_action(table, seat, now)
        thought = self._thoughts.find(table, seat)
        if thought is not None and _is_allowed(table, seat, thought, now):
            return thought
        if now < thinking_times(table, seat)[2]:
            return None
        action = chosen_action(table, seat, now, STAND_IN)
        if action:
            late.append(policy_of(table, seat))
        return action


def due_at(
    kind: DueKind, table: Table, *, now: int, idle_times: IdleTimes, asked_until: int = -1
) -> int | None:
    """Returns when a table is due next, in ms since the epoch, or `None`; see `work_due` for `asked_until`."""
    if kind == "work":
        return due_time(work_due(table, asked_until=asked_until).at, now)
    can_be_abandoned = table.phase is Phase.PLAYING and has_person(table)
    return table.person_acted_at + idle_times.playing if can_be_abandoned else expires_at(table, idle_times)


def _is_left_to_bots(table: Table) -> bool:
    # This includes tables at which bots play for all people because their clocks ran out.
    return table.phase is Phase.PLAYING and not is_played_by_people(table)


def expires_at(table: Table, idle_times: IdleTimes) -> int | None:
    """Returns when a table expires unless it starts first, in ms since the epoch, or `None` once it has started."""
    # Before the start, `person_acted_at` is the time of the opening: taking a seat does not count.
    return table.person_acted_at + idle_times.open if table.phase is Phase.OPEN and table.version else None


def _is_allowed(table: Table, seat: int, action: Action, now: int) -> bool:
    # A store that came back older may have grown to the same number of actions with others.
    try:
        table.rulebook.decide(table.state, seat, action, now)
    except RuleViolation:
        return False
    return True


def has_person(table: Table) -> bool:
    """Returns whether a person still holds a seat."""
    return any(is_person(table, seat) and seat not in table.resigned for seat in range(len(table.seats)))


def chosen_action(table: Table, seat: int, now: int, policy: str = "") -> Action | None:
    """Returns the action of the seat's bot, or `None` if it may not act now or chooses not to act out of turn.

    Args:
        policy: used instead of the bot's own; without it, a bot that thinks can only act out of turn.
    """
    level = level_of(policy or policy_of(table, seat), table.rulebook)
    choose = level.play if seat in turn_of(table).owes else level.interrupt
    return bot_action(table, seat, choose, now=now, chance=bot_chance(table, seat))
