"""Access to the API's operations. A refusal changes nothing and reveals nothing."""

import pytest

from tests.service.http.api import problem, version

KEEP = {"type": "keep", "card": "9S"}
KEY = "k" * 16


class TestTokens:
    def test_a_request_without_token_is_refused(self, api, path):
        answer = api.spectator.post(f"{path}/actions", KEEP)

        problem(answer, 401, "token_missing")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")

    @pytest.mark.parametrize(
        "given",
        [
            "",
            "Bearer",
            "Bearer ",
            "Bearer x",
            "Bearer hw_",
            "Bearer hw_a_b",
            "Basic YTpi",
            "hw_{id}_secret",
            "Bearer hw_{id}_secret",
            "Bearer {token} ",
            "Bearer {token}x",
            "Bearer hw_{id}",
            "Bearer {token},Bearer {token}",
            "Bearer " + "x" * 5_000,
        ],
    )
    def test_a_wrong_token_is_refused_even_if_none_is_required(self, api, ada, path, given):
        header = {"Authorization": given.format(id=ada.id, token=ada.token)}

        problem(api.spectator.get(path, headers=header), 401, "token_invalid")
        problem(api.spectator.post(f"{path}/actions", KEEP, headers=header), 401, "token_invalid")

    @pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", "Basic YTpi", "{token}", "Bearer {token} x"])
    def test_a_malformed_header_is_answered_with_the_expected_form(self, api, ada, path, given):
        header = {"Authorization": given.format(token=ada.token)}

        answer = problem(api.spectator.get(path, headers=header), 401, "token_invalid")
        assert answer["detail"] == "Send the token as `Authorization: Bearer hw_…`."

    @pytest.mark.parametrize("given", ["Bearer x", "Bearer hw_{id}_secret", "bearer {token}x"])
    def test_a_well_formed_wrong_token_is_reported_as_wrong(self, api, ada, path, given):
        header = {"Authorization": given.format(id=ada.id, token=ada.token)}

        answer = problem(api.spectator.get(path, headers=header), 401, "token_invalid")
        assert answer["detail"] == "The token is not valid."

    def test_a_token_in_the_url_is_ignored(self, api, ada, path):
        problem(api.spectator.get(f"{path}?access_token={ada.token}"), 400, "invalid_query")

    def test_the_scheme_is_case_insensitive(self, api, ada, path):
        answer = api.spectator.get(path, headers={"Authorization": f"bearer {ada.token}"})

        assert answer.json["view"]["viewer"] == 0


class TestSeats:
    def test_only_seated_players_act(self, api, path):
        problem(api.person("Eve").post(f"{path}/actions", KEEP), 403, "not_seated")

    def test_a_refusal_reveals_nothing_to_unseated_players(self, api, path):
        eve = api.person("Eve")
        answers = {
            eve.post(f"{path}/actions", {"type": "keep", "card": card}).data
            for card in ("9S", "AS", "x", None)
        }

        assert len(answers) == 1

    def test_only_seated_players_have_legal_actions(self, api, path):
        problem(api.person("Eve").get(f"{path}/legal-actions"), 403, "not_seated")

    def test_only_the_host_starts_and_closes(self, api, ada, bob):
        path = api.table(ada, bob)

        problem(bob.post(f"{path}/start"), 403, "not_host")
        problem(bob.close(path), 403, "not_host")

    def test_only_the_host_seats_and_removes_bots(self, api, ada, bob):
        path = api.table(ada, bots=1)

        problem(bob.post(f"{path}/seats", {"policy": "steady"}), 403, "not_host")
        problem(bob.delete(f"{path}/seats/1"), 403, "not_host")

    def test_only_the_host_removes_a_person(self, api, ada, bob):
        path = api.table(ada, bob)

        problem(bob.delete(f"{path}/seats/0"), 403, "not_host")

    def test_a_player_who_has_resigned_cannot_act(self, api, ada, bob):
        path = api.playing(ada, bob, api.person("Cy"))
        ada.resign(path)

        problem(ada.post(f"{path}/actions", KEEP), 403, "resigned")
        assert ada.get(f"{path}/legal-actions").json["actions"] == []

    def test_another_seats_view_is_refused_before_the_end(self, api, ada, path):
        problem(ada.get(f"{path}?viewer=1"), 403, "not_your_seat")
        problem(ada.get(f"{path}/events?viewer=1"), 403, "not_your_seat")
        problem(api.spectator.get(f"{path}?viewer=0"), 403, "not_your_seat")

    def test_hidden_cards_stay_hidden_before_the_end(self, api, ada, path):
        problem(ada.get(f"{path}?viewer=everybody"), 409, "table_not_over")
        problem(ada.get(f"{path}?viewer=everybody&version=1"), 409, "table_not_over")
        problem(ada.get(f"{path}/events?viewer=everybody"), 409, "table_not_over")
        problem(ada.get(f"{path}/log"), 409, "table_not_over")


class TestRules:
    def test_an_illegal_action_names_its_rule_and_changes_nothing(self, api, ada, path):
        before = version(api, path)

        problem(ada.post(f"{path}/actions", KEEP), 422, "wrong_phase")

        assert version(api, path) == before

    def test_an_action_of_another_game_has_its_own_problem(self, ada, path):
        problem(ada.post(f"{path}/actions", {"type": "ready"}), 422, "wrong_game")
        problem(ada.post(f"{path}/actions", {"type": "dance"}), 400, "invalid_body")

    @pytest.mark.parametrize("card", ["1S", "", "9s", "??", "JKK", 9, None, ["9S"], "9S\n"])
    def test_an_invalid_card_is_refused(self, ada, path, card):
        problem(ada.post(f"{path}/actions", {"type": "keep", "card": card}), 400, "invalid_body")

    def test_a_finished_table_refuses_commands(self, api, ada):
        path = api.table(ada, bots=1)
        ada.close(path)

        problem(ada.post(f"{path}/start"), 422, "table_over")
        problem(ada.post(f"{path}/seats"), 422, "table_over")
        problem(ada.post(f"{path}/actions", KEEP), 422, "table_over")

    def test_a_table_with_impossible_options_is_refused(self, ada):
        problem(
            ada.post("/v1/tables", {"game": "shithead", "seats": 10, "options": {"decks": 1}}),
            422,
            "invalid_options",
        )
