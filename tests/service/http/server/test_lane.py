"""The fast lane answers like Flask. All tests in this folder compare the two."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Request as WerkzeugRequest

from hoodwink.service.http.app import endpoints
from hoodwink.service.http.framework.endpoint import Endpoint
from hoodwink.service.http.messages.problems import for_status
from hoodwink.service.http.serving import lane as lane_module
from hoodwink.service.http.serving.lane import Lane
from tests.service.http.api import app_of, first_legal, new_service, problem
from tests.service.http.both_ways import FakeHeaders
from tests.service.http.refused.listed import OPERATIONS

WORDS = sorted(
    {part for operation in OPERATIONS.values() for part in operation.path.split("/") if part[:1] != "{"}
)


# Made on first use, because every test process imports this module.
@cache
def lane():
    return Lane(endpoints(new_service()))


@cache
def urls():
    return app_of(new_service()).url_map.bind("localhost")


def find_route(method, path, *headers, query=""):
    scope: Any = SimpleNamespace(
        method=method,
        path=path,
        query_string=query,
        client="192.0.2.1:50000",
        headers=FakeHeaders(list(headers)),
    )
    return lane().find(scope, b"")


def by_werkzeug(method, path):
    try:
        return urls().match(path, method)
    except HTTPException:
        return None


def test_event_loop_operations_are_in_the_lane():
    fast = {name for name, operation in OPERATIONS.items() if operation.runs_on_loop}

    assert fast == {"act", "get_table", "list_legal_actions", "resign", "start_table", "take_seat"}
    for operation in OPERATIONS.values():
        path = operation.path.replace("{", "some-").replace("}", "")
        assert (find_route(operation.method, path) is not None) == operation.runs_on_loop


@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "PUT"]),
    parts=st.lists(st.sampled_from([*WORDS, "x", "", "é", " ", ".", "\n"]), max_size=5),
)
def test_the_lane_finds_the_same_routes_as_werkzeug(method, parts):
    path = "/" + "/".join(parts)
    answer = find_route(method, path)

    if answer is not None:
        endpoint, _, values = answer.args
        assert by_werkzeug(method, path) == (endpoint.name, values)


@pytest.mark.parametrize(
    "query",
    ["include=words%2Clegal_actions", "include=words,legal_actions&viewer=0", "viewer=", "include=x&"],
)
def test_a_cheap_query_is_answered_in_the_lane(query):
    answer = find_route("GET", "/v1/tables/x", query=query)

    _, request, _ = answer.args
    assert request.query_string == query.encode()
    assert request.arguments == WerkzeugRequest.from_values(query_string=query).args


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ([("accept", "application/json"), ("accept", "text/html")], ""),
        ([("accept", "application/json")], "version=1"),
        ([("accept", "application/json")], "&"),
        ([("accept", "application/json")], "include=legal%5Factions"),
        ([("accept", "application/json")], "include=words&version=1"),
        ([("accept", "application/json")], "include=wörds"),
        ([("accept", "application/json")], "include=words\n"),
    ],
)
def test_queries_and_repeated_headers_are_left_to_flask(headers, query):
    assert find_route("GET", "/v1/tables/x", *headers, query=query) is None


def test_an_unreadable_header_is_left_to_flask():
    class Unreadable(FakeHeaders):
        def keys(self):
            return [*super().keys(), "authorization"]

    scope: Any = SimpleNamespace(method="GET", path="/v1/tables/x", query_string="", headers=Unreadable([]))
    assert lane().find(scope, b"") is None


@pytest.fixture
def unlike(monkeypatch):
    """Returns a function that makes the lane answer differently; its argument changes the response."""

    def breaking(change):
        right = lane_module._answer
        monkeypatch.setattr(lane_module, "_answer", lambda *given: change(right(*given)))

    return breaking


@pytest.mark.parametrize(
    "change",
    [
        lambda encoded: encoded._replace(status=encoded.status + 1),
        lambda encoded: encoded._replace(body=encoded.body + b" "),
        lambda encoded: encoded._replace(headers=encoded.headers[::-1]),
        lambda encoded: encoded._replace(headers=[(name.lower(), value) for name, value in encoded.headers]),
    ],
)
def test_a_different_answer_of_the_lane_is_detected(api, ada, bob, unlike, change):
    path = api.playing(ada, bob)
    action = next(first_legal(ada, path))
    unlike(change)

    with pytest.raises(AssertionError):
        ada.get(path)
    with pytest.raises(AssertionError):
        ada.post(f"{path}/actions", action)
    with pytest.raises(AssertionError):
        ada.post(f"{path}/actions", {"type": "dance"})


def test_different_counts_of_the_lane_are_detected(path, ada, unlike):
    def count_again(encoded):
        vars(lane_module)["count_request"]("get_table", encoded.status)
        return encoded

    unlike(count_again)

    with pytest.raises(AssertionError):
        ada.get(path)


def test_a_different_problem_of_the_lane_is_detected(path, ada, monkeypatch):
    monkeypatch.setattr(Endpoint, "answer", lambda *_: 1 / 0)
    problem(ada.get(path), 500, "internal_error")  # either way

    monkeypatch.setattr(lane_module, "problem_of", lambda *_: for_status(400))
    with pytest.raises(AssertionError):
        ada.get(path)


def test_the_effects_of_the_lane_are_undone_before_flask_answers(path, ada, bob):
    before = bob.get(path).json["version"]

    assert ada.post(f"{path}/actions", next(first_legal(ada, path))).json["version"] == before + 1
    assert bob.get(path).json["version"] == before + 1
