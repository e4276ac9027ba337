"""Commands that require a version, and idempotency keys."""

import pytest

from hoodwink.domain.tables.commands import DealRound
from hoodwink.service.application.players.players import REPEATABLE_MS
from hoodwink.service.http.resources.tables.play import _action_in
from tests.service.application.world import put_back
from tests.service.http.api import CONFIRMED, first_legal, problem, version

KEEP = {"type": "keep", "card": "9S"}
KEY = "k" * 16


class TestVersions:
    def test_a_stale_version_is_answered_with_the_current_one(self, api, ada, path):
        answer = problem(
            ada.post(f"{path}/actions", {**KEEP, "expected_version": 1}), 409, "version_conflict"
        )

        assert answer["version"] == version(api, path)
        assert answer["legal_actions"] == ada.get(f"{path}/legal-actions").json["actions"]

    def test_an_unseated_player_gets_only_the_current_version(self, api, path):
        answer = problem(
            api.person("Eve").post(f"{path}/actions", {**KEEP, "expected_version": 1}),
            409,
            "version_conflict",
        )

        assert "legal_actions" not in answer

    @pytest.mark.parametrize("tag", ['"1"', 'W/"1"', '"x"', "5", ",", '"1", "2"', '"' + "9" * 400 + '"'])
    def test_a_version_not_in_if_match_fails_the_precondition(self, ada, path, tag):
        answer = ada.post(f"{path}/actions", KEEP, headers={"If-Match": tag})

        problem(answer, 412, "precondition_failed")

    def test_if_match_accepts_the_right_version(self, api, ada, path):
        action = next(first_legal(ada, path))
        tags = f'"1", "{version(api, path)}"'

        assert ada.post(f"{path}/actions", action, headers={"If-Match": tags}).status_code == 200

    def test_the_entity_tag_of_an_answer_guards_the_next_command(self, ada, bob, path):
        """The tag is weak because answers include the time; it still identifies the version."""
        tag = ada.get(path).headers["ETag"]
        assert tag.startswith("W/")

        acted = ada.post(f"{path}/actions", next(first_legal(ada, path)), headers={"If-Match": tag})

        assert acted.status_code == 200
        again = bob.post(f"{path}/actions", next(first_legal(bob, path)), headers={"If-Match": tag})
        problem(again, 412, "precondition_failed")
        after = {"If-Match": acted.headers["ETag"]}
        assert bob.post(f"{path}/actions", next(first_legal(bob, path)), headers=after).status_code == 200

    def test_an_if_match_star_accepts_any_version(self, ada, path):
        action = next(first_legal(ada, path))

        assert ada.post(f"{path}/actions", action, headers={"If-Match": "*"}).status_code == 200

    @pytest.mark.parametrize("expected", [0, -1, "5", None, True, 1.5, 10**20])
    def test_an_invalid_expected_version_is_refused(self, ada, path, expected):
        problem(ada.post(f"{path}/actions", {**KEEP, "expected_version": expected}), 400, "invalid_body")
        resigning = ada.post(f"{path}/resign", {**CONFIRMED, "expected_version": expected})
        problem(resigning, 400, "invalid_body")

    def test_only_actions_without_expected_version_are_cached(self, api, ada, path):
        action = next(first_legal(ada, path))
        _action_in.cache_clear()

        expecting = ada.post(f"{path}/actions", {**action, "expected_version": version(api, path)})

        assert (expecting.status_code, _action_in.cache_info().currsize) == (200, 0)
        ada.post(f"{path}/actions", action)
        assert _action_in.cache_info().currsize == 1


class TestOlderStore:
    """A store restored from an older copy that reached the same version with other events."""

    @pytest.fixture
    def vanished(self, api, ada, bob, path):
        """The entity tag of a table before the restore."""
        table, tag = path.rpartition("/")[2], ada.get(path).headers["ETag"]
        before = version(api, path)
        put_back(api.service, table, before - 1)
        api.service.tables.execute(table, lambda _: (DealRound(), "worker"))
        assert version(api, path) == before
        return tag

    def test_a_view_of_a_vanished_history_is_not_unchanged(self, ada, path, vanished):
        answer = ada.get(path, headers={"If-None-Match": vanished})

        assert (answer.status_code, answer.headers["ETag"] == vanished) == (200, False)
        again = ada.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304

    def test_a_command_based_on_a_vanished_history_is_refused(self, api, ada, path, vanished):
        before = version(api, path)
        for tags in (vanished, f'"1", {vanished}'):
            answer = ada.post(f"{path}/actions", KEEP, headers={"If-Match": tags})
            problem(answer, 412, "precondition_failed")

        assert version(api, path) == before


