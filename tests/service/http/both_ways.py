"""Sends each request of the fast lane to two services, once through the lane and once through Flask, and compares.

Both have the same clock, ids and store. Writes of the lane's service are undone before Flask is asked, so both start
from the same state. Each has its own cache of tables.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from io import BytesIO
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.bootstrap import Service
from hoodwink.service.http import app as http_app
from hoodwink.service.http.framework import failures
from hoodwink.service.http.framework.endpoint import Endpoint
from hoodwink.service.http.resources.tables import play
from hoodwink.service.http.serving import lane
from hoodwink.service.http.serving.lane import Lane
from hoodwink.service.http.serving.wsgi import call
from tests.service.databases import new_redis, reconnected, replace_keys
from tests.service.http.refused.listed import OPERATIONS, RESOURCES


def endpoint_of(service: Service, name: str) -> Endpoint:
    """Returns one of the endpoints of a service, without making the others."""
    resource = RESOURCES[name]
    return Endpoint(name, OPERATIONS[name], getattr(resource(service), name), service)


_IN_LANE = [name for name, operation in OPERATIONS.items() if operation.runs_on_loop]

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_COUNTERS = (
    (http_app, "count_request"),
    (lane, "count_request"),
    (play, "count_action"),
    (failures, "count_limited"),
)


class Outcome(NamedTuple):
    """The answer to a request, and the changes of metrics, without times."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    counted: list[tuple[Any, ...]]


class FakeHeaders:
    """Headers as in granian: names in lower case, each once among the keys."""

    def __init__(self, received: list[tuple[str, str]]) -> None:
        self._received = received

    def items(self) -> list[tuple[str, str]]:
        return self._received

    def keys(self) -> list[str]:
        return list(dict(self._received))


class BothWays:
    """A WSGI application that answers through Flask and fails if the lane would have answered differently."""

    def __init__(self, flask: Wsgi, service: Service) -> None:
        self._flask = flask
        self._service = service
        self._lane_service = Service(service.settings)
        self._lane = Lane(endpoint_of(self._lane_service, name) for name in _IN_LANE)

    # Most services in tests take no action in the lane, so they need no copy.
    @cached_property
    def _copy(self) -> Any:
        return new_redis()

    @cached_property
    def _direct(self) -> Any:
        """A client that works even while the service's cannot reach Redis."""
        return reconnected(self._service.client)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = BytesIO(body)
        environ.pop("HTTP_HOST", None)  # the bridge does not forward it
        answer = self._lane.find(_scope(environ), body)
        if answer is None:
            return self._flask(environ, start_response)
        with self._same_inputs():
            with self._restored_counts(), self._restored_writes(environ), _recorded_counts() as counted:
                by_lane = Outcome(*answer()[:3], counted)
            with _recorded_counts(really=True) as counted:
                by_flask = Outcome(*call(self._flask, environ), counted)
        assert by_lane == by_flask
        start_response(f"{by_flask.status} {environ['PATH_INFO']}", by_flask.headers)
        return [by_flask.body]

    @contextmanager
    def _same_inputs(self) -> Iterator[None]:
        """Gives both services the same time and the same parts except the tables."""
        service, in_lane = self._service, vars(self._lane_service)
        clock = service.clock
        parts = (service.tables, service.players, service.store, service.limits, clock)
        if in_lane.get("parts") != parts:
            tables = Tables(
                aggregate=TABLE,
                store=service.metered(service.store),
                clock=clock,
                rollbacks=service.rollbacks,
            )
            in_lane |= vars(service) | {"tables": tables, "parts": parts}
        now = clock.now_ms()
        with patch.object(clock, "now_ms", lambda: now):
            yield

    @contextmanager
    def _restored_counts(self) -> Iterator[None]:
        """Restores the counts of limits."""
        rates = self._service.limits.rates.values()
        before = [dict(rate.levels) for rate in rates]
        yield
        for rate, levels in zip(rates, before, strict=True):
            rate.levels.clear()
            rate.levels.update(levels)

    @contextmanager
    def _restored_writes(self, environ: dict[str, Any]) -> Iterator[None]:
        """Restores the table's partition, which receives all writes of an action."""
        table = environ["PATH_INFO"].split("/")[3]
        keys = Keys(self._service.settings.partitions)
        stream = StreamId("table", table)
        client = self._direct
        if environ["REQUEST_METHOD"] == "GET" or not client.exists(keys.stream(stream)):
            yield
            return
        partition = keys.at(keys.partition(stream), "*")
        replace_keys(self._copy, client, partition)
        yield
        replace_keys(client, self._copy, partition)


@contextmanager
def _recorded_counts(*, really: bool = False) -> Iterator[list[tuple[Any, ...]]]:
    """Records metric updates; they reach the metrics only with `really`."""
    counted: list[tuple[Any, ...]] = []
    with ExitStack() as stack:
        for module, name in _COUNTERS:
            count = _counting(getattr(module, name), counted, really=really)
            stack.enter_context(patch.object(module, name, count))
        yield counted


def _counting(
    real: Callable[..., None], counted: list[tuple[Any, ...]], *, really: bool
) -> Callable[..., None]:
    def count(*what: Any) -> None:
        counted.append(tuple("seconds" if isinstance(part, float) else part for part in what))
        if really:
            real(*what)

    return count


def _scope(environ: dict[str, Any]) -> Any:
    """Returns a request as granian would pass it."""
    named = [(key[5:], value) for key, value in environ.items() if key.startswith("HTTP_")]
    named += [(key, environ[key]) for key in ("CONTENT_TYPE", "CONTENT_LENGTH") if environ.get(key)]
    return SimpleNamespace(
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace"),
        query_string=environ["QUERY_STRING"],
        client=environ.get("REMOTE_ADDR", ""),
        headers=FakeHeaders([(name.lower().replace("_", "-"), value) for name, value in named]),
    )
