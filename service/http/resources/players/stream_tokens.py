"""`/v1/me/stream-tokens`: tokens for live streams in browsers."""

from marshmallow import fields

from hoodwink.service.application.errors import Forbidden, ForbiddenCode
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.application.players.stream_tokens import StreamToken
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.requests import INVITATION
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.resources.admission import has_invitation


class GuestSchema(QuerySchema):
    """The table for which the token also replaces the invitation code."""

    table = fields.String(
        validate=Whole(ID_PATTERN, "Must be the id of a table."),
        metadata={"description": f"The id of a table whose invitation code you send in `{INVITATION}`."},
    )


class StreamTokenResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/me/stream-tokens",
        tag=Tag.PLAYERS,
        summary="Get a short-lived token for live streams",
        description="For `EventSource`, which sends no `Authorization` header: add the token to the address of a live stream "
        "that has a parameter `token`. For a minute you can open streams with it, and nothing else; open streams continue after that. When "
        "`EventSource` reconnects to the same address later, it gets 401 and gives up: get another token, and open a new one "
        "with `last_event_id`. With `fetch`, you can send the header and need no such token. If you need an invitation code "
        f"to watch a table, send it here in the header `{INVITATION}`, and the table's id as `table`: then the token also "
        "replaces the code.",
        access=Access.PLAYER,
        query=GuestSchema(),
        answer=Answer("The token.", {JSON: StreamToken}),
        refuses=(ForbiddenCode.NOT_INVITED,),
        reads=(INVITATION,),
        stores_nothing=True,  # so banned players, who may still read and watch, can get one, too
    )
    def issue_stream_token(self, call: Call) -> Reply:
        # Checked now, because the token proves the code for the next minute without anybody asking for it again.
        table = call.query.get("table", "")
        if table and not has_invitation(self._service, call, table):
            raise Forbidden(ForbiddenCode.NOT_INVITED)
        return Reply(self._service.stream_tokens.issue(call.actor, table_id=table))
