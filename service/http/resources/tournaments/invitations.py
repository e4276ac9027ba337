"""The invitation code of a tournament (T-24)."""

from hoodwink.service.application.commands.tournament_intents import check_organiser
from hoodwink.service.application.errors import ForbiddenCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.requests import INVITATION
from hoodwink.service.http.resources.tables.rooms import Invitation
from hoodwink.service.http.resources.tournaments.commands import load_tournament


class InvitationResource:
    """Shows the invitation code of a tournament."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/invitation",
        tag=Tag.TOURNAMENTS,
        summary="Show the invitation code (organiser only)",
        description="Others need the code to see and enter a private tournament. They send it in the header "
        f"`{INVITATION}`; case and hyphens do not matter.",
        access=Access.PLAYER,
        answer=Answer("The code.", {JSON: Invitation}),
        refuses=(ForbiddenCode.NOT_ORGANISER,),
    )
    def get_tournament_invitation(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        check_organiser(tournament, call.actor.id)
        return Reply(Invitation(self._service.identities.invitation(tournament.id)))
