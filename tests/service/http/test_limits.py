"""Limits on registrations, tables and commands, from a client's view, in the fast lane and in Flask."""

import re
from typing import Any

import pytest

from hoodwink.domain.players import Player
from hoodwink.service.adapters.limits import counters
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.players.players import REPEATABLE_MS, Players
from hoodwink.service.monitoring.exposition import Exposition
from hoodwink.service.settings import Settings
from tests.service.http.api import Person, first_legal, problem

PATH = "/v1/players"


def assert_limited(answer, code, seconds, name):
    """Asserts that an answer refuses a request over a limit."""
    document = problem(answer, 429, code)
    assert answer.headers["Retry-After"] == str(seconds)
    assert f"The limit of {name} is " in document["detail"]
    assert "Nothing has changed" in document["detail"]


def at(person: Person, address: str, method: str, path: str, **given: Any) -> Any:
    return person.ask(method, path, environ_overrides={"REMOTE_ADDR": address}, **given)


def test_registrations_are_limited_per_address(api_with):
    api = api_with(registrations_per_address="2/hour")
    nobody = api.spectator
    for _ in range(2):
        assert at(nobody, "192.0.2.1", "POST", PATH, json={}).status_code == 201

    assert_limited(
        at(nobody, "192.0.2.1", "POST", PATH, json={}),
        "too_many_registrations",
        1800,
        "registrations per address",
    )
    assert at(nobody, "192.0.2.2", "POST", PATH, json={}).status_code == 201


@pytest.mark.parametrize(
    ("first", "second", "count_together"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "::ffff:192.0.2.1", False),  # normalised by the server, see `test_client_address`
    ],
)
def test_addresses_of_one_ipv6_network_count_together(api_with, first, second, count_together):
    api = api_with(registrations_per_address="1/hour")
    at(api.spectator, first, "POST", PATH, json={})

    answer = at(api.spectator, second, "POST", PATH, json={})
    assert answer.status_code == (429 if count_together else 201)


def test_a_registration_with_a_refused_name_counts_against_no_limit(api_with):
    api = api_with(registrations_per_address="1/hour")
    nobody = api.spectator
    for _ in range(3):
        problem(nobody.post(PATH, {"name": "Steady bot 1"}), 422, "name_reserved")

    assert nobody.post(PATH, {"name": "Ada"}).status_code == 201
    problem(nobody.post(PATH, {"name": "Steady bot 1"}), 422, "name_reserved")


def test_a_repeated_registration_returns_its_first_result_beyond_limits(api_with):
    api = api_with(registrations_per_address="1/hour")
    nobody, key = api.spectator, "k" * 16
    first = nobody.post(PATH, {"name": "Ada"}, key=key)

    again = nobody.post(PATH, {"name": "Ada"}, key=key)

    assert (again.status_code, again.json) == (201, first.json)
    for name, other in (("Ada", "o" * 16), ("Eve", key), ("Ada", None)):
        assert_limited(
            nobody.post(PATH, {"name": name}, key=other),
            "too_many_registrations",
            3600,
            "registrations per address",
        )
    api.service.clock.now += REPEATABLE_MS
    problem(nobody.post(PATH, {"name": "Ada"}, key=key), 429, "too_many_registrations")


def test_limits_add_no_round_trip_to_an_accepted_registration(api_with, monkeypatch):
    api = api_with(registrations_per_address="1/hour")
    found, find = list[str](), Players._find

    def find_and_record(players: Players, player_id: str) -> Player | None:
        found.append(player_id)
        return find(players, player_id)

    monkeypatch.setattr(Players, "_find", find_and_record)

    made = api.spectator.post(PATH, {}, key="k" * 16)
    assert found == [made.json["id"]], "once, after it was registered"
    problem(api.spectator.post(PATH, {}), 429, "too_many_registrations")
    assert len(found) == 1, "without a key nothing can be repeated"


def test_tables_are_limited_per_player_and_per_address(api_with):
    api = api_with(tables_per_player="1/hour", tables_per_address="2/hour")
    ada, bob, cy = (api.person(name) for name in ("Ada", "Bob", "Cy"))
    form = {"game": "blindside", "seats": 2}

    assert ada.post("/v1/tables", form).status_code == 201
    assert_limited(ada.post("/v1/tables", form), "too_many_tables", 3600, "tables per player")
    assert bob.post("/v1/tables", form).status_code == 201
    assert_limited(cy.post("/v1/tables", form), "too_many_tables", 1800, "tables per address")


def test_unreadable_requests_count_against_no_limit(api_with):
    api = api_with(tables_per_player="1/hour", open_tables_per_host="1", registrations_per_address="2/hour")
    ada = api.person("Ada")
    for body in ({}, {"game": "nonsense"}):
        assert ada.post("/v1/tables", body).status_code == 400
        assert at(ada, "192.0.2.1", "POST", PATH, json={"nonsense": 1}).status_code == 400

    assert ada.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201
    assert [at(ada, "192.0.2.1", "POST", PATH, json={}).status_code for _ in range(3)] == [201, 201, 429]


