"""The processes of the API, asked one by one. A new connection reaches any of them, and each has its own cache."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, NamedTuple
from uuid import uuid4

import psutil

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import find_instance
from tests.service.processes import PATIENCE_SECONDS, await_true

QUIET_SECONDS = 60.0
"""Longer than the interval between two heartbeats of a stream."""

_ATTEMPTS = 200
"""The number of connections that reaches every API process for any distribution by the kernel."""


class Answer(NamedTuple):
    """The answer to a request; never a 500, and no 503 that a retry resolved."""

    status: int
    body: Any


class ApiProcess:
    """One API process, asked over connections it accepted."""

    def __init__(self, settings: Settings, pid: int) -> None:
        self.pid = pid
        self._settings = settings
        self._connection: HTTPConnection | None = None

    def __repr__(self) -> str:
        return f"API process {self.pid}"

    def ask(self, method: str, path: str, token: str = "", body: Any = None, *, key: str = "") -> Answer:
        """Returns the answer; retries with the same key while the store is unavailable, and fails for a 500."""
        headers = _headers(token) | ({} if body is None else _posted(key or uuid4().hex))
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while not (answer := self._asked(method, path, headers, body)):
            assert time.monotonic() < give_up_at, f"{self} does not answer {method} {path}"
            time.sleep(0.02)
        assert answer.status < 500, f"{self} answered {method} {path}: {answer}"
        return answer

    def get(self, path: str, token: str = "") -> Any:
        """Returns the JSON of a successful answer; fails for any other."""
        answer = self.ask("GET", path, token)
        assert answer.status == 200, f"{self} answered GET {path}: {answer}"
        return answer.body

    def post(self, path: str, token: str = "", body: Any = None, *, key: str = "") -> Any:
        """Returns the JSON of a successful answer; fails for any other."""
        answer = self.ask("POST", path, token, body or {}, key=key)
        assert answer.status < 300, f"{self} answered POST {path} {body}: {answer}"
        return answer.body

    @contextmanager
    def watching(self, path: str, token: str = "", *, last_id: str = "") -> Iterator["Frames"]:
        """Follows a table's events while the block lasts."""
        connection = _connection_to(self._settings, self.pid)
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        connection.request("GET", f"{path}/events", headers=headers | _headers(token))
        sock = connection.sock
        sock.settimeout(QUIET_SECONDS)
        frames = Frames(connection.getresponse())
        try:
            yield frames
        finally:
            with suppress(OSError):  # unlike `close`, it ends a read in another thread
                sock.shutdown(socket.SHUT_RDWR)
            frames.join()
            connection.close()

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _asked(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answer | None:
        try:
            if self._connection is None:
                self._connection = _connection_to(self._settings, self.pid)
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, HTTPException):  # the server may have closed an idle connection
            self.close()
            return None
        if response.status == 503:
            return None
        is_json = "json" in response.headers.get("Content-Type", "") and b"\n" not in content
        return Answer(response.status, json.loads(content) if is_json else content)


class Frame(NamedTuple):
    """A server-sent event; `id` is `None` if missing, and empty if it resets the last event id."""

    id: str | None
    event: str
    data: Any


def frame_id(answer: Any) -> str:
    """Returns the id of the event that led to an answer."""
    return f"{answer['version']}-{answer['head'][:16]}"


class Frames:
    """The server-sent events received so far."""

    def __init__(self, response: HTTPResponse) -> None:
        self.status = response.status
        self.seen = list[Frame]()
        self._thread = threading.Thread(target=self._read, args=(response,))
        self._thread.start()

    def await_frame(self, wanted: Callable[[Frame], bool], *, after: int = 0) -> int:
        """Returns the index of the first wanted frame, counted from the start, at or after an index."""

        def found() -> list[int]:
            return [index for index, frame in enumerate(self.seen) if index >= after and wanted(frame)]

        with suppress(AssertionError):
            await_true(found)
        assert found(), f"no such event was received, only these: {[frame[:2] for frame in self.seen]}"
        return found()[0]

    @property
    def have_ended(self) -> bool:
        """Whether the server has ended the stream."""
        return not self._thread.is_alive()

    def join(self) -> None:
        self._thread.join()

    def _read(self, response: HTTPResponse) -> None:
        fields = dict[str, str]()
        with suppress(OSError, HTTPException, ValueError):
            for raw in response:
                name, _, value = raw.decode().rstrip("\n").partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
                elif fields:
                    if "data" in fields:
                        event = fields.get("event", "message")
                        self.seen.append(Frame(fields.get("id"), event, json.loads(fields["data"])))
                    fields = {}


def api_processes(settings: Settings) -> tuple[ApiProcess, ...]:
    """Returns all API processes."""
    pids = set[int]()
    for _ in range(_ATTEMPTS):
        with suppress(OSError, HTTPException):
            connection = _connected(settings)
            pids.add(_process_behind(settings, connection))
            connection.close()
        if len(pids) == settings.api_workers:
            return tuple(ApiProcess(settings, pid) for pid in sorted(pids))
    raise AssertionError(f"{_ATTEMPTS} connections reached only the API processes {pids}")


def _connection_to(settings: Settings, pid: int) -> HTTPConnection:
    for _ in range(_ATTEMPTS):
        connection = _connected(settings)
        if _process_behind(settings, connection) == pid:
            return connection
        connection.close()
    raise AssertionError(f"no connection reached API process {pid}")


def _connected(settings: Settings) -> HTTPConnection:
    connection = HTTPConnection(settings.host, settings.port, timeout=30)
    try:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    except OSError:
        connection.close()
        raise
    return connection


def _process_behind(settings: Settings, connection: HTTPConnection) -> int:
    """Returns the process that holds the other end of a connection."""
    port = connection.sock.getsockname()[1]

    def found() -> list[int]:
        return [
            process.pid
            for process in _api_family(settings)
            for end in process.net_connections("tcp")
            if end.raddr and end.raddr.port == port and end.laddr.port == settings.port
        ]

    # The list that the kernel gives may lack a connection while others come and go.
    (pid,) = await_true(found, within_s=10)
    return int(pid)


def _api_family(settings: Settings) -> list[psutil.Process]:
    instance = find_instance(settings.data_folder)
    assert instance
    for part in psutil.Process(instance.process).children():
        if "hoodwink.service.http.server" in part.cmdline():
            return part.children()
    raise AssertionError("no API runs")


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _posted(key: str) -> dict[str, str]:
    return {"Content-Type": "application/json", "Idempotency-Key": key}
