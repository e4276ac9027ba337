"""docs/CLIENT.md is correct: its client plays every game, operations and codes exist, and the transcript is real."""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import codes_of
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.http.examples import transcript
from tests.service.http.refused.listed import operation_at

GUIDE = transcript.CLIENT.read_text(encoding="utf-8")
(SOURCE,) = re.findall(r"^```python\n(.*?)^```", GUIDE, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture
def client():
    """The names defined by the client's module."""
    defined: dict[str, Any] = {"__name__": "client"}
    exec(compile(SOURCE, "client.py", "exec"), defined)
    return defined


@pytest.mark.processes
def test_the_client_plays_every_game_to_its_end(client, tmp_path):
    with isolated_service(Settings(port=0, data=str(tmp_path))) as running:
        results = {game: client["play"](address(running), game, bot_delay=0, round_pause=0) for game in GAMES}
    assert {game: result["outcome"] for game, result in results.items()} == dict.fromkeys(GAMES, "played_out")


PAUSES = list[int]()
"""The waiting times of the client of an unreliable service, in seconds."""


class Unreliable(BaseHTTPRequestHandler):
    """Answers a command only at the fourth attempt, and interrupts a stream after each message."""

    protocol_version = "HTTP/1.1"
    received: ClassVar[list[tuple[str | None, str | None]]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.headers["Idempotency-Key"], None))
        match len(self.received):
            case 1:
                self._answer(503, b"{}")
            case 2:
                self._answer(429, b"{}", ("Retry-After", "7"), ("Content-Length", "2"))
            case 3:
                self._answer(200, b'{"done": ', ("Content-Length", "14"))
                self.close_connection = True
            case _:
                self._answer(200, b'{"done": true}')

    def do_GET(self) -> None:
        self.received.append((None, self.headers["Last-Event-ID"]))
        number = len(self.received)
        message = b':\n\nid: %d-head\nevent: view\ndata: {"version": %d}\n\n' % (number, number)
        self._answer(200, b"%x\r\n%b\r\n" % (len(message), message), ("Transfer-Encoding", "chunked"))
        self.close_connection = True

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, text in headers or [("Content-Length", str(len(body)))]:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Writes nothing."""


@pytest.fixture
def unreliable(client):
    """A client of an unreliable service that retries without waiting."""
    PAUSES.clear()
    client["time"] = SimpleNamespace(sleep=PAUSES.append)
    Unreliable.received.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Unreliable) as server:
        Thread(target=server.serve_forever).start()
        yield client["Client"](f"http://127.0.0.1:{server.server_port}")
        server.shutdown()


def test_the_client_repeats_a_request_with_the_same_key(unreliable):
    assert unreliable.ask("POST", "/v1/players", {}) == {"done": True}

    keys = [key for key, _ in Unreliable.received]
    assert len(keys) == 4
    assert PAUSES == [1, 7, 1]
    assert set(keys) == {keys[0]} != {None}


def test_the_client_resumes_a_stream_after_the_last_message(unreliable):
    messages = unreliable.follow("/v1/tables/somewhere/events?with=view")

    assert [next(messages) for _ in range(3)] == [("view", {"version": number}) for number in (1, 2, 3)]
    assert [resumed for _, resumed in Unreliable.received] == [None, "1-head", "2-head"]


def test_the_transcript_matches_requests_and_answers():
    """To update the transcript, run `python -m tests.service.http.examples` and review the difference."""
    for page, text in transcript.pages_with_transcript().items():
        assert page.read_text(encoding="utf-8") == text, page.name


def test_every_mentioned_operation_exists():
    named = re.findall(r"\b(GET|POST|PATCH|DELETE) (/v1/[^\s`?,]+)", GUIDE)

    assert len(named) > 20
    assert [request for request in named if operation_at(*request) is None] == []


def test_every_mentioned_code_exists():
    named = re.findall(r"\b[45]\d\d `([a-z_]+)`", GUIDE)

    assert named
    assert set(named) <= set(map(str, codes_of(API)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_guide_covers_the_peculiarities_of_each_game(game):
    assert f"\n| {game.title} | " in GUIDE
