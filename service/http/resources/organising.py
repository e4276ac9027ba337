"""What the organiser of a tournament decides."""

from collections.abc import Callable
from typing import Any

from domain.tournaments import life
from domain.tournaments.scoring import HALF
from domain.tournaments.terms import Tiebreak
from service.application import tournament_intents as intents
from service.bootstrap import Service
from service.http.framework.operations import Call, H, Reply
from service.http.messages.schemas import ExpectationSchema
from service.http.messages.tournament_forms import (
    FinalReasonSchema,
    FinishSchema,
    OrderSchema,
    PairingSchema,
    PauseSchema,
    RoundSchema,
    ScheduleSchema,
    TiebreaksSchema,
    VoidScoreSchema,
)
from service.http.resources.tournament_commands import (
    TournamentCommands,
    path_number,
    tournament_operation,
)


def _organiser_operation(path: str, summary: str, done: str, **more: Any) -> Callable[[H], H]:
    return tournament_operation(path, f"{summary}; only the organiser may", done, **more)


class OrganiserResource:
    """Takes what organisers decide. Who is not the organiser is refused."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @_organiser_operation(
        "/registration", "Open the registration", "Entrants may enter.", body=ExpectationSchema()
    )
    def open_registration(self, call: Call) -> Reply:
        return self._organised(call, life.OpenRegistration())

    @_organiser_operation(
        "/order", "Order the entrants", "The order of the starting ranks is stated.", body=OrderSchema()
    )
    def order_entrants(self, call: Call) -> Reply:
        return self._organised(call, life.OrderEntrants(call.form["entrants"]))

    @_organiser_operation(
        "/entrants/{entrant_id}/expulsion",
        "Expel an entrant",
        "The entrant has left; a seat in play is resigned.",
        body=FinalReasonSchema(),
    )
    def expel_entrant(self, call: Call) -> Reply:
        entrant, reason = call.path["entrant_id"], call.form["reason"]
        return self._commands.carry_out(call, intents.expel(call.asker.id, entrant, reason=reason))

    @_organiser_operation(
        "/start",
        "Start the tournament",
        "Starting ranks are fixed, and rounds follow.",
        body=ExpectationSchema(),
    )
    def start_tournament(self, call: Call) -> Reply:
        return self._commands.carry_out(
            call, intents.start(call.asker.id, self._service.queries.ratings_of_entrants)
        )

    @_organiser_operation(
        "/sittings/{sitting}/check-in",
        "Open the check-in of a sitting",
        "Entrants may check in.",
        body=ExpectationSchema(),
    )
    def open_check_in(self, call: Call) -> Reply:
        return self._organised(call, life.OpenCheckIn(path_number(call, "sitting")))

    @_organiser_operation(
        "/sittings/{sitting}/schedule", "Reschedule a sitting", "The time is stated.", body=ScheduleSchema()
    )
    def reschedule_sitting(self, call: Call) -> Reply:
        sitting, form = path_number(call, "sitting"), call.form
        return self._organised(call, life.Reschedule(sitting, form["starts_at"], form["reason"]))

    @_organiser_operation(
        "/rounds",
        "Pair the next round",
        "The round is paired, or entrants are called upon to reveal their seeds first.",
        body=RoundSchema(),
    )
    def open_round(self, call: Call) -> Reply:
        early, reason = call.form.get("early", False), call.form.get("reason", "")
        return self._commands.carry_out(call, intents.open_round(call.asker.id, early=early, reason=reason))

    @_organiser_operation(
        "/rounds/{round}/pairing",
        "Change the pairing of a round",
        "The round is paired otherwise; its event keeps the engine's own proposal.",
        body=PairingSchema(),
    )
    def change_pairing(self, call: Call) -> Reply:
        form = call.form
        command = life.ChangePairing(
            path_number(call, "round"), form["tables"], form.get("byes", ()), form["reason"]
        )
        return self._organised(call, command)

    @_organiser_operation(
        "/rounds/{round}/start", "Start the tables of a round", "Its tables open.", body=ExpectationSchema()
    )
    def start_round(self, call: Call) -> Reply:
        return self._organised(call, life.StartRound(path_number(call, "round")))

    @_organiser_operation(
        "/rounds/{round}/boards/{board}/void-score",
        "State what a voided table scores",
        "Each of its entrants scores that.",
        body=VoidScoreSchema(),
    )
    def score_void(self, call: Call) -> Reply:
        round_, board, form = path_number(call, "round"), path_number(call, "board"), call.form
        score = form.get("score", HALF)
        return self._organised(call, life.ScoreVoid(round_, board, score, form["reason"]))

    @_organiser_operation(
        "/tiebreaks", "Change the tie-breaks", "Standings follow them.", body=TiebreaksSchema()
    )
    def change_tiebreaks(self, call: Call) -> Reply:
        tiebreaks = tuple(Tiebreak(one) for one in call.form["tiebreaks"])
        return self._organised(call, life.ChangeTiebreaks(tiebreaks, call.form["reason"]))

    @_organiser_operation(
        "/pause",
        "Pause the tournament",
        "No round, table or time of grace begins or ends.",
        body=PauseSchema(),
    )
    def pause_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Pause(call.form.get("reason", "")))

    @_organiser_operation(
        "/resume", "Resume the tournament", "The tournament goes on.", body=ExpectationSchema()
    )
    def resume_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Resume())

    @_organiser_operation(
        "/finish", "Finish the tournament", "No further round follows.", body=FinishSchema()
    )
    def finish_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Finish(call.form.get("reason", "")))

    @_organiser_operation(
        "/cancel", "Cancel the tournament", "Its open tables end without a result.", body=FinalReasonSchema()
    )
    def cancel_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Cancel(call.form["reason"]))

    def _organised(self, call: Call, command: life.TournamentCommand) -> Reply:
        return self._commands.carry_out(call, intents.organise(call.asker.id, command))
