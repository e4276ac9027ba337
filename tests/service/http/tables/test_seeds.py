"""Seeds over HTTP: a commitment on opening or sitting down, and a reveal after the start."""

import json

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.proving.verify import verify_log
from tests.pace import AT_ONCE
from tests.service.application.world import StandingClock
from tests.service.http.api import new_api, problem, version

HOSTS, ADAS, BOBS = "0" * 32, "ada0" * 16, "b0b" * 11
KEY = "k" * 16


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def api(clock):
    return new_api(clock=clock)


def open_table(host, **form):
    return host.post(
        "/v1/tables", {"game": "blindside", "seats": 2, "options": {"rounds": 1}, **AT_ONCE, **form}
    )


def sit(person, path, seed):
    return person.post(f"{path}/seats", {"seed_commitment": commitment(seed)})


def reveal(person, path, seed, **given):
    return person.post(f"{path}/seed", {"seed": seed}, **given)


@pytest.fixture
def path(ada, bob):
    """A table that waits for Ada's seeds as host and player, and for Bob's."""
    path = open_table(ada, seed_commitment=commitment(HOSTS)).headers["Location"]
    assert sit(ada, path, ADAS).status_code == sit(bob, path, BOBS).status_code == 201
    assert ada.post(f"{path}/start").status_code == 200
    return path


def view(api, path):
    return api.spectator.get(path).json["view"]


def statuses(api, path):
    shown = view(api, path)
    return [shown["host_seed_status"], *(seat["seed_status"] for seat in shown["seats"])]


def test_the_deal_follows_the_last_reveal(api, ada, bob, path, clock):
    assert view(api, path)["reveals_until"] == clock.now + REVEAL_MS
    assert view(api, path)["seats"][1] | {"seed": None} == view(api, path)["seats"][1]
    for person, seed in ((ada, ADAS), (bob, BOBS)):
        assert reveal(person, path, seed).status_code == 200
        api.run_due(path)
        assert view(api, path)["stage"] == "to_deal"
    answer = reveal(ada, path, HOSTS)
    assert [event["data"] for event in answer.json["events"]] == [{"seat": None, "seed": HOSTS}]
    assert answer.json["view"]["reveals_until"] is None
    api.run_due(path)
    shown = view(api, path)
    assert shown["stage"] == "in_play"
    assert (shown["host_seed"], [seat["seed"] for seat in shown["seats"]]) == (HOSTS, [ADAS, BOBS])
    assert statuses(api, path) == ["revealed"] * 3


def test_reveals_and_misses_are_public_events(api, ada, bob, path, clock):
    reveal(ada, path, ADAS)
    clock.now += REVEAL_MS
    api.run_due(path)
    events = api.spectator.get(f"{path}/events").json["events"]
    seen = [
        (event["type"].partition(".")[2], event["by"], event["data"])
        for event in events
        if "seed_" in event["type"]
    ]
    assert seen == [
        ("player_seed_revealed", "player:0", {"seat": 0, "seed": ADAS}),
        ("player_seed_missed", "worker", {"seat": None}),
        ("player_seed_missed", "worker", {"seat": 1}),
    ]
    assert statuses(api, path) == ["missed", "revealed", "missed"]
    assert events[-1]["type"] == "blindside.round_dealt"


def test_the_log_shows_the_outcome_of_each_seed(api, ada, bob, path, clock):
    reveal(ada, path, ADAS)
    clock.now += REVEAL_MS
    api.play_out(path, ada, bob)
    log = api.spectator.get(f"{path}/log").data
    assert json.loads(log.partition(b"\n")[0])["format"] == "hoodwink-log/3"
    verdict = api.spectator.post("/v1/verify", data=log, content_type="application/x-ndjson").json
    assert verdict["valid"]
    assert (verdict["edition"], verdict["host_seed"]) == (3, "missed")
    assert verdict["player_seeds"] == ["revealed", "missed"]
    assert verify_log(log).valid


def test_a_seed_is_neither_stored_nor_shown_before_its_reveal(api, ada, path):
    client = api.service.client
    stored = repr([client.xrange(key) for key in client.keys("*") if client.type(key) == b"stream"])
    assert commitment(ADAS) in stored
    assert ADAS not in stored
    assert ADAS not in api.spectator.get(path).text + api.spectator.get(f"{path}/events").text
    reveal(ada, path, ADAS)
    assert ADAS in api.spectator.get(path).text


def test_a_repeated_reveal_returns_the_first_result(api, ada, path):
    first = reveal(ada, path, ADAS, key=KEY)
    at = version(api, path)
    again = reveal(ada, path, ADAS, key=KEY)
    assert (again.status_code, again.json) == (200, first.json)
    assert version(api, path) == at
    problem(reveal(ada, path, HOSTS, key=KEY), 409, "idempotency_key_reused")


@pytest.mark.parametrize("seed", [BOBS, "f" * 32])
def test_a_seed_that_does_not_match_its_commitment_is_refused(api, ada, path, seed):
    at = version(api, path)
    problem(reveal(ada, path, seed), 422, "wrong_seed")
    assert version(api, path) == at
    assert reveal(ada, path, ADAS).status_code == 200


