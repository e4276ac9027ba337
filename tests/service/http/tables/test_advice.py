"""Hints in play, and reviews after the end, over HTTP (G-21)."""

import pytest

from hoodwink.service.settings import Settings
from tests.service.http.api import first_legal, new_api
from tests.service.inline_jobs import queue_jobs, runner


def ended(api, *people, moves=0, **form):
    """Returns the path of a table of Coconut that ended by resignation after some moves."""
    path = api.playing(*people, **{"game": "coconut"} | form)
    for _ in range(moves):
        who, action = next((who, action) for who in people for action in first_legal(who, path))
        assert who.post(f"{path}/actions", action).status_code == 200
    assert people[-1].resign(path).status_code == 200
    return path


def test_g_21_a_hint_names_a_legal_action_of_the_own_turn(api, ada):
    path = api.playing(ada, bots=1, game="coconut", rated=False)
    found = ada.get(f"{path}/hint")
    assert found.status_code == 200
    hint = found.json
    assert hint == {"table": path.rpartition("/")[2], "version": ada.get(path).json["version"]} | {
        name: hint[name] for name in ("action", "words")
    }
    assert hint["words"] == f"lay {' '.join(hint['action']['cards'])} face up"
    assert ada.get(f"{path}/hint").json == hint
    assert ada.post(f"{path}/actions", hint["action"]).status_code == 200


def test_g_21_there_are_no_hints_where_others_play_or_the_result_counts(api, ada, bob):
    for path in (api.playing(ada, bob, rated=False), api.playing(ada, bots=1, rated=True)):
        refused = ada.get(f"{path}/hint")
        assert (refused.status_code, refused.json["code"]) == (422, "no_hints")


def test_g_21_a_review_is_of_the_own_seat_unless_another_is_named(api, ada, bob):
    path = ended(api, ada, bob, moves=1)
    mine = ada.get(f"{path}/review").json
    assert (mine["seat"], mine["version"], mine["left_out"]) == (0, ada.get(path).json["version"], 0)
    (move,) = mine["moves"]
    assert move["played_words"] == f"lay {' '.join(move['played']['cards'])} face up"
    assert mine["scale"].startswith("100% is ")
    assert bob.get(f"{path}/review").json["moves"] == []
    assert bob.get(f"{path}/review?seat=0").json == mine


def test_g_21_nobody_reviews_a_table_in_play_or_one_that_they_may_not_watch(api, ada, bob, cy):
    refused = ada.get(f"{api.playing(ada, bob, game='coconut')}/review")
    assert (refused.status_code, refused.json["code"]) == (409, "table_not_over")
    path = ended(api, ada, bots=1, private=True, rated=False, watch="invited")
    refused = cy.get(f"{path}/review?seat=0")
    assert (refused.status_code, refused.json["code"]) == (403, "not_invited")
    assert api.spectator.get(f"{path}/review?seat=0").status_code == 401


@pytest.fixture
def queued():
    """Returns an API whose jobs run only when a test runs them."""
    api = new_api(Settings(reviews_per_player="2"))
    queue_jobs(api.service)
    return api


def test_reviews_of_a_player_are_limited_and_the_same_one_is_computed_once(queued):
    ada, bob = queued.person("Ada"), queued.person("Bob")
    path, *others = (ended(queued, ada, bob, moves=1) for _ in range(3))
    begun = ada.get(f"{path}/review")
    assert (begun.status_code, begun.json["kind"]) == (202, "review")
    assert [ada.get(f"{other}/review").status_code for other in others] == [202, 429]
    assert bob.get(f"{path}/review").status_code == 202
    assert ada.get(f"{path}/review").json["id"] == begun.json["id"]
    runner(queued.service).run(begun.json["id"])
    done = ada.get(f"/v1/jobs/{begun.json['id']}").json
    assert done["state"] == "done"
    assert ada.get(f"{path}/review").json == done["result"]
    assert ada.get(f"{others[1]}/review").status_code == 202


@pytest.mark.parametrize(("limit", "bound"), [("_REVIEWING", -100), ("_MAX_REVIEWED", 1)])
def test_a_review_without_time_or_room_for_all_moves_can_be_continued(
    api, ada, bob, monkeypatch, limit, bound
):
    path = ended(api, ada, bob, moves=8)
    monkeypatch.setattr(f"hoodwink.workers.job_works.{limit}", bound)
    versions, left, after = list[int](), 1, 0
    while left:
        review = ada.get(f"{path}/review?after={after}").json
        (move,), left, after = review["moves"], review["left_out"], review["moves"][-1]["version"]
        versions.append(move["version"])
    assert len(versions) == 4, "at the table that every run deals, so often Ada had a choice"
    assert versions == sorted(set(versions))


def test_a_hint_that_comes_too_late_is_refused(queued):
    ada = queued.person("Ada")
    path = queued.playing(ada, bots=1, game="coconut", rated=False)
    begun = ada.get(f"{path}/hint")
    assert (begun.status_code, begun.json["kind"]) == (202, "hint")
    assert ada.post(f"{path}/actions", next(first_legal(ada, path))).status_code == 200
    runner(queued.service).run(begun.json["id"])
    assert ada.get(f"/v1/jobs/{begun.json['id']}").json["problem"]["code"] == "version_conflict"
