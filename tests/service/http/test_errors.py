"""Errors in requests are reported precisely."""

from collections import defaultdict

import pytest
from structlog.testing import capture_logs

from hoodwink.domain.players import hash_token
from hoodwink.service.application.commands.imports import MAX_LOG
from hoodwink.service.application.ports import DamagedArchive, StorageFull
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import Access, RawBody, declared
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.messages.schemas import ConfirmSchema
from hoodwink.service.settings import Settings
from tests.service.databases import unreachable
from tests.service.http.api import Person, first_legal, new_api, problem
from tests.service.http.refused.listed import OPERATIONS

KEEP = {"type": "keep", "card": "9S"}
KEY = "k" * 16
ROOT = "hwa_root"

JSON_OPERATIONS = [
    operation
    for resource in API
    for _, operation in declared(resource)
    if operation.body is not None and not isinstance(operation.body, RawBody)
]


@pytest.fixture(scope="module")
def api():
    """An API for all tests of this module: refused requests change nothing."""
    return new_api(Settings(administrators=f"root={hash_token(ROOT)}"))


@pytest.fixture(scope="module")
def table(api):
    """The host of a dealt table, and the path of the table."""
    ada = api.person("Ada")
    return ada, api.playing(ada, api.person("Bob"))


class TestBodies:
    @pytest.mark.parametrize(
        "body",
        [
            b"{",
            b"[]",
            b'"text"',
            b"null",
            b'{"name": NaN}',
            b'{"name": Infinity}',
            b'{"name": -Infinity}',
            b'{"name": 1e999}',
            b'{"name": "\xff"}',
            b'{"name": "\\ud800"}',
            b'{"\\udc00": 1}',
            b"\xef\xbb\xbf{}",
            b"\xff\xfe{\x00}\x00",
            b'{"name": "a", "name": "b"}',
            b'{"x": {"y": 1, "y": 2}}',
            b'{"name": ' + b"9" * 5_000 + b"}",
            b"[" * 60_000,
            b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
            b"{'name': 'a'}",
            b'{"name": "a"} {}',
            b'{"name": "a\nb"}',
            b'{"name": "a",}',
            b"{}//",
        ],
        ids=lambda body: repr(body[:24]),
    )
    def test_a_body_that_is_not_a_json_object_is_malformed(self, api, body):
        answer = api.spectator.post("/v1/players", data=body, content_type="application/json")

        problem(answer, 400, "malformed_json")

    def test_an_error_in_json_is_reported_once(self, api):
        answer = api.spectator.post("/v1/players", data=b"{name}", content_type="application/json")

        detail = problem(answer, 400, "malformed_json")["detail"]
        assert detail.startswith("The body is not valid JSON: ")
        assert "malformed" not in detail

    @pytest.mark.parametrize("operation", JSON_OPERATIONS, ids=lambda operation: operation.path)
    def test_a_missing_body_is_not_read_as_an_empty_object(self, api, table, operation):
        ada, path = table
        before = ada.get(path).json["view"]

        named = defaultdict(lambda: "1", table_id=path.rpartition("/")[2])
        where = operation.path.format_map(named)
        actor = Person(api.app, ROOT) if operation.access is Access.ADMINISTRATOR else ada
        is_final = isinstance(operation.body, ConfirmSchema)
        for kind in ("application/json", None):
            answer = problem(actor.ask(operation.method, where, content_type=kind), 400, "body_missing")
            assert ('{"confirm": true}' if is_final else "is {}.") in answer["detail"]
        assert ada.get(path).json["view"] == before

    @pytest.mark.parametrize(
        "form", [{}, {"confirm": False}, {"confirm": 1}, {"confirm": "true"}, {"confirm": None}]
    )
    @pytest.mark.parametrize("command", ["resign", "close"])
    def test_irreversible_commands_need_a_confirmation(self, api, ada, bob, command, form):
        path = api.playing(ada, bob) if command == "resign" else api.table(ada, bob)
        before = ada.get(path).json["view"]

        answer = problem(ada.post(f"{path}/{command}", form), 400, "invalid_body")

        assert [fault["name"] for fault in answer["faults"]] == ["confirm"]
        assert ada.get(path).json["view"] == before
        assert ada.post(f"{path}/{command}", {"confirm": True}).status_code == 200

    @pytest.mark.parametrize(
        ("form", "names"),
        [
            ({}, ["game"]),
            ({"game": "whist", "seats": 4}, ["game"]),
            ({"game": ["blindside"], "seats": 4}, ["game"]),
            ({"game": "blindside"}, ["seats"]),
            ({"game": "blindside", "seats": "4"}, ["seats"]),
            ({"game": "blindside", "seats": 4.5}, ["seats"]),
            ({"game": "blindside", "seats": True}, ["seats"]),
            ({"game": "blindside", "seats": None}, ["seats"]),
            ({"game": "blindside", "seats": 1}, ["seats"]),
            ({"game": "blindside", "seats": 10**30}, ["seats"]),
            ({"game": "blindside", "seats": 4, "colour": "red"}, ["colour"]),
            ({"game": "blindside", "seats": 4, "turn_seconds": -1}, ["turn_seconds"]),
            ({"game": "blindside", "seats": 4, "options": []}, ["options"]),
            ({"game": "blindside", "seats": 4, "options": {"five_card": 1}}, ["options.five_card"]),
            (
                {"game": "blindside", "seats": 4, "options": {"rounds": 0, "jokers": 1}},
                ["options.jokers", "options.rounds"],
            ),
            ({"game": "blind_don", "seats": 2, "options": {"rounds": 3}}, ["options.rounds"]),
        ],
    )
    def test_invalid_fields_are_reported_by_name(self, ada, form, names):
        answer = problem(ada.post("/v1/tables", form), 400, "invalid_body")

        assert sorted(fault["name"] for fault in answer["faults"]) == names

    @pytest.mark.parametrize(
        ("form", "said"),
        [
            ({"game": "blind_don", "seats": 3}, "Must be 2."),
            ({"game": "coconut", "seats": 5}, "Must be from 2 to 4."),
            ({"game": "coconut", "seats": 2, "options": []}, "Must be an object."),
            ({"game": "coconut", "seats": 2, "options": {"rounds": 0}}, "Must be from 1 to 10."),
        ],
    )
    def test_a_field_error_states_the_allowed_values(self, ada, form, said):
        (fault,) = problem(ada.post("/v1/tables", form), 400, "invalid_body")["faults"]
        assert fault["detail"] == said

    @pytest.mark.parametrize(
        "name", ["", " Ada", "Ada ", "A  da", "A\tda", "x" * 41, "a\u202eb", "\u200b", "a\nb", 7, None]
    )
    def test_unreadable_names_are_refused(self, api, name):
        problem(api.spectator.post("/v1/players", {"name": name}), 400, "invalid_body")

    @pytest.mark.parametrize("name", ["Ada", "Ada L", "Łukasz", "李小龍", "O'Neil", "x" * 40, "🂡"])
    def test_names_in_all_scripts_are_accepted(self, api, name):
        assert api.spectator.post("/v1/players", {"name": name}).json["name"] == name

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", None])
    @pytest.mark.parametrize(
        ("path", "expected"), [("players", "application/json"), ("verify", "application/x-ndjson")]
    )
    def test_an_unsupported_media_type_is_refused_with_the_expected_one(self, api, kind, path, expected):
        answer = api.spectator.post(f"/v1/{path}", data="{}", content_type=kind)

        detail = problem(answer, 415, "unsupported_media_type")["detail"]
        assert detail == f"Send the header `Content-Type: {expected}`."

    @pytest.mark.parametrize(
        "kind", ["application/json; charset=utf-8", "Application/JSON", "application/json ; charset=UTF8"]
    )
    def test_other_spellings_of_the_json_media_type_are_accepted(self, api, kind):
        assert api.spectator.post("/v1/players", data="{}", content_type=kind).status_code == 201

    def test_another_charset_is_refused(self, api):
        answer = api.spectator.post(
            "/v1/players", data="{}", content_type="application/json; charset=latin-1"
        )

        detail = problem(answer, 415, "unsupported_media_type")["detail"]
        assert detail == "The body must be application/json in UTF-8."

    def test_a_large_body_is_refused(self, api):
        answer = api.spectator.post(
            "/v1/players", data=b" " * (MAX_BODY + 1), content_type="application/json"
        )

        problem(answer, 413, "body_too_large")

    def test_a_log_body_has_a_higher_limit(self, api):
        lines = {"content_type": "application/x-ndjson"}

        assert api.spectator.post("/v1/verify", data=b" " * (MAX_BODY + 1), **lines).status_code == 200
        problem(api.spectator.post("/v1/verify", data=b" " * (MAX_LOG + 1), **lines), 413, "body_too_large")


