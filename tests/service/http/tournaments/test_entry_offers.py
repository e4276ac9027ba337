"""Offers of an entry, and the lists of players that they come from (T-28, T-29)."""

import pytest

from tests.service.http.api import CONFIRMED, catch_up, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.players.test_blocks import block
from tests.service.http.players.test_bots import bot_of
from tests.service.http.players.test_ratings import finish_table

CLOSED = {"visibility": "private", "invited_only": True, "approval": True}


@pytest.fixture
def api():
    return standing_api()


@pytest.fixture
def people(api):
    return {name: api.person(name) for name in ("Olga", "Ada", "Bob", "Cy")}


def opened(api, people, **form):
    cup = Cup(api, people["Olga"], **form)
    cup.command("/registration")
    return cup


def offer(cup, *players):
    return cup.order("/offers", {"players": [player.id for player in players]})


def own_list(api, player):
    catch_up(api)
    return player.get(f"/v1/players/{player.id}/tournaments").json["tournaments"]


def read(cup, text):
    answer = cup.order("/entrant-lists", {"list": text})
    assert answer.status_code == 200, answer.text
    found = [(each["line"], each["name"]) for each in answer.json["players"]]
    return found, [(each["line"], each["given"], each["code"]) for each in answer.json["problems"]]


def statuses(cup):
    return [(each["name"], each["status"]) for each in cup.organiser.get(f"{cup.path}/offers").json["offers"]]


def test_t_24_t_25_t_26_t_28_an_offer_is_all_that_a_player_needs_to_enter(api, people):
    cup, ada, bob = opened(api, people, **CLOSED), people["Ada"], people["Bob"]
    problem(ada.post(f"{cup.path}/entrants"), 404, "tournament_not_found")

    assert offer(cup, ada, bob).status_code == 201
    assert [(row["tournament"], row["offered"]) for row in own_list(api, ada)] == [(cup.id, True)]
    assert ada.get(cup.path).json["tournament"]["offered"] == [ada.id, bob.id]
    assert ada.post(f"{cup.path}/entrants").status_code == 201
    assert bob.post(f"{cup.path}/offers/refusal").status_code == 200

    assert [entrant["name"] for entrant in cup.view["entrants"]] == ["Ada"]
    assert [(row["offered"], row["entered"]) for row in own_list(api, ada)] == [(False, True)]
    assert own_list(api, bob) == []
    problem(bob.get(cup.path), 404, "tournament_not_found")
    assert statuses(cup) == [("Ada", "accepted"), ("Bob", "declined")]
    assert [event["words"] for event in cup.events("?include=words")][-1] == (
        "A player declined the offer of an entry."
    )


def test_t_28_only_the_player_sees_the_offer_in_a_list(api, people):
    cup = opened(api, people)
    offer(cup, people["Ada"])
    catch_up(api)

    listed = api.spectator.get(f"/v1/players/{people['Ada'].id}/tournaments").json

    assert listed["tournaments"] == []
    problem(people["Ada"].get(f"{cup.path}/offers"), 403, "not_organiser")


def test_t_28_nobody_gets_an_offer_from_somebody_whom_they_blocked(api, people):
    cup, other = opened(api, people), opened(api, people)
    ada, bob, olga, cy = [people[name] for name in ("Ada", "Bob", "Olga", "Cy")]
    offer(cup, ada, bob)
    other.command("/co-organisers", {"player": cy.id})
    catch_up(api)

    block(ada, olga)

    assert statuses(cup) == [("Ada", "declined"), ("Bob", "open")]
    problem(offer(other, bob, ada), 403, "offer_refused")
    problem(cy.post(f"{other.path}/offers", {"players": [ada.id]}), 403, "offer_refused")
    block(bob, cy)  # a co-organiser
    problem(offer(other, bob), 403, "offer_refused")
    assert statuses(other) == []
    assert read(other, f"id\n{ada.id}")[1] == [(2, ada.id, "offer_refused")]


def test_t_28_a_player_who_is_erased_has_no_offer(api, people):
    cup, ada = opened(api, people), people["Ada"]
    offer(cup, ada)
    catch_up(api)
    api.service.erasure.leave(ada.id)

    assert cup.view["offered"] == []


def test_t_27_t_28_an_offer_does_not_lift_the_bounds(api, people):
    cup = opened(api, people, min_rated_tables=1)
    offer(cup, people["Ada"])

    problem(people["Ada"].post(f"{cup.path}/entrants"), 403, "too_few_rated_tables")


def test_t_29_a_list_is_read_line_by_line_and_changes_nothing(api, people):
    cup, ada, bob, cy = opened(api, people), *[people[name] for name in ("Ada", "Bob", "Cy")]
    bot = bot_of(api, bob)
    cup.command("/entrants", by=bob)
    version = cup.view["version"]
    lines = [
        "id,name,order",
        f"{ada.id},Whoever,2",
        f"{cy.id},,1",
        f"{ada.id},,",
        f"{bob.id},,",
        f"{bot.id},,",
    ]
    lines += ["nobody00,,", "bot:1,,", ",Ada,", ",,7"]

    found, problems = read(cup, "\n".join(lines))

    assert found == [(3, "Cy"), (2, "Ada")]
    assert problems == [
        (4, ada.id, "invalid_offer"),
        (5, bob.id, "already_entered"),
        (6, bot.id, "bots_not_allowed"),
        (7, "nobody00", "player_not_found"),
        (8, "bot:1", "player_not_found"),
        (9, "Ada", "player_not_found"),  # she is on no leaderboard
        (10, "", "invalid_list"),
    ]
    assert cup.view["version"] == version
    problem(cup.order("/entrant-lists", {"list": "Ada\nBob"}), 422, "invalid_list")


def test_t_29_names_are_looked_up_on_the_leaderboard_only(api, people):
    twin, cup = api.person("Bob"), opened(api, people)
    finish_table(api, people["Ada"], people["Bob"])
    finish_table(api, people["Ada"], twin)
    catch_up(api)

    found, problems = read(cup, "name\nAda\nBob\nCy\n\uff21da")

    assert found == [(2, "Ada")]
    assert problems == [
        (3, "Bob", "invalid_list"),
        (4, "Cy", "player_not_found"),
        (5, "\uff21da", "invalid_offer"),  # the same name in its normal form
    ]
    assert read(cup, f"001    1      {'Ada':<33}\n")[0] == [(1, "Ada")]


def test_t_28_an_offer_lapses_when_the_tournament_is_cancelled(api, people):
    cup, ada = opened(api, people), people["Ada"]
    offer(cup, ada)
    cup.command("/cancel", CONFIRMED | {"reason": "Rain."})

    assert cup.view["offered"] == []
    assert own_list(api, ada) == []
    problem(ada.post(f"{cup.path}/entrants"), 422, "tournament_over")