def test_actions_are_limited_in_lane_and_flask_and_refused_ones_count(api_with):
    """`BothWays` compares status, headers, body and counts."""
    api = api_with()
    ada, bob = api.person("Ada"), api.person("Bob")
    path = api.playing(ada, bob)
    action = next(first_legal(ada, path))
    vars(api.service)["limits"] = counters.Counters(Settings(commands_per_player="4/hour").bounds)
    for _ in range(3):
        problem(ada.post(f"{path}/actions", {"type": "dance"}), 400, "invalid_body")

    accepted = ada.post(f"{path}/actions", action, key="k" * 16)
    version = bob.get(path).json["version"]
    assert accepted.status_code == 200
    assert_limited(ada.post(f"{path}/actions", action), "too_many_commands", 900, "commands per player")
    assert_limited(ada.post(f"{path}/resign"), "too_many_commands", 900, "commands per player")

    assert bob.get(path).json["version"] == version
    assert ada.get(f"{path}/legal-actions").status_code == 200, "questions are not commands"
    assert bob.post(f"{path}/actions", {"type": "dance"}).status_code == 400, "others are not affected"


def test_actions_are_limited_per_address_in_lane_and_flask(api_with):
    api = api_with()
    ada, bob = api.person("Ada"), api.person("Bob")
    path = f"{api.playing(ada, bob)}/actions"
    vars(api.service)["limits"] = counters.Counters(Settings(commands_per_address="1/hour").bounds)

    statuses = [
        at(who, address, "POST", path, json={"type": "dance"}).status_code
        for who, address in ((ada, "192.0.2.1"), (bob, "192.0.2.1"), (bob, "192.0.2.2"), (bob, "2001:db8::1"))
    ]
    assert statuses == [400, 429, 400, 400]
    assert_limited(
        at(ada, "2001:db8::2", "POST", path, json={}), "too_many_commands", 3600, "commands per address"
    )


def test_a_request_refused_by_a_limit_can_be_repeated_with_its_key(api_with, still):
    api = api_with()
    ada, bob = api.person("Ada"), api.person("Bob")
    path = api.playing(ada, bob)
    action, key = next(first_legal(ada, path)), "a-key-of-the-client"
    vars(api.service)["limits"] = counters.Counters(Settings(commands_per_player="1/hour").bounds)
    problem(ada.post(f"{path}/actions", {"type": "dance"}), 400, "invalid_body")

    problem(ada.post(f"{path}/actions", action, key=key), 429, "too_many_commands")
    still.now += 3600
    done = ada.post(f"{path}/actions", action, key=key)
    still.now += 3600
    again = ada.post(f"{path}/actions", action, key=key)

    assert (done.status_code, again.data) == (200, done.data)


def test_a_flood_without_tokens_does_not_block_players_at_its_address(api_with):
    api = api_with(anonymous_commands_per_address="3/hour", commands_per_address="2/hour")
    ada = api.person("Ada")
    stranger = Person(api.app, f"hw_abcd_{'x' * 43}")
    problem(stranger.post("/v1/tables"), 401, "token_invalid")
    problem(api.spectator.post("/v1/tables"), 401, "token_missing")

    assert_limited(stranger.post("/v1/tables"), "too_many_commands", 1200, "anonymous commands per address")
    assert ada.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201


def test_a_player_over_the_limit_does_not_use_the_addresss_limit(api_with):
    api = api_with(commands_per_player="2/hour", commands_per_address="4/hour")
    ada, bob = api.person("Ada"), api.person("Bob")
    for _ in range(20):
        ada.post("/v1/tables")

    assert [bob.post("/v1/tables").status_code for _ in range(3)] == [400, 400, 429]
    assert_limited(api.person("Cy").post("/v1/tables"), "too_many_commands", 900, "commands per address")


def test_commands_count_and_reads_do_not(api_with):
    from tests.service.http.refused.listed import OPERATIONS

    for name, operation in OPERATIONS.items():
        is_command = operation.method != "GET"
        assert (Limit.ANONYMOUS_COMMANDS_PER_ADDRESS in operation.limits) == is_command, name


def test_metrics_count_refusals_and_show_the_limits(api_with):
    api = api_with(registrations_per_address="1/hour", open_tables_per_host="7")
    nobody = api.spectator

    def count():
        found = re.search(
            r'^hoodwink_limited_total{limit="registrations_per_address"} (\S+)$',
            Exposition(api.service).text().decode(),
            re.MULTILINE,
        )
        return float(found[1]) if found else 0.0

    before = count()
    nobody.post(PATH)
    nobody.post(PATH)

    assert count() == before + 1
    shown = nobody.get("/metrics").text
    assert "hoodwink_limited_total{" not in shown, "who is refused is for operators to know"
    assert 'hoodwink_limit{limit="registrations_per_address",seconds="3600"} 1.0' in shown
    assert 'hoodwink_limit{limit="open_tables_per_host",seconds=""} 7.0' in shown
    assert 'hoodwink_limit{limit="tables_per_player"' not in shown
