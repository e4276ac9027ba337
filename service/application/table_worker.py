"""The work of the service at a table: moving its bots, dealing and scoring its rounds, acting on expired clocks."""

import hashlib
from random import Random
from typing import Final, NamedTuple

from domain.bots import out_of_turn, policy_for
from domain.kernel import Action, Stage
from domain.tables import (
    AbandonTable,
    Act,
    DealRound,
    ExpireTable,
    MissSeed,
    Phase,
    RunOutClock,
    ScoreRound,
    Table,
    TableCommand,
    bot_chances,
    bot_moves_at,
    deadline_of,
    is_bot_kept,
    is_person,
    is_played_by_people,
    pause_until,
    policy_of,
    reveals_until,
    stage_of,
    turn_of,
    unrevealed,
    work_due,
)
from domain.tables.asker import WORKER, Asker, by_bot
from service.application.aggregates import TABLE
from service.application.bot_actions import bot_action
from service.application.dispatch import Due, DueKind, DueTimes, IdleTimes, Task, due_time
from service.application.errors import ApplicationError, Busy, InternalCode, NotFound
from service.application.history import Loaded
from service.application.ports import Clock
from service.application.tables import Intent, Tables

STEPS_PER_VISIT = 100
"""Bounds one task, so that tables take turns; the task sends another one for the remaining steps."""

BOTS_VISIT_MS: Final = 100
"""Bounds a task for tables without people, so that work for people waits for the rest of such a visit at most."""

_KINDS: Final[tuple[DueKind, ...]] = ("work", "rest")
"""The kinds of due times that follow from the table alone."""


class NothingDue(ApplicationError):
    """Raised when nothing is due: the table or tournament waits for people."""

    def __init__(self) -> None:
        super().__init__(InternalCode.NOTHING_DUE)


class Visit(NamedTuple):
    """What a worker did at a table.

    Attributes:
        steps: the number of commands.
        then: the task that goes on there, or `None` if nothing more is due.
    """

    steps: int
    then: Task | None = None


class _LeftToBots(Exception):
    """Raised at a table where no person plays, which is visited after those where one does."""


