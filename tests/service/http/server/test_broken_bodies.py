"""A command without complete body never takes effect, on real sockets."""

import socket
import struct
from contextlib import closing

import msgspec
import pytest

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.direct import service_on
from tests.service.http.server.test_server import LiveTable, ask, code, running
from tests.service.scraping import free_port

pytestmark = pytest.mark.processes

CHUNKED = "Transfer-Encoding: chunked"
RESIGNING = b'{"confirm":true}'
WHOLE = b"10\r\n" + RESIGNING + b"\r\n0\r\n\r\n"
"""The body of a resignation, as one chunk and the last chunk."""

CHUNKS = {
    "nothing": b"",
    "the end alone": b"0\r\n\r\n",
    "no end": b"10\r\n" + RESIGNING + b"\r\n",
    "no chunk size": b"zz\r\n" + RESIGNING + b"\r\n0\r\n\r\n",
    "no size behind a chunk": b"10\r\n" + RESIGNING + b"\r\nzz\r\n",
    "less than a chunk": b"20\r\n" + RESIGNING,
    "more than a chunk": b"f\r\n" + RESIGNING + b"\r\n0\r\n\r\n",
    "no end of the trailers": b"10\r\n" + RESIGNING + b"\r\n0\r\nX: 1\r\n",
    "all of it": WHOLE,
}
CODINGS = {
    "twice chunked": (f"{CHUNKED}, chunked", 411),
    "chunked in two headers": (f"{CHUNKED}\r\n{CHUNKED}", 411),
    "in capitals": ("TRANSFER-ENCODING: CHUNKED", 411),
    "compressed and chunked": ("Transfer-Encoding: gzip, chunked", 411),
    "behind a length": (f"Content-Length: {len(RESIGNING)}\r\n{CHUNKED}", 411),
    "before a length": (f"{CHUNKED}\r\nContent-Length: {len(RESIGNING)}", 411),
    "behind a length of 0": (f"Content-Length: 0\r\n{CHUNKED}", 411),
    "one that is not ASCII": (f"Transfer-Encoding: é\r\n{CHUNKED}", 411),
    "not chunked at last": ("Transfer-Encoding: chunked, gzip", 400),
    "identity": ("Transfer-Encoding: identity", 400),
    "none": ("Transfer-Encoding:", 400),
}
LENGTHS = {
    "none": ("X: 1", RESIGNING),
    "zero": ("Content-Length: 0", b""),
    "zero twice": ("Content-Length: 00", b""),
    "several": ("Content-Length: 16, 16", RESIGNING),
    "different ones": ("Content-Length: 16\r\nContent-Length: 0", RESIGNING),
    "not a number": ("Content-Length: +16", RESIGNING),
}
LAST = "Connection: close"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Yields the port of a server, and a service on the same Redis."""
    folder = tmp_path_factory.mktemp("bodies")
    with EmbeddedRedis(folder=folder / "redis") as redis:
        settings = Settings(
            port=free_port(), data=str(folder), redis_url=redis.url, api_workers=1, api_threads=2
        )
        with (
            running(settings, "hoodwink.service.http.server"),
            service_on(Settings(redis_url=redis.url)) as service,
        ):
            yield settings.port, service


@pytest.fixture(scope="module")
def table(server):
    """A table that no request changes."""
    return Table(*server)


class Table(LiveTable):
    """A table of two, and raw requests to it."""

    def __init__(self, port, service):
        super().__init__(port, service)
        self.service = service
        self.began = self.version

    @property
    def version(self):
        return self.service.tables.load(self.table).state.version

    def strike(self, lines, body, *, end="open", version="1.1", target=None):
        """Sends a command with these header lines and this body, and returns the whole answer.

        Args:
            end: keep the connection `open`, `close` the sending side, or `reset` the connection.
            target: method and path, by default those of a resignation.
        """
        head = f"{target or f'POST {self.path}/resign'} HTTP/{version}\r\nHost: h\r\n{lines}\r\n"
        head += f"Authorization: Bearer {self.tokens[0]}\r\nContent-Type: application/json\r\n\r\n"
        with closing(socket.create_connection(("127.0.0.1", self.port), timeout=30)) as line:
            line.sendall(head.encode() + body)
            if end == "reset":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return b""
            if end == "close":
                line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: line.recv(65536), b""))

    def is_as_before(self):
        """Returns whether the table is unchanged after all requests were answered."""
        assert ask(self.port, "GET", self.path)[0] == 200
        return self.version == self.began


def status(answer):
    return int(final(answer)[9:12])


def final(answer):
    """Returns the answer without a `100 Continue` before it."""
    return answer.partition(b"\r\n\r\n")[2] if answer.startswith(b"HTTP/1.1 100") else answer


def document(answer):
    return msgspec.json.decode(final(answer).partition(b"\r\n\r\n")[2])


@pytest.mark.parametrize("body", CHUNKS.values(), ids=CHUNKS)
def test_a_chunked_body_is_refused_and_closes_the_connection(table, body):
    answer = table.strike(CHUNKED, body)

    assert (status(answer), document(answer)["code"]) == (411, "length_required")
    assert "Content-Length" in document(answer)["detail"]
    assert b"private, no-store" in answer
    assert table.is_as_before()


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        *[(CHUNKED, body) for body in CHUNKS.values()],
        ("Content-Length: 17", RESIGNING),
        ("Content-Length: 16", b""),
        ("Content-Length: 16\r\nExpect: 100-continue", b""),
    ],
)
@pytest.mark.parametrize("end", ["close", "reset"])
def test_a_truncated_body_has_no_effect(table, lines, body, end):
    answer = table.strike(lines, body, end=end)

    assert answer == b"" or status(answer) in {408, 411}  # the server may also time out first
    assert table.is_as_before()


@pytest.mark.parametrize(("lines", "expected"), CODINGS.values(), ids=CODINGS)
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_transfer_codings_are_not_confused(table, lines, expected, version):
    answer = table.strike(lines, WHOLE, version=version)

    assert status(answer) == (expected if version == "1.1" else 400)  # HTTP/1.0 does not have this header
    assert table.is_as_before()


@pytest.mark.parametrize(("lines", "body"), LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_a_body_without_valid_length_is_refused(table, lines, body, version):
    answer = table.strike(f"{lines}\r\n{LAST}", body, version=version)

    assert status(answer) == 400
    assert table.is_as_before()


@pytest.mark.parametrize("lines", [CHUNKED, "X: 1", "Content-Length: 0"])
def test_event_loop_operations_refuse_chunked_bodies(table, lines):
    legal = ask(table.port, "GET", f"{table.path}/legal-actions", Authorization=f"Bearer {table.tokens[0]}")
    action = msgspec.json.encode(msgspec.json.decode(legal[2])["actions"][0])
    body = f"{len(action):x}\r\n".encode() + action + b"\r\n0\r\n\r\n" if lines == CHUNKED else b""

    answer = table.strike(f"{lines}\r\n{LAST}", body, target=f"POST {table.path}/actions")

    assert document(answer)["code"] == ("length_required" if lines == CHUNKED else "body_missing")
    assert table.is_as_before()


def test_a_command_smuggled_in_a_body_is_not_executed(table):
    hidden = f"POST {table.path}/resign HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {table.tokens[0]}\r\n"
    hidden += f"Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{RESIGNING.decode()}"

    answer = table.strike(CHUNKED, b"0\r\n\r\n" + hidden.encode(), target="POST /v1/players")

    assert (status(answer), answer.count(b"HTTP/1.1")) == (411, 1)
    assert table.is_as_before()


def test_chunked_bodies_are_refused_for_every_method(table):
    for method in ("GET", "DELETE", "PUT"):
        answer = table.strike(CHUNKED, WHOLE, target=f"{method} {table.path}/seats/0")
        assert code(answer.partition(b"\r\n\r\n")[2]) == "length_required"
    assert table.is_as_before()


@pytest.mark.parametrize("lines", ["Content-Length: 16", "Content-Length: 16\r\nExpect: 100-continue"])
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_a_command_with_complete_body_is_executed(server, lines, version):
    table = Table(*server)

    answer = table.strike(f"{lines}\r\n{LAST}", RESIGNING, version=version)

    assert status(answer) == 200
    assert not table.is_as_before()
