"""A real server answers raw requests through the fast lane and Flask with the same status, headers and body.

The tests force Flask by repeating a header that nothing reads.
"""

import re
from itertools import cycle, islice, product

import msgspec
import pytest

from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.direct import service_on
from tests.service.http.server.test_server import LiveTable, ask, raw, running
from tests.service.processes import await_true
from tests.service.scraping import free_port

NOW = re.compile(rb'"now":[0-9]{13},?')
"""Fields that contain the time; everything else must be equal."""

pytestmark = pytest.mark.processes

ID = "X-Request-Id: raw-1"
"""The id of every request, so all answers have the same."""

TO_FLASK = ("X-Twice: 1", "X-Twice: 2")
KEY = "k" * 16

METHODS = ("GET", "HEAD", "POST", "PUT", "OPTIONS", "get", "post")
TARGETS = (
    "{path}",
    "{path}/",
    "{path}?",
    "{path}?version=1",
    "{path}?include=legal_actions",
    "{path}?include=legal_actions&viewer=spectator",
    "{path}?viewer=0&include=legal%5Factions",
    "{path}?include=words%2Clegal_actions",
    "{path}?include=",
    "{path}?include",
    "{path}?include=legal_actions&include=words",
    "{path}?&include=legal_actions&",
    "{path}/legal-actions?include=unplayable",
    "{path}/actions?include=words,legal_actions",
    "{path};a",
    "{path}#part",
    "http://elsewhere{path}",
    "{path}/legal-actions",
    "{path}/actions",
    "/%76%31/tables/{table}",
    "/v1//tables/{table}",
    "/v1/tables/%61bc",
    "/v1/tables/%FF",
    "/v1/tables/%00",
    "/v1/tables/%C3%A9",
    "/v1/tables/a%2Fb",
    "/v1/tables/a%0Ab",
    "/v1/tables/" + "x" * 5_000,
)
HEADERS = (
    "Accept:",
    "Accept: text/html",
    "Accept: */*;q=0",
    "Accept: application/json;q=0.1,text/*",
    "Accept: application/problem+json",
    "Accept_: text/html",
    "If-None-Match: {tag}",
    "If-None-Match: W/{tag}",
    "If-None-Match: *",
    "If-None-Match: \xe9",
    "If_None_Match: *",
    "Authorization:",
    "Authorization: Bearer",
    "Authorization: Basic x",
    "Authorization: bearer   {token}",
    "Authorization: Bearer {token} ",
    "Authorization: Bearer \xe9",
    "Content-Encoding: gzip",
    "Expect: 100-continue",
    "Idempotency-Key: short",
    "Range: bytes=0-3",
    "Transfer-Encoding: chunked",
    "X-Request-Id: another",
    "X-Long: " + "y" * 20_000,
    "X-Name: \xe9",
)
BODIES = (
    None,
    b"",
    b"{}",
    b"[]",
    b"null",
    b"{",
    b"\xff",
    b'{"type":1}',
    b'{"type":"dance"}',
    '{"type":"é"}'.encode(),
    b'{"type":"keep","card":"??"}',
    b'{"type":"keep","type":"dance"}',
    b'{"type":"keep","card":"9S","expected_version":1}',
    b'{"type":"keep","card":"9S","expected_version":"a"}',
    b'{"a":' + b"9" * 5_000 + b"}",
    b"[" * 60_000,
    b" " * MAX_BODY,
    b" " * (MAX_BODY + 1),
)
BODY_HEADERS = (
    ("Content-Type: application/json",),
    (),
    ("Content-Type:",),
    ("Content-Type: text/plain",),
    ("Content-Type: application/json; charset=latin-1",),
    ("Content-Type: application/json", "Content-Encoding: gzip"),
    ("Content-Type: application/json", 'If-Match: "1-0000000000000000"'),
    ("Content-Type: application/json", "Idempotency-Key: short"),
    ("Content-Type: application/json", "Idempotency-Key: " + "\xe9" * 20),
)


def each_once(first, second):
    """Combines each value with the first of the other list, and all of them with one another in turn."""
    longer = max(len(first), len(second))
    in_turn = islice(zip(cycle(first), cycle(second), strict=False), longer)
    return dict.fromkeys([*product(first[:1], second), *product(first, second[:1]), *in_turn])