class TableWorker:
    """Does what is due at a table, by ordinary commands.

    Two workers at one table do no harm: each step is decided on the latest version, so the second one finds nothing due.
    """

    def __init__(self, *, tables: Tables, due_times: DueTimes, clock: Clock, idle_times: IdleTimes) -> None:
        self._tables = tables
        self._due_times = due_times
        self._clock = clock
        self._idle_times = idle_times

    def run_due(self, table_id: str) -> Visit:
        """Does everything that is due now, one step after the other, and `STEPS_PER_VISIT` at most.

        A table at which no person plays is left to `run_bots`, without any step.

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        try:
            return self._visited(table_id, self._due_for_people, Task.RUN_TABLE)
        except _LeftToBots:
            return Visit(0, Task.RUN_BOTS)

    def run_bots(self, table_id: str, *, until: int) -> Visit:
        """Does the same at a table without people: at least one step, and none that begins at `until` or later.

        Args:
            table_id: of the table.
            until: a time of the clock's `elapsed_ms`.
        """
        return self._visited(table_id, self._due, Task.RUN_BOTS, until=until)

    def _visited(self, table_id: str, due: Intent, task: Task, *, until: int | None = None) -> Visit:
        for steps in range(STEPS_PER_VISIT):
            if steps and until is not None and self._clock.elapsed_ms() >= until:
                return Visit(steps, task)
            # Before the decision: a bot whose moment came during it was not asked, and must not count as asked.
            asked_until = self._clock.now_ms()
            try:
                self._tables.execute(table_id, due)
            except (NothingDue, NotFound):
                # After a step the feed entry of its commit brings the new due time. Without any step nothing would
                # correct the one that led here, and the dispatcher would send a task for it again and again.
                if not steps:
                    self._reschedule(table_id, asked_until)
                return Visit(steps)
            except Busy:  # others act all the time; the table stays due, so another task comes
                return Visit(steps)
        return Visit(STEPS_PER_VISIT, task)

    def _reschedule(self, table_id: str, asked_until: int) -> None:
        """Records when the table is really due.

        It seemed due because a feed entry came late, somebody acted in the meantime, or a bot let a chance pass.
        """
        try:
            loaded = self._tables.load(table_id)
        except NotFound:  # the store came back older than the table
            loaded = Loaded(TABLE.unopened)
        now, is_for_bots = self._clock.now_ms(), not is_played_by_people(loaded.state)
        for kind in _KINDS:
            at = due_at(kind, loaded.state, now=now, asked_until=asked_until, idle_times=self._idle_times)
            self._due_times.record(kind, {table_id: Due(loaded.state.version, loaded.head, at, is_for_bots)})

    def _due_for_people(self, table: Table) -> tuple[TableCommand, Asker]:
        # Nor does work for a person wait behind that for one who let the clock run out until a bot kept the seat.
        if table.phase is Phase.PLAYING and not is_played_by_people(table):
            raise _LeftToBots
        return self._due(table)

    def _due(self, table: Table) -> tuple[TableCommand, Asker]:
        now = self._clock.now_ms()
        if table.phase is not Phase.PLAYING:
            return self._due_before_start(table, now)
        until = reveals_until(table)
        if until is not None and until <= now:
            return MissSeed(unrevealed(table)[0]), WORKER
        # A fork may begin with a round in play or one to score; that waits for the seeds like a first deal.
        stage = stage_of(table) if until is None else None
        if stage is Stage.TO_DEAL and (pause_until(table) or now) <= now:
            return DealRound(), WORKER
        if stage is Stage.TO_SCORE:
            return ScoreRound(), WORKER
        if now >= table.person_at + self._idle_times.playing and has_person(table):
            return AbandonTable(), WORKER
        if stage is not Stage.IN_PLAY:
            raise NothingDue
        return self._due_move(table, now)

    def _due_before_start(self, table: Table, now: int) -> tuple[TableCommand, Asker]:
        until = expires_at(table, self._idle_times)
        if until is None or now < until:
            raise NothingDue
        return ExpireTable(), WORKER

    @staticmethod
    def _due_move(table: Table, now: int) -> tuple[TableCommand, Asker]:
        for at, seat in bot_chances(table):
            if at <= now and (action := chosen_action(table, seat, now)):
                return Act(seat, action), by_bot(seat)
        for seat in turn_of(table).owes:
            deadline = deadline_of(table, seat)
            is_bots_turn = is_bot_kept(table, seat) and bot_moves_at(table, seat) <= now
            if is_bots_turn and (action := chosen_action(table, seat, now)):
                return Act(seat, action), by_bot(seat)
            if deadline is not None and deadline <= now:
                forced = table.rulebook.overdue(table.state, seat) or chosen_action(table, seat, now)
                if forced:
                    return RunOutClock(seat, forced), by_bot(seat)
        raise NothingDue


def due_at(
    kind: DueKind, table: Table, *, now: int, idle_times: IdleTimes, asked_until: int = -1
) -> int | None:
    """Returns when a table is next due, in ms since the epoch, or `None` if it is not; `asked_until` as in `work_due`."""
    if kind == "work":
        return due_time(work_due(table, asked_until=asked_until).at, now)
    can_be_abandoned = table.phase is Phase.PLAYING and has_person(table)
    return table.person_at + idle_times.playing if can_be_abandoned else expires_at(table, idle_times)


def expires_at(table: Table, idle_times: IdleTimes) -> int | None:
    """Returns when a table is ended unless it starts before, in ms since the epoch, or `None` once it has started."""
    # Nobody acts at a table before it starts, so this is the time of its opening.
    return table.person_at + idle_times.open if table.phase is Phase.OPEN and table.version else None


def has_person(table: Table) -> bool:
    """Returns whether a person still holds a seat."""
    return any(is_person(table, seat) and seat not in table.resigned for seat in range(len(table.seats)))


def chosen_action(table: Table, seat: int, now: int) -> Action | None:
    """Returns the action of the seat's bot; `None` while it may not act, or if it lets a chance out of turn pass."""
    policy = policy_for(policy_of(table, seat), table.rulebook)
    choose = policy if seat in turn_of(table).owes else out_of_turn(policy)
    return bot_action(table, seat, choose, now=now, chance=_chance(table, seat))


def _chance(table: Table, seat: int) -> Random:
    """Returns a generator for the choices of a seat's bot until somebody acts."""
    # From the server seed, so that players cannot predict it; and without a state of its own, so that a worker that
    # repeats a step, because another one was killed, chooses the same action. Not from the version: with events like
    # a resignation, players could have a bot that let its chance pass choose again.
    moment = f"{table.server_seed}:{table.round}:{table.round_actions}:{seat}"
    return Random(hashlib.sha256(moment.encode()).digest())  # noqa: S311 - a bot's choice, not a secret
