"""Pages of allowed origins can use the API; answers from every layer have CORS headers."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import declared
from hoodwink.service.http.serving.cross_origin import EXPOSED, METHODS, REQUEST_HEADERS, CrossOrigin
from hoodwink.service.settings import InvalidSettings, Settings

PAGE, OTHER = "https://play.example.org", "https://elsewhere.example.org"
OPERATIONS = [operation for resource in API for _, operation in declared(resource)]


class Protocol:
    """The server's side of a request."""

    def __init__(self):
        self.answers = []

    async def __call__(self):
        return b"body"

    def response_bytes(self, status, headers, body):
        self.answers.append((status, dict(headers), body))

    def response_stream(self, status, headers):
        self.answers.append((status, dict(headers), "stream"))
        return "transport"

    async def __aiter__(self):
        yield b"body"

    async def client_disconnect(self):
        self.answers.append("gone")


class Application:
    """Answers with its own error or with a stream."""

    def __init__(self):
        self.life = []

    def request_id(self, headers):
        return "r1"

    def __rsgi_init__(self, loop):
        self.life.append(("init", loop))

    def __rsgi_del__(self, loop):
        self.life.append(("del", loop))

    async def __rsgi__(self, scope, protocol):
        assert await protocol() == b"body"
        assert [chunk async for chunk in protocol] == [b"body"]
        if scope.path == "/stream":
            assert protocol.response_stream(200, [("content-type", "text/event-stream")]) == "transport"
            await protocol.client_disconnect()
        else:
            protocol.response_bytes(404, [("content-type", "x")], b"no")


def answers_to(origins, method="GET", path="/", **headers):
    """Returns the answers to a request; in the names of `headers`, `_` stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    scope: Any = SimpleNamespace(method=method, path=path, headers=named)
    protocol: Any = Protocol()
    application: Any = Application()
    asyncio.run(CrossOrigin(application, frozenset(origins)).__rsgi__(scope, protocol))
    return protocol.answers


def test_a_page_of_a_listed_origin_can_read_answers_and_errors():
    ((status, headers, body),) = answers_to({PAGE}, origin=PAGE)

    assert (status, body) == (404, b"no")
    assert headers == {
        "content-type": "x",
        "access-control-allow-origin": PAGE,
        "access-control-expose-headers": EXPOSED,
        "vary": "Origin",
    }


def test_a_page_of_a_listed_origin_can_follow_streams():
    (status, headers, _), gone = answers_to({PAGE}, path="/stream", origin=PAGE)

    assert (status, headers["access-control-allow-origin"], headers["vary"], gone) == (
        200,
        PAGE,
        "Origin",
        "gone",
    )


@pytest.mark.parametrize("headers", [{}, {"origin": OTHER}, {"origin": "null"}, {"origin": PAGE.upper()}])
def test_requests_of_other_origins_get_no_cors_headers_but_vary(headers):
    assert answers_to({PAGE}, **headers) == [(404, {"content-type": "x", "vary": "Origin"}, b"no")]


def test_a_star_allows_every_origin():
    ((_, headers, _),) = answers_to({"*"}, origin=OTHER)

    assert headers["access-control-allow-origin"] == "*"
    assert "vary" not in headers


def test_a_preflight_request_is_answered_at_any_path():
    ((status, headers, body),) = answers_to(
        {PAGE}, "OPTIONS", origin=PAGE, access_control_request_method="DELETE"
    )

    assert (status, body) == (204, b"")
    assert headers == {
        "access-control-allow-origin": PAGE,
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": REQUEST_HEADERS,
        "access-control-max-age": "7200",
        "vary": "Origin",
        "x-content-type-options": "nosniff",
        "x-request-id": "r1",
    }


@pytest.mark.parametrize(
    "headers",
    [{"origin": PAGE}, {"origin": OTHER, "access_control_request_method": "GET"}],
)
def test_plain_options_requests_reach_the_application(headers):
    ((status, _, _),) = answers_to({PAGE}, "OPTIONS", **headers)

    assert status == 404


def test_cors_allows_every_header_used_by_operations():
    assert {name for operation in OPERATIONS for name in operation.reads} <= set(REQUEST_HEADERS.split(", "))
    assert {name for operation in OPERATIONS for name in operation.answer.headers} <= set(EXPOSED.split(", "))
    assert {operation.method for operation in OPERATIONS} <= set(METHODS.split(", "))


def test_server_lifecycle_calls_reach_the_application():
    application: Any = Application()
    loop: Any = object()
    both = CrossOrigin(application, frozenset({PAGE}))

    both.__rsgi_init__(loop)
    both.__rsgi_del__(loop)

    assert application.life == [("init", loop), ("del", loop)]


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ("", set()),
        ("*", {"*"}),
        (PAGE, {PAGE}),
        (
            f"{PAGE},http://localhost:5173,capacitor://localhost",
            {PAGE, "http://localhost:5173", "capacitor://localhost"},
        ),
    ],
)
def test_origins_are_read_from_one_variable(given, allowed):
    assert Settings.from_environment({"HOODWINK_ORIGINS": given}).allowed_origins == allowed


@pytest.mark.parametrize(
    "given",
    [
        "play.example.org",
        f"{PAGE}/",
        f"{PAGE}/game",
        f"{PAGE},",
        f"{PAGE}, {OTHER}",
        PAGE.upper(),
        f"*,{PAGE}",
        "null",
    ],
)
def test_an_invalid_origin_setting_is_refused(given):
    with pytest.raises(InvalidSettings) as refused:
        Settings.from_environment({"HOODWINK_ORIGINS": given})
    assert str(refused.value) == (
        f"HOODWINK_ORIGINS={given} is not valid: it must be origins as browsers send them, such as "
        "https://play.example.org, separated by commas, or *."
    )
