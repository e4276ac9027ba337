"""Forks over HTTP: people and bots continue a finished table, and the result does not count."""

from pathlib import Path

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.service.application.commands import forks as forks_module
from tests.pace import AT_ONCE
from tests.service.http.api import catch_up, first_legal, problem

GOLDEN = Path(__file__).parents[3] / "golden"
NDJSON = "application/x-ndjson"


def log_of(api, path):
    return api.spectator.get(f"{path}/log").data


def verify(api, *logs):
    return api.spectator.post("/v1/verify", data=b"".join(logs), content_type=NDJSON).json


@pytest.fixture
def finished(api, ada, bob):
    """A table of Ada and Bob that was played for a while and then resigned."""
    path = api.playing(ada, bob)
    api.play_out(path, ada, bob)
    return path


def fork(who, path, version, **form):
    return who.post(f"{path}/fork", {"version": version, **AT_ONCE, **form})


def test_others_play_on_a_fork_and_it_verifies_with_its_parent(api, ada, finished):
    eve = api.person("Eve")
    opened = fork(eve, finished, 12, seats=["me", "steady"])
    assert opened.status_code == 201
    path, view = opened.headers["Location"], opened.json["view"]
    parent = api.spectator.get(f"{finished}?version=12").json

    assert view["parent"] == {"table": finished.rpartition("/")[2], "version": 12, "head": parent["head"]}
    assert (view["rated"], view["host"], view["viewer"], view["phase"]) == (False, eve.id, 0, "open")
    assert [seat["name"] for seat in view["seats"]] == ["Eve", "Steady bot"]
    assert eve.post(f"{path}/start").json["view"]["known_deck"]
    api.play_out(path, eve)

    log = log_of(api, path)
    assert verify(api, log)["parent"] == view["parent"]
    assert verify(api, log, log_of(api, finished))["generations"] == 2
    assert verify(api, log_of(api, finished), log)["finding"]["code"] == "wrong_parent"


def test_hidden_cards_stay_hidden_within_the_kept_round(api, finished):
    eve = api.person("Eve")
    path = fork(eve, finished, 12, seats=["me", "steady"]).headers["Location"]
    eve.post(f"{path}/start")

    for actor, viewer in ((eve, 0), (api.spectator, "spectator")):
        seen = actor.get(path).json["view"]
        then = api.spectator.get(f"{finished}?version=12&viewer={viewer}").json["view"]
        assert seen["view"] == then["view"]
        events = actor.get(f"{path}/events?include=words").json["events"]
        assert events[1]["data"] == {"entries": []}
        assert "to play on from version 12" in events[0]["words"]
    problem(eve.get(f"{path}?viewer=1"), 403, "not_your_seat")
    problem(api.spectator.get(f"{path}/log"), 409, "table_not_over")


def books(api, *people):
    """Returns all books of a game and of these people."""
    catch_up(api)
    asked = ["/v1/games/blindside/statistics", *[f"/v1/players/{who.id}/history" for who in people]]
    return [api.spectator.get(path).json for path in asked]


def test_a_fork_is_listed_in_the_lobby_but_in_no_book(api, ada, finished):
    eve = api.person("Eve")
    before = books(api, ada, eve)
    path = fork(eve, finished, 6, seats=["me", "steady"]).headers["Location"]
    eve.post(f"{path}/start")
    api.play_out(path, eve)

    assert books(api, ada, eve) == before
    assert api.spectator.get(f"{path}/ledger?wait_for={version_of(api, path)}").json["entries"] == []
    listed = api.spectator.get("/v1/tables?phase=ended").json["tables"]
    assert {row["id"]: row["parent"] and row["parent"]["version"] for row in listed} == {
        path.rpartition("/")[2]: 6,
        finished.rpartition("/")[2]: None,
    }


def version_of(api, path):
    return api.spectator.get(path).json["version"]


def test_a_version_within_a_command_forks_at_its_end(api, ada):
    log = (GOLDEN / "double_blind-2065.log").read_bytes()
    path = ada.post("/v1/imports", data=log, content_type=NDJSON).headers["Location"]

    # Version 15 plays the last card of a hat; its taker (16) and the interest (17) follow automatically.
    assert [fork(ada, path, version).json["view"]["parent"]["version"] for version in (14, 15, 16, 17)] == [
        14,
        17,
        17,
        17,
    ]


