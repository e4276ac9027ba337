"""The server on real sockets: requests, bodies, streams and shutdown."""

import gzip
import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import psutil
import pytest

from hoodwink.service.http.messages.problems import MEDIA_TYPE
from hoodwink.service.http.server import server
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service import scraping
from tests.service.direct import service_on
from tests.service.http.refused.listed import check_listed
from tests.service.http.serving import MAX_STREAMS, ORIGIN
from tests.service.processes import await_true, is_alive
from tests.service.scraping import free_port

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("server") / "redis") as server:
        yield server


@pytest.fixture
def settings(redis, tmp_path):
    """Settings of a server for one test."""
    return Settings(port=free_port(), data=str(tmp_path), redis_url=redis.url, api_workers=1, api_threads=2)


@pytest.fixture(scope="module")
def port(redis):
    """The port of a server with small limits."""
    settings = Settings(port=free_port(), redis_url=redis.url, api_workers=1, api_threads=2)
    with running(settings, "tests.service.http.serving"):
        yield settings.port


@pytest.fixture(scope="module")
def service(redis):
    """A service on the same Redis, in place of the workers."""
    with service_on(Settings(redis_url=redis.url)) as service:
        yield service


@pytest.fixture
def live_table(port, service):
    return LiveTable(port, service)


@contextmanager
def running(settings, module, **variables):
    """Runs a server in its own process until the block ends."""
    environment = {**os.environ, **settings.to_environment(), **variables}
    process = subprocess.Popen([sys.executable, "-m", module], cwd=ROOT, env=environment)
    try:
        await_true(lambda: answers(settings.port), within_s=60)
        yield process
    finally:
        for child in psutil.Process(process.pid).children(recursive=True) if process.poll() is None else ():
            child.kill()
        process.kill()
        process.wait()


def answers(port):
    try:
        return ask(port, "GET", "/readyz")[0] == 200
    except OSError:
        return False


def ask(port, method, path, body=None, **headers):
    """Sends a request; returns status, headers and body of the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    with closing(connection):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        content = answer.read()
        if answer.getheader("content-type") == MEDIA_TYPE:
            check_listed(method, path, answer.status, content)
        return answer.status, dict(answer.getheaders()), content


def raw(port, sent, *more):
    """Sends bytes; returns all bytes received until the server closes the connection."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as connection:
        for chunk in (sent, *more):
            connection.sendall(chunk)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
            try:
                connection.getpeername()
            except OSError:
                break
        return received


def request_large_answer(port, length):
    """Returns a new connection on which an answer of this size was requested."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", port))
    connection.sendall(f"GET /echo/large?{length} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode())
    return connection


def is_held(connection):
    """Returns whether the server's process still holds its end of a connection."""
    held = psutil.CONN_ESTABLISHED, connection.getsockname()
    # The list that the kernel gives may lack a connection while others come and go.
    looks = (psutil.net_connections("tcp4") for _ in range(3))
    return any(held == (end.status, end.raddr) for ends in looks for end in ends)


def code(answer):
    return msgspec.json.decode(answer)["code"]