class TestKeys:
    @pytest.mark.parametrize("key", ["", "short", "k" * 15, "k" * 129, "k" * 20 + " ", "ключ" * 8])
    def test_a_key_likely_to_collide_is_refused(self, api, key):
        answer = api.spectator.post("/v1/players", headers={"Idempotency-Key": key})

        assert problem(answer, 400, "invalid_header")["faults"][0]["name"] == "Idempotency-Key"

    def test_a_repeated_registration_returns_the_same_token(self, api):
        first, second = (api.spectator.post("/v1/players", {"name": "Ada"}, key=KEY).json for _ in range(2))

        assert first == second

    def test_a_key_with_another_name_registers_another_player(self, api):
        made = [
            api.spectator.post("/v1/players", form, key=KEY)
            for form in ({"name": "Ada"}, {"name": "Bob"}, {})
        ]

        assert [answer.status_code for answer in made] == [201] * 3
        assert len({answer.json["id"] for answer in made}) == 3

    def test_a_registration_key_expires_after_ten_minutes(self, api):
        first = api.spectator.post("/v1/players", {"name": "Ada"}, key=KEY)
        clock = api.service.clock
        clock.keep_up_with([clock.now_ms() + REPEATABLE_MS])

        later = api.spectator.post("/v1/players", {"name": "Ada"}, key=KEY)
        assert (later.status_code, later.json["id"] == first.json["id"]) == (201, False)

    def test_keys_of_two_players_never_collide(self, api, ada, bob):
        form = {"game": "blindside", "seats": 2}
        tables = {person.post("/v1/tables", form, key=KEY).headers["Location"] for person in (ada, bob, ada)}

        assert len(tables) == 2

    def test_keys_of_two_players_never_collide_on_one_table(self, api, ada, bob, path):
        for person in (ada, bob):
            action = next(first_legal(person, path))
            assert person.post(f"{path}/actions", action, key=KEY).status_code == 200

        assert version(api, path) == 7

    def test_a_repeated_opening_returns_the_table_and_refuses_changes(self, ada):
        first, second = (ada.post("/v1/tables", {"game": "blindside", "seats": 2}, key=KEY) for _ in range(2))

        assert first.data == second.data
        assert second.status_code == 201
        problem(
            ada.post("/v1/tables", {"game": "blindside", "seats": 3}, key=KEY), 409, "idempotency_key_reused"
        )

    def test_a_repeated_action_takes_effect_once(self, api, ada, path):
        action = next(first_legal(ada, path))
        first, second = (ada.post(f"{path}/actions", action, key=KEY) for _ in range(2))

        assert first.status_code == 200
        assert first.data == second.data
        assert version(api, path) == first.json["version"]

    def test_a_repeat_returns_its_result_after_others_acted(self, api, ada, bob, path):
        action = next(first_legal(ada, path))
        first = ada.post(f"{path}/actions", action, key=KEY)
        bob.post(f"{path}/actions", next(first_legal(bob, path)))

        assert ada.post(f"{path}/actions", action, key=KEY).data == first.data

    def test_a_repeat_with_a_version_guard_returns_its_result(self, api, ada, path):
        guarded = {"headers": {"If-Match": f'"{version(api, path)}"'}, "key": KEY}
        action = next(first_legal(ada, path))
        first = ada.post(f"{path}/actions", action, **guarded)

        assert ada.post(f"{path}/actions", action, **guarded).data == first.data

    def test_a_key_is_valid_for_one_request(self, ada, path):
        action, other, *_ = first_legal(ada, path)
        ada.post(f"{path}/actions", action, key=KEY)

        problem(ada.post(f"{path}/actions", other, key=KEY), 409, "idempotency_key_reused")
        problem(ada.resign(path, key=KEY), 409, "idempotency_key_reused")

    def test_a_refused_request_does_not_use_its_key(self, ada, path):
        assert ada.post(f"{path}/actions", KEEP, key=KEY).status_code == 422

        assert ada.post(f"{path}/actions", next(first_legal(ada, path)), key=KEY).status_code == 200

    def test_a_key_never_reaches_the_log(self, api, ada, path):
        ada.post(f"{path}/actions", next(first_legal(ada, path)), key=KEY)

        stored = b"".join(entry.cmd.encode() for entry in api.service.tables.entries(path.rpartition("/")[2]))
        assert KEY.encode() not in stored


def test_a_repeated_command_returns_all_its_events(api, ada, bob):
    path = api.playing(ada, bob)
    key = {"Idempotency-Key": "k" * 16}

    first, again = (ada.resign(path, headers=key).json["events"] for _ in range(2))

    assert len(first) > 1
    assert again == first
