"""`/v1/me/stream-tokens`: tokens for live streams that a browser opens."""

from marshmallow import fields

from hoodwink.service.application.errors import Forbidden, ForbiddenCode
from hoodwink.service.application.players.players import ID_PATTERN
from hoodwink.service.application.players.stream_tokens import StreamToken
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.requests import INVITATION
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.resources.admission import has_invitation


class GuestSchema(QuerySchema):
    """The table for which the token stands for an invitation code, too."""

    table = fields.String(
        validate=Whole(ID_PATTERN, "Must be the id of a table."),
        metadata={"description": f"The id of a table whose invitation code you send in `{INVITATION}`."},
    )


class StreamTokenResource:
    """Issues tokens for live streams."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/me/stream-tokens",
        tag=Tag.PLAYERS,
        summary="Get a token of short life for live streams",
        description="For `EventSource`, which sends no `Authorization` header: add the token to the address of a live "
        "stream, as `token`. It is valid for a minute, for beginning streams and nothing else; a stream that has begun "
        "goes on. `EventSource` connects again with the same address, which is refused with 401 after that minute, and "
        "then it gives up: get another token, and open a new one with `last_event_id`. With `fetch` you can send the "
        "header instead, and need no such token. Where you need an invitation code to watch a table, send it here, in the "
        f"header `{INVITATION}`, and name the table (`table`): the token then stands for the code, too.",
        access=Access.PLAYER,
        query=GuestSchema(),
        answer=Answer("The token.", {JSON: StreamToken}),
        refuses=(ForbiddenCode.NOT_INVITED,),
        reads=(INVITATION,),
        stores_nothing=True,
    )
    def issue_stream_token(self, call: Call) -> Reply:
        table = call.query.get("table", "")
        if table and not has_invitation(self._service, call, table):
            raise Forbidden(ForbiddenCode.NOT_INVITED)
        return Reply(self._service.stream_tokens.issue(call.actor, table_id=table))
