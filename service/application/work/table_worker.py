"""The service's own work at a table: bot moves, deals, scores and expired clocks."""

import hashlib
from random import Random
from typing import Final, NamedTuple, TypeAlias

from hoodwink.domain.bots import out_of_turn, policy_for
from hoodwink.domain.kernel import Action, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import WORKER, Actor, by_bot
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.outages import pending_move
from hoodwink.domain.tables.pace import (
    bot_chances,
    bot_moves_at,
    is_played_by_people,
    pause_until,
)
from hoodwink.domain.tables.state import (
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
from hoodwink.service.application.streams.tables import DueStep, Tables
from hoodwink.service.application.work.bot_actions import bot_action
from hoodwink.service.application.work.due import (
    Due,
    DueKind,
    DueTimes,
    IdleTimes,
    due_time,
)
from hoodwink.service.application.work.tasks import Task

STEPS_PER_VISIT = 100
"""Limit of one task, so that tables take turns; the task sends another one for the remaining steps."""

BOTS_VISIT_MS: Final = 100
"""Limit of a task for tables without people, so that work for people waits no longer than this."""

_KINDS: Final[tuple[DueKind, ...]] = ("work", "rest")
"""The kinds of due times that depend on the table alone."""


class Visit(NamedTuple):
    """The result of a worker's visit to a table.

    Attributes:
        steps: the number of commands.
        then: the task that continues the work, or `None` if nothing more is due.
    """

    steps: int
    then: Task | None = None


_Step: TypeAlias = tuple[commands.TableCommand, Actor]


class TableWorker:
    """Does the work due at a table, by ordinary commands.

    Two workers may visit one table. Each step is decided on the latest version, so the second finds nothing due.
    """

    def __init__(
        self, *, tables: Tables, due_times: DueTimes, clock: Clock, idle_times: IdleTimes, outages: Outages
    ) -> None:
        self._tables = tables
        self._due_times = due_times
        self._clock = clock
        self._idle_times = idle_times
        self._outages = outages

    def run_due(self, table_id: str) -> Visit:
        """Does all work that is due now, up to `STEPS_PER_VISIT` steps.

        A table at which no person plays is left to `run_bots`.

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        return self._visit(table_id, self._due_for_people, Task.RUN_TABLE)

    def run_bots(self, table_id: str, *, until: int) -> Visit:
        """Does the same at a table without people: at least one step, and none that begins after `until`.

        Args:
            table_id: of the table.
            until: a time of the clock's `elapsed_ms`.
        """
        return self._visit(table_id, self._due, Task.RUN_BOTS, until=until)

    def _visit(self, table_id: str, due: DueStep, task: Task, *, until: int | None = None) -> Visit:
        for steps in range(STEPS_PER_VISIT):
            # At least one step, or an overloaded process would never get on with any table.
            if steps and until is not None and self._clock.elapsed_ms() >= until:
                return Visit(steps, task)
            # Read before the decision, because a bot whose moment comes during it must not count as asked.
            asked_until = self._clock.now_ms()
            try:
                was_due = self._tables.execute_due(table_id, due) is not None
            except NotFound:
                was_due = False
            except Busy:  # the table stays due, so another task comes
                return Visit(steps)
            if not was_due:
                # After a step, the feed entry of its commit carries the new due time. Without a step, nothing would
                # correct the due time that led here, and the dispatcher would send tasks for it forever.
                return Visit(steps) if steps else self._reschedule(table_id, task, asked_until)
        return Visit(STEPS_PER_VISIT, task)

    def _reschedule(self, table_id: str, task: Task, asked_until: int) -> Visit:
        """Hands a table over to `run_bots` if no person plays there; otherwise records when it is really due.

        It seemed due because a feed entry came late, somebody acted in the meantime, or a bot passed.
        """
        try:
            loaded = self._tables.load(table_id)
        except NotFound:  # the store came back older than the table
            loaded = Loaded(TABLE.unopened)
        if task is Task.RUN_TABLE and _is_left_to_bots(loaded.state):
            return Visit(0, Task.RUN_BOTS)
        now, is_for_bots = self._clock.now_ms(), not is_played_by_people(loaded.state)
        for kind in _KINDS:
            at = due_at(kind, loaded.state, now=now, asked_until=asked_until, idle_times=self._idle_times)
            self._due_times.record(kind, {table_id: Due(loaded.state.version, loaded.head, at, is_for_bots)})
        return Visit(0)

    def _due_for_people(self, table: Table) -> _Step | None:
        return None if _is_left_to_bots(table) else self._due(table)

    def _due(self, table: Table) -> _Step | None:
        now = self._clock.now_ms()
        if table.phase is not Phase.PLAYING:
            return self._due_before_start(table, now)
        until = reveals_until(table)
        if until is not None and until <= now:
            return self._at_deadline(table, until, commands.MissSeed(unrevealed(table)[0]), WORKER)
        # A fork may begin with a round in play or to be scored, which waits for the seeds like a first deal.
        stage = stage_of(table) if until is None else None
        paused = pause_until(table)
        if stage is Stage.TO_DEAL and (paused or now) <= now:
            deal = commands.DealRound()
            return (deal, WORKER) if paused is None else self._at_deadline(table, paused, deal, WORKER)
        if stage is Stage.TO_SCORE:
            return commands.ScoreRound(), WORKER
        # Before the stage is looked at, because people may also have left between two rounds.
        if now >= table.person_at + self._idle_times.playing and has_person(table):
            return commands.AbandonTable(), WORKER
        if stage is not Stage.IN_PLAY:
            return None
        return self._due_move(table, now)

    def _due_before_start(self, table: Table, now: int) -> _Step | None:
        until = expires_at(table, self._idle_times)
        if until is None or now < until:
            return None
        return commands.ExpireTable(), WORKER

    def _at_deadline(
        self, table: Table, deadline: int, command: commands.TableCommand, by: Actor
    ) -> _Step | None:
        """Returns the command of a passed deadline, or the move of that deadline after an outage.

        Returns `None` while an outage may still last: the deadline stays due and is looked at again.
        """
        gaps = self._outages.gaps_before(deadline)
        if gaps is None:
            return None
        move = pending_move(table, gaps, self._clock.now_ms())
        return (command, by) if move is None else (move, WORKER)

    def _due_move(self, table: Table, now: int) -> _Step | None:
        if table.rulebook.is_endless(table.state):
            return commands.VoidRound(), WORKER
        for at, seat in bot_chances(table):
            if at <= now and (action := chosen_action(table, seat, now)):
                return commands.Act(seat, action), by_bot(seat)
        for seat in turn_of(table).owes:
            deadline = deadline_of(table, seat)
            is_bots_turn = is_played_by_bot(table, seat) and bot_moves_at(table, seat) <= now
            if is_bots_turn and (action := chosen_action(table, seat, now)):
                # A bot waits for people's time to act out of turn, and they must not lose that time in an outage.
                act, waited = commands.Act(seat, action), waits_until(table)
                if waited is None or not is_played_by_people(table):
                    return act, by_bot(seat)
                return self._at_deadline(table, waited, act, by_bot(seat))
            if deadline is not None and deadline <= now:
                forced = table.rulebook.overdue(table.state, seat) or chosen_action(table, seat, now)
                if forced:
                    return self._at_deadline(
                        table, deadline, commands.RunOutClock(seat, forced), by_bot(seat)
                    )
        return None


def due_at(
    kind: DueKind, table: Table, *, now: int, idle_times: IdleTimes, asked_until: int = -1
) -> int | None:
    """Returns when a table is next due, in ms since the epoch, or `None`; `asked_until` is as in `work_due`."""
    if kind == "work":
        return due_time(work_due(table, asked_until=asked_until).at, now)
    can_be_abandoned = table.phase is Phase.PLAYING and has_person(table)
    return table.person_at + idle_times.playing if can_be_abandoned else expires_at(table, idle_times)


def _is_left_to_bots(table: Table) -> bool:
    # This includes tables at which bots have taken over for all people, whose clocks ran out.
    return table.phase is Phase.PLAYING and not is_played_by_people(table)


def expires_at(table: Table, idle_times: IdleTimes) -> int | None:
    """Returns when a table expires unless it starts before, in ms since the epoch, or `None` once it has started."""
    # Nobody acts at a table before it starts, so this is the time of its opening.
    return table.person_at + idle_times.open if table.phase is Phase.OPEN and table.version else None


def has_person(table: Table) -> bool:
    """Returns whether a person still holds a seat."""
    return any(is_person(table, seat) and seat not in table.resigned for seat in range(len(table.seats)))


def chosen_action(table: Table, seat: int, now: int) -> Action | None:
    """Returns the action of the seat's bot; `None` if it may not act now, or passes on an action out of turn."""
    policy = policy_for(policy_of(table, seat), table.rulebook)
    choose = policy if seat in turn_of(table).owes else out_of_turn(policy)
    return bot_action(table, seat, choose, now=now, chance=_chance(table, seat))


def _chance(table: Table, seat: int) -> Random:
    """Returns a generator for the choices of a seat's bot, the same until somebody acts."""
    # From the server seed, so that players cannot predict it. Without a state of its own, so that a worker that
    # repeats the step of a killed one chooses the same action. Not from the version, or players could make a bot
    # that passed choose again, for example by a resignation.
    moment = f"{table.server_seed}:{table.round}:{table.round_actions}:{seat}"
    return Random(hashlib.sha256(moment.encode()).digest())  # noqa: S311 - a bot's choice, not a secret