all_pairs = pytest.mark.parametrize(
    "combined", [each_once, pytest.param(product, marks=pytest.mark.campaign)], ids=["short", "all"]
)


@pytest.fixture(scope="module")
def live_table(tmp_path_factory):
    """A table on a server whose lane is open."""
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("raw") / "redis") as redis:
        settings = Settings(port=free_port(), redis_url=redis.url, api_workers=1, api_threads=2)
        with (
            running(settings, "tests.service.http.serving"),
            service_on(Settings(redis_url=redis.url)) as service,
        ):
            await_true(lambda: echoed(settings.port)["thread"] == "MainThread", within_s=60)
            yield LiveTable(settings.port, service)


@pytest.fixture
def compare(live_table):
    """Returns a function that sends requests through both and returns the number in the lane and the differences."""

    def send(method, target, headers, body):
        length = () if body is None else (f"Content-Length: {len(body)}",)
        lines = (f"{method} {target} HTTP/1.1", "Host: x", "Connection: close", ID, *headers, *length)
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        return without_time(raw(live_table.port, head + (body or b"")))

    def compare_requests(requests):
        different, in_lane = [], 0
        before = lane_count(live_table.port)
        for method, target, headers, body in requests:
            by_lane = send(method, target, headers, body)
            assert b"x-request-id: raw-1" in by_lane
            assert b"x-content-type-options: nosniff" in by_lane
            after = lane_count(live_table.port)
            by_flask = send(method, target, (*headers, *TO_FLASK), body)
            if by_lane != by_flask:
                different.append((method, target, headers, body, by_lane, by_flask))
            in_lane, before = in_lane + after - before, lane_count(live_table.port)
            assert before == after
        return in_lane, different

    return compare_requests


def echoed(port):
    lines = ask(port, "GET", "/echo/lane")[2].decode("latin-1").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def lane_count(port):
    """Returns the number of requests answered by the lane; fails if it is closed."""
    return int(echoed(port)["IN_LANE"])


def without_time(answer):
    lines = NOW.sub(b"", answer).split(b"\r\n")
    return [line for line in lines if not line.lower().startswith(b"date:")]


def bearer(live_table, seat=0):
    return f"Authorization: Bearer {live_table.tokens[seat]}"


@all_pairs
def test_methods_and_targets_are_answered_alike(live_table, compare, combined):
    targets = [target.format(path=live_table.path, table=live_table.table) for target in TARGETS]

    in_lane, different = compare(
        [(method, target, (bearer(live_table),), None) for method, target in combined(METHODS, targets)]
    )

    assert different == []
    assert in_lane > 0


@all_pairs
def test_headers_are_answered_alike(live_table, compare, combined):
    tag = ask(live_table.port, "GET", live_table.path)[1]["etag"]
    headers = [header.format(tag=tag, token=live_table.tokens[0]) for header in HEADERS]
    given = [
        (header,) if header.startswith("Authorization") else (bearer(live_table), header)
        for header in headers
    ]

    in_lane, different = compare(
        [
            ("GET", target, lines, body)
            for lines, (target, body) in combined(
                given, [*product((live_table.path, f"{live_table.path}/legal-actions"), (None, b"body"))]
            )
        ]
    )

    assert different == []
    assert in_lane > 0


@all_pairs
def test_bodies_are_answered_alike(live_table, compare, combined):
    requests = [
        ("POST", f"{live_table.path}/actions", (bearer(live_table), *headers), body)
        for headers, body in combined(BODY_HEADERS, BODIES)
    ]

    in_lane, different = compare(requests)

    assert different == []
    assert in_lane > 0


def test_actions_repeated_with_their_key_are_answered_alike(live_table, compare):
    headers = {"Authorization": f"Bearer {live_table.tokens[0]}"}
    legal = msgspec.json.decode(ask(live_table.port, "GET", f"{live_table.path}/legal-actions", **headers)[2])
    action = msgspec.json.encode(legal["actions"][0])
    lines = (bearer(live_table), "Content-Type: application/json", f"Idempotency-Key: {KEY}")

    assert compare([("POST", f"{live_table.path}/actions", lines, action)]) == (1, [])
