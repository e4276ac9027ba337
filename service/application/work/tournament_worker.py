"""The service's own work in a tournament: opening tables, no-shows, results, pairing the next round."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from hoodwink.domain.due_times import IMMEDIATELY
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import WORKER, Actor
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import TournamentPlace
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    grace_until,
)
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Deal, TableOrder, Tournament, TournamentCommand
from hoodwink.service.application.commands.tournament_orders import check_effort
from hoodwink.service.application.errors import Busy, Laborious, NotFound
from hoodwink.service.application.jobs.jobs import JobKind, Jobs
from hoodwink.service.application.ports import Clock, IdempotencyKey
from hoodwink.service.application.streams.outages import Outages
from hoodwink.service.application.streams.tables import LoadedTable, Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.application.work.due import Due, DueTimes, due_time

_Intent: TypeAlias = Callable[[Table], tuple[commands.TableCommand, Actor]]

STEPS_PER_VISIT: Final = 50
"""Limit of one task, so that tournaments take turns; the remaining steps stay due."""

_JOB_RETRY_MS: Final = 300_000
"""A step that is still due after this time gets another job, because the first one has failed."""

_PAUSED_MS: Final = 30_000
"""How often a table is checked while its grace period has no end, because the tournament is paused."""


class TournamentWorker:
    """Does the work due in a tournament, by ordinary commands to it and its tables.

    Every step reads the stored state, does one thing, and is refused if another worker was faster. So a worker may
    be killed at any moment, and the next visit continues from there.
    """

    def __init__(  # noqa: PLR0913 - it acts in three kinds of streams, now and at due times
        self,
        *,
        tournaments: Tournaments,
        tables: Tables,
        due_times: DueTimes,
        clock: Clock,
        jobs: Jobs,
        outages: Outages,
        ratings: Callable[[Tournament], dict[str, int]],
    ) -> None:
        """`ratings` returns the ratings from which starting ranks may be derived."""
        self._tournaments = tournaments
        self._tables = tables
        self._due_times = due_times
        self._clock = clock
        self._jobs = jobs
        self._outages = outages
        self._ratings = ratings

    def run_due(self, tournament_id: str) -> int:
        """Does all work that is due in a tournament now; returns the number of steps.

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        for steps in range(STEPS_PER_VISIT):
            try:
                was_due = self._step(tournament_id)
            except NotFound:
                return steps
            except Laborious:
                self._leave_to_job(tournament_id)
                return steps
            # Another worker or the organiser was faster: decide on the new state.
            except (RuleViolation, Busy):
                continue
            if not was_due:
                if not steps:
                    self._reschedule(tournament_id)
                return steps
        return STEPS_PER_VISIT

    def _step(self, tournament_id: str) -> bool:
        """Does the next step; returns whether one was due."""
        # First the tables, then the confirmation on the tournament's stream: the two share no commit. If a worker
        # is killed in between, the tables stay on the list, and repeating the commands there changes nothing.
        tournament = self._tournaments.load(tournament_id).state
        if orders := life.tables_to_open(tournament):
            for order in orders:
                self._open(order)
            self._execute(tournament_id, life.ConfirmTables(tuple(order.table for order in orders)))
        elif seats := life.seats_to_resign(tournament):
            for seat in seats:
                self._at_table(seat.table, _as_worker(commands.Resign(seat.seat)))
                self._execute(tournament_id, life.ConfirmGivenUp(seat.entrant, seat.table))
        elif released := life.tables_to_release(tournament):
            for table in released:
                self._at_table(table, _release)
                self.report(table)
        elif tables := life.tables_to_close(tournament):
            for table in tables:
                self._at_table(table, _as_worker(commands.CancelTable()))
                self.report(table)
        else:
            return self._tournaments.execute_due(tournament_id, self._due_if_quick) is not None
        return True

    def _leave_to_job(self, tournament_id: str) -> None:
        """Starts a job for the next step, which stays due until it is done."""
        # One key for all visits to this version, so that each of them finds the job of the first. The epoch lets a
        # later visit start another one.
        loaded, epoch = self._tournaments.load(tournament_id), self._clock.now_ms() // _JOB_RETRY_MS
        try:
            self._jobs.begin(
                JobKind.TOURNAMENT_STEP,
                tournament_id.encode(),
                key=f"{loaded.state.version} {loaded.head} {epoch}",
            )
        except Busy:  # no room: the dispatcher calls the worker again
            return

    def carry_out(self, tournament_id: str) -> None:
        """Does the next due step of a tournament, even if it takes long; raises `StoreUnavailable`."""
        with suppress(NotFound, RuleViolation):  # others were faster
            self._tournaments.execute_due(tournament_id, self._due)

    def _due_if_quick(self, tournament: Tournament) -> tuple[TournamentCommand, Actor] | None:
        due = self._due(tournament)
        if due is not None:
            check_effort(tournament, due[0])
        return due

    def _due(self, tournament: Tournament) -> tuple[TournamentCommand, Actor] | None:
        now = self._clock.now_ms()
        command, at = life.due(tournament, now), life.work_due(tournament).at
        if command is None or at is None:
            return None
        if isinstance(command, life.StartOnTime):
            # The ratings are in other streams, which the rules do not read.
            command = life.StartOnTime(self._ratings(tournament))
        if at == IMMEDIATELY:
            return command, WORKER
        gaps = self._outages.gaps_before(at)
        if gaps is None:  # an outage may still last, in which nobody can meet the deadline
            return None
        return life.pending_move(tournament, gaps, now) or command, WORKER

    def _execute(self, tournament_id: str, command: TournamentCommand) -> None:
        self._tournaments.execute(tournament_id, lambda _: (command, WORKER))

    def _at_table(self, table_id: str, intent: _Intent) -> None:
        try:
            self._tables.execute(table_id, intent)
        except RuleViolation:
            # The table has ended, or an earlier visit did this but was cut off before the replicas confirmed it.
            self._tables.confirm(table_id)

    def _open(self, order: TableOrder) -> None:
        # The key depends on the table alone, so that a second worker gets the table that the first one opened.
        self._tables.open(
            order.table, life.opening_of(order), by=WORKER, key=IdempotencyKey(f"open {order.table}", "")
        )

    def report(self, table_id: str) -> None:
        """Reports the end of a table to its tournament, or marks entrants as no-shows after the grace period.

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        try:
            loaded = self._tables.load(table_id)
            if loaded.state.tournament is not None:
                self._report(loaded, loaded.state.tournament)
        except (NotFound, Busy, RuleViolation):
            pass  # it is gone, or others were faster: the due time below comes from the stored state
        self._reschedule_report(table_id)

    def _report(self, loaded: LoadedTable, place: TournamentPlace) -> None:
        if loaded.state.phase is Phase.PLAYING:
            tournament = self._tournaments.load(place.tournament).state
            until = _grace_ends(tournament, loaded.state)
            if until is None or until > self._clock.now_ms():
                return
            gaps = self._outages.gaps_before(until)
            # Once it is moved, the grace period ends later, and the due time of `report` brings a worker back.
            if gaps is None or self._tables.move_clocks(loaded.state.id, gaps):
                return
            missed = self._tables.execute_due(loaded.state.id, _miss_start)
            if missed is None:
                return
            loaded = missed.after
        if loaded.state.phase is Phase.ENDED:
            entries = partial(self._tables.entries, loaded.state.id)
            self._tournaments.execute_due(
                place.tournament, lambda tournament: _news(tournament, loaded, place, entries)
            )

    def _reschedule(self, tournament_id: str) -> None:
        """Records when the tournament is really due; a late feed entry had made it seem due."""
        loaded = self._tournaments.load(tournament_id)
        at = due_time(life.work_due(loaded.state).at, self._clock.now_ms())
        self._due_times.record({"round": {tournament_id: Due(loaded.state.version, loaded.head, at)}})

    def _reschedule_report(self, table_id: str) -> None:
        try:
            loaded = self._tables.load(table_id)
        except NotFound:  # the store came back older than the table
            self._due_times.record({"report": {table_id: Due(0, "", None)}})
            return
        at = self.report_due_at(loaded.state)
        self._due_times.record({"report": {table_id: Due(loaded.state.version, loaded.head, at)}})

    def report_due_at(self, table: Table) -> int | None:
        """Returns when the table has to be reported or checked for no-shows, in ms since the epoch, or `None`."""
        place, now = table.tournament, self._clock.now_ms()
        if place is None:
            return None
        try:
            tournament = self._tournaments.load(place.tournament).state
        except NotFound:  # the store came back older than the tournament
            return None
        if table.phase is Phase.ENDED:
            return now if is_news(tournament, place, table) else None
        if grace_until(table) is None:
            return None
        # The end of a pause is an event of the tournament, which makes no table due. So the table is checked again.
        return _grace_ends(tournament, table) or now + _PAUSED_MS


def _grace_ends(tournament: Tournament, table: Table) -> int | None:
    return life.grace_ends(tournament, table.started_at, put_off_ms=table.awaiting_since - table.started_at)


def deal_at(tournament: Tournament, place: TournamentPlace) -> Deal | None:
    """Returns the deal at that place of a tournament, or `None` if there is none."""
    try:
        return tournament.rounds[place.round - 1].matches[place.board - 1].deals[place.deal - 1]
    except IndexError:  # the store came back older than the pairing
        return None


def is_news(tournament: Tournament, place: TournamentPlace, table: Table) -> bool:
    """Returns whether the tournament does not know the end, the result or the void of an ended table yet."""
    deal = deal_at(tournament, place)
    if deal is None:
        return False
    if _is_embargoed(tournament, place, table):
        return not deal.seal
    return deal.report is None or (table.voided is not None and not deal.is_void)


def _is_embargoed(tournament: Tournament, place: TournamentPlace, table: Table) -> bool:
    """Returns whether the result has to wait (D-7), for the release of the deal or for that of the table."""
    return table.is_embargoed or life.is_embargoed(tournament, tournament.rounds[place.round - 1])


def _as_worker(command: commands.TableCommand) -> _Intent:
    return lambda _: (command, WORKER)


def _release(table: Table) -> tuple[commands.TableCommand, Actor]:
    # A table that plays although its deal is released has lost its end. Its cards can be read elsewhere.
    return (commands.ReleaseDeal() if table.phase is Phase.ENDED else commands.AbandonTable()), WORKER


def _miss_start(table: Table) -> tuple[commands.TableCommand, Actor] | None:
    return (commands.MissStart(table.awaited), WORKER) if table.awaited else None


def _news(
    tournament: Tournament,
    loaded: LoadedTable,
    place: TournamentPlace,
    entries: Callable[[], Iterable[Entry]],
) -> tuple[TournamentCommand, Actor] | None:
    deal, table = deal_at(tournament, place), loaded.state
    if deal is None or not is_news(tournament, place, table):
        return None
    if _is_embargoed(tournament, place, table):
        return life.SealTable(place.round, place.board, table.id, loaded.head), WORKER
    if deal.report is not None and table.voided is not None:
        return life.VoidTable(place.round, place.board, place.deal, table.voided.reason), WORKER
    return life.report_of(table, loaded.head, entries()), WORKER
