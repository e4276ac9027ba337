"""The service's own work in a series: opening its tournaments, and counting their results."""

from contextlib import suppress
from typing import Final

from hoodwink.domain import series as domain
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series import Series, SeriesCommand
from hoodwink.domain.series.state import SeasonDate, tournament_id
from hoodwink.domain.tables.actor import ORGANISER, WORKER, Actor
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.service.application.commands.hosted_tables import HostedTables
from hoodwink.service.application.errors import Busy, LimitReached, NotFound
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock, Entropy, IdempotencyKey
from hoodwink.service.application.streams.series import SeriesRepository
from hoodwink.service.application.streams.tournaments import LoadedTournament, Tournaments
from hoodwink.service.application.work.due import Due, DueTimes, due_time

STEPS_PER_VISIT: Final = 5
"""Limit of one task, so that series take turns; the remaining steps stay due."""


class SeriesWorker:
    """Does the work due in a series, by ordinary commands to it and its tournaments.

    A series and a tournament share no commit. The id of a tournament follows from its place in the series, so a visit
    after a kill finds the tournament that the visit before has opened (S-3).
    """

    def __init__(  # noqa: PLR0913 - it opens tournaments like an organiser
        self,
        *,
        series: SeriesRepository,
        tournaments: Tournaments,
        players: Players,
        hosted: HostedTables,
        entropy: Entropy,
        due_times: DueTimes,
        clock: Clock,
    ) -> None:
        self._series = series
        self._tournaments = tournaments
        self._players = players
        self._hosted = hosted
        self._entropy = entropy
        self._due_times = due_times
        self._clock = clock

    def run_due(self, series_id: str) -> int:
        """Does all work that is due in a series now; returns the number of steps.

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        for steps in range(STEPS_PER_VISIT):
            try:
                series = self._series.load(series_id).state
                date = domain.due_date(series, self._clock.now_ms())
                if date is None:
                    if not steps:
                        self._reschedule(series_id)
                    return steps
                self._execute(series_id, self._settle(series, date))
            except NotFound:
                return steps
            except (RuleViolation, Busy):  # another worker or the organiser was faster
                continue
        return STEPS_PER_VISIT

    def _execute(self, series_id: str, command: SeriesCommand) -> None:
        self._series.execute(series_id, lambda _: (command, WORKER))

    def _settle(self, series: Series, date: SeasonDate) -> SeriesCommand:
        """Opens the tournament of a date if possible; returns the command that records what became of it."""
        opened = tournament_id(series.id, date.number)
        # An open one is not late: an earlier visit may have been killed before it recorded the opening.
        if not self._is_open(opened):
            if date.starts_at <= self._clock.now_ms():
                return domain.MissDate(date.number, domain.Missed.LATE)
            if not self._may_organise(series.organiser):
                return domain.StopSeries(domain.Stopped.ORGANISER_GONE)
            missed = self._open(series, date, opened)
            if missed is not None:
                return domain.MissDate(date.number, missed)
        # The visit that opened it may have been killed before this, or the organiser may have been faster.
        with suppress(RuleViolation):
            self._tournaments.execute(opened, lambda _: (life.OpenRegistration(), ORGANISER))
        return domain.ConfirmTournament(date.number)

    def _open(self, series: Series, date: SeasonDate, opened: str) -> domain.Missed | None:
        """Opens a tournament; returns why that is not possible (S-5)."""
        try:
            take_back = self._hosted.admit(Limit.TOURNAMENTS_PER_HOST, series.organiser, opened)
        except LimitReached:
            return domain.Missed.TOO_MANY
        command = domain.tournament_to_open(series, date, self._entropy.server_seed())
        try:
            # The key depends on the place in the series alone, so that a second worker gets the same tournament.
            self._tournaments.open(opened, command, by=ORGANISER, key=IdempotencyKey(f"open {opened}", ""))
        except RuleViolation:
            take_back()
            return domain.Missed.REFUSED
        return None

    def _is_open(self, tournament: str) -> bool:
        try:
            self._tournaments.load(tournament)
        except NotFound:
            return False
        return True

    def _may_organise(self, player_id: str) -> bool:
        try:
            player = self._players.get(player_id)
        except NotFound:
            return False
        return not (player.is_erased or player.is_banned)

    def report(self, tournament: str) -> None:
        """Counts the result of a tournament in its series (S-7, S-10).

        Raises:
            StoreUnavailable: the store did not answer; the due times stay as they are.
        """
        # It is gone, or others were faster: the due time below comes from the stored state.
        with suppress(NotFound, Busy, RuleViolation):
            self._report(self._tournaments.load(tournament))
        self._reschedule_report(tournament)

    def _report(self, loaded: LoadedTournament) -> None:
        place = loaded.state.series
        if place is None or not life.is_final(loaded.state):
            return
        count = domain.CountTournament(
            number=place.number,
            version=loaded.state.version,
            head=loaded.head,
            placings=life.placings_of(loaded.state),
        )

        def asked(series: Series) -> tuple[SeriesCommand, Actor] | None:
            at = domain.counts_at(series, count)
            return (count, WORKER) if at is not None and at <= self._clock.now_ms() else None

        self._series.execute_due(place.series, asked)

    def result_due_at(self, tournament: Tournament) -> int | None:
        """Returns when the result has to be counted, in ms since the epoch; `None` if there is nothing to count."""
        place = tournament.series
        if place is None or not life.is_final(tournament):
            return None
        count = domain.CountTournament(
            number=place.number, version=tournament.version, head="", placings=life.placings_of(tournament)
        )
        try:
            series = self._series.load(place.series).state
        except NotFound:  # the store came back older than the series
            return None
        return due_time(domain.counts_at(series, count), self._clock.now_ms())

    def _reschedule(self, series_id: str) -> None:
        """Records when the series is really due; a late feed entry had made it seem due."""
        loaded = self._series.load(series_id)
        at = due_time(domain.work_due(loaded.state).at, self._clock.now_ms())
        self._due_times.record({"season": {series_id: Due(loaded.state.version, loaded.head, at)}})

    def _reschedule_report(self, tournament: str) -> None:
        try:
            loaded = self._tournaments.load(tournament)
        except NotFound:  # the store came back older than the tournament
            self._due_times.record({"result": {tournament: Due(0, "", None)}})
            return
        at = self.result_due_at(loaded.state)
        self._due_times.record({"result": {tournament: Due(loaded.state.version, loaded.head, at)}})
