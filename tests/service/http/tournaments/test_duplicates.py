"""Duplicate tournaments over HTTP: their settings, standings and results per deal (D-1 … D-7)."""

from fractions import Fraction
from typing import Any

import pytest

from tests.service.http.api import Api
from tests.service.http.cup import FORM, Cup, standing_api

SAME: dict[str, Any] = {"deal": "same", "turn_seconds": 60, "seats": 2}


@pytest.fixture
def api() -> Api:
    return standing_api()


def opened(api: Api, **form: Any) -> Any:
    return api.person("Olga").post("/v1/tournaments", FORM | SAME | form)


def test_d_1_an_organiser_chooses_the_same_deal_for_all_tables(api):
    view = opened(api).json["tournament"]

    assert (view["setup"]["deal"], view["setup"]["compare"]) == ("same", "matchpoints")
    assert view["setup"]["bye_score"] == "1/2"
    by_difference = opened(api, compare="difference", bye_score="0").json["tournament"]["setup"]
    assert (by_difference["compare"], by_difference["bye_score"]) == ("difference", "0")


def test_d_1_by_default_every_table_has_its_own_deal(api):
    setup = Cup(api, api.person("Olga")).view["setup"]

    assert (setup["deal"], setup["compare"], setup["bye_score"]) == ("independent", None, "1")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"format": "knockout", "sittings": [{}]}, "In a knockout, every table has its own deal."),
        ({"turn_seconds": 0}, "`turn_seconds` must not be 0"),
        ({"score_by": "win"}, "omit `score_by`"),
        (
            {"deals_per_pairing": 2, "sittings": [{"rounds": 3}]},
            "`rounds` must be a multiple",
        ),
        ({"deal": "independent", "deals_per_pairing": 2}, "are for tournaments with `deal: same`."),
        ({"bye_score": "1"}, "`bye_score` and `late_score` must be at most 1/2"),
        ({"deal": "independent", "compare": "difference"}, "are for tournaments with `deal: same`."),
    ],
)
def test_d_1_d_7_settings_that_a_shared_deal_forbids_are_refused(api, form, words):
    refused = opened(api, **form)

    assert (refused.status_code, refused.json["code"]) == (422, "invalid_setup")
    assert words in refused.json["detail"]


@pytest.mark.parametrize("name", ["deal", "compare"])
def test_d_1_an_unknown_way_to_deal_or_compare_is_refused(api, name):
    refused = opened(api, **{name: "somehow"})

    assert (refused.status_code, refused.json["faults"][0]["name"]) == (400, name)


def test_d_1_every_game_declares_the_settings_of_a_shared_deal(api):
    settings = {
        one["name"]: one for one in api.spectator.get("/v1/games/blindside").json["tournament_settings"]
    }

    assert settings["deal"]["form"]["enum"] == ["independent", "same"]
    assert settings["deal"]["default"] == "independent"
    assert settings["compare"]["form"]["enum"][:2] == ["matchpoints", "difference"]


class Duplicate:
    """A duplicate tournament of bots and people at tables of two, in its first round."""

    def __init__(self, api: Api, *, bots: int, people: int = 0, **form: Any) -> None:
        self.api = api
        self.people = [api.person(f"P{number}") for number in range(people)]
        self.cup = Cup(api, api.person("Olga"), **(SAME | form))
        self.cup.start(*self.people, bots=bots)
        self.cup.pair()
        self.cup.start_round()

    def resign(self) -> None:
        """Lets all people resign, which ends their tables and so the round."""
        for person, table in zip(self.people, self.cup.tables(), strict=False):
            assert person.resign(table).status_code == 200
        self.cup.run_due()

    def deal(self, number: int = 1) -> Any:
        return self.cup.get(f"/deals/{number}").json["deal"]


