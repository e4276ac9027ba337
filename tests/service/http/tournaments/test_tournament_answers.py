"""Tournaments over HTTP: access, versions, keys, pages, events, streams."""

from typing import Any

import msgspec
import pytest
from werkzeug.test import EnvironBuilder

from hoodwink.domain.words import Cast
from hoodwink.service.application.ports import StreamId
from hoodwink.service.http.framework.streaming import STREAMS, SUBSCRIPTION
from hoodwink.service.http.serving.wsgi import call
from tests.service.http.api import CONFIRMED, catch_up, problem, tag_of
from tests.service.http.cup import FORM, Cup, standing_api
from tests.service.http.room import Full, Room


@pytest.fixture
def api():
    return standing_api()


# -------------------------------------------------------------------------------------- permissions


def test_only_the_organiser_may_give_organiser_commands(api, running, ada):
    confirmed = CONFIRMED | {"reason": "Because."}
    reason = {"reason": "Because."}
    asked: dict[str, Any] = {
        "/registration": {},
        "/order": {"entrants": []},
        f"/entrants/{ada.id}/expulsion": confirmed,
        "/start": {},
        "/sittings/1/check-in": {},
        "/sittings/1/schedule": {"starts_at": None, **reason},
        "/rounds": {},
        "/rounds/1/pairing": {"tables": [], **reason},
        "/rounds/1/start": {},
        "/rounds/1/boards/1/void-score": reason,
        "/tiebreaks": {"tiebreaks": [], **reason},
        "/pause": {},
        "/resume": {},
        "/finish": confirmed,
        "/cancel": confirmed,
    }
    for path, form in asked.items():
        problem(ada.post(running.path + path, form), 403, "not_organiser")
        problem(api.spectator.post(running.path + path, form), 401, "token_missing")
        problem(running.order(path, form | {"extra": 1}), 400, "invalid_body")


def test_only_entrants_may_give_entrant_commands(api, running):
    eve = api.person("Eve")
    for path, form in (
        ("/check-in", {}),
        ("/absence", {}),
        ("/seed", {"seed": "ad" * 16}),
        ("/byes", {"round": 1}),
    ):
        problem(eve.post(running.path + path, form), 403, "not_entered")
        problem(api.spectator.post(running.path + path, form), 401, "token_missing")


@pytest.mark.parametrize(
    "path", ["", "/events", "/log", "/standings", "/standings/1", "/rounds/1", "/results", "/report"]
)
@pytest.mark.parametrize("named", ["abcdefgh", "no-id"])
def test_an_unknown_tournament_is_not_found(api, path, named):
    problem(api.spectator.get(f"/v1/tournaments/{named}{path}"), 404, "tournament_not_found")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seats", 1),
        ("seats", "3"),
        ("sittings", []),
        ("sittings", [{"rounds": 0}]),
        ("sittings", [{"rounds": 1, "hall": "B"}]),
        ("bye_score", 1),
        ("bye_score", "-1"),
        ("float_window", {}),
        ("float_window", "some"),
        ("float_window", -1),
        ("float_window", True),
        ("tiebreaks", ["luck"]),
        ("forbidden", [["abcd"]]),
        ("cap", 1),
        ("name", " The Cup"),
        ("surprise", 1),
    ],
)
def test_an_invalid_form_is_refused_with_the_place(olga, field, value):
    faults = problem(olga.post("/v1/tournaments", FORM | {field: value}), 400, "invalid_body")["faults"]

    assert {fault["name"].partition(".")[0] for fault in faults} == {field}


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"seats": 9, "game": "blind_don"}, "invalid_options"),
        ({"tiebreaks": ["wins", "wins"]}, "invalid_setup"),
        ({"sittings": [{}]}, "invalid_setup"),
        ({"advance": "schedule"}, "invalid_setup"),
        ({"best_of": 1}, "invalid_setup"),
        ({"format": "knockout"}, "invalid_setup"),
        ({"late_score": "1/3"}, "invalid_setup"),
        ({"bye_score": "2"}, "invalid_setup"),
    ],
)
def test_illegal_settings_are_refused_with_a_sentence(olga, form, code):
    given = FORM | form | ({"options": {}} if "game" in form else {})

    assert problem(olga.post("/v1/tournaments", given), 422, code)["detail"].endswith(".")


# ------------------------------------------------------------------------------- versions, keys, pages


def test_a_repeat_with_the_same_key_changes_nothing(olga):
    opened = [olga.post("/v1/tournaments", FORM, key="one-and-the-same-key") for _ in range(2)]
    path = opened[0].headers["Location"]
    assert opened[0].data == opened[1].data
    orders = [olga.post(f"{path}/registration", key="another-same-key-1") for _ in range(2)]
    assert orders[0].data == orders[1].data
    problem(
        olga.post(f"{path}/cancel", CONFIRMED | {"reason": "x"}, key="another-same-key-1"),
        409,
        "idempotency_key_reused",
    )


def test_a_command_can_require_a_version(cup):
    seen = cup.get("").json
    tag = tag_of(seen)
    assert cup.get("").headers["ETag"] == tag
    conflict = problem(cup.order("/registration", {"expected_version": 9}), 409, "version_conflict")
    assert conflict["version"] == 1
    stale = cup.order("/registration", headers={"If-Match": '"9"'})
    assert problem(stale, 412, "precondition_failed")["version"] == 1

    opened = cup.order("/registration", headers={"If-Match": tag})

    assert opened.status_code == 200
    assert opened.headers["ETag"] == tag_of(opened.json)


