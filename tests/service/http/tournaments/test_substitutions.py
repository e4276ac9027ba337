"""Substitutions, and the reversals of administrators, over HTTP."""

import pytest

from hoodwink.domain.players import hash_token
from hoodwink.service.settings import Settings
from tests.service.application.audits import differences
from tests.service.http.api import CONFIRMED, Person, catch_up, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.players.test_bots import bot_of
from tests.service.http.tournaments.test_tournaments import check_proof

WHY = {"reason": "Ada is ill."}
ROOT = f"hw_abcd_{'r' * 43}"


@pytest.fixture
def api():
    return standing_api(Settings(administrators=f"root={hash_token(ROOT)}"))


@pytest.fixture
def begun(api):
    """A Swiss cup of two boards in round 1, organised by Olga."""
    olga, *entrants = [api.person(name) for name in ("Olga", "Ada", "Bob", "Cy", "Dee")]
    cup = Cup(api, olga, seats=2, sittings=[{"rounds": 3}]).start(*entrants)
    cup.pair()
    cup.start_round()
    return cup


def hand_over(cup, entrant, to):
    """Offers a place and takes it."""
    cup.command(f"/entrants/{entrant.id}/substitute", {"player": to.id} | WHY)
    taken = cup.command("/place?include=words", by=to)["events"][0]
    cup.people.append(to)
    return taken


def test_t_19_each_table_is_played_and_rated_by_the_person_who_holds_the_place_then(begun):
    cup, eve = begun, begun.api.person("Eve")
    ada = cup.people[0]
    taken = hand_over(cup, ada, eve)
    assert taken["words"] == "Eve took over the place of Ada from round 2 on."
    cup.end_tables()
    entrant = next(each for each in cup.view["entrants"] if each["number"] == 1)
    assert (entrant["id"], entrant["predecessors"]) == (eve.id, [{"id": ada.id, "name": "Ada", "until": 1}])

    cup.play_round()

    seated = [
        {seat["player"] for seat in cup.api.spectator.get(table).json["view"]["seats"]}
        for table in cup.tables()
    ]
    assert any(eve.id in players for players in seated)
    assert not any(ada.id in players for players in seated)
    words = [event["words"] for event in cup.events("?limit=1000&include=words")]
    assert any("Board" in said and "Ada" in said and "Places" in said for said in words)
    cup.command("/finish", CONFIRMED | WHY)
    check_proof(cup.api, cup)
    catch_up(cup.api)
    for audit in ("projections", "logs"):
        assert differences(cup.api.service, audit) == []
    rows = {
        who: cup.api.spectator.get(f"/v1/players/{who}/tournaments").json["tournaments"][0]
        for who in (ada.id, eve.id)
    }
    assert (rows[ada.id]["entered"], rows[ada.id]["rank"]) == (False, None)
    assert rows[eve.id]["entered"]
    assert rows[eve.id]["rank"] is not None


def test_t_19_the_player_to_whom_a_place_is_offered_sees_a_private_tournament_until_they_decline(api):
    olga, *entrants = [api.person(name) for name in ("Olga", "Ada", "Bob", "Cy")]
    cup, eve = Cup(api, olga, visibility="private").start(*entrants), api.person("Eve")
    problem(eve.get(cup.path), 404, "tournament_not_found")
    problem(eve.post(f"{cup.path}/place"), 404, "tournament_not_found")
    cup.command(f"/entrants/{entrants[0].id}/substitute", {"player": eve.id} | WHY)
    assert eve.get(cup.path).status_code == 200
    problem(entrants[1].post(f"{cup.path}/place/refusal", {"player": eve.id}), 403, "not_organiser")

    cup.command("/place/refusal", by=eve)

    problem(eve.get(cup.path), 404, "tournament_not_found")


