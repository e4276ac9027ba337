"""The commands' client, with a service that refuses requests over a limit."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest

from hoodwink.service.cli.shared import client as client_module
from hoodwink.service.cli.shared.client import ServiceClient, ServiceError

BODY = b'{"code": "too_many_commands", "detail": "Too many."}'
LASTING = b'{"code": "%s", "detail": "Too many, so end one."}'


class Script(BaseHTTPRequestHandler):
    """Gives prepared answers."""

    protocol_version = "HTTP/1.1"
    answers: ClassVar[list[tuple[int, str | None]]] = []
    body: ClassVar[bytes] = BODY

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        status, after = self.answers.pop(0)
        self.send_response(status)
        if after is not None:
            self.send_header("Retry-After", after)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Script) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def slept(monkeypatch):
    seconds = list[int]()
    monkeypatch.setattr(client_module, "sleep", seconds.append)
    return seconds


def test_the_client_waits_for_the_time_in_retry_after(address, slept):
    Script.answers[:] = [(429, "3"), (429, "1"), (200, None)]

    assert ServiceClient(address).post("/v1/tables", {})["code"] == "too_many_commands"
    assert slept == [3, 1]


@pytest.mark.parametrize(
    ("answers", "waited"),
    [
        ([(429, "61")], []),
        ([(429, "40"), (429, "40")], [40]),
        ([(429, None)], []),
        ([(429, "Wed, 21 Oct 2026 07:28:00 GMT")], []),
        ([(429, "0")], []),
        ([(503, "1")], []),
    ],
)
def test_the_client_gives_up_when_the_wait_is_too_long(address, slept, answers, waited):
    Script.answers[:] = answers

    with pytest.raises(ServiceError, match=r"Too many\. \(too_many_commands\)"):
        ServiceClient(address).post("/v1/tables", {})

    assert slept == waited
    assert Script.answers == []


@pytest.mark.parametrize(
    "code", ["too_many_open_tables", "too_many_bot_tables", "too_many_tournaments", "too_many_bots"]
)
def test_the_client_does_not_retry_permanent_errors(address, slept, monkeypatch, code):
    monkeypatch.setattr(Script, "body", LASTING % code.encode())
    Script.answers[:] = [(429, "60")]

    with pytest.raises(ServiceError, match=rf"^Too many, so end one\. \({code}\)$"):
        ServiceClient(address).post("/v1/tables", {})

    assert (slept, Script.answers) == ([], [])


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'{"code": "x", "faults": 1}'])
def test_an_answer_without_problem_document_is_reported_by_status(address, slept, monkeypatch, body):
    monkeypatch.setattr(Script, "body", body)
    Script.answers[:] = [(500, None)]

    with pytest.raises(ServiceError, match=r"^The service answered 500\.$"):
        ServiceClient(address).post("/v1/tables", {})