def test_d_3_a_released_deal_shows_every_seat_with_exact_scores(api):
    game = Duplicate(api, bots=8)
    answer = game.cup.get("/deals/1").json
    deal, view = answer["deal"], game.cup.view

    assert (deal["status"], deal["compare"], deal["round"]) == ("compared", "matchpoints", 1)
    assert [(seats["size"], seats["seat"], len(seats["results"])) for seats in deal["seats"]] == [
        (2, 0, 4),
        (2, 1, 4),
    ]
    scores = {}
    for seats in deal["seats"]:
        points = [result["points"] for result in seats["results"]]
        assert points == sorted(points, reverse=True)
        for result in seats["results"]:
            beaten, equal = (
                sum(other < result["points"] for other in points),
                points.count(result["points"]) - 1,
            )
            found = result["comparison"]
            assert (found["beaten"], found["equal"], found["others"], found["tables"]) == (
                beaten,
                equal,
                3,
                4,
            )
            assert Fraction(result["score"]) == Fraction(2 * beaten + equal, 6)
            assert result["exclusion"] is None
            scores[result["entrant"]] = result["score"]
            table = view["rounds"][0]["boards"][result["board"] - 1]["tables"][0]
            assert (table["table"], table["seats"][seats["seat"]]) == (result["table"], result["entrant"])
    rows = game.cup.get("/standings?round=1").json["rows"]
    assert scores == {row["entrant"]: row["score"] for row in rows}
    assert set(answer["names"]) == {str(entrant["number"]) for entrant in view["entrants"]}


def test_d_3_by_difference_a_deal_shows_the_mean_of_the_others(api):
    for seats in Duplicate(api, bots=6, compare="difference").deal()["seats"]:
        points = [result["points"] for result in seats["results"]]
        for result in seats["results"]:
            mean = Fraction(sum(points) - result["points"], 2)
            assert Fraction(result["comparison"]["mean"]) == mean
            assert Fraction(result["score"]) == result["points"] - mean


def test_d_7_before_the_release_a_deal_shows_only_which_tables_have_ended(api):
    game = Duplicate(api, bots=4, people=2)
    deal = game.deal()

    assert (deal["status"], deal["seats"]) == ("embargoed", [])
    # The people are ranked first, so each meets a bot, and the other table is of bots alone.
    assert [(sorted(table["entrants"]), table["has_ended"]) for table in deal["tables"]] == [
        ([1, 4], False),
        ([2, 5], False),
        ([3, 6], True),
    ]
    assert set(deal["tables"][0]) == {"board", "table", "entrants", "has_ended"}
    assert game.cup.view["rounds"][0]["is_embargoed"]

    game.resign()
    released = game.deal()
    assert released["status"] == "compared"
    assert all(table["has_ended"] for table in released["tables"])
    assert not game.cup.view["rounds"][0]["is_embargoed"]


def test_d_6_a_seat_that_resigned_is_shown_with_its_reason(api):
    game = Duplicate(api, bots=6, people=2)
    game.resign()
    reasons = {
        result["entrant"]: (result["exclusion"], result["comparison"], result["score"])
        for seats in game.deal()["seats"]
        for result in seats["results"]
        if result["exclusion"]
    }

    assert reasons == {
        1: ("resigned", None, "0"),
        2: ("resigned", None, "0"),
        5: ("last_left", None, "1"),
        6: ("last_left", None, "1"),
    }
    explained = game.cup.get("/standings/1").json["numbers"][0]
    assert explained["words"].endswith("not compared: resigned.")


def test_d_3_a_standing_explains_how_the_seat_compared(api):
    game = Duplicate(api, bots=6)
    words = game.cup.get("/standings/1").json["numbers"][0]["words"]

    assert "of 2 others in that seat" in words


@pytest.mark.parametrize("path", ["/deals/2", "/deals/0", "/deals/one", "/deals/501"])
def test_d_1_a_deal_that_is_not_reached_is_not_found(api, path):
    missing = Duplicate(api, bots=4).cup.get(path)

    assert (missing.status_code, missing.json["code"]) == (404, "deal_not_found")


def test_d_1_a_tournament_with_a_deal_for_each_table_has_no_deals(api):
    cup = Cup(api, api.person("Olga")).start(bots=6)
    cup.pair()
    cup.start_round()

    assert cup.get("/deals/1").json["code"] == "deal_not_found"
    assert not cup.view["rounds"][0]["is_embargoed"]


def test_d_3_a_duplicate_tournament_has_its_standings_in_json_but_no_report(api):
    cup = Duplicate(api, bots=6).cup
    refused, rows = cup.get("/report"), cup.get("/standings").json["rows"]

    assert (refused.status_code, refused.json["code"]) == (422, "no_report_possible")
    assert "no place for the comparisons" in refused.json["detail"]
    written = cup.get("/results").json["standings"][0]["rows"]
    assert [(row["entrant"], row["score"]) for row in written] == [
        (row["entrant"], row["score"]) for row in rows
    ]