class TestAddresses:
    @pytest.mark.parametrize(
        ("path", "code"),
        [
            ("/v1", "route_not_found"),
            ("/v1/players", "method_not_allowed"),
            ("/v1/tables/abcdefgh/", "route_not_found"),
            ("/v1/players/nobody00", "player_not_found"),
            ("/v1/players/Not%20An%20Id", "player_not_found"),
            ("/v1/players/%FF%FE", "player_not_found"),
            ("/v1/games/whist", "game_not_found"),
            ("/v1/tables/nowhere0", "table_not_found"),
            ("/v1/tables/../x", "route_not_found"),
            ("/v1/tables/" + "a" * 10_000, "table_not_found"),
            ("/v1/tables/%00", "table_not_found"),
            ("/v1/tables/nowhere0/events", "table_not_found"),
            ("/v1/tables/nowhere0/log", "table_not_found"),
        ],
    )
    def test_unknown_resources_are_reported_by_kind(self, api, path, code):
        problem(api.spectator.get(path), 405 if code == "method_not_allowed" else 404, code)

    @pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "POST"])
    def test_other_methods_are_refused_with_an_allow_header(self, api, method):
        answer = api.spectator.ask(method, "/v1/games")

        assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
        problem(answer, 405, "method_not_allowed")

    @pytest.mark.parametrize(
        ("path", "methods"),
        [
            ("/v1/games", "GET, HEAD, OPTIONS"),
            ("/v1/tables", "GET, HEAD, OPTIONS, POST"),
            ("/v1/tables/nowhere0/actions", "OPTIONS, POST"),
            ("/v1/tables/nowhere0/seats/0", "DELETE, OPTIONS"),
        ],
    )
    def test_options_lists_the_methods_of_the_path(self, api, path, methods):
        answer = api.spectator.ask("OPTIONS", path)

        assert (answer.status_code, answer.data, answer.headers["Allow"]) == (204, b"", methods)
        assert "Content-Type" not in answer.headers

    def test_options_works_for_every_operation(self, api):
        for operation in OPERATIONS.values():
            answer = api.spectator.ask("OPTIONS", operation.path.replace("{", "").replace("}", ""))
            assert operation.method in answer.headers["Allow"].split(", ")

    def test_options_at_an_unknown_path_is_not_found(self, api):
        problem(api.spectator.ask("OPTIONS", "/v1/nowhere"), 404, "route_not_found")

    @pytest.mark.parametrize("path", ["/docs", "/"])
    def test_pages_send_no_referrer_to_other_hosts(self, api, path):
        assert api.spectator.get(path).headers["Referrer-Policy"] == "no-referrer"

    @pytest.mark.parametrize("seat", ["-1", "x", "2", "10", "00", "٣", "9" * 5_000, "0.0", ""])
    def test_a_nonexistent_seat_cannot_be_left(self, api, ada, seat):
        answer = ada.delete(f"{api.table(ada, bots=1)}/seats/{seat}")

        problem(answer, 404, "no_such_seat" if seat else "route_not_found")

    def test_an_empty_seat_cannot_be_left(self, api, ada):
        path = ada.post("/v1/tables", {"game": "blindside", "seats": 3}).headers["Location"]

        problem(ada.delete(f"{path}/seats/2"), 422, "seat_empty")

    @pytest.mark.parametrize("encoding", ["gzip", "br", "identity, gzip"])
    def test_an_encoded_body_is_refused(self, api, encoding):
        answer = api.spectator.post("/v1/players", {}, headers={"Content-Encoding": encoding})

        problem(answer, 415, "unsupported_media_type")

    @pytest.mark.parametrize("field", ["cursor", "limit"])
    def test_a_live_stream_refuses_paging(self, api, path, field):
        answer = api.spectator.get(f"{path}/events?{field}=1", headers={"Accept": "text/event-stream"})

        assert [fault["name"] for fault in problem(answer, 400, "invalid_query")["faults"]] == [field]

    @pytest.mark.parametrize(
        "query",
        [
            "colour=red",
            "version=1&version=2",
            "version=0",
            "version=x",
            "version=-1",
            "version=%D9%A3",
            "viewer=me",
            "viewer=",
        ],
    )
    def test_invalid_queries_are_refused(self, api, path, query):
        problem(api.spectator.get(f"{path}?{query}"), 400, "invalid_query")

    @pytest.mark.parametrize(
        ("address", "known"),
        [
            ("{path}/events", "token, last_event_id, include, cursor, limit, viewer, with"),
            ("{path}", "viewer, version, include"),
            ("/v1/players/{ada}/statement", "cursor, limit, format, from, until, as_of, unit"),
        ],
    )
    def test_an_unknown_parameter_is_refused_with_the_known_ones(self, api, ada, path, address, known):
        answer = api.spectator.get(address.format(path=path, ada=ada.id) + "?after=-1")

        (fault,) = problem(answer, 400, "invalid_query")["faults"]
        assert (fault["place"], fault["name"]) == ("query", "after")
        assert fault["detail"] == f"Unknown parameter; this operation has: {known}."

    def test_a_parameter_of_an_operation_without_any_is_refused(self, api):
        (fault,) = problem(api.spectator.get("/v1/games?x=1"), 400, "invalid_query")["faults"]
        assert fault["detail"] == "Unknown parameter; this operation has none."

    def test_an_unknown_version_is_not_found(self, api, path):
        problem(api.spectator.get(f"{path}?version=999"), 404, "version_not_found")
        problem(api.spectator.get(f"{path}?version=999999999999999"), 404, "version_not_found")

    @pytest.mark.parametrize("accept", ["text/html", "application/xml", "application/json;q=0"])
    def test_an_unsupported_accept_header_is_refused(self, api, accept):
        problem(api.spectator.get("/v1/games", headers={"Accept": accept}), 406, "not_acceptable")

    def test_a_server_without_streams_refuses_them(self, api, path):
        answer = api.spectator.get(f"{path}/events", headers={"Accept": "text/event-stream"})

        problem(answer, 406, "not_acceptable")