def test_a_fork_can_be_forked(api, ada, finished):
    path = fork(ada, finished, 12, seats=["me", "steady"]).headers["Location"]
    ada.post(f"{path}/start")
    api.play_out(path, ada)
    again = fork(ada, path, 8, seats=["steady", "me"]).headers["Location"]
    ada.post(f"{again}/start")
    api.play_out(again, ada)

    logs = [log_of(api, table) for table in (again, path, finished)]
    assert verify(api, *logs)["generations"] == 3


def test_free_seats_of_a_fork_are_taken_as_at_any_table(api, ada, bob, finished):
    path = fork(ada, finished, 12).headers["Location"]
    bob.post(f"{path}/seats", {"seat": 1})
    ada.post(f"{path}/seats", {"policy": "random"})

    assert [seat["name"] for seat in api.spectator.get(path).json["view"]["seats"]] == ["Random bot", "Bob"]


def test_the_same_key_returns_the_same_fork(api, ada, finished):
    first, second = (
        ada.post(f"{finished}/fork", {"version": 12}, key="the-same-key-for-both") for _ in range(2)
    )
    assert first.headers["Location"] == second.headers["Location"]
    assert first.json["head"] == second.json["head"]
    problem(
        ada.post(f"{finished}/fork", {"version": 11}, key="the-same-key-for-both"),
        409,
        "idempotency_key_reused",
    )


def test_impossible_forks_are_refused(api, ada, bob, finished, monkeypatch):
    last = api.spectator.get(finished).json["version"]
    problem(fork(ada, finished, last + 1), 404, "version_not_found")
    problem(fork(ada, api.playing(ada, bob), 3), 409, "table_not_over")
    problem(fork(ada, "/v1/tables/nowhere", 3), 404, "table_not_found")
    problem(fork(api.spectator, finished, 3), 401, "token_missing")
    problem(fork(ada, finished, 12, seats=["me", "me"]), 422, "already_seated")
    problem(fork(ada, finished, 12, seats=[None, None, "me"]), 422, "no_such_seat")
    problem(fork(ada, finished, 12, seats=["somebody"]), 400, "invalid_body")
    problem(fork(ada, finished, 0), 400, "invalid_body")
    monkeypatch.setattr(forks_module, "MAX_PARENT", 500)
    problem(fork(ada, finished, 12), 422, "parent_too_long")


def test_a_fork_can_set_its_own_clock(api, ada, finished):
    path = fork(ada, finished, 12, seats=["me", "steady"], turn_seconds=60).headers["Location"]
    started = ada.post(f"{path}/start").json["view"]
    api.run_due(path)
    assert started["turn_seconds"] == 60
    assert any(seat["deadline"] for seat in ada.get(path).json["view"]["seats"])


def test_bots_play_a_fork_by_themselves(api, ada, finished):
    path = fork(ada, finished, 12, seats=["steady", "random"]).headers["Location"]
    ada.post(f"{path}/start")
    while api.spectator.get(path).json["view"]["phase"] != "ended":
        api.run_due(path)
    assert verify(api, log_of(api, path))["valid"]


def test_a_fork_waits_for_its_seeds(api, ada, finished):
    seed = "5eed" * 8
    path = fork(ada, finished, 12, seats=["me", "steady"], seed_commitment=commitment(seed)).headers[
        "Location"
    ]
    ada.post(f"{path}/start")
    api.run_due(path)
    waiting = api.spectator.get(path).json
    assert waiting["view"]["reveals_until"]
    action = next(iter(first_legal(ada, path)), {"type": "draw", "source": "stock"})
    problem(ada.post(f"{path}/actions", action), 422, "seeds_awaited")
    ada.post(f"{path}/seed", {"seed": seed})
    api.run_due(path)
    api.play_out(path, ada)
    assert verify(api, log_of(api, path))["host_seed"] == "revealed"


def test_a_fork_in_mid_round_continues_after_missed_seeds(api, ada, finished):
    path = fork(ada, finished, 12, seats=["steady", "steady"], seed_commitment="0" * 64).headers["Location"]
    ada.post(f"{path}/start")
    api.run_due(path)
    waiting = api.spectator.get(path).json

    assert waiting["view"]["reveals_until"]
    assert waiting["view"]["known_deck"]
    later = api.service.clock.now_ms() + REVEAL_MS
    api.service.clock.keep_up_with([later])
    api.run_due(path)
    assert api.spectator.get(path).json["view"]["host_seed_status"] == "missed"
    assert api.spectator.get(path).json["version"] > waiting["version"] + 1