@pytest.mark.parametrize("path", ["", "/standings"])
def test_an_unchanged_version_is_not_sent_again(running, path):
    first = running.get(path)
    again = running.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    running.pair()
    assert running.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_tournaments_are_listed_by_phase_and_game_in_pages(api, olga, ada):
    cups = [Cup(api, olga, name=f"Cup {number}") for number in range(3)]
    for cup in cups:
        cup.enter()
        cup.clock.now += 1
    Cup(api, olga, game="shithead", options={})
    catch_up(api)
    first = api.spectator.get("/v1/tournaments?limit=2").json
    assert [tournament["name"] for tournament in first["tournaments"]] == ["Cup 2", "Cup 1"]
    rest = api.spectator.get(f"/v1/tournaments?limit=2&cursor={first['cursor']}").json
    assert ([tournament["name"] for tournament in rest["tournaments"]], rest["cursor"]) == (["Cup 0"], None)
    drafts = api.spectator.get("/v1/tournaments?phase=draft&game=shithead").json["tournaments"]
    assert [(tournament["name"], tournament["organiser"]) for tournament in drafts] == [("The Cup", olga.id)]
    assert api.spectator.get("/v1/tournaments?phase=finished").json["tournaments"] == []
    problem(api.spectator.get("/v1/tournaments?phase=lost"), 400, "invalid_query")


def test_a_players_tournaments_are_listed_with_the_final_rank(api, running, ada):
    for _ in range(2):
        running.play_round()
    running.command("/finish", CONFIRMED)
    catch_up(api)

    (row,) = api.spectator.get(f"/v1/players/{ada.id}/tournaments").json["tournaments"]

    assert (row["tournament"], row["phase"], row["rank"]) == (running.id, "finished", 1)
    problem(api.spectator.get("/v1/players/abcdefgh/tournaments"), 404, "player_not_found")


# ---------------------------------------------------------------------------------------------- events


def test_events_are_listed_in_pages_and_line_by_line(running):
    running.play_round()
    whole = running.events()
    assert [event["version"] for event in whole] == list(range(1, running.view["version"] + 1))
    first = running.get("/events?limit=3").json
    assert (first["events"], first["more"]) == (whole[:3], True)
    rest = running.get(f"/events?limit=1000&cursor={first['cursor']}").json
    assert (rest["events"], rest["more"]) == (whole[3:], False)
    lines = running.get("/events", headers={"Accept": "application/x-ndjson"}).data.splitlines()
    assert [msgspec.json.decode(line) for line in lines] == whole
    problem(running.get("/events?cursor=1-0123456789abcdef"), 409, "history_changed")
    problem(running.get("/events", headers={"Accept": "text/event-stream"}), 406, "not_acceptable")


@pytest.mark.parametrize("path", ["/events", "/standings"])
def test_live_streams_are_passed_to_the_server(running, path):
    def follow(query="", room=True, **headers):
        live = {"Accept": "text/event-stream", **headers}
        return running.get(
            path + query, headers=live, environ_overrides={STREAMS: Room() if room else Full()}
        )

    answer = follow()
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "text/event-stream", b"")
    assert watch(running, path).stream == StreamId("tournament", running.id)
    problem(follow(room=False), 503, "too_many_streams")
    paged = "?limit=2" if path == "/events" else "?round=0"
    problem(follow(paged), 400, "invalid_query")
    if path == "/events":
        problem(follow(**{"Last-Event-ID": "first"}), 400, "invalid_header")
        assert watch(running, path, **{"Last-Event-ID": "3"}).after.version == 3


def watch(cup, path, **headers):
    """Returns the subscription passed to the server."""
    live = {"Accept": "text/event-stream", **headers}
    request = EnvironBuilder(
        cup.path + path,
        headers=[*live.items()],
        environ_overrides={STREAMS: Room()},
    )
    environ = request.get_environ()
    call(cup.api.app.wsgi_app, environ)
    return environ[SUBSCRIPTION]


def test_events_have_words_on_request(running, ada):
    running.play_round()
    shown = [event["words"] for event in running.events("?limit=1000&include=words")]

    assert shown[:3] == [
        "The Cup was opened: a Swiss tournament of Blindside at tables of 3.",
        "Registration opened.",
        "Ada entered.",
    ]
    (ended,) = [said for said in shown if said.startswith("Board 1 of round 1 ended.")]
    assert ended.startswith("Board 1 of round 1 ended. Places: 1st Ada, 2nd Bob, 3rd Cy.")
    assert all("words" not in event for event in running.events())
    paused = running.command("/pause?include=words", {"reason": "Supper."})
    assert paused["events"][0]["words"] == "The organiser paused the tournament: Supper."


def test_t_14_a_tournaments_table_names_it(api, running):
    running.pair()
    running.start_round()
    (table,) = running.tables()

    view = api.spectator.get(table).json["view"]

    met_at = view["tournament"]
    assert (met_at["tournament"], met_at["round"], met_at["board"]) == (running.id, 1, 1)
    assert view["rated"]


def test_r_1_a_tournament_table_can_be_unrated(api, ada):
    rated, unrated = [
        ada.post("/v1/tables", {"game": "blindside", "seats": 2, **form}).json["view"]["rated"]
        for form in ({}, {"rated": False})
    ]

    assert (rated, unrated) == (True, False)


def test_entrants_names_are_collected_once_per_page_in_words(running, monkeypatch):
    """Collecting them per event made a page with a thousand entrants take two thirds of a second."""
    gathered = list[Any]()

    class Counted(Cast):
        def __init__(self, *given: Any) -> None:
            gathered.append(given)
            super().__init__(*given)

    monkeypatch.setattr("hoodwink.service.http.messages.tournament_answers.Cast", Counted)

    assert len(running.events("?limit=1000&include=words")) > 5
    assert len(gathered) == 1
    running.events()
    assert len(gathered) == 1
