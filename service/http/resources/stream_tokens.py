"""`/v1/me/stream-tokens`: tokens for live streams that a browser opens."""

from service.application.stream_tokens import StreamToken
from service.bootstrap import Service
from service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from service.http.resources.players import SECRET


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
        "header instead, and need no such token.",
        access=Access.PLAYER,
        answer=Answer("The token.", {JSON: StreamToken}),
    )
    def issue_stream_token(self, call: Call) -> Reply:
        return Reply(self._service.stream_tokens.issue(call.asker), SECRET)
