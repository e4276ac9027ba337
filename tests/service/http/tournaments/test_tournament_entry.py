"""Who may enter a tournament: invitation codes (T-25) the organiser's approval (T-26), and bounds (T-27)."""

import pytest

from hoodwink.service.application.players.identity import Use
from tests.service.http.api import CONFIRMED, problem
from tests.service.http.cup import FORM, Cup, standing_api
from tests.service.http.players.test_bots import bot_of
from tests.service.http.players.test_ratings import ALL, finish_table


@pytest.fixture
def api():
    return standing_api()


@pytest.fixture
def people(api):
    return {name: api.person(name) for name in ("Olga", "Ada", "Bob", "Cy")}


def opened(api, people, **form):
    """Returns a tournament of Olga in registration."""
    cup = Cup(api, people["Olga"], **form)
    cup.command("/registration")
    return cup


def entered(cup):
    return [entrant["name"] for entrant in cup.view["entrants"]]


def test_t_25_a_code_is_needed_to_enter_where_the_organiser_asks_for_it(api, people):
    cup = opened(api, people, invited_only=True)
    ada, olga = people["Ada"], people["Olga"]
    path = f"{cup.path}/entrants"

    refused = problem(ada.post(path), 403, "not_invited")
    wrong = ada.post(path, headers={"Hoodwink-Invitation": "AAAA-AAAA-AAAA"})
    assert problem(wrong, 403, "not_invited") == refused
    sloppy = {name: code.replace("-", "").lower() for name, code in cup.invitation().items()}
    assert ada.post(path, headers=sloppy).status_code == 201
    assert olga.post(path).status_code == 201  # who knows the code
    assert olga.post(path, {"policy": "steady"}).status_code == 201
    assert entered(cup) == ["Ada", "Olga", "Steady bot"]


@pytest.mark.parametrize("form", [{"invited_only": True}, {"visibility": "private"}])
def test_t_25_a_replaced_code_is_worth_nothing(api, people, form):
    cup = opened(api, people, **form)
    old, path = cup.invitation(), f"{cup.path}/entrants"
    people["Ada"].post(path, headers=old)

    cup.command("/invitation")
    new = cup.invitation()

    assert old != new
    assert people["Bob"].post(path, headers=old).status_code in {403, 404}
    assert people["Bob"].post(path, headers=new).status_code == 201
    assert people["Ada"].get(cup.path).status_code == 200
    assert entered(cup) == ["Ada", "Bob"]
    for answer in (cup.get(""), cup.get("/events")):
        assert not any(code in answer.text for code in (*old.values(), *new.values()))


def test_t_25_codes_are_of_one_tournament_only_and_end_with_their_key(api, people):
    cup, other = [opened(api, people, invited_only=True) for _ in range(2)]
    code, path = cup.invitation(), f"{cup.path}/entrants"

    problem(people["Ada"].post(path, headers=other.invitation()), 403, "not_invited")
    api.service.identities.rotate(Use.INVITATIONS)
    problem(people["Ada"].post(path, headers=code), 403, "not_invited")
    assert people["Ada"].post(path, headers=cup.invitation()).status_code == 201


def test_t_25_only_the_organiser_sees_and_replaces_the_code(api, people):
    cup = opened(api, people, invited_only=True)
    ada = people["Ada"]
    ada.post(f"{cup.path}/entrants", headers=cup.invitation())

    problem(ada.get(f"{cup.path}/invitation"), 403, "not_organiser")
    problem(ada.post(f"{cup.path}/invitation"), 403, "not_organiser")


def applicants(cup):
    return [(each["name"], each["is_declined"]) for each in cup.view["applicants"]]


