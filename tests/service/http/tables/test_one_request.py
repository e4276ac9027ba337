"""One request per move: answers include the viewer's choices and the service's time."""

import pytest

from tests.pace import AT_ONCE
from tests.service.application.world import StandingClock
from tests.service.http.api import first_legal, new_api, problem, tag_of
from tests.service.http.room import Room

LEGAL = "?include=legal_actions"
KEY = "k" * 16


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def api(clock):
    return new_api(clock=clock)


def moves(path, *people):
    """Returns the person to move, the others, and a legal action."""
    for person in people:
        for action in first_legal(person, path):
            return person, [other for other in people if other is not person], action
    raise AssertionError("nobody has a turn")


def legal_of(person, path):
    """Returns a person's legal actions from the dedicated request."""
    answer = person.get(f"{path}/legal-actions?include=unplayable").json
    return {name: value for name, value in answer.items() if name not in {"version", "now"}}


@pytest.mark.parametrize("game", ["blindside", "blind_don", "coconut", "double_blind", "shithead"])
def test_an_actions_answer_includes_the_next_legal_actions(api, ada, bob, game):
    path = api.playing(ada, bob, game=game)
    for _ in range(6):
        mover, _, action = moves(path, ada, bob)
        answer = mover.post(f"{path}/actions{LEGAL}", action).json
        assert answer["version"] == answer["view"]["version"]
        assert answer["legal_actions"] == legal_of(mover, path)
        assert answer["view"] == mover.get(path).json["view"]
        api.run_due(path)


def test_a_view_includes_its_viewers_legal_actions(ada, bob, path):
    for person in (ada, bob):
        answer = person.get(f"{path}{LEGAL}").json
        assert answer["legal_actions"] == legal_of(person, path)
        assert answer["legal_actions"]["seat"] == answer["view"]["viewer"]
    assert "legal_actions" not in ada.get(path).json


def test_unseated_viewers_have_no_legal_actions(api, ada, path):
    for answer in (
        api.spectator.get(f"{path}{LEGAL}"),
        api.person("Eve").get(f"{path}{LEGAL}"),
        ada.get(f"{path}{LEGAL}&viewer=spectator"),
        ada.post(f"/v1/tables{LEGAL}", {"game": "blindside", "seats": 2, **AT_ONCE}),
    ):
        assert answer.json["legal_actions"] is None


def test_other_commands_answers_include_the_next_legal_actions(ada, bob, path):
    answer = bob.resign(path, query_string="include=legal_actions,words").json
    assert (answer["legal_actions"]["actions"], answer["legal_actions"]["unplayable"]) == ([], [])
    assert answer["events"][0]["words"] == "Bob resigned; a bot takes over the seat."
    assert ada.get(f"{path}{LEGAL}&viewer=everybody").json["legal_actions"] is None


def test_a_repeated_action_is_answered_alike_later(api, clock, ada, bob, path):
    url = f"{path}/actions?include=legal_actions,words"
    action = next(first_legal(ada, path))
    first = ada.post(url, action, key=KEY)
    clock.now += 5_000
    bob.post(f"{path}/actions", next(first_legal(bob, path)))

    again = ada.post(url, action, key=KEY)

    assert again.data == first.data
    assert again.json["now"] == again.json["events"][0]["at"] == clock.now - 5_000


@pytest.mark.parametrize(
    ("target", "faulty"),
    [
        ("?include=legal_actions&version=3", "include"),
        ("?include=words", "include"),
        ("?include=", "include"),
        ("?include=legal_actions,", "include"),
        ("/events?include=legal_actions", "include"),
        ("/events?include=words,legal_actions", "include"),
        ("/events?with=view", "with"),
        ("/events?with=events", "with"),
        ("/legal-actions?include=legal_actions", "include"),
    ],
)
def test_an_invalid_combination_of_parameters_is_refused(ada, path, target, faulty):
    (fault,) = problem(ada.get(f"{path}{target}"), 400, "invalid_query")["faults"]
    assert fault["name"] == faulty
    assert fault["detail"].endswith(".")


def test_a_live_stream_has_legal_actions_only_with_views(ada, path):
    streaming = {
        "headers": {"Accept": "text/event-stream"},
        "environ_overrides": {"hoodwink.streams": Room()},
    }
    refused = problem(ada.get(f"{path}/events{LEGAL}", **streaming), 400, "invalid_query")
    assert "with=view" in refused["faults"][0]["detail"]
    assert ada.get(f"{path}/events{LEGAL}&with=view", **streaming).status_code == 200