class TestService:
    def test_an_unavailable_store_is_reported_with_retry_after(self, api, ada, path):
        with unreachable(api.service.client):
            read, sent = api.spectator.get(path), ada.post(f"{path}/start")
            ready = api.spectator.get("/readyz")

        assert (
            problem(read, 503, "store_unavailable")["detail"]
            == "The service cannot save anything at the moment. Try again in a moment."
        )
        assert read.headers["Retry-After"] == "1"
        detail = problem(sent, 503, "store_unavailable")["detail"]
        assert "Whether the command took effect is unknown" in detail
        problem(ready, 503, "store_unavailable")

    def test_a_full_disk_is_reported_with_retry_after(self, api, ada, monkeypatch):
        def full():
            raise StorageFull

        monkeypatch.setattr(api.service.store, "_check_room", full)
        answer = ada.post("/v1/tables", {"game": "blindside", "seats": 2})
        problem(answer, 503, "storage_full")
        assert answer.headers["Retry-After"] == "30"
        assert api.spectator.get("/healthz").json == {"status": "ok"}

    def test_a_damaged_archive_is_logged_and_promises_nothing(self, api, ada, path, monkeypatch):
        def fail(*_args, **_options):
            raise DamagedArchive("p00/2026-12-00001.segment is missing")

        monkeypatch.setattr(type(api.service.tables), "load", fail)
        with capture_logs() as lines:
            answer = ada.get(path)
        detail = problem(answer, 503, "store_unavailable")["detail"]
        assert detail == "The log is lost or damaged. Only the operator of this service can restore it."
        assert {line["error"] for line in lines} == {"p00/2026-12-00001.segment is missing"}

    def test_an_internal_error_reveals_no_details(self, api, ada, path, monkeypatch):
        def fail(*_args, **_options):
            raise ZeroDivisionError("the ace of spades")

        monkeypatch.setattr(type(api.service.tables), "load", fail)

        with capture_logs() as lines:
            answer = ada.get(path)

        problem(answer, 500, "internal_error")
        assert b"ace" not in answer.data
        assert lines
        # Its values are removed when the line is written.
        assert "ace" not in str([{**line, "exc_info": None} for line in lines])


def test_cached_bodies_are_not_confused_between_games_or_forms(api, ada, bob):
    """Short bodies are cached by their bytes and the game."""
    blindside, coconut = (api.playing(ada, bob, game=game) for game in ("blindside", "coconut"))
    action = next(first_legal(ada, blindside))

    assert ada.post(f"{blindside}/actions", action).status_code == 200
    problem(ada.post(f"{coconut}/actions", action), 422, "wrong_game")
    problem(ada.post(f"{blindside}/actions", action | {"expected_version": True}), 400, "invalid_body")
    problem(ada.post(f"{blindside}/actions", action | {"expected_version": 1}), 409, "version_conflict")
