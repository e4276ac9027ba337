"""Live streams in one process that send only when they are read."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from hoodwink.service.http.framework.operations import EVENT_STREAM
from hoodwink.service.http.framework.streaming import STREAMS, SUBSCRIPTION
from hoodwink.service.http.serving.streams.frames import OPENING
from hoodwink.service.http.serving.wsgi import call
from tests.service.http.api import Api, Person
from tests.service.http.caching import check_caching
from tests.service.http.room import Room
from tests.service.http.streams.test_hub import Feed, RecordedStream, hub_over


class LiveStream:
    """A live stream opened by a person.

    Attributes:
        request: the request that opened it.
        headers: the headers of its answer.
    """

    def __init__(self, api: Api, person: Person, path: str, headers: Mapping[str, str]) -> None:
        asking = {} if person.token is None else {"Authorization": f"Bearer {person.token}"}
        sent = Headers({"Accept": EVENT_STREAM, **asking, **headers})
        self.request = EnvironBuilder(path, headers=sent).get_request()
        environ = self.request.environ | {STREAMS: Room()}
        status, answered, body = call(api.app.wsgi_app, environ)
        assert status == HTTPStatus.OK, body
        self.headers = dict(answered)
        check_caching("GET", path, Headers(answered), is_problem=False)
        self._loop, self._hub, self._stream = asyncio.Runner(), hub_over(api, _SilentFeed()), RecordedStream()
        self._stream.write(OPENING)
        self._leave: Any = self._loop.run(self._hub.join(self._stream, environ[SUBSCRIPTION]))

    def read(self) -> str:
        """Returns the bytes sent since the last call."""
        self._loop.run(self._refresh())
        sent = b"".join(self._stream.chunks).decode()
        self._stream.chunks.clear()
        return sent

    async def _refresh(self) -> None:
        await self._hub._refresh(self._hub._watched())
        await self._hub._personal.check()
        await self._hub._jobs.refresh()

    def close(self) -> None:
        self._leave()
        self._loop.run(self._hub.close())
        self._loop.close()


class _SilentFeed(Feed):
    """A feed that never starts, so the hub reads only on request."""

    async def start(self) -> None:
        await asyncio.Event().wait()
