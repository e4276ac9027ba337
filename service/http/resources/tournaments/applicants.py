"""The organiser's decisions about players who ask to enter (T-26)."""

from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands import tournament_intents as intents
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, Reply
from hoodwink.service.http.messages.schemas import ExpectationSchema
from hoodwink.service.http.resources.tournaments.commands import TournamentCommands, tournament_operation


class ApplicantResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @tournament_operation(
        "/applicants/{entrant_id}/acceptance",
        "Accept a player who asks to enter (organisers only)",
        "The player has entered; if the tournament is full, they are on the waiting list in the order of the requests.",
        body=ExpectationSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            ForbiddenCode.OWN_BOT_PLAYS,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.TOO_LATE,
            TournamentCode.TOURNAMENT_FULL,
            TournamentCode.ARBITER_PLAYS,
        ),
    )
    def accept_entry(self, call: Call) -> Reply:
        players = self._service.players
        return self._commands.execute(
            call,
            intents.accept(
                call.actor.id, call.path["entrant_id"], owners=players.owners, exists=players.exists
            ),
        )

    @tournament_operation(
        "/applicants/{entrant_id}/refusal",
        "Decline a player who asks to enter (organisers only)",
        "The player cannot ask again, but you may still accept them.",
        body=ExpectationSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.ALREADY_DECLINED,
        ),
    )
    def decline_entry(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.decline(call.actor.id, call.path["entrant_id"]))
