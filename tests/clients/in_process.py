"""hoodwink-client on a service in this process."""

import httpx

from hoodwink_client import AsyncClient


class _Transport(httpx.AsyncBaseTransport):
    def __init__(self, app):
        self._app = app

    async def handle_async_request(self, request):
        path = request.url.path
        if path.startswith("/v1/tables/") and request.headers["Accept"] == "text/event-stream":
            return self._stream(request, f"{path.removesuffix('/events')}?include=legal_actions")
        answer = self._app.test_client().open(
            request.url.raw_path.decode(),
            method=request.method,
            headers=dict(request.headers),
            data=await request.aread(),
        )
        return httpx.Response(answer.status_code, headers=list(answer.headers), content=answer.data)

    def _stream(self, request, path):
        """Returns the stream of a table that ends after its snapshot, since no server is there to wait for more."""
        snapshot = self._app.test_client().get(path, headers=dict(request.headers, Accept="application/json"))
        assert snapshot.status_code == httpx.codes.OK
        messages = b"event: snapshot\ndata: %b\n\nevent: end\ndata: {}\n\n" % snapshot.data
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=messages)


def client_of(person):
    """Returns the client of a person at the API in this process (tests/service/http/api.py)."""
    return AsyncClient("http://service", token=person.token, transport=_Transport(person._client.application))