class TestRequests:
    def echoed(self, answer):
        return dict(line.split("=", 1) for line in answer.decode("latin-1").splitlines() if "=" in line)

    def test_requests_reach_the_application_unchanged(self, port):
        status, headers, body = ask(
            port, "POST", "/echo/a%2Fb%20%C3%A9?q=%FF&x=1+2", b"hello", Content_Type="text/x", X_A="1"
        )

        echoed = self.echoed(body)
        assert status == 200
        assert echoed["PATH_INFO"].encode("latin-1").decode() == "/echo/a/b é"
        assert (echoed["QUERY_STRING"], echoed["body"], echoed["CONTENT_TYPE"]) == (
            "q=%FF&x=1+2",
            "b'hello'",
            "text/x",
        )
        assert (echoed["HTTP_X_A"], echoed["CONTENT_LENGTH"], echoed["REMOTE_ADDR"]) == (
            "1",
            "5",
            "127.0.0.1",
        )
        assert headers.get("connection") != "close"

    def test_repeated_headers_are_joined_and_underscored_ones_dropped(self, port):
        received = raw(
            port,
            b"GET /echo HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nX-A: 2\r\nCookie: a=1\r\nCookie: b=2\r\nX_B: spoof\r\n"
            b"Connection: close\r\n\r\n",
        )

        assert b"HTTP_X_A=1, 2" in received
        assert b"HTTP_COOKIE=a=1; b=2" in received
        assert b"spoof" not in received
        assert received.lower().count(b"x-twice:") == 2

    def test_an_unreadable_header_reaches_the_application(self, port):
        received = raw(
            port,
            "GET /echo HTTP/1.1\r\nHost: h\r\nX-A: é\r\nX-B: 1\r\nX-B: 2\r\nConnection: close\r\n\r\n".encode(),
        )

        assert "HTTP_X_A=\xff".encode("latin-1") in received
        assert b"HTTP_X_B=1, 2" in received

    @pytest.mark.parametrize(
        ("method", "path", "header", "expected"),
        [
            ("POST", "/v1/players", "Idempotency-Key", (400, "invalid_header")),
            ("GET", "{}", "Authorization", (401, "token_invalid")),
            ("GET", "{}/events", "Last-Event-ID", (400, "invalid_header")),
            ("GET", "{}", "Accept", (406, "not_acceptable")),
            ("POST", "{}/start", "If-Match", (412, "precondition_failed")),
        ],
    )
    def test_an_unreadable_header_does_not_count_as_absent(
        self, port, live_table, method, path, header, expected
    ):
        path = path.format(live_table.path)
        lines = {
            "Host": "h",
            "Connection": "close",
            "Content-Type": "application/json",
            "Content-Length": "2",
        }
        if header != "Authorization":
            lines["Authorization"] = f"Bearer {live_table.tokens[0]}"
        lines[header] = "é"
        head = "".join([f"{name}: {value}\r\n" for name, value in lines.items()])

        received = raw(port, f"{method} {path} HTTP/1.1\r\n{head}\r\n{{}}".encode())

        assert (int(received[9:12]), code(received.partition(b"\r\n\r\n")[2])) == expected

    @pytest.mark.parametrize("query", ["version=٣", "viewer=é", "é=1"])
    def test_a_non_ascii_query_is_refused_like_any_invalid_one(self, port, live_table, query):
        asked = f"GET {live_table.path}?{query} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

        received = raw(port, asked.encode())

        assert (int(received[9:12]), code(received.partition(b"\r\n\r\n")[2])) == (400, "invalid_query")

    def test_a_body_in_pieces_arrives_whole(self, port):
        head = b"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nConnection: close\r\n\r\n"

        assert b"body=b'hello world'" in raw(port, head, b"hello", b" world")

    @pytest.mark.parametrize(
        ("head", "body"),
        [
            (b"Content-Length: 101", b""),
            (b"Content-Length: 101", b"x" * 101),
            (b"Content-Length: 99999999999", b""),
        ],
    )
    def test_an_oversized_body_is_refused_before_it_arrives(self, port, head, body):
        received = raw(port, b"POST /echo/small HTTP/1.1\r\nHost: h\r\n" + head + b"\r\n\r\n" + body)

        assert received.startswith(b"HTTP/1.1 413")
        assert code(received.partition(b"\r\n\r\n")[2]) == "body_too_large"

    def test_a_body_of_maximum_size_is_accepted(self, port):
        assert ask(port, "POST", "/echo/small", b"x" * 100)[0] == 200

    def test_a_body_that_does_not_arrive_times_out(self, port):
        received = raw(port, b"POST /echo/small HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab")

        assert received.startswith(b"HTTP/1.1 408")
        assert code(received.partition(b"\r\n\r\n")[2]) == "body_incomplete"

    def test_missing_bodies_do_not_delay_other_requests(self, port):
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        for connection in slow:
            connection.sendall(b"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab")

        assert ask(port, "GET", "/healthz")[0] == 200
        for connection in slow:
            connection.close()

    @pytest.mark.skipif(
        not hasattr(socket, "TCP_INFO"), reason="only Linux reports how much the client has received"
    )
    def test_a_stalled_client_is_cut_off_and_a_slow_one_is_not(self, port):
        length = 15_000_000
        with ExitStack() as stack:
            slow, stalled = (stack.enter_context(request_large_answer(port, length)) for _ in range(2))
            received = 0

            def is_cut_off():
                nonlocal received
                received += len(slow.recv(16_384))
                return not is_held(stalled)

            await_true(is_cut_off)
            assert is_held(slow)
            assert received < length
            while chunk := slow.recv(1 << 20):
                received += len(chunk)
            assert length < received < length + 1000

    def test_only_requests_in_the_fast_lane_run_on_the_event_loop(self, port):
        # The lane opens once it has connected to Redis.
        await_true(lambda: self.thread(port, "/echo/lane") == "MainThread", within_s=60)

        assert self.thread(port, "/echo/lane?long=1").startswith("wsgi_")
        assert self.thread(port, "/echo").startswith("wsgi_")

    def thread(self, port, path):
        return self.echoed(ask(port, "GET", path)[2])["thread"]

    @pytest.mark.parametrize("path", ["/echo/lane", "/echo"])
    def test_simultaneous_requests_keep_their_ids(self, port, path):
        ids = [f"r{number}" for number in range(60)]
        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda id_: ask(port, "GET", path, X_Request_Id=id_), ids))
        assert [headers["x-request-id"] for _, headers, _ in answers] == ids
        assert [self.echoed(body)["request"] for _, _, body in answers] == ids

    @pytest.mark.parametrize(
        "request_line",
        [
            b"GET /v1/tables/none HTTP/1.1\r\n",
            b"GET /v1/nothing HTTP/1.1\r\n",
            b"OPTIONS /v1/tables HTTP/1.1\r\n",
            b"OPTIONS /v1/tables HTTP/1.1\r\nOrigin: %b\r\nAccess-Control-Request-Method: POST\r\n"
            % ORIGIN.encode(),
            b"GET /docs HTTP/1.1\r\n",
            b"GET / HTTP/1.1\r\n",
            b"HEAD /games HTTP/1.1\r\nIf-None-Match: *\r\n",
            b"GET /nowhere HTTP/1.1\r\nAccept: text/html\r\n",
            b"GET /page/none/app.js HTTP/1.1\r\n",
            b"GET /metrics HTTP/1.1\r\n",
            b"GET /echo/fault HTTP/1.1\r\n",
            b"POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n",
            b"POST /echo/small HTTP/1.1\r\nContent-Length: 101\r\n",
        ],
    )
    def test_every_answer_has_a_request_id_and_nosniff(self, port, request_line):
        head = request_line + b"Host: x\r\nConnection: close\r\n"
        answer = raw(port, head + b"X-Request-Id: mine.1\r\n\r\n")
        assert answer.count(b"x-request-id: mine.1\r\n") == 1
        assert answer.count(b"x-content-type-options: nosniff\r\n") == 1
        assert raw(port, head + b"X-Request-Id: not/mine\r\n\r\n").count(b"x-request-id: ") == 1

    def test_an_application_error_is_answered_with_a_problem(self, port):
        status, _, body = ask(port, "GET", "/echo/fault")

        assert (status, code(body)) == (500, "internal_error")

    @pytest.mark.parametrize(
        "sent",
        [
            b"GARBAGE\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: h\r\nBad Header: 1\r\n\r\n",
            b"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: -3\r\n\r\nabcd",
            b"POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        ],
    )
    def test_malformed_requests_are_refused(self, port, sent):
        assert raw(port, sent).startswith(b"HTTP/1.1 400")

    def test_the_server_answers_like_the_application(self, port):
        status, headers, body = ask(port, "PUT", "/v1/games")

        assert (status, code(body), headers["allow"]) == (405, "method_not_allowed", "GET, HEAD, OPTIONS")
        assert ask(port, "HEAD", "/v1/games")[2] == b""


class TestPage:
    def test_the_document_and_its_files_are_sent_compressed(self, port):
        status, headers, body = ask(port, "GET", "/", Accept_Encoding="gzip")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        (entry,) = re.findall(r'src="(.*?)"', gzip.decompress(body).decode())

        status, headers, body = ask(port, "GET", entry, Accept_Encoding="gzip")

        assert (status, headers["content-type"]) == (200, "text/javascript; charset=utf-8")
        assert "immutable" in headers["cache-control"]
        assert gzip.decompress(body) == ask(port, "GET", entry)[2]

    def test_head_and_not_modified_have_no_body(self, port):
        whole, head = (ask(port, method, "/", Accept_Encoding="gzip") for method in ("GET", "HEAD"))
        tag = whole[1]["etag"]

        assert (head[0], head[2], head[1]["content-length"]) == (200, b"", str(len(whole[2])))
        for method in ("GET", "HEAD"):
            known = f"{method} / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nIf-None-Match: {tag}\r\n\r\n"
            answer = raw(port, known.encode())
            assert answer.startswith(b"HTTP/1.1 304")
            assert answer.endswith(b"\r\n\r\n")
            assert b"content-security-policy" in answer

    @pytest.mark.parametrize("path", ["..", "%2e%2e", "..%2f..", "%2e%2e%2f%2e%2e"])
    def test_only_files_of_the_page_can_be_reached(self, port, path):
        (root,) = re.findall(r'src="(.*?)/app.js"', ask(port, "GET", "/")[2].decode())
        received = raw(
            port, f"GET {root}/{path}/files.py HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode()
        )

        assert (received[9:12], code(received.partition(b"\r\n\r\n")[2])) == (b"404", "route_not_found")


class TestOtherOrigins:
    @pytest.mark.parametrize(
        ("method", "path", "status"),
        [
            ("GET", "{}", 200),  # in the fast lane
            ("GET", "{}?version=1", 200),
            ("GET", "{}/nowhere", 404),
            ("POST", "{}/actions", 401),
            ("POST", "/echo/fault", 500),
            ("HEAD", "{}/events", 200),
            ("OPTIONS", "{}/actions", 204),
        ],
    )
    def test_a_page_of_a_listed_origin_can_read_every_answer(self, port, live_table, method, path, status):
        answer = ask(port, method, path.format(live_table.path), Origin=ORIGIN, Accept="*/*")

        assert (answer[0], answer[1]["access-control-allow-origin"]) == (status, ORIGIN)
        assert "ETag" in answer[1]["access-control-expose-headers"]

    def test_a_page_can_read_that_its_body_was_refused(self, port):
        received = raw(
            port,
            f"POST /echo HTTP/1.1\r\nHost: h\r\nOrigin: {ORIGIN}\r\nTransfer-Encoding: chunked\r\n\r\n".encode(),
        )

        assert received.startswith(b"HTTP/1.1 411")
        assert f"access-control-allow-origin: {ORIGIN}".encode() in received

    def test_a_page_can_send_commands_with_token_and_key(self, port):
        asked = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "authorization"}
        status, headers, _ = ask(port, "OPTIONS", "/v1/tables", Origin=ORIGIN, **asked)

        assert status == 204
        assert {"Authorization", "Idempotency-Key"} <= set(
            headers["access-control-allow-headers"].split(", ")
        )

    def test_a_page_can_follow_a_stream(self, port, live_table):
        with closing(Listener(port, live_table.table, Origin=ORIGIN)) as listener:
            received = listener.until(b"event: snapshot")

        assert f"access-control-allow-origin: {ORIGIN}".encode() in received

    def test_a_page_of_an_unlisted_origin_can_read_nothing(self, port, live_table):
        headers = ask(port, "GET", live_table.path, Origin="https://elsewhere.example.org")[1]

        assert "access-control-allow-origin" not in headers


