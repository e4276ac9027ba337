"""Lantern over HTTP, from opening a table to its proof; run by `test_sixth_game.py` with the game registered."""

import re
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator

from hoodwink.domain.games import GAMES
from hoodwink.service.cli import hoodwink
from tests.domain.laws.__main__ import main as hold_against_laws
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.pace import AT_ONCE
from tests.service.http.api import Api, Person, first_legal, new_api, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.players.test_ratings import rate
from tests.sixth_game.entitlement import ENTITLEMENT

NDJSON = "application/x-ndjson"


class Played(NamedTuple):
    """A table of Ada, Bob, a random and a steady bot that was played to its end."""

    api: Api
    path: str
    ada: Person
    bob: Person


def opened(api: Api, ada: Person, bob: Person) -> str:
    form = {"game": "lantern", "seats": 4, "options": {"rounds": 3}, **AT_ONCE}
    path: str = ada.post("/v1/tables", form).headers["Location"]
    for person in (ada, bob):
        assert person.post(f"{path}/seats").status_code == 201
    for policy in ("random", "steady"):
        assert ada.post(f"{path}/seats", {"policy": policy}).status_code == 201
    return path


@pytest.fixture(scope="module")
def played() -> Played:
    api = new_api()
    ada, bob = api.person("Ada"), api.person("Bob")
    path = opened(api, ada, bob)
    assert ada.post(f"{path}/start").status_code == 200
    api.play_out(path, ada, bob)
    rate(api)
    return Played(api, path, ada, bob)


def get(played: Played, path: str) -> Any:
    return played.api.spectator.get(path).json


def test_it_is_listed_with_its_options_and_rules(played):
    assert [game["name"] for game in get(played, "/v1/games")["games"]] == [*GAMES]
    game = get(played, "/v1/games/lantern")
    assert game["rules"].startswith("# Lantern")
    assert {option["name"] for option in game["options"]} == {"best", "rounds"}


def test_the_api_describes_its_options_actions_events_and_view(played):
    components = get(played, "/openapi.json")["components"]
    schemas = components["schemas"]
    for name, answer in {
        "TableAnswer": get(played, played.path),
        "EventsAnswer": get(played, f"{played.path}/events?include=words"),
        "GameAnswer": get(played, "/v1/games/lantern"),
    }.items():
        reference = {"$ref": f"#/components/schemas/{name}"}
        assert not list(Draft202012Validator({"components": components, **reference}).iter_errors(answer))
    assert schemas["LanternChooseCard"]["required"] == ["card", "type"]
    assert {"$ref": "#/components/schemas/LanternAction"} in schemas["Action"]["anyOf"]
    assert schemas["TableView"]["discriminator"]["mapping"]["lantern"].endswith("/LanternTableView")
    assert {"best", "rounds"} == schemas["LanternOptions"]["properties"].keys()
    described = {reference["$ref"].rpartition("/")[2] for reference in schemas["EventRecord"]["oneOf"]}
    types = {schemas[name]["allOf"][1]["properties"]["type"]["const"] for name in described}
    assert {wire for wire in types if wire.startswith("lantern.")} == {
        kind.wire for kind in GAMES["lantern"].events
    }


def test_a_choice_is_secret_and_refusals_have_their_codes():
    api = new_api()
    ada, bob = api.person("Ada"), api.person("Bob")
    path = opened(api, ada, bob)
    ada.post(f"{path}/start")
    api.run_due(path)
    action = next(first_legal(ada, path))

    problem(bob.post(f"{path}/actions", action), 422, "lantern_card_not_in_hand")
    answer = ada.post(f"{path}/actions?include=words", action)

    assert answer.status_code == 200
    assert answer.json["events"][0]["words"] == f"Ada chose {action['card']}."
    assert answer.json["view"]["view"]["chosen"] == action["card"]
    problem(ada.post(f"{path}/actions", action), 422, "already_committed")
    for viewer in (bob, api.spectator):
        seen = viewer.get(path).json["view"]
        assert (seen["view"]["hands"][0], seen["view"]["chosen"]) == (["??"] * 5, None)
        assert seen["view"]["has_chosen"][0] is True
    problem(ada.post(f"{path}/actions", {"type": "choose", "card": "1X"}), 400, "invalid_body")
    problem(ada.post("/v1/tables", {"game": "lantern", "seats": 6}), 400, "invalid_body")


def test_the_bots_moved_and_every_round_was_scored(played):
    events = get(played, f"{played.path}/events?limit=1000&include=words")["events"]
    chosen = [event["by"] for event in events if event["type"] == "lantern.card_chosen"]
    assert sorted(chosen) == sorted(["player:0", "player:1", "bot:2", "bot:3"] * 3)
    assert [event["type"] for event in events].count("table.round_scored") == 3
    assert all(event["words"] for event in events)
    result = get(played, played.path)["view"]["result"]
    assert (result["outcome"], sum(result["scores"])) == ("played_out", 0)


def test_the_books_balance_and_say_what_each_player_holds(played):
    entries = get(played, f"{played.path}/ledger")["entries"]
    scores = get(played, played.path)["view"]["result"]["scores"]
    assert all(sum(posting["amount"] for posting in entry["postings"]) == 0 for entry in entries)
    for person, score in zip((played.ada, played.bob), scores, strict=False):
        balances = get(played, f"/v1/players/{person.id}/ledger")["balances"]
        assert {"game": "lantern", "unit": "token", "amount": score} in balances
    assert get(played, "/v1/tables?phase=ended&game=lantern")["tables"]
    assert {
        leader["player"] for leader in get(played, "/v1/leaderboards/lantern?provisional=show")["leaders"]
    } >= {played.ada.id}


def test_its_log_can_be_replayed_verified_and_forked(played, tmp_path):
    log = played.ada.get(f"{played.path}/log").data
    file = tmp_path / "lantern.log"
    file.write_bytes(log)

    verdict = played.api.spectator.post("/v1/verify", data=log, content_type=NDJSON).json
    assert (verdict["valid"], verdict["game"]) == (True, "lantern")
    assert "valid: " in command("verify", file)
    assert "The chosen cards were turned up: Ada" in command("replay", file)
    changed = re.sub(rb'("lantern.card_chosen".*?"seat":)0', rb"\g<1>1", log, count=1)
    assert changed != log
    assert not played.api.spectator.post("/v1/verify", data=changed, content_type=NDJSON).json["valid"]
    fork = played.ada.post(
        f"{played.path}/fork", {"version": 9, "seats": ["me", "steady", "steady", "random"]}
    )
    assert fork.status_code == 201, fork.text


def test_a_tournament_is_played_with_it():
    api = standing_api()
    cup = Cup(api, api.person("Olga"), game="lantern", rank_by="organiser")
    cup.start(api.person("Ada"), bots=2).play_round()
    assert len(cup.get("/standings").json["rows"]) == 3


def test_the_commands_play_it():
    assert "4 tables" in command("simulate", "lantern", "--tables", 4, "--random-options", "--seed", 1)
    command("tournament", "simulate", "--game", "lantern", "--rounds", 1, "--entrants", 6, "--seats", 3)


def command(*arguments: Any) -> str:
    done = CliRunner().invoke(hoodwink, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


def test_it_keeps_the_laws(monkeypatch):
    monkeypatch.setitem(ENTITLEMENTS, "lantern", ENTITLEMENT)
    hold_against_laws("lantern", *map(str, range(8)))
