"""The quick way to a rule agrees with werkzeug's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from service.http.description import API
from service.http.framework.operations import declared
from tests.service.http.house import open_house

APP = open_house().app
OPERATIONS = [operation for resource in API for _, operation in declared(resource)]
WORDS = sorted({part for operation in OPERATIONS for part in operation.path.split("/") if part[:1] != "{"})


def by_werkzeug(method, path):
    adapter = MapAdapter(APP.url_map, "localhost", "/", "", "http", path, method)
    try:
        rule, values = adapter.match(return_rule=True)
    except HTTPException:
        return None
    return rule, values


@pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda operation: f"{operation.method} {operation.path}"
)
def test_every_operation_is_found_quickly(operation):
    path = operation.path.replace("{", "some-").replace("}", "")

    found = APP._routes.find(operation.method, path)

    assert found is not None
    assert found == by_werkzeug(operation.method, path)


@given(
    method=st.sampled_from(["GET", "POST", "DELETE", "PUT"]),
    parts=st.lists(st.sampled_from([*WORDS, "x", "é", " ", "."]), max_size=6),
)
def test_what_is_found_quickly_is_what_werkzeug_finds(method, parts):
    path = "/" + "/".join(parts)
    found = APP._routes.find(method, path)

    assert found is None or found == by_werkzeug(method, path)


def test_the_front_door_leads_to_the_description():
    answer = open_house().spectator.get("/")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/docs/")
