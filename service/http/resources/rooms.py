"""`/v1/tables/…`: who comes to a table: its invitation code."""

import msgspec

from domain.tables.rooms import belongs_to
from service.application.errors import Forbidden, ForbiddenCode
from service.bootstrap import Service
from service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from service.http.messages.requests import INVITATION
from service.http.resources.access import table_id
from service.http.resources.players import SECRET


class Invitation(msgspec.Struct, frozen=True, gc=False):
    """The invitation code of a table; send it in the header `Hoodwink-Invitation`, and never in an address."""

    invitation: str


class RoomResource:
    """Shows the invitation code of a table."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/invitation",
        tag=Tag.TABLES,
        summary="Show the invitation code; only for the host and the players",
        description="At a private table, others need the code to sit down, and where `watch` is `invited`, to watch. They "
        f"send it in the header `{INVITATION}`; capitals and hyphens do not matter. It never changes.",
        access=Access.PLAYER,
        answer=Answer("The code.", {JSON: Invitation}),
    )
    def get_invitation(self, call: Call) -> Reply:
        table = self._service.tables.load(table_id(call)).state
        if not belongs_to(table, call.asker.id):
            raise Forbidden(ForbiddenCode.NOT_INVITED)
        return Reply(Invitation(self._service.identities.invitation(table.id)), SECRET)
