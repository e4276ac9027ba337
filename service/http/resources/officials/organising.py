"""The commands of those who organise a tournament."""

from collections.abc import Callable
from typing import Any

from hoodwink.domain.kernel import SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.domain.tournaments.terms import Tiebreak
from hoodwink.service.application.commands import official_intents
from hoodwink.service.application.commands import tournament_intents as intents
from hoodwink.service.application.commands.tournament_orders import PairNext, StartNow
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, H, Reply
from hoodwink.service.http.messages.schemas import ExpectationSchema, FinalReasonSchema, OptionalReasonSchema
from hoodwink.service.http.messages.tournament_forms import (
    FinishSchema,
    OrderSchema,
    PairingSchema,
    RoundSchema,
    ScheduleSchema,
    TiebreaksSchema,
    VoidScoreSchema,
)
from hoodwink.service.http.resources.tournaments.commands import (
    RUNNING,
    STARTED,
    TournamentCommands,
    path_number,
    tournament_operation,
)

_BEFORE_START = (TournamentCode.TOURNAMENT_STARTED, TournamentCode.TOURNAMENT_OVER)
_UNSTARTED = (*RUNNING, TournamentCode.ROUND_NOT_OPEN, TournamentCode.ROUND_STARTED)


def _organiser_operation(
    path: str, summary: str, done: str, *, only: str = "organisers", **more: Any
) -> Callable[[H], H]:
    refuses = (ForbiddenCode.NOT_ORGANISER, *more.pop("refuses"))
    return tournament_operation(path, f"{summary} ({only} only)", done, refuses=refuses, **more)


class OrganiserResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @_organiser_operation(
        "/registration",
        "Open the registration",
        "Entrants may enter.",
        body=ExpectationSchema(),
        refuses=(TournamentCode.REGISTRATION_OPEN, *_BEFORE_START),
    )
    def open_registration(self, call: Call) -> Reply:
        return self._organise(call, life.OpenRegistration())

    @_organiser_operation(
        "/order",
        "Order the entrants",
        "The order of the starting ranks is set.",
        body=OrderSchema(),
        refuses=(
            *_BEFORE_START,
            TournamentCode.NOT_ORDERED_BY_HAND,
            TournamentCode.TOO_MANY_CHANGES,
            TournamentCode.ENTRANT_TWICE,
            TournamentCode.NO_SUCH_ENTRANT,
        ),
    )
    def order_entrants(self, call: Call) -> Reply:
        # The list may be incomplete, because somebody may enter while the organiser makes it.
        return self._organise(call, life.OrderEntrants(call.form["entrants"]))

    @_organiser_operation(
        "/entrants/{entrant_id}/expulsion",
        "Expel an entrant",
        "The entrant has left; a seat in play is resigned.",
        body=FinalReasonSchema(),
        refuses=(TournamentCode.TOURNAMENT_OVER, TournamentCode.ALREADY_EXPELLED, TableCode.INVALID_REASON),
    )
    def expel_entrant(self, call: Call) -> Reply:
        entrant, reason = call.path["entrant_id"], call.form["reason"]
        return self._commands.execute(call, intents.expel(call.actor.id, entrant, reason=reason))

    @_organiser_operation(
        "/start",
        "Start the tournament",
        "The starting ranks are fixed, and rounds can be paired.",
        body=ExpectationSchema(),
        refuses=(
            *_BEFORE_START,
            TournamentCode.REGISTRATION_CLOSED,
            TournamentCode.TOO_FEW_ENTRANTS,
            TournamentCode.SCHEDULE_TOO_LONG,
            TournamentCode.UNEVEN_TABLES,
        ),
        may_begin_job=True,
    )
    def start_tournament(self, call: Call) -> Reply:
        # An order and not a command, because arranging a round robin may take seconds of CPU time.
        return self._commands.order(call, StartNow())

    @_organiser_operation(
        "/sittings/{sitting}/check-in",
        "Open the check-in of a sitting",
        "Entrants may check in.",
        body=ExpectationSchema(),
        refuses=(
            *RUNNING,
            TournamentCode.NO_CHECK_IN,
            TournamentCode.WRONG_SITTING,
            TournamentCode.CHECK_IN_OPEN,
        ),
    )
    def open_check_in(self, call: Call) -> Reply:
        return self._organise(call, life.OpenCheckIn(path_number(call, "sitting")))

    @_organiser_operation(
        "/sittings/{sitting}/schedule",
        "Reschedule a sitting",
        "The sitting has a new time.",
        body=ScheduleSchema(),
        refuses=(
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NO_SUCH_SITTING,
            TournamentCode.SITTING_BEGUN,
            TournamentCode.TOO_MANY_CHANGES,
            TournamentCode.NO_START,
            TournamentCode.INVALID_SETUP,
            TableCode.INVALID_REASON,
        ),
    )
    def reschedule_sitting(self, call: Call) -> Reply:
        sitting, form = path_number(call, "sitting"), call.form
        return self._organise(call, life.Reschedule(sitting, form["starts_at"], form.get("reason", "")))

    @_organiser_operation(
        "/rounds",
        "Pair the next round",
        "The round is paired, or entrants are asked to reveal their seeds first.",
        body=RoundSchema(),
        refuses=(
            *RUNNING,
            TournamentCode.ROUND_OPEN,
            TournamentCode.NO_SUCH_ROUND,
            TournamentCode.ROUND_UNFINISHED,
            TournamentCode.NEVER_EARLY,
            TournamentCode.NO_WAVE_DUE,
            TournamentCode.TOO_FEW_ENTRANTS,
            TournamentCode.CHECK_IN_DUE,
            TournamentCode.CHECK_IN_RUNNING,
            TableCode.SEEDS_AWAITED,
            TableCode.INVALID_REASON,
        ),
        may_begin_job=True,
    )
    def open_round(self, call: Call) -> Reply:
        early, reason = call.form.get("early", False), call.form.get("reason", "")
        # The number of the round is chosen within the intent: another request may pair one meanwhile.
        return self._commands.order(call, PairNext(early=early, reason=reason))

    @_organiser_operation(
        "/rounds/{round}/pairing",
        "Change the pairing of a round",
        "The pairing is changed; the event contains the engine's own proposal.",
        body=PairingSchema(),
        refuses=(
            *_UNSTARTED,
            TableCode.INVALID_REASON,
            TournamentCode.PAIRING_UNCHANGED,
            TournamentCode.TOO_MANY_CHANGES,
            TournamentCode.NOT_EVERYBODY_ONCE,
            TournamentCode.INVALID_TABLE_SIZE,
            TournamentCode.INVALID_BOTS,
            TournamentCode.UNEVEN_TABLES,
            TournamentCode.INVALID_BYES,
            TournamentCode.BYE_NOT_DUE,
            TournamentCode.OWN_BYE,
            TournamentCode.BRACKET_MIXED,
            TournamentCode.FORBIDDEN_PAIR,
            SharedCode.INVALID_OPTIONS,
        ),
        may_begin_job=True,
    )
    def change_pairing(self, call: Call) -> Reply:
        # An order, because all rounds are scored for it, which may take long in a large tournament.
        form = call.form
        command = life.ChangePairing(
            path_number(call, "round"), form["tables"], form.get("byes", ()), form["reason"]
        )
        return self._commands.order(call, command)

    @_organiser_operation(
        "/rounds/{round}/start",
        "Start the tables of a round",
        "The tables of the round open.",
        body=ExpectationSchema(),
        refuses=_UNSTARTED,
    )
    def start_round(self, call: Call) -> Reply:
        # Workers open the tables after this, because a tournament and its tables share no commit.
        return self._organise(call, life.StartRound(path_number(call, "round")))

    @_organiser_operation(
        "/rounds/{round}/boards/{board}/void-score",
        "Set the score of a voided table",
        "Each entrant of the table gets that score.",
        body=VoidScoreSchema(),
        refuses=(
            TournamentCode.NO_SUCH_BOARD,
            TournamentCode.OWN_TABLE,
            TournamentCode.TABLE_NOT_VOID,
            TournamentCode.TOO_MANY_CHANGES,
            TournamentCode.INVALID_SCORE,
            TableCode.INVALID_REASON,
        ),
    )
    def score_void(self, call: Call) -> Reply:
        round_, board, form = path_number(call, "round"), path_number(call, "board"), call.form
        score = form.get("score", HALF)
        scored = life.ScoreVoid(round_, board, score, form["reason"])
        intent = official_intents.score_void(call.actor.id, scored, owners=self._service.players.owners)
        return self._commands.execute(call, intent)

    @_organiser_operation(
        "/tiebreaks",
        "Change the tie-breaks",
        "The standings use the new tie-breaks.",
        body=TiebreaksSchema(),
        refuses=(
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.LAST_ROUND,
            TournamentCode.INVALID_SETUP,
            TournamentCode.TIEBREAKS_UNCHANGED,
            TournamentCode.TOO_MANY_CHANGES,
            TableCode.INVALID_REASON,
        ),
    )
    def change_tiebreaks(self, call: Call) -> Reply:
        tiebreaks = tuple(Tiebreak(name) for name in call.form["tiebreaks"])
        return self._organise(call, life.ChangeTiebreaks(tiebreaks, call.form.get("reason", "")))

    @_organiser_operation(
        "/pause",
        "Pause the tournament",
        "No round, table or grace period begins or ends until the tournament is resumed.",
        body=OptionalReasonSchema(),
        refuses=(
            *STARTED,
            TournamentCode.ALREADY_PAUSED,
            TournamentCode.TOO_MANY_CHANGES,
            TableCode.INVALID_REASON,
        ),
    )
    def pause_tournament(self, call: Call) -> Reply:
        return self._organise(call, life.Pause(call.form.get("reason", "")))

    @_organiser_operation(
        "/resume",
        "Resume the tournament",
        "The tournament continues.",
        body=ExpectationSchema(),
        refuses=(*STARTED, TournamentCode.NOT_PAUSED),
    )
    def resume_tournament(self, call: Call) -> Reply:
        return self._organise(call, life.Resume())

    @_organiser_operation(
        "/finish",
        "Finish the tournament",
        "No further round follows.",
        body=FinishSchema(),
        refuses=(*STARTED, TableCode.INVALID_REASON),
    )
    def finish_tournament(self, call: Call) -> Reply:
        return self._organise(call, life.Finish(call.form.get("reason", "")))

    @_organiser_operation(
        "/cancel",
        "Cancel the tournament",
        "Its open tables end without a result.",
        only="the organiser",
        body=FinalReasonSchema(),
        refuses=(TournamentCode.TOURNAMENT_OVER, TableCode.INVALID_REASON),
    )
    def cancel_tournament(self, call: Call) -> Reply:
        return self._organise(call, life.Cancel(call.form["reason"]))

    def _organise(self, call: Call, command: life.TournamentCommand) -> Reply:
        return self._commands.execute(call, intents.organise(call.actor.id, command))
