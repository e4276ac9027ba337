"""`/v1/tournaments`: open a tournament, look at it, and what its organiser decides."""

import re
from collections.abc import Callable
from typing import Any, Final

from marshmallow import fields, validate

from domain.games import GAMES
from domain.tournaments import life
from domain.tournaments.life import Phase, Tournament
from domain.tournaments.scoring import HALF
from domain.tournaments.terms import Tiebreak
from service.application import tournament_intents as intents
from service.application.errors import NotFound
from service.application.identity import command_of
from service.application.tournaments import Intent
from service.bootstrap import Service
from service.http.framework.operations import JSON, Access, Answer, Call, H, Reply, Tag, operation
from service.http.messages.fields import TextIntegerField
from service.http.messages.schemas import ExpectationSchema, StrictSchema
from service.http.messages.tournament_answers import (
    PlayerTournamentsAnswer,
    RoundAnswer,
    StandingExplainedAnswer,
    StandingsAnswer,
    TournamentAcceptedAnswer,
    TournamentAnswer,
    TournamentsAnswer,
    round_answer,
    standing_explained,
    standings_answer,
    tournament_accepted,
    tournament_answer,
)
from service.http.messages.tournament_forms import (
    TOURNAMENT_FORMS,
    FinalReasonSchema,
    FinishSchema,
    OrderSchema,
    PairingSchema,
    PauseSchema,
    RoundSchema,
    ScheduleSchema,
    TiebreaksSchema,
    VoidScoreSchema,
    setup_of,
)
from service.http.resources.access import etag_of, is_known
from service.http.resources.pages import PageSchema, following, paging, rows
from service.http.resources.tournament_commands import TournamentCommands, tournament_id

PUBLIC: Final = {"Cache-Control": "no-cache"}
MOST_ROUNDS: Final = 500

_ACCEPTED: Final = {JSON: TournamentAcceptedAnswer}
_REFUSES: Final = (403, 404, 409, 412, 422)
_NUMBER: Final = re.compile("[1-9][0-9]{0,3}")


class TournamentListSchema(PageSchema):
    """Which tournaments to list."""

    phase = fields.String(
        validate=validate.OneOf([phase.value for phase in Phase]),
        metadata={"description": "What they are doing.", "default": Phase.REGISTRATION.value},
    )
    game = fields.String(
        validate=validate.OneOf(list(GAMES)), metadata={"description": "Only tournaments of this game."}
    )


class AfterSchema(StrictSchema):
    """After which round."""

    round = TextIntegerField(
        validate=validate.Range(min=0, max=MOST_ROUNDS),
        metadata={"description": "As if the tournament had ended with this round; by default the last one."},
    )


def organiser_operation(path: str, summary: str, done: str, **more: Any) -> Callable[[H], H]:
    """Declares a command that is the organiser's alone."""
    return operation(
        method=more.pop("method", "POST"),
        path=f"/v1/tournaments/{{tournament_id}}{path}",
        tag=Tag.TOURNAMENTS,
        summary=summary,
        access=Access.PLAYER,
        answer=Answer(done, _ACCEPTED, 200, ("ETag",)),
        refuses=_REFUSES,
        reads=("If-Match",),
        **more,
    )


