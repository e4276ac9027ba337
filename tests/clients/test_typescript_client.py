"""The client in TypeScript plays tables, repeats requests and resumes streams."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest

from tests.clients import node

pytestmark = [pytest.mark.processes, node.needs_packages]


@pytest.mark.parametrize("game", ["blindside", "shithead"])
def test_the_example_plays_a_table_to_its_end(served, compiled, game):
    assert node.run(compiled, "node", "play.js", served, game).startswith("played_out: places [")


NO_REVIEW = {"status": 422, "code": "no_review", "faults": [{"name": "seat", "detail": "Too high."}]}


def job(name: str, state: str, **outcome: Any) -> bytes:
    return json.dumps({"id": name, "kind": name, "state": state, **outcome}).encode()


class Unreliable(BaseHTTPRequestHandler):
    """Answers a command only at the fourth attempt, interrupts a stream after each message, and starts jobs.

    The first stream is quiet for longer than the client's patience before it breaks.
    """

    protocol_version = "HTTP/1.1"
    received: ClassVar[list[dict[str, str]]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/verify":
            self._answer(202, job("verify", "queued"))
            return
        self.received.append(dict(self.headers))
        match len(self.received):
            case 1:
                self._answer(503, b"{}")
            case 2:
                self._answer(429, b"{}", ("Retry-After", "1"), ("Content-Length", "2"))
            case 3:
                self._answer(201, b'{"done": ', ("Content-Length", "14"))
                self.close_connection = True
            case _:
                self._answer(201, b'{"done": true}')

    def do_GET(self) -> None:
        match self.path:
            case "/v1/tables/missing?include=legal_actions":
                self._answer(404, b'{"code": "table_not_found", "detail": "No such table."}')
            case "/v1/tables/t/review":
                self._answer(202, job("review", "running"))
            case "/v1/jobs/verify":
                self._answer(200, job("verify", "done", result={"valid": True}))
            case "/v1/jobs/review":
                self._answer(200, job("review", "failed", problem=NO_REVIEW))
            case _:
                self._stream()

    def _stream(self) -> None:
        self.received.append(dict(self.headers))
        number = len(self.received)
        presence = b"event: presence\ndata: {}\n\n"
        message = b":\n\nid: %d-head\nevent: view\ndata: {}\n\n%bid: 9-lost" % (number, presence)
        self._answer(200, b"%x\r\n%b\r\n" % (len(message), message), ("Transfer-Encoding", "chunked"))
        if "Last-Event-ID" not in self.headers:
            time.sleep(0.5)
        self.close_connection = True

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, text in (
            ("Content-Type", "application/json"),
            *(headers or [("Content-Length", str(len(body)))]),
        ):
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Writes nothing."""


def test_requests_are_repeated_streams_resumed_and_jobs_awaited(compiled):
    Unreliable.received.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Unreliable) as server:
        Thread(target=server.serve_forever).start()
        said = json.loads(
            node.run(compiled, "node", "unreliable.js", f"http://127.0.0.1:{server.server_port}")
        )
        server.shutdown()

    commands, streams = Unreliable.received[:4], Unreliable.received[4:]
    assert said["data"] == {"done": True}
    assert len({headers["Idempotency-Key"] for headers in commands}) == 1
    assert {headers["Authorization"] for headers in Unreliable.received} == {"Bearer hw_1"}
    assert said["events"] == ["5-head", "6-head", "7-head"]
    assert [headers.get("Last-Event-ID") for headers in streams] == [None, "5-head", "6-head"]
    assert {headers["Hoodwink-Invitation"] for headers in streams} == {"code"}
    assert said["jobs"] == [True, "no_review", "seat: Too high."]
    assert said["refused"] == [404, "table_not_found", "No such table."]
