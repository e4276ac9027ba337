"""Arenas over HTTP: the course of two people's evening, from the form to the proof (T-40 … T-47)."""

import csv
from typing import Any

import pytest

from tests.service.http.api import Api, Person
from tests.service.http.cup import FORM, Cup, standing_api
from tests.service.http.tournaments.test_tournaments import verify_log

ARENA: dict[str, Any] = {
    "format": "arena",
    "seats": 2,
    "sittings": [{}],
    "arena_minutes": 2,
    "finish_minutes": 1,
}


@pytest.fixture
def api() -> Api:
    return standing_api()


@pytest.fixture
def arena(api: Api) -> Cup:
    cup = Cup(api, api.person("Olga"), **ARENA)
    cup.start(api.person("Ada"), api.person("Bo"))
    cup.run_due()
    return cup


def seconds_later(cup: Cup, seconds: int) -> None:
    cup.clock.now += 1_000 * seconds
    cup.run_due()


def appear(cup: Cup) -> list[str]:
    """Lets everybody say that they are there; returns the tables of the last wave."""
    for table in cup.tables():
        for person in cup.people:
            person.post(f"{table}/ready")
    return cup.tables()


def lose(cup: Cup, loser: Person) -> None:
    """Lets a player resign at the table of the last wave."""
    (table,) = appear(cup)
    assert loser.resign(table).status_code == 200
    cup.api.run_due(table)
    cup.run_due()


def standings(cup: Cup) -> list[tuple[str, str, int]]:
    rows = cup.get("/standings").json["rows"]
    return [(row["name"], row["score"], row["streak"]) for row in rows]


def test_t_40_an_arena_has_times_and_defaults_of_its_own(api, arena):
    view = arena.view

    assert (view["setup"]["turn_seconds"], view["setup"]["grace_seconds"]) == (30, 60)
    assert view["setup"]["advance"] == "automatic"
    assert view["rounds_planned"] is None
    now = arena.clock.now
    assert view["arena"] == {
        "begins_at": now,
        "bell_at": now + 120_000,
        "ends_by": now + 180_000,
        "is_bell_rung": False,
    }
    others = Cup(api, api.person("Bert")).view
    assert (others["arena"], others["setup"]["arena_minutes"]) == (None, None)
    refused = api.person("Carl").post("/v1/tournaments", FORM | ARENA | {"turn_seconds": 0})
    assert (refused.status_code, refused.json["code"]) == (422, "invalid_setup")


def test_t_41_t_47_two_people_play_an_arena_to_its_end(api, arena):
    ada, bo = arena.people
    for expected in (("2", 1), ("4", 2), ("8", 3)):
        lose(arena, bo)
        assert standings(arena)[0] == ("Ada", *expected)
        seconds_later(arena, 5)
    explained = arena.get("/standings/1").json["numbers"][0]["words"]
    assert explained.endswith("Round 3: 4, place 1 of 2 against Bo, doubled in a streak.")
    page = arena.get("/rounds/4").json
    assert page["explanations"][0]["text"].startswith("The nearest in the standings")

    late = api.person("Cy")
    arena.command("/entrants", by=late)
    arena.people.append(late)
    arena.command("/absence", by=ada)
    lose(arena, ada)
    seconds_later(arena, 5)
    seats = arena.view["rounds"][-1]["boards"][0]["tables"][0]["seats"]
    assert sorted(seats) == [2, 3], "Ada pauses"

    appear(arena)
    seconds_later(arena, 105)
    assert arena.view["arena"]["is_bell_rung"]
    assert api.person("Dee").post(f"{arena.path}/entrants").json["code"] == "too_late"
    lose(arena, late)
    assert arena.view["phase"] == "finished"
    assert standings(arena) == [("Ada", "8", 0), ("Bo", "4", 2), ("Cy", "0", 0)]
    check_files(arena)


def check_files(arena: Cup) -> None:
    """Asserts that the files of an ended arena agree with its standings, and that its log is proved."""
    rows = list(csv.DictReader(arena.get("/standings?format=csv").text.splitlines()))
    assert (rows[0]["name"], rows[0]["score"], rows[0]["streak"]) == ("Ada", "8", "0")
    cross = list(csv.DictReader(arena.get("/crosstable").text.splitlines()))
    assert (cross[2]["score_1"], cross[2]["score_5"]) == ("", "0")
    results = arena.get("/results").json
    assert (results["kind"], len(results["rounds_played"])) == ("arena", 5)
    assert [row["score"] for row in results["standings"][-1]["rows"]] == ["8", "4", "0"]
    logs = (
        arena.get("/log").text,
        *[arena.api.spectator.get(f"{table}/log").text for table in all_tables(arena)],
    )
    verdict = verify_log(arena.api, "".join(logs))
    assert (verdict["valid"], verdict["tables"]) == (True, 5)
    assert [(row["name"], row["score"]) for row in verdict["standings"]] == [
        ("Ada", "8"),
        ("Bo", "4"),
        ("Cy", "0"),
    ]


def all_tables(arena: Cup) -> list[str]:
    boards = [board for round_ in arena.view["rounds"] for board in round_["boards"]]
    return [f"/v1/tables/{board['tables'][0]['table']}" for board in boards]
