"""No request, however malformed, causes an internal error."""

from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.http.api import Person, new_api

KEEP = {"type": "keep", "card": "9S"}
KEY = "k" * 16


POSTS = (
    "/v1/players",
    "/v1/tables",
    "{}/seats",
    "{}/start",
    "{}/seed",
    "{}/close",
    "{}/actions",
    "{}/resign",
    "{}/return",
    "{}/take-back",
    "{}/void",
    "{}/fork",
    "/v1/imports",
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec="utf-8"))
    | st.sampled_from(["9S", "keep", "type", "JK"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "card", "cards", "seat", "game", "slot", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def lively():
    api = new_api()
    ada, bob = api.person("Ada"), api.person("Bob")
    return api, ada, api.playing(ada, bob, bots=1)


class TestNonsense:
    # Every operation is sent JSON that breaks its schema in test_description.py.
    @pytest.mark.parametrize("count", [5, pytest.param(80, marks=pytest.mark.campaign)])
    @pytest.mark.parametrize("route", POSTS)
    def test_no_body_causes_an_internal_error(self, lively, route, count):
        _, ada, path = lively

        @settings(max_examples=count, deadline=None)
        @given(body=st.binary(max_size=60) | JSON.map(msgspec.json.encode))
        def refuses(body):
            before = ada.get(path).json["version"]
            answer = ada.post(route.format(path), data=body, content_type="application/json")
            assert answer.status_code < 500
            assert answer.status_code < 300 or ada.get(path).json["version"] == before

        refuses()

    @settings(max_examples=30, deadline=None)
    @given(
        name=st.sampled_from(
            [
                "Authorization",
                "Accept",
                "If-Match",
                "If-None-Match",
                "Idempotency-Key",
                "Last-Event-ID",
                "Content-Type",
                "Host",
            ]
        ),
        value=st.text(
            st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=40
        ),
    )
    def test_no_header_causes_an_internal_error(self, lively, name, value):
        api, _, path = lively
        stranger = Person(api.app)
        for method, where in (
            ("GET", path),
            ("GET", f"{path}/events"),
            ("POST", f"{path}/actions"),
            ("POST", "/v1/players"),
        ):
            assert stranger.ask(method, where, headers={name: value}).status_code < 500

    @settings(max_examples=30, deadline=None)
    @given(path=st.text(max_size=30), query=st.text(max_size=30))
    def test_no_address_causes_an_internal_error(self, lively, path, query):
        api, _, _ = lively

        assert Person(api.app).get(f"/v1/tables/{quote(path)}?{quote(query, safe='=&%+')}").status_code < 500
