"""A real server flooded with connections, large bodies and streams still serves its players."""

import socket
from contextlib import ExitStack, closing

import pytest
from msgspec.structs import replace

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.direct import service_on
from tests.service.http.server.test_server import LiveTable, ask, code, running
from tests.service.processes import await_true
from tests.service.scraping import free_port

pytestmark = pytest.mark.processes

MIB = 1 << 20
HERE, THERE, ELSEWHERE = "127.0.0.1", "127.0.0.2", "127.0.0.3"
MAX_IDLE = 40
BOUNDS = Settings(
    api_workers=1,
    api_threads=2,
    api_streams=12,
    streams_per_address="6",
    bodies_per_address="2",
    body_megabytes=16,
    connections_per_address=MAX_IDLE,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Yields the port of a server with narrow limits, and a service on the same Redis."""
    folder = tmp_path_factory.mktemp("crowds")
    with EmbeddedRedis(folder=folder / "redis") as redis:
        settings = replace(BOUNDS, port=free_port(), data=str(folder), redis_url=redis.url)
        with (
            running(settings, "hoodwink.service.http.server"),
            service_on(Settings(redis_url=redis.url)) as service,
        ):
            yield settings.port, service


@pytest.fixture
def live_table(server):
    return LiveTable(*server)


class Crowd(ExitStack):
    """Connections to a server from several addresses."""

    def __init__(self, port):
        super().__init__()
        self.port = port

    def send(self, text, address=HERE):
        """Returns a connection after sending some bytes."""
        line = socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=(address, 0))
        self.enter_context(closing(line))
        line.sendall(text)
        return line

    def announce_log(self, length, address=HERE):
        """Returns a connection after sending only the headers of a log, and the question whether to go on."""
        head = f"POST /v1/verify HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-ndjson\r\nContent-Length: {length}"
        return self.send(f"{head}\r\nExpect: 100-continue\r\n\r\n".encode(), address)

    def admit_log(self, length, address=HERE):
        """Returns a connection on which the server waits for a log. The places of earlier ones become free soon."""
        return await_true(lambda: status(line := self.announce_log(length, address)) == 100 and line)

    def stream(self, path, address=HERE, token=""):
        """Returns a connection after requesting a live stream."""
        signed = f"Authorization: Bearer {token}\r\n" if token else ""
        head = f"GET {path}/events HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n{signed}"
        return self.send(f"{head}\r\n".encode(), address)


@pytest.fixture
def crowd(server):
    with Crowd(server[0]) as crowd:
        yield crowd


def status(line):
    return int(line.recv(65536).split()[1])


def answer(line):
    """Returns all bytes until the server closes the connection."""
    return b"".join(iter(lambda: line.recv(65536), b""))


def end_of_stream(line):
    """Returns whether the server ends the stream."""
    heard = b""
    while not heard.endswith(b"0\r\n\r\n"):
        heard += line.recv(65536)
    return True


def is_open(line):
    line.settimeout(0.001)
    try:
        return line.recv(65536) != b""
    except TimeoutError:
        return True


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="only Linux says how long a client is silent")
@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost: h\r\n"], ids=["silent", "half sent"])
def test_excess_idle_connections_of_one_address_are_closed(crowd, live_table, sent):
    listener = crowd.stream(live_table.path, THERE, live_table.tokens[0])
    lines = [crowd.send(sent, THERE) for _ in range(150)]

    assert ask(crowd.port, "GET", "/healthz")[0] == 200
    live_table.act()
    await_true(lambda: len([line for line in lines if is_open(line)]) <= MAX_IDLE)
    assert is_open(listener)


def test_large_bodies_are_bounded_per_address_and_small_ones_pass(crowd, live_table):
    first, _ = (crowd.admit_log(MIB) for _ in range(2))

    refused = answer(crowd.announce_log(MIB))

    assert refused.startswith(b"HTTP/1.1 429 ")
    assert b"retry-after: 5\r\n" in refused.lower()
    assert code(refused.partition(b"\r\n\r\n")[2]) == "too_many_bodies"
    live_table.act()
    assert status(crowd.announce_log(MIB, THERE)) == 100
    first.close()
    crowd.admit_log(MIB)


@pytest.mark.parametrize(("path", "expected"), [("/v1/verify", 429), ("/v1/players", 413)])
def test_a_client_that_sends_before_reading_still_gets_the_refusal(crowd, path, expected):
    for _ in range(2):
        crowd.admit_log(MIB, ELSEWHERE)
    line = crowd.send(
        f"POST {path} HTTP/1.1\r\nHost: h\r\nContent-Length: {8 * MIB}\r\n\r\n".encode(), ELSEWHERE
    )

    for _ in range(8):
        line.sendall(bytes(MIB))

    assert answer(line).startswith(b"HTTP/1.1 %d " % expected)


def test_bytes_of_bodies_are_bounded_per_process(crowd, live_table):
    crowd.admit_log(16 * MIB)

    refused = answer(crowd.announce_log(65 * 1024, THERE))

    assert refused.startswith(b"HTTP/1.1 503 ")
    assert code(refused.partition(b"\r\n\r\n")[2]) == "too_many_bodies"
    live_table.act()


def test_strangers_cannot_take_the_streams_of_seated_players(crowd, live_table):
    here = []
    for _ in range(6):
        here.append(crowd.stream(live_table.path))
        assert status(here[-1]) == 200
    assert status(crowd.stream(live_table.path)) == 429
    assert [status(crowd.stream(live_table.path, THERE)) for _ in range(3)] == [200] * 3
    assert status(crowd.stream(live_table.path, ELSEWHERE)) == 503

    assert status(crowd.stream(live_table.path, ELSEWHERE, live_table.tokens[0])) == 200
    # Anybody can register and follow their own tables, so no places are reserved for that.
    assert status(crowd.stream("/v1/me", ELSEWHERE, live_table.tokens[0])) == 503
    # At the strangers' address, the oldest of them gives way.
    assert status(crowd.stream(live_table.path, HERE, live_table.tokens[1])) == 200
    assert end_of_stream(here[0])
    here[1].settimeout(0.2)
    with pytest.raises(TimeoutError):
        end_of_stream(here[1])
