"""A table replayed commit by commit and served to a browser by its service."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import groupby
from threading import Condition, Lock, Thread
from typing import Any, Final

from werkzeug.serving import WSGIRequestHandler, make_server

from hoodwink.domain.kernel import Viewer
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.service.adapters.store.installation_secret import KEY
from hoodwink.service.application.ports import Appended, Commit, IdempotencyKey, StreamId
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.http.app import create_app
from hoodwink.service.http.framework.streaming import STREAM_HEADERS
from hoodwink.service.http.messages.answers import HEAD_DIGITS
from hoodwink.service.http.resources.access import names_at
from hoodwink.service.http.serving.streams.frames import HEARTBEAT, OPENING
from hoodwink.service.http.serving.streams.watched_table import Kind, TableWatcher, WatchedTable
from tests.service.application.world import NOW, StandingClock
from tests.service.http.api import Api, new_service
from tests.service.http.twins import TABLE, inhabitant

WHICH: Final = "X-Twin"
"""The header that selects one of two tables."""

_BEAT_SECONDS: Final = 1


class Follower:
    """A viewer's stream of a table."""

    def __init__(self, table: "LiveTable", viewer: Viewer) -> None:
        """Starts with the current table."""
        loaded, service = table.loaded, table.api.service
        names, now = names_at(service, loaded.state), service.clock.now_ms
        self._kind = Kind(viewer, words=True, with_view=True)
        self._watched = WatchedTable(loaded, names, now)
        self.sent: list[bytes] = []
        TableWatcher(self, self._kind, None, 0, now).snapshot(loaded, names)

    def follow(self, records: Sequence[Recorded]) -> None:
        for recorded in records:
            self._watched.apply(recorded)
        self.write(self._watched.frames(records, self._kind))

    def write(self, chunk: bytes) -> None:
        self.sent.append(chunk)

    def end(self) -> None:
        pass


class LiveTable:
    """A table replayed commit by commit, and followed by its viewer in a browser.

    Attributes:
        heads: the hashes of its events, which are blinded and so may differ between twins.
        version: the version of the latest event.
    """

    def __init__(self, whole: Api, viewer: Viewer) -> None:
        """Restarts a table that was already played in a service.

        Args:
            whole: a service with the whole table (tests/service/http/twins.py).
        """
        entries = whole.service.tables.entries(TABLE)
        self.heads = {
            entry.hash[:digits]: f"head-{entry.version}" for entry in entries for digits in (HEAD_DIGITS, 64)
        }
        self._rest = deque(tuple(group) for _, group in groupby(entries, key=lambda entry: entry.cmd))
        self._clock = StandingClock()
        service = new_service(clock=self._clock)
        service.client.set(KEY, b"the same in both services")
        self.api = Api(service, create_app(service))
        seats = range(len(whole.service.tables.load(TABLE).state.seats))
        people = [inhabitant(self.api, seat) for seat in seats]
        self.viewer, self.player = viewer, people[viewer] if isinstance(viewer, int) else None
        self.version, self._head = 0, ""
        self._followers: list[Follower] = []
        self._changed = Condition()
        self._lock = Lock()
        self._is_over = False
        self.advance(len(seats) + 2)  # opened, seats taken, started

    @property
    def commits_left(self) -> int:
        return len(self._rest)

    @property
    def loaded(self) -> LoadedTable:
        return self.api.service.tables.load(TABLE)

    def advance(self, commits: int = 1) -> None:
        """Adds commits, and sends them to followers in one message."""
        with self._changed:
            before = self.version
            for _ in range(min(commits, len(self._rest))):
                self._append(self._rest.popleft())
            records = self.api.service.tables.history(TABLE, after=before)
            for follower in self._followers:
                follower.follow(records)
            self._changed.notify_all()

    def _append(self, commit: tuple[Entry, ...]) -> None:
        self._clock.now = max(NOW, commit[-1].at)
        answer = self.api.service.store.append(
            Commit(
                stream=StreamId("table", TABLE),
                expected_version=self.version,
                expected_head=self._head,
                entries=commit,
                key=IdempotencyKey(commit[0].cmd, ""),
            )
        )
        self.version, self._head = commit[-1].version, commit[-1].hash
        assert answer == Appended(self.version)

    def end(self) -> None:
        """Ends the streams."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    # ----------------------------------------------------------------------- for a browser

    def application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answers a stream with all earlier and later messages, and other requests through the service."""
        path = environ["PATH_INFO"]
        if "text/event-stream" in environ.get("HTTP_ACCEPT", ""):
            start_response("200 OK", [("Content-Type", "text/event-stream"), *STREAM_HEADERS.items()])
            return self._stream(self._following(environ) if path.startswith("/v1/tables/") else [])
        if path.endswith("/actions"):
            _make_late(environ)
        with self._lock:
            return list(self.api.app(environ, start_response))

    def _following(self, environ: Mapping[str, Any]) -> list[bytes]:
        """Returns the messages to the viewer from now on."""
        is_spectator = "HTTP_AUTHORIZATION" not in environ or "viewer=spectator" in environ["QUERY_STRING"]
        with self._changed:
            follower = Follower(self, "spectator" if is_spectator else self.viewer)
            self._followers.append(follower)
            return follower.sent

    def _stream(self, sent: list[bytes]) -> Iterator[bytes]:
        yield OPENING
        done = 0
        while not self._is_over:
            with self._changed:
                if len(sent) == done:
                    self._changed.wait(_BEAT_SECONDS)
                chunks, done = sent[done:], len(sent)
            yield b"".join(chunks) or HEARTBEAT


def _make_late(environ: dict[str, Any]) -> None:
    """Changes an action's request so that it is refused, because its effects may differ between twins."""
    action = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    body = json.dumps(action | {"expected_version": 1}).encode()
    environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}


class _Quiet(WSGIRequestHandler):
    """Logs no requests."""

    def log_request(self, *_: Any) -> None:
        pass


class TwinServer:
    """Serves two tables at one address, selected by a header."""

    def __init__(self) -> None:
        self.tables: dict[str, LiveTable] = {}
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_Quiet)
        self.address = f"http://127.0.0.1:{self._server.port}"

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        which = environ[f"HTTP_{WHICH.upper().replace('-', '_')}"]
        return self.tables[which].application(environ, start_response)

    @contextmanager
    def running(self) -> Iterator["TwinServer"]:
        """Serves during the block."""
        thread = Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()