def test_t_26_an_entry_is_a_request_that_the_organiser_decides(api, people):
    cup = opened(api, people, approval=True, cap=2)
    olga, ada, bob, cy = [people[name] for name in ("Olga", "Ada", "Bob", "Cy")]
    for who in (ada, bob, cy):
        assert who.post(f"{cup.path}/entrants", {"seed_commitment": "ab" * 32}).status_code == 201
    decide = f"{cup.path}/applicants"

    problem(ada.post(f"{decide}/{ada.id}/acceptance"), 403, "not_organiser")
    cup.command(f"/applicants/{ada.id}/acceptance")
    cup.command(f"/applicants/{bob.id}/refusal")
    problem(olga.post(f"{decide}/{ada.id}/refusal"), 404, "entrant_not_found")
    problem(bob.post(f"{cup.path}/entrants/{bob.id}/withdrawal", CONFIRMED), 404, "entrant_not_found")
    cup.command(f"/entrants/{cy.id}/withdrawal", CONFIRMED, by=cy)

    assert entered(cup) == ["Ada"]
    assert cup.view["entrants"][0]["seed_commitment"] == "ab" * 32
    assert applicants(cup) == [("Bob", True)]
    said = [event["words"] for event in cup.events("?include=words")]
    assert said[-4:] == [
        "The organiser accepted Ada.",
        "Ada entered and committed to a seed.",
        "The organiser declined Bob.",
        "Cy no longer asks to enter.",
    ]


def test_t_26_nobody_accepts_a_player_who_has_been_erased(api, people):
    cup = opened(api, people, approval=True)
    ada = people["Ada"]
    ada.post(f"{cup.path}/entrants")
    api.service.players.erase(api.service.players.get(ada.id), None)

    answer = people["Olga"].post(f"{cup.path}/applicants/{ada.id}/acceptance")

    problem(answer, 404, "entrant_not_found")


def test_d_7_t_26_of_a_player_and_their_bots_only_one_is_accepted(api, people):
    cup = opened(api, people, approval=True, deal="same", turn_seconds=60, outside_bots=True)
    ada = people["Ada"]
    bot = bot_of(api, ada)
    for who in (ada, bot):
        assert who.post(f"{cup.path}/entrants").status_code == 201

    cup.command(f"/applicants/{bot.id}/acceptance")

    answer = people["Olga"].post(f"{cup.path}/applicants/{ada.id}/acceptance")
    problem(answer, 403, "own_bot_plays")


@pytest.fixture
def rated(api, people):
    """Ada has won two rated tables of Blindside against Bob, at about 12 and 0."""
    for _ in range(2):
        finish_table(api, people["Ada"], people["Bob"])
    rows = api.spectator.get(f"/v1/leaderboards/blindside{ALL}").json["leaders"]
    return {row["name"]: row["standing"]["rating"]["ordinal"] for row in rows}


@pytest.mark.parametrize(
    ("form", "may_enter"),
    [
        ({"min_rating": 2}, {"Ada"}),
        ({"max_rating": 2}, {"Bob", "Cy"}),  # nobody knows a rating of Cy
        ({"min_rating": -50, "max_rating": 50}, {"Ada", "Bob"}),
        ({"min_rated_tables": 2}, {"Ada", "Bob"}),
        ({"min_rated_tables": 3}, set()),
    ],
)
def test_t_27_bounds_apply_to_all_players_who_enter(api, people, rated, form, may_enter):
    assert rated["Bob"] < 2 < rated["Ada"]
    cup = opened(api, people, **form)

    for name in ("Ada", "Bob", "Cy"):
        answer = people[name].post(f"{cup.path}/entrants")
        if name not in may_enter:
            code = "too_few_rated_tables" if "min_rated_tables" in form else "rating_out_of_bounds"
            problem(answer, 403, code)
    cup.command("/entrants", {"policy": "steady"})  # a bot of the service, which the organiser enters

    assert {*entered(cup)} == may_enter | {"Steady bot"}


def test_t_27_bots_of_players_are_bound_by_their_own_ratings(api, people, rated):
    cup = opened(api, people, min_rating=2, outside_bots=True, turn_seconds=60)
    bot = bot_of(api, people["Ada"])

    problem(bot.post(f"{cup.path}/entrants"), 403, "rating_out_of_bounds")
    assert people["Ada"].post(f"{cup.path}/entrants").status_code == 201


def test_t_27_impossible_bounds_are_refused(people):
    form = FORM | {"min_rating": 9, "max_rating": 8}
    problem(people["Olga"].post("/v1/tournaments", form), 422, "invalid_setup")
