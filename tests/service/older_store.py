"""What tests of a store that comes back older share: each API process asked by itself, and tables that go on."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, NamedTuple
from uuid import uuid4

import psutil
from prometheus_client.parser import text_string_to_metric_families

from domain.tables import legal_actions_of, verify_log
from service.bootstrap import Service
from service.http.messages.answers import encode, event_records, legal_answer, table_answer
from service.settings import Settings
from service.supervisor import find_instance
from tests.service.processes import await_true

PATIENCE_SECONDS = 30.0
_DRAWS = 200
"""So many connections reach each API process, however they are shared out."""

_FIELD = re.compile(r"(\w+)=(\S+)")


class Answer(NamedTuple):
    """What came of a request; never a 500, and no 503 that passed by itself."""

    status: int
    body: Any


class ApiProcess:
    """One of the processes that answer requests, asked over connections that it has accepted itself."""

    def __init__(self, settings: Settings, pid: int) -> None:
        self.pid = pid
        self._settings = settings
        self._connection: HTTPConnection | None = None

    def __repr__(self) -> str:
        return f"API process {self.pid}"

    def ask(self, method: str, path: str, token: str = "", body: Any = None, *, key: str = "") -> Answer:
        """Returns the answer, sent again with the same key while the store is away; fails for a 500."""
        headers = _headers(token) | ({} if body is None else _posted(key or uuid4().hex))
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while not (answer := self._asked(method, path, headers, body)):
            assert time.monotonic() < give_up_at, f"{self} does not answer {method} {path}"
            time.sleep(0.02)
        assert answer.status < 500, f"{self} answered {method} {path}: {answer}"
        return answer

    def get(self, path: str, token: str = "") -> Any:
        """Returns the JSON of an answer that must be good."""
        answer = self.ask("GET", path, token)
        assert answer.status == 200, f"{self} answered GET {path}: {answer}"
        return answer.body

    def post(self, path: str, token: str = "", body: Any = None, *, key: str = "") -> Any:
        """Returns the JSON of an answer that must be good."""
        answer = self.ask("POST", path, token, body or {}, key=key)
        assert answer.status < 300, f"{self} answered POST {path} {body}: {answer}"
        return answer.body

    @contextmanager
    def watching(self, path: str, *, last_id: str = "") -> Iterator["Frames"]:
        """Follows a table's events while the block lasts."""
        connection = _connection_to(self._settings, self.pid)
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        connection.request("GET", f"{path}/events", headers=headers)
        # Closing a connection does not end a read in another thread; shutting its socket does.
        sock = connection.sock
        frames = Frames(connection.getresponse())
        try:
            yield frames
        finally:
            with suppress(OSError):
                sock.shutdown(2)
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
        except (OSError, HTTPException):  # it was idle for too long
            self.close()
            return None
        if response.status == 503:
            return None
        is_json = "json" in response.headers.get("Content-Type", "") and b"\n" not in content
        return Answer(response.status, json.loads(content) if is_json else content)


class Frame(NamedTuple):
    """A server-sent event; `id` is `None` where it has none, and empty where it takes the last one back."""

    id: str | None
    event: str
    data: Any


def frame_id(answer: Any) -> str:
    """Returns the id of the event that led to an answer."""
    return f"{answer['version']}-{answer['head'][:16]}"


class Frames:
    """The server-sent events that have come so far."""

    def __init__(self, response: HTTPResponse) -> None:
        self.status = response.status
        self.seen = list[Frame]()
        self._thread = threading.Thread(target=self._read, args=(response,))
        self._thread.start()

    def await_frame(self, wanted: Callable[[Frame], bool], *, after: int = 0) -> int:
        """Returns the place of the first frame of that kind from a place on."""

        def found() -> list[int]:
            return [place for place, frame in enumerate(self.seen) if place >= after and wanted(frame)]

        with suppress(AssertionError):
            await_true(found)
        assert found(), f"no such event came; these did: {[frame[:2] for frame in self.seen]}"
        return found()[0]

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
    """Returns all processes that answer requests."""
    pids = set[int]()
    for _ in range(_DRAWS):
        with suppress(OSError, HTTPException):
            connection = _connected(settings)
            pids.add(_process_behind(settings, connection))
            connection.close()
        if len(pids) == settings.api_workers:
            return tuple(ApiProcess(settings, pid) for pid in sorted(pids))
    raise AssertionError(f"{_DRAWS} connections reached the API processes {pids} alone")


def _connection_to(settings: Settings, pid: int) -> HTTPConnection:
    for _ in range(_DRAWS):
        connection = _connected(settings)
        if _process_behind(settings, connection) == pid:
            return connection
        connection.close()
    raise AssertionError(f"no connection reached API process {pid}")


def _connected(settings: Settings) -> HTTPConnection:
    connection = HTTPConnection(settings.host, settings.port, timeout=10)
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    return connection


def _process_behind(settings: Settings, connection: HTTPConnection) -> int:
    """Returns the process that holds the other end of a connection."""
    port = connection.sock.getsockname()[1]
    for process in _api_family(settings):
        for end in process.net_connections("tcp"):
            if end.raddr and end.raddr.port == port and end.laddr.port == settings.port:
                return int(process.pid)
    raise AssertionError("a connection that no API process has")


def _api_family(settings: Settings) -> list[psutil.Process]:
    instance = find_instance(settings.data_folder)
    assert instance
    for part in psutil.Process(instance.process).children():
        if "service.http.server" in part.cmdline():
            return part.children()
    raise AssertionError("there is no API")


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _posted(key: str) -> dict[str, str]:
    return {"Content-Type": "application/json", "Idempotency-Key": key}