class Listener:
    """A client that follows a live stream."""

    def __init__(self, port, table, *, path=None, **headers):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        named = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        self.connection.sendall(
            f"GET {path or f'/v1/tables/{table}/events'} HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n{named}\r\n".encode()
        )
        self.received = b""

    def until(self, text):
        """Reads until the text arrives; returns everything received so far."""
        while text not in self.received:
            chunk = self.connection.recv(65536)
            assert chunk, self.received
            self.received += chunk
        return self.received

    def view(self, version):
        """Reads until a view of this version arrives; returns it."""
        self.until(b"id: %d-" % version)
        start = self.received.index(b"data: ", self.received.index(b"id: %d-" % version)) + len(b"data: ")
        while b"\n\n" not in self.received[start:]:
            self.received += self.connection.recv(65536)
        return msgspec.json.decode(self.received[start:].partition(b"\n\n")[0])

    def rest(self):
        """Reads until the server ends the answer or the connection."""
        while not self.received.endswith(b"0\r\n\r\n") and (chunk := self.connection.recv(65536)):
            self.received += chunk
        return self.received

    def close(self):
        self.connection.close()


class LiveTable:
    """A table of two people on a real server."""

    def __init__(self, port, service):
        self.port = port
        people = [self.post("/v1/players", {}) for _ in range(2)]
        self.tokens = [person["token"] for person in people]
        self.path = (
            "/v1/tables/" + self.post("/v1/tables", {"game": "blindside", "seats": 2}, 0)["view"]["id"]
        )
        self.table = self.path.rpartition("/")[2]
        for seat in range(2):
            self.post(f"{self.path}/seats", {}, seat)
        self.post(f"{self.path}/start", {}, 0)
        service.table_worker.run_due(self.table)

    def post(self, path, form, seat=None):
        headers = {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}
        body = msgspec.json.encode(form)
        status, _, answer = ask(self.port, "POST", path, body, Content_Type="application/json", **headers)
        assert status < 300, answer
        return msgspec.json.decode(answer)

    def act(self, seat=0):
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        legal = msgspec.json.decode(ask(self.port, "GET", f"{self.path}/legal-actions", **headers)[2])
        return self.post(f"{self.path}/actions", legal["actions"][0], seat)