@pytest.mark.parametrize("seed", ["", "a" * 31, "a" * 65, "A" * 32, "luck" * 8, "a" * 32 + "\n", 7, None])
def test_an_invalid_seed_is_refused(ada, path, seed):
    document = problem(reveal(ada, path, seed), 400, "invalid_body")
    assert [fault["name"] for fault in document["faults"]] == ["seed"]


def test_early_late_and_repeated_reveals_are_refused(api, ada, bob, path, clock):
    reveal(bob, path, BOBS)
    problem(reveal(bob, path, BOBS), 422, "already_revealed")
    clock.now += REVEAL_MS
    problem(reveal(ada, path, ADAS), 422, "reveal_over")
    api.run_due(path)
    assert statuses(api, path) == ["missed", "missed", "revealed"]
    for seed in (ADAS, HOSTS):
        document = problem(reveal(ada, path, seed), 422, "reveal_over")
        assert document["detail"] == "The ten seconds to reveal the seed are over; it counts as empty."
    problem(reveal(bob, path, BOBS), 422, "already_revealed")
    early = open_table(ada, seed_commitment=commitment(HOSTS)).headers["Location"]
    problem(reveal(ada, early, HOSTS), 422, "table_not_started")


def test_only_seated_players_and_the_host_may_reveal(api, ada, bob, path):
    problem(reveal(api.person("Eve"), path, ADAS), 403, "not_seated")
    problem(reveal(api.spectator, path, ADAS), 401, "token_missing")
    problem(reveal(bob, path, ADAS), 422, "wrong_seed")
    problem(reveal(ada, "/v1/tables/nowhere", ADAS), 404, "table_not_found")


def test_a_host_without_a_seat_commits_and_reveals(api, ada, bob):
    path = open_table(ada, seed_commitment=commitment(HOSTS)).headers["Location"]
    for _ in range(2):
        ada.post(f"{path}/seats", {"policy": "random"})
    ada.post(f"{path}/start")
    api.run_due(path)
    assert view(api, path)["stage"] == "to_deal"
    problem(reveal(bob, path, HOSTS), 403, "not_seated")
    assert reveal(ada, path, HOSTS).json["view"]["viewer"] == "spectator"
    api.run_due(path)
    assert view(api, path)["phase"] == "ended"


def test_a_seed_for_two_roles_is_revealed_in_each(api, ada):
    path = open_table(ada, seed_commitment=commitment(ADAS)).headers["Location"]
    sit(ada, path, ADAS)
    ada.post(f"{path}/seats", {"policy": "random"})
    ada.post(f"{path}/start")
    assert [reveal(ada, path, ADAS).status_code for _ in range(2)] == [200, 200]
    assert statuses(api, path) == ["revealed", "revealed", "none"]
    problem(reveal(ada, path, ADAS), 422, "already_revealed")


def test_a_seated_hosts_refusal_names_the_seed_already_revealed(api, ada, bob, path):
    for seed in (HOSTS, ADAS):
        reveal(ada, path, seed)
        problem(reveal(ada, path, seed), 422, "already_revealed")


def test_the_refusal_of_a_plain_host_seed_names_it(api, ada, bob):
    path = open_table(ada, seed_commitment=commitment(HOSTS)).headers["Location"]
    ada.post(f"{path}/seats", {"seed": "luck"})
    sit(bob, path, BOBS)
    ada.post(f"{path}/start", {})
    problem(reveal(ada, path, ADAS), 422, "wrong_seed")
    assert reveal(ada, path, HOSTS).status_code == 200
    problem(reveal(ada, path, ADAS), 422, "already_revealed")


def test_a_player_without_a_commitment_cannot_reveal(api, ada, bob):
    path = open_table(ada).headers["Location"]
    ada.post(f"{path}/seats", {"seed": "luck"})
    sit(bob, path, BOBS)
    ada.post(f"{path}/start", {})
    problem(reveal(ada, path, ADAS), 422, "no_seed_awaited")


def test_an_action_before_the_reveals_is_refused_with_the_reason(ada, path):
    document = problem(ada.post(f"{path}/actions", {"type": "draw", "source": "stock"}), 422, "seeds_awaited")
    assert document["detail"].startswith("Play begins when every committed seed has been revealed")


@pytest.mark.parametrize("given", ["", "a" * 63, "A" * 64, "g" * 64, 7, None])
def test_an_invalid_commitment_is_refused(ada, given):
    path = open_table(ada).headers["Location"]
    for answer in (
        open_table(ada, seed_commitment=given),
        ada.post(f"{path}/seats", {"seed_commitment": given}),
    ):
        document = problem(answer, 400, "invalid_body")
        assert [fault["name"] for fault in document["faults"]] == ["seed_commitment"]


def test_a_seat_takes_one_seed_and_a_bot_none(ada):
    path = open_table(ada).headers["Location"]
    committed = {"seed_commitment": commitment(ADAS)}
    problem(ada.post(f"{path}/seats", committed | {"seed": "luck"}), 422, "two_seeds")
    problem(ada.post(f"{path}/seats", committed | {"policy": "random"}), 422, "bot_seed")
    problem(ada.post(f"{path}/seats", {"seed": "luck", "policy": "random"}), 422, "bot_seed")
    assert ada.post(f"{path}/seats", {"seed": "luck"}).json["view"]["seats"][0]["seed_status"] == "plain"
    assert ada.post(f"{path}/seats", {"seed": "", "policy": "random"}).status_code == 201