def test_a_choice_states_its_purpose(api, ada, bob):
    path = api.playing(ada, bob, game="coconut")
    (choice,) = ada.get(f"{path}/legal-actions").json["choices"]
    assert (choice["type"], choice["purpose"]) == (
        "choose_face_up",
        "Choose the three of the six cards that will lie face up.",
    )


def test_reasons_for_unplayable_cards_are_given_on_request(api, ada, bob):
    path = api.playing(ada, bob, game="blind_don")
    mover, (other,), action = moves(path, ada, bob)
    assert mover.get(f"{path}/legal-actions?include=unplayable").json["unplayable"] == []
    assert "unplayable" not in mover.get(f"{path}/legal-actions").json

    unplayable = other.get(f"{path}/legal-actions?include=unplayable").json["unplayable"]

    assert len(unplayable) == 9
    assert {(card["code"], card["rule"]) for card in unplayable} == {
        ("not_your_turn", "It is another player's turn; wait for yours.")
    }
    for card in unplayable:
        refused = other.post(f"{path}/actions", action)
        assert problem(refused, 422, card["code"])["detail"] == card["rule"]


class TestNow:
    def test_answers_about_a_table_include_the_time(self, api, clock, ada, path):
        clock.now += 1_234
        for target in (path, f"{path}/legal-actions", f"{path}/events", f"{path}/events?limit=1"):
            assert ada.get(target).json["now"] == clock.now
        assert ada.post(f"{path}/actions", next(first_legal(ada, path))).json["now"] == clock.now

    def test_the_answer_for_a_version_never_changes(self, api, clock, ada, path):
        version = ada.get(path).json["version"]
        first = [ada.get(f"{path}?version={number}") for number in (version, 3)]
        clock.now += 1_234

        again = [ada.get(f"{path}?version={number}") for number in (version, 3)]

        assert [answer.data for answer in again] == [answer.data for answer in first]
        for answer in again:
            assert "now" not in answer.json
            assert answer.headers["ETag"] == tag_of(answer.json) == answer.headers["ETag"].removeprefix("W/")

    def test_stored_events_do_not_include_the_time(self, ada, path):
        assert all("now" not in event for event in ada.get(f"{path}/events").json["events"])
        lines = ada.get(f"{path}/events", headers={"Accept": "application/x-ndjson"}).data
        assert b'"now"' not in lines

    def test_the_entity_tag_is_weak_and_names_the_version(self, clock, ada, path):
        answer = ada.get(path)
        assert answer.headers["ETag"] == tag_of(answer.json)
        assert answer.headers["ETag"].startswith("W/")
        clock.now += 1_234

        for tag in (answer.headers["ETag"], answer.headers["ETag"].removeprefix("W/")):
            known = ada.get(path, headers={"If-None-Match": tag})
            assert (known.status_code, known.headers["ETag"]) == (304, answer.headers["ETag"])
            assert ada.get(f"{path}{LEGAL}", headers={"If-None-Match": tag}).status_code == 304


def test_co_37_legal_actions_are_sent_again_if_time_may_change_them(api, clock, ada, bob, cy):
    people = (ada, bob, cy)
    path = api.playing(*people, game="coconut", options={"sneak_grace_ms": 5_000})
    while (waiting := ada.get(path).json["view"]["waiting"])["for"] != "interrupts":
        mover, _, action = moves(path, *people)
        mover.post(f"{path}/actions", action)
    person = people[ada.get(path).json["view"]["view"]["to_move"]]
    before = person.get(f"{path}{LEGAL}")
    assert "sneak_grace" in {card["code"] for card in before.json["legal_actions"]["unplayable"]}
    known = {"If-None-Match": before.headers["ETag"]}
    clock.now = waiting["until"]

    after = person.get(f"{path}{LEGAL}", headers=known)

    assert (after.status_code, after.json["version"]) == (200, before.json["version"])
    assert after.json["now"] == waiting["until"]
    assert after.json["legal_actions"] != before.json["legal_actions"]
    assert person.get(path, headers=known).json["view"]["waiting"]["for"] == "players"