# ---------------------------------------------------------------------------------------- tables


class Party:
    """A started table of two in Blindside, where each action is one event; two people, or one and a bot."""

    def __init__(self, process: ApiProcess, *, people: int = 2, rounds: int = 20) -> None:
        form = {"game": "blindside", "seats": 2, "options": {"rounds": rounds}}
        self.tokens = [process.post("/v1/players")["token"] for _ in range(people)]
        self.id = process.post("/v1/tables", self.tokens[0], form)["view"]["id"]
        self.path = f"/v1/tables/{self.id}"
        for token in self.tokens:
            process.post(f"{self.path}/seats", token)
        for _ in range(2 - people):
            process.post(f"{self.path}/seats", self.tokens[0], {"policy": "random"})
        process.post(f"{self.path}/start", self.tokens[0])

    def view(self, process: ApiProcess) -> Any:
        """Returns the table as a spectator sees it."""
        return process.get(self.path)

    def moves(self, process: ApiProcess) -> tuple[str, list[Any]]:
        """Returns the token of somebody who may act, and their actions; none while a worker has to."""
        for token in self.tokens:
            if actions := process.get(f"{self.path}/legal-actions", token)["actions"]:
                return token, actions
        return "", []

    def act(self, process: ApiProcess, *, choice: int = 0) -> "Move":
        """Lets somebody act, as soon as somebody may."""
        token, actions = await_true(lambda: (found := self.moves(process))[1] and found)
        key = uuid4().hex
        return Move(token, actions[choice], key, self.send(process, token, actions[choice], key))

    def send(self, process: ApiProcess, token: str, action: Any, key: str) -> Any:
        """Asks for an action, perhaps once more; returns the answer."""
        return process.post(f"{self.path}/actions", token, action, key=key)

    def act_until(self, process: ApiProcess, version: int) -> None:
        """Returns when the table has come that far and waits for people alone, or is over."""
        while (view := self.view(process))["view"]["phase"] == "playing":
            waits = bool(self.moves(process)[1])
            if waits and view["version"] >= version:
                return
            if waits:
                self.act(process)

    def act_until_step(self, process: ApiProcess, step: str) -> int:
        """Returns the version at which a person may do that next."""
        while not any(action["type"] == step for action in self.moves(process)[1]):
            if self.moves(process)[1]:
                self.act(process)
        return int(self.view(process)["version"])

    def play_out(self, *processes: ApiProcess) -> bytes:
        """Plays to the end, asking one process after the other; returns the log, which must be valid."""
        acted, give_up_at = 0, time.monotonic() + PATIENCE_SECONDS
        while self.view(processes[acted % len(processes)])["view"]["phase"] == "playing":
            process = processes[acted % len(processes)]
            if self.moves(process)[1]:
                self.act(process, choice=-1)
                acted, give_up_at = acted + 1, time.monotonic() + PATIENCE_SECONDS
            assert time.monotonic() < give_up_at, f"table {self.id} is stuck"
        logs = {process.ask("GET", f"{self.path}/log").body for process in processes}
        assert len(logs) == 1
        log: bytes = logs.pop()
        assert (verdict := verify_log(log)).valid, verdict.finding
        return log


class Move(NamedTuple):
    """An action that was taken, and what was asked and answered."""

    token: str
    action: Any
    key: str
    answer: Any


def told(process: ApiProcess, party: Party) -> Any:
    """Returns what a process says about a table, to a spectator and to each of the people."""
    legal, events = f"{party.path}/legal-actions", f"{party.path}/events?limit=1000"
    return [
        [
            process.get(party.path, token),
            process.get(events, token)["events"],
            token and process.get(legal, token),
        ]
        for token in ("", *party.tokens)
    ]


def true_of(settings: Settings, party: Party) -> Any:
    """Returns what a process that remembers nothing says about a table."""
    service = Service(settings)
    with closing(service.client):
        loaded, history = service.tables.load(party.id), service.tables.history(party.id)
    table, now = loaded.table, service.clock.now_ms()
    answers = [
        [
            table_answer(loaded, viewer),
            event_records(table.game, history, viewer),
            legal_answer(table, viewer, legal_actions_of(table, viewer, now))
            if viewer != "spectator"
            else "",
        ]
        for viewer in ("spectator", *range(len(party.tokens)))
    ]
    return json.loads(encode(answers))


# ----------------------------------------------------------------------------- the service afterwards


class Vanished(NamedTuple):
    """Versions of a table that a process remembered and that the store no longer has."""

    first: int
    last: int


def vanished(settings: Settings, part: str, table: str) -> list[Vanished]:
    """Returns what the log of a part says about a table of which events vanished."""
    lines = (settings.data_folder / "logs" / f"{part}.log").read_text().splitlines()
    fields = [dict(_FIELD.findall(line)) for line in lines if "the store went back" in line]
    return [
        Vanished(int(one["first_vanished"]), int(one["last_vanished"]))
        for one in fields
        if one["table"] == table
    ]


def counted(process: ApiProcess, name: str, labels: dict[str, str]) -> float:
    """Returns the sum of a counter's samples that carry the labels."""
    text = process.ask("GET", "/metrics").body.decode()
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def assert_sound(settings: Settings, process: ApiProcess) -> None:
    """Nothing was answered with a 500, and the audit finds no differences."""
    assert counted(process, "hoodwink_http_requests_total", {"status": "500"}) == 0
    audit = subprocess.run(
        [sys.executable, "-m", "service.cli", "audit"],
        env=os.environ | settings.to_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert audit.returncode == 0, audit.stdout + audit.stderr