def test_t_19_a_block_of_any_organiser_declines_an_offered_place_and_prevents_others(begun):
    cup, eve, cleo = begun, begun.api.person("Eve"), begun.api.person("Cleo")
    theirs = f"/entrants/{cup.people[0].id}/substitute"
    cup.command("/co-organisers", {"player": cleo.id})
    cup.command(theirs, {"player": eve.id} | WHY)
    catch_up(cup.api)
    (row,) = eve.get(f"/v1/players/{eve.id}/tournaments").json["tournaments"]
    assert (row["offered"], row["entered"]) == (True, False)

    eve.ask("PUT", f"/v1/players/me/blocks/{cleo.id}")

    assert cup.view["entrants"][0]["offered_to"] is None
    problem(cup.order(theirs, {"player": eve.id} | WHY), 403, "offer_refused")


def test_t_19_an_erased_player_is_offered_no_place(begun):
    cup, eve = begun, begun.api.person("Eve")
    cup.command(f"/entrants/{cup.people[0].id}/substitute", {"player": eve.id} | WHY)
    catch_up(cup.api)
    cup.api.service.erasure.leave(eve.id)
    assert cup.view["entrants"][0]["offered_to"] is None


def test_t_19_nobody_gives_a_place_to_their_bot(api):
    olga, *entrants = [api.person(name) for name in ("Olga", "Ada", "Bob", "Cy")]
    cup = Cup(api, olga, outside_bots=True, turn_seconds=60).start(*entrants)
    eve, bot, theirs = (
        api.person("Eve"),
        bot_of(api, olga),
        f"{cup.path}/entrants/{entrants[0].id}/substitute",
    )
    problem(olga.post(theirs, {"player": bot.id} | WHY), 422, "own_place")
    problem(entrants[1].post(theirs, {"player": eve.id} | WHY), 403, "not_organiser")


def test_t_19_t_23_t_50_deleted_players_get_no_place_and_no_part(begun):
    cup, gone = begun, {"player": begun.api.person("Eve").id}
    cup.api.service.players.erase_other(gone["player"])

    problem(cup.order(f"/entrants/{cup.people[0].id}/substitute", gone | WHY), 404, "player_not_found")
    for part in ("arbiters", "co-organisers"):
        problem(cup.order(f"/{part}", gone), 404, "player_not_found")


def test_v_7_an_administrator_reverses_what_officials_decided_about_an_entrant(begun):
    cup, root = begun, Person(begun.api.app, ROOT)
    ada, bob, *_ = cup.people
    cup.end_tables()
    cup.command(f"/entrants/{ada.id}/absence", WHY)
    cup.command(f"/entrants/{bob.id}/withdrawal", CONFIRMED | WHY)
    undo = CONFIRMED | {"reason": "It was a mix-up."}
    path = f"{cup.path}/entrants/{ada.id}/reversal"
    problem(cup.organiser.post(path, undo | {"decision": "absence"}), 403, "not_administrator")

    for entrant, decision in ((ada, "absence"), (bob, "withdrawal")):
        reversal = f"{cup.path}/entrants/{entrant.id}/reversal"
        assert root.post(reversal, undo | {"decision": decision}).status_code == 200
        problem(root.post(reversal, undo | {"decision": decision}), 422, "nothing_to_reverse")

    round_ = cup.pair()
    assert sorted(number for board in round_["boards"] for number in board["tables"][0]["seats"]) == [
        1,
        2,
        3,
        4,
    ]
    acts = cup.api.service.administration.acts()
    assert [(act.event.act, act.reason) for act in acts] == [("reverse_decision", "It was a mix-up.")] * 2


def test_v_7_a_reversed_substitution_and_taken_back_rounds_verify(begun):
    cup, root, eve = begun, Person(begun.api.app, ROOT), begun.api.person("Eve")
    ada = cup.people[0]
    cup.command("/added-rounds", {"rounds": 2} | WHY)
    hand_over(cup, ada, eve)
    cup.end_tables()
    cup.play_round()
    undo = CONFIRMED | {"reason": "Eve is a stranger."}
    assert root.post(f"{cup.path}/added-rounds/reversal", undo).status_code == 200
    assert cup.view["rounds_planned"] == 3
    reversal = f"{cup.path}/entrants/{eve.id}/reversal"
    assert root.post(reversal, undo | {"decision": "substitution"}).status_code == 200
    cup.play_round()

    assert cup.view["entrants"][0]["id"] == ada.id
    cup.command("/finish", CONFIRMED)
    check_proof(cup.api, cup)
