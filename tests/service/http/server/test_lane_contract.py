"""Handlers on the loop keep the contract of `Operation.runs_on_loop`: they never block or create parts lazily."""

import asyncio
import socket
import sys
import time
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from greenlet import getcurrent

from hoodwink.service.adapters.redis.greenlets import _Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app, endpoints
from hoodwink.service.http.framework.metrics import MeteredStore
from hoodwink.service.http.framework.operations import Reply
from hoodwink.service.http.resources.tables.tables import TableResource
from hoodwink.service.http.serving.lane import Lane
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.direct import service_on
from tests.service.http.api import Api, first_legal
from tests.service.http.both_ways import FakeHeaders

BLOCKING = {"open", "socket.connect", "socket.getaddrinfo", "subprocess.Popen"}
"""The audit events of Python before calls that may wait for something outside the process."""

blocked: list[str] = []


def audit(event: str, _: object) -> None:
    if event in BLOCKING | {"time.sleep"} and type(getcurrent()) is _Task:
        blocked.append(event)


sys.addaudithook(audit)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("contract") / "redis") as server:
        yield server.url


@pytest.fixture
def api(url):
    with service_on(Settings(redis_url=url)) as service:
        yield Api(service, create_app(service))


@pytest.fixture
def on_loop(url, monkeypatch):
    """Returns a function that sends requests through a new lane and returns their statuses and the created parts."""
    # Since Python 3.13, sleeping is an audit event itself.
    monkeypatch.setattr(time, "sleep", lambda _: audit("time.sleep", ()))

    def send(*requests):
        service = Service(Settings(redis_url=url), metered=MeteredStore, process="api")
        lane = Lane(endpoints(service))

        async def send_when_open():
            connection = service.loop_connection()
            opening = asyncio.create_task(connection.keep_open())
            async with asyncio.timeout(30):
                while not connection.is_open:  # noqa: ASYNC110 - it is looked at from outside
                    await asyncio.sleep(0.005)
            service.client.close()  # any use would have to open a new one
            before = set(vars(service))
            answers: list[Any] = [lane.find(scope(*request), request[-1]) for request in requests]
            encoded = await asyncio.gather(*[connection.run_on_loop(answer) for answer in answers])
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)
            return [response.status for response in encoded], set(vars(service)) - before

        blocked.clear()
        return asyncio.run(send_when_open())

    return send


def scope(method, path, token, body):
    headers = [("content-type", "application/json"), ("content-length", str(len(body)))]
    headers += [("authorization", f"Bearer {token}")] if token else []
    made: Any = SimpleNamespace(
        method=method, path=path, query_string="", client="192.0.2.1:50000", headers=FakeHeaders(headers)
    )
    return made


def requests(api, ada, bob):
    """Returns accepted and refused requests of every lane operation, with their expected statuses."""
    path = api.playing(ada, bob)
    action = msgspec.json.encode(next(first_legal(ada, path)))
    stranger = api.person("Eve")
    opened = ada.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    private = ada.post("/v1/tables", {"game": "blindside", "seats": 2, "private": True}).headers["Location"]
    of_bots = ada.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    for _ in range(2):
        ada.post(f"{of_bots}/seats", {"policy": "random"})
    return [
        (("GET", path, None, b""), 200),
        (("GET", path, ada.token, b""), 200),
        (("GET", path, "hw_nobody_x", b""), 401),
        (("GET", "/v1/tables/none", None, b""), 404),
        (("GET", f"{path}/legal-actions", bob.token, b""), 200),
        (("GET", f"{path}/legal-actions", stranger.token, b""), 403),
        (("POST", f"{path}/actions", ada.token, action), 200),
        (("POST", f"{path}/actions", bob.token, b'{"type": "dance"}'), 400),
        (("POST", f"{path}/actions", stranger.token, action), 403),
        (("POST", f"{opened}/seats", ada.token, b'{"seat": 0}'), 201),
        (("POST", f"{opened}/seats", ada.token, b'{"policy": "random", "seat": 1}'), 201),
        (("POST", f"{private}/seats", stranger.token, b"{}"), 403),
        (("POST", f"{path}/seats", stranger.token, b"{}"), 422),
        (("POST", f"{of_bots}/start", bob.token, b"{}"), 403),
        (("POST", f"{of_bots}/start", ada.token, b"{}"), 200),
        (("POST", f"{path}/resign", stranger.token, b'{"confirm": true}'), 403),
        (("POST", f"{path}/resign", bob.token, b'{"confirm": true}'), 200),
    ]


@pytest.mark.timeout(60)  # a lock held by a suspended request would block the loop forever
def test_lane_handlers_never_block_or_create_parts(api, on_loop):
    given = requests(api, api.person("Ada"), api.person("Bob"))

    statuses, made = on_loop(*[request for request, _ in given])

    assert statuses == [status for _, status in given]
    assert blocked == []
    assert made == set()


@pytest.mark.parametrize(
    ("block", "event"),
    [
        (lambda: time.sleep(0), "time.sleep"),
        (lambda: socket.create_connection(("127.0.0.1", 1), timeout=1), "socket.connect"),
        (lambda: open("/dev/null").close(), "open"),  # noqa: PTH123
    ],
)
def test_a_blocking_handler_is_detected(api, on_loop, monkeypatch, block, event):
    def blocking(self, call):
        with suppress(OSError):
            block()
        return Reply({})

    blocking.operation = TableResource.get_table.operation  # type: ignore[attr-defined]
    monkeypatch.setattr(TableResource, "get_table", blocking)

    on_loop(("GET", "/v1/tables/x", None, b""))

    assert event in blocked


def test_a_handler_that_creates_a_part_is_detected(api, on_loop, monkeypatch):
    def lazy(self, call):
        return Reply({"made": str(self._service.leaderboards)})

    lazy.operation = TableResource.get_table.operation  # type: ignore[attr-defined]
    monkeypatch.setattr(TableResource, "get_table", lazy)

    _, made = on_loop(("GET", "/v1/tables/x", None, b""))

    assert "leaderboards" in made


def test_a_handler_that_calls_redis_directly_is_detected(api, on_loop, monkeypatch):
    """The loop would wait for the reply."""

    def direct(self, call):
        return Reply({"pong": self._service.client.ping()})

    direct.operation = TableResource.get_table.operation  # type: ignore[attr-defined]
    monkeypatch.setattr(TableResource, "get_table", direct)

    on_loop(("GET", "/v1/tables/x", None, b""))

    assert "socket.connect" in blocked