class TournamentResource:
    """Opens tournaments, shows them, and takes what organisers decide."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @operation(
        method="POST",
        path="/v1/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="Open a tournament",
        description="The asker becomes its organiser. It is a draft until its registration is opened.",
        access=Access.PLAYER,
        body=TOURNAMENT_FORMS,
        answer=Answer("The tournament, a draft.", _ACCEPTED, 201, ("Location", "ETag")),
        refuses=(422,),
    )
    def open_tournament(self, call: Call) -> Reply:
        identities = self._service.identities
        key = identities.key_or_fresh(call.key)
        opened = identities.tournament_id(call.asker.id, key)
        command = life.OpenTournament(
            tournament=opened,
            organiser=call.asker.id,
            setup=setup_of(call.form),
            server_seed=self._service.entropy.server_seed(),
        )
        accepted = self._service.tournaments.open(
            opened, command, by="organiser", key=command_of(call.asker.id, key, call.raw)
        )
        headers = {"Location": f"/v1/tournaments/{opened}", "ETag": etag_of(accepted.after.place)}
        return Reply(tournament_accepted(accepted), headers)

    @operation(
        method="GET",
        path="/v1/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="List tournaments",
        query=TournamentListSchema(),
        answer=Answer("A page of tournaments.", {JSON: TournamentsAnswer}),
    )
    def list_tournaments(self, call: Call) -> Reply:
        asked, phase = paging(call), Phase(call.query.get("phase", Phase.REGISTRATION))
        page = self._service.queries.tournaments(
            phase, call.query.get("game"), before=asked.before, count=asked.count
        )
        return Reply(TournamentsAnswer(rows(page), following(page)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="List a player's tournaments",
        query=PageSchema(),
        answer=Answer("A page of tournaments.", {JSON: PlayerTournamentsAnswer}),
        refuses=(404,),
    )
    def list_player_tournaments(self, call: Call) -> Reply:
        asked, player = paging(call), self._service.players.get(call.path["player_id"])
        page = self._service.queries.tournaments_of(player.id, before=asked.before, count=asked.count)
        return Reply(PlayerTournamentsAnswer(rows(page), following(page)))

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}",
        tag=Tag.TOURNAMENTS,
        summary="Look at a tournament",
        answer=Answer("The tournament.", {JSON: TournamentAnswer}, 200, ("ETag",)),
        refuses=(404,),
        reads=("If-None-Match",),
    )
    def get_tournament(self, call: Call) -> Reply:
        loaded = self._service.tournaments.load(tournament_id(call))
        headers = {"ETag": etag_of(loaded.place), **PUBLIC}
        if is_known(call, loaded.place):
            return Reply(b"", headers, status=304)
        return Reply(tournament_answer(loaded), headers)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/rounds/{round}",
        tag=Tag.TOURNAMENTS,
        summary="Look at a round, and why it was paired so",
        answer=Answer("The round.", {JSON: RoundAnswer}),
        refuses=(404,),
    )
    def get_round(self, call: Call) -> Reply:
        tournament = self._tournament(call)
        number = _number(call, "round")
        if number > len(tournament.rounds):
            raise NotFound("round_not_found", "That round has not been paired.")
        return Reply(
            round_answer(tournament, number, self._service.tournaments.history(tournament.id)), PUBLIC
        )

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings",
        tag=Tag.TOURNAMENTS,
        summary="Show the standings",
        query=AfterSchema(),
        answer=Answer("The standings.", {JSON: StandingsAnswer}),
        refuses=(404,),
    )
    def get_standings(self, call: Call) -> Reply:
        tournament, after = self._started(call)
        return Reply(standings_answer(tournament, after), PUBLIC)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings/{entrant}",
        tag=Tag.TOURNAMENTS,
        summary="Explain an entrant's standing",
        description="Each number with the rounds and opponents that it comes from, as data and in words.",
        query=AfterSchema(),
        answer=Answer("A line of the standings.", {JSON: StandingExplainedAnswer}),
        refuses=(404,),
    )
    def explain_standing(self, call: Call) -> Reply:
        tournament, after = self._started(call)
        number = _number(call, "entrant")
        if number > len(tournament.entrants):
            raise NotFound("entrant_not_found", "The tournament has no such entrant.")
        return Reply(standing_explained(tournament, after, number), PUBLIC)

    # ------------------------------------------------------------------ what the organiser decides

    @organiser_operation(
        "/registration", "Open the registration", "Entrants may enter.", body=ExpectationSchema()
    )
    def open_registration(self, call: Call) -> Reply:
        return self._organised(call, life.OpenRegistration())

    @organiser_operation(
        "/order", "Order the entrants", "The order of the starting ranks is stated.", body=OrderSchema()
    )
    def order_entrants(self, call: Call) -> Reply:
        return self._organised(call, life.OrderEntrants(call.form["entrants"]))

    @organiser_operation(
        "/entrants/{entrant_id}/expulsion",
        "Expel an entrant",
        "The entrant has left; a seat in play is resigned.",
        body=FinalReasonSchema(),
    )
    def expel_entrant(self, call: Call) -> Reply:
        return self._organised(call, life.Expel(call.path["entrant_id"], call.form["reason"]))

    @organiser_operation(
        "/start",
        "Start the tournament",
        "Starting ranks are fixed, and rounds follow.",
        body=ExpectationSchema(),
    )
    def start_tournament(self, call: Call) -> Reply:
        return self._commands.carry_out(
            call, intents.start(call.asker.id, self._service.queries.ratings_of_entrants)
        )

    @organiser_operation(
        "/sittings/{sitting}/check-in",
        "Open the check-in of a sitting",
        "Entrants may check in.",
        body=ExpectationSchema(),
    )
    def open_check_in(self, call: Call) -> Reply:
        return self._organised(call, life.OpenCheckIn(_number(call, "sitting")))

    @organiser_operation(
        "/sittings/{sitting}/schedule", "Reschedule a sitting", "The time is stated.", body=ScheduleSchema()
    )
    def reschedule_sitting(self, call: Call) -> Reply:
        sitting, form = _number(call, "sitting"), call.form
        return self._organised(call, life.Reschedule(sitting, form["starts_at"], form["reason"]))

    @organiser_operation(
        "/rounds",
        "Pair the next round",
        "The round is paired, or entrants are called upon to reveal their seeds first.",
        body=RoundSchema(),
    )
    def open_round(self, call: Call) -> Reply:
        early, reason = call.form.get("early", False), call.form.get("reason", "")
        return self._commands.carry_out(call, intents.open_round(call.asker.id, early=early, reason=reason))

    @organiser_operation(
        "/rounds/{round}/pairing",
        "Change the pairing of a round",
        "The round is paired otherwise; its event keeps the engine's own proposal.",
        body=PairingSchema(),
    )
    def change_pairing(self, call: Call) -> Reply:
        form = call.form
        command = life.ChangePairing(
            _number(call, "round"), form["tables"], form.get("byes", ()), form["reason"]
        )
        return self._organised(call, command)

    @organiser_operation(
        "/rounds/{round}/start", "Start the tables of a round", "Its tables open.", body=ExpectationSchema()
    )
    def start_round(self, call: Call) -> Reply:
        return self._organised(call, life.StartRound(_number(call, "round")))

    @organiser_operation(
        "/rounds/{round}/boards/{board}/void-score",
        "State what a voided table scores",
        "Each of its entrants scores that.",
        body=VoidScoreSchema(),
    )
    def score_void(self, call: Call) -> Reply:
        round_, board, form = _number(call, "round"), _number(call, "board"), call.form
        score = form.get("score", HALF)
        return self._organised(call, life.ScoreVoid(round_, board, score, form["reason"]))

    @organiser_operation(
        "/tiebreaks", "Change the tie-breaks", "Standings follow them.", body=TiebreaksSchema()
    )
    def change_tiebreaks(self, call: Call) -> Reply:
        tiebreaks = tuple(Tiebreak(one) for one in call.form["tiebreaks"])
        return self._organised(call, life.ChangeTiebreaks(tiebreaks, call.form["reason"]))

    @organiser_operation(
        "/pause",
        "Pause the tournament",
        "No round, table or time of grace begins or ends.",
        body=PauseSchema(),
    )
    def pause_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Pause(call.form.get("reason", "")))

    @organiser_operation(
        "/resume", "Resume the tournament", "The tournament goes on.", body=ExpectationSchema()
    )
    def resume_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Resume())

    @organiser_operation("/finish", "Finish the tournament", "No further round follows.", body=FinishSchema())
    def finish_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Finish(call.form.get("reason", "")))

    @organiser_operation(
        "/cancel", "Cancel the tournament", "Its open tables end without a result.", body=FinalReasonSchema()
    )
    def cancel_tournament(self, call: Call) -> Reply:
        return self._organised(call, life.Cancel(call.form["reason"]))

    def _organised(self, call: Call, command: life.TournamentCommand) -> Reply:
        intent: Intent = intents.organise(call.asker.id, command)
        return self._commands.carry_out(call, intent)

    def _tournament(self, call: Call) -> Tournament:
        return self._service.tournaments.load(tournament_id(call)).state

    def _started(self, call: Call) -> tuple[Tournament, int | None]:
        """Returns a tournament that has standings, and after which round they are asked for."""
        tournament, after = self._tournament(call), call.query.get("round")
        if tournament.terms is None:
            raise NotFound("no_standings", "The tournament has not started, so there are no standings.")
        if after is not None and after > len(tournament.rounds):
            raise NotFound("round_not_found", "That round has not been paired.")
        return tournament, after


def _number(call: Call, name: str) -> int:
    """Returns a number that the path names; raises `NotFound` for what can be none."""
    named = call.path[name]
    if not _NUMBER.fullmatch(named):
        raise NotFound(f"{name}_not_found", f"The tournament has no such {name}.")
    return int(named)