def tournament(live_table):
    """Opens a tournament of three bots; returns its path."""
    form = {
        "name": "The Cup",
        "format": "swiss",
        "game": "blindside",
        "seats": 2,
        "sittings": [{"rounds": 2}],
    }
    path = f"/v1/tournaments/{live_table.post('/v1/tournaments', form, 0)['tournament']['id']}"
    live_table.post(f"{path}/registration", {}, 0)
    for _ in range(3):
        live_table.post(f"{path}/entrants", {"policy": "random"}, 0)
    return path


class TestStreams:
    def test_a_table_is_followed_live(self, port, live_table):
        with closing(
            Listener(port, live_table.table, Authorization=f"Bearer {live_table.tokens[1]}")
        ) as listener:
            head = listener.until(b"event: snapshot").lower()
            assert b"content-type: text/event-stream" in head
            assert b"content-length" not in head
            live_table.act(0)
            assert b'"card":"??"' in listener.until(b"id: 6-")

    def test_a_stream_has_the_id_of_its_request(self, port, live_table):
        with closing(Listener(port, live_table.table, X_Request_Id="s1")) as listener:
            head = listener.until(b"event: snapshot")
            assert b"x-request-id: s1\r\n" in head
            assert b"x-content-type-options: nosniff\r\n" in head

    def test_a_stream_resumes_after_the_last_event_id(self, port, live_table):
        with closing(Listener(port, live_table.table, Last_Event_ID="3")) as listener:
            received = listener.until(b"id: 5-")
            assert b"id: 4-" in received
            assert b"snapshot" not in received

    def test_a_client_can_play_with_a_stream_of_views_alone(self, port, live_table):
        address = f"{live_table.path}/events?with=view&include=words"
        with ExitStack() as stack:
            listeners = [
                stack.enter_context(
                    closing(Listener(port, "", path=address, Authorization=f"Bearer {token}"))
                )
                for token in live_table.tokens
            ]
            for version in range(5, 11):
                shown = [listener.view(version) for listener in listeners]
                mover = next(seat for seat, view in enumerate(shown) if view["legal_actions"]["actions"])
                live_table.post(
                    f"{live_table.path}/actions", shown[mover]["legal_actions"]["actions"][0], mover
                )
            assert listeners[0].view(11)["events"][-1]["words"]

    def test_a_stream_ends_with_its_table(self, port, live_table):
        with closing(Listener(port, live_table.table)) as listener:
            listener.until(b"event: snapshot")
            live_table.post(f"{live_table.path}/resign", {"confirm": True}, 0)
            listener.until(b"event: end")
            live_table.post(f"{live_table.path}/rematch", {}, 1)
            assert b"table.rematch_opened" in listener.rest()

    def test_k_5_a_tournament_and_its_standings_are_followed_live(self, port, live_table, service):
        path = tournament(live_table)
        live_table.post(f"{path}/start", {}, 0)
        with (
            closing(Listener(port, "", path=f"{path}/events?include=words")) as events,
            closing(Listener(port, "", path=f"{path}/standings")) as standings,
        ):
            events.until(b"event: snapshot")
            standings.until(b'"score":"0"')
            live_table.post(
                f"{path}/byes", {"round": 1, "entrant": "bot:1", "score": "1", "reason": "Spare."}, 0
            )
            live_table.post(f"{path}/rounds", {}, 0)
            live_table.post(f"{path}/rounds/1/start", {}, 0)
            assert b"Round 1 started." in events.until(b"tournament.round_started")
            assert b'"round":1' in standings.until(b'"score":"1"')
            live_table.post(f"{path}/cancel", {"confirm": True, "reason": "It rains."}, 0)
            service.tournament_worker.run_due(path.rpartition("/")[2])
            assert b"event: end" in events.rest()
            assert b"event: end" in standings.rest()

    def test_a_head_request_for_a_stream_has_no_body(self, port, live_table):
        status, headers, body = ask(port, "HEAD", f"{live_table.path}/events", Accept="text/event-stream")

        assert (status, headers["content-type"], body) == (200, "text/event-stream", b"")
        assert "content-length" not in headers  # a stream's length is unknown

    def test_an_idle_stream_gets_heartbeats(self, port, live_table):
        with closing(Listener(port, live_table.table)) as listener:
            listener.until(b"event: snapshot")
            listener.until(b"\r\n:\n\n")

    def test_streams_are_limited_and_closing_one_frees_its_place(self, port, live_table):
        listeners = [Listener(port, live_table.table) for _ in range(MAX_STREAMS * 3 // 4)]
        for listener in listeners:
            listener.until(b"event: snapshot")

        status, headers, body = ask(port, "GET", f"{live_table.path}/events", Accept="text/event-stream")

        assert (status, code(body), headers["retry-after"]) == (503, "too_many_streams", "5")
        for listener in listeners:
            listener.close()
        await_true(lambda: stream_status(port, live_table.table) == 200, within_s=60)

    @pytest.mark.parametrize(
        ("headers", "status"), [({"Authorization": "Bearer x"}, 401), ({"Last_Event_ID": "x"}, 400)]
    )
    def test_an_invalid_request_for_a_stream_is_refused(self, port, live_table, headers, status):
        assert stream_status(port, live_table.table, **headers) == status


def stream_status(port, table, **headers):
    with closing(Listener(port, table, **headers)) as listener:
        return int(listener.until(b"\r\n\r\n").split()[1])


def test_the_host_setting_can_be_a_name():
    assert server(Settings(host="localhost")).bind_addr in {"127.0.0.1", "::1"}
    assert server(Settings(host="::1")).bind_addr == "::1"


class TestStopping:
    @pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGINT])
    def test_a_stop_signal_ends_streams_and_process_quickly(self, settings, service, stop_signal):
        with running(settings, "hoodwink.service.http.server") as process:
            live_table = LiveTable(settings.port, service)
            listeners = [Listener(settings.port, live_table.table) for _ in range(5)]
            for listener in listeners:
                listener.until(b"event: snapshot")

            process.send_signal(stop_signal)

            assert all(listener.rest().endswith(b"0\r\n\r\n") for listener in listeners)
            assert process.wait(20) == 0
            for listener in listeners:
                listener.close()

    def test_a_dead_worker_is_replaced(self, settings):
        with running(settings, "hoodwink.service.http.server") as process:
            (worker,) = workers(process)
            os.kill(worker.pid, signal.SIGKILL)
            await_true(lambda: workers(process) not in ([], [worker]) and answers(settings.port), within_s=60)

    @pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux can end a process together with its parent"
    )
    def test_no_worker_outlives_a_killed_server(self, settings):
        with running(settings, "hoodwink.service.http.server") as process:
            worker_processes = workers(process)
            assert worker_processes
            process.kill()
            await_true(lambda: not any(is_alive(worker.pid) for worker in worker_processes), within_s=60)

    def test_the_next_server_can_use_the_port_immediately(self, settings, service):
        for _ in range(2):
            with running(settings, "hoodwink.service.http.server") as process:
                ask(settings.port, "GET", "/healthz")
                process.send_signal(signal.SIGTERM)
                process.wait(20)

    def test_the_metrics_of_several_processes_are_added_up(self, settings):
        two_workers = msgspec.structs.replace(settings, api_workers=2, metrics_port=free_port())
        with running(two_workers, "hoodwink.service.http.server"):
            for _ in range(20):
                ask(settings.port, "GET", "/v1/games")
            assert count_game_lists(two_workers) == 20
            assert scraping.ask(two_workers, "/healthz") == (200, "ok\n")
            assert scraping.ask(two_workers, "/")[0] == 404
            assert ask(settings.port, "GET", "/metrics")[0] == 404

    def test_counts_of_dead_processes_are_kept_and_their_files_merged(self, settings):
        folder = Path(settings.data) / "metrics"
        with_metrics = msgspec.structs.replace(settings, metrics_port=free_port())
        with running(
            with_metrics, "hoodwink.service.http.server", PROMETHEUS_MULTIPROC_DIR=str(folder)
        ) as process:
            ask(settings.port, "GET", "/v1/games")
            assert count_game_lists(with_metrics) == 1
            (worker,) = workers(process)
            os.kill(worker.pid, signal.SIGKILL)
            await_true(lambda: workers(process) not in ([], [worker]) and answers(settings.port), within_s=60)
            ask(settings.port, "GET", "/v1/games")
            assert count_game_lists(with_metrics) == 2
            text = scraping.ask(with_metrics, "/metrics")[1]
            assert scraping.summed(text, "hoodwink_process_starts_total", {"part": "api"}) == 2
            pids = {file.stem.rpartition("_")[2] for file in folder.glob("*.db")}
            assert pids == {"ended", str(process.pid), *[str(worker.pid) for worker in workers(process)]}


def workers(process):
    """Returns the worker processes of the server."""
    children = psutil.Process(process.pid).children()
    return [child for child in children if is_alive(child.pid) and not is_tracker(child)]


def is_tracker(process):
    return "resource_tracker" in " ".join(process.cmdline())


def count_game_lists(settings):
    """Returns the number of requests for the list of games in all processes."""
    text = scraping.ask(settings, "/metrics")[1]
    return scraping.summed(text, "hoodwink_http_requests_total", {"operation": "list_games"})
