"""The invitation code of a tournament (T-25)."""

from hoodwink.domain.tournaments.life import ReplaceInvitation
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands.tournament_intents import check_organiser, organise
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.requests import INVITATION
from hoodwink.service.http.messages.schemas import ExpectationSchema
from hoodwink.service.http.resources.admission import invitation_to
from hoodwink.service.http.resources.tables.rooms import Invitation
from hoodwink.service.http.resources.tournaments.commands import (
    TournamentCommands,
    load_tournament,
    tournament_operation,
)


class InvitationResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/invitation",
        tag=Tag.TOURNAMENTS,
        summary="Show the invitation code (organisers only)",
        description="Others need the code to see a private tournament, and to enter one with `invited_only`. They send it in the header "
        f"`{INVITATION}`; case and hyphens do not matter.",
        access=Access.PLAYER,
        answer=Answer("The code.", {JSON: Invitation}),
        refuses=(ForbiddenCode.NOT_ORGANISER,),
    )
    def get_tournament_invitation(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        check_organiser(tournament, call.actor.id)
        return Reply(Invitation(self._service.identities.invitation(invitation_to(tournament))))

    @tournament_operation(
        "/invitation",
        "Replace the invitation code (organisers only)",
        "Earlier codes and links are invalid; entrants stay.",
        body=ExpectationSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.TOO_MANY_INVITATIONS,
        ),
    )
    def replace_invitation(self, call: Call) -> Reply:
        return self._commands.execute(call, organise(call.actor.id, ReplaceInvitation()))
