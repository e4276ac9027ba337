"""Tables over HTTP, from opening to verified log."""

import json

import pytest

from hoodwink.domain.bots import levels_of
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tournaments.life import FullSetup
from hoodwink.service.http.messages.lobby_answers import lobby_tables
from hoodwink.service.http.resources import history
from tests.service.http.api import first_legal, tag_of

# Options for short tables, for games with long defaults.
SHORT = {"blindside": {"rounds": 1}, "double_blind": {"target_score": 1}, "blind_don": {"rounds": 2}}


class TestPlayers:
    def test_a_player_is_known_by_id_and_name(self, api, ada):
        assert api.spectator.get(f"/v1/players/{ada.id}").json == {"id": ada.id, "name": "Ada", "bot": None}

    def test_a_guest_gets_a_name(self, api):
        answer = api.spectator.post("/v1/players")

        assert answer.status_code == 201
        assert answer.json["name"].startswith("Guest ")
        assert answer.headers["Location"] == f"/v1/players/{answer.json['id']}"

    def test_only_a_hash_of_the_token_is_stored(self, api, ada):
        client = api.service.client
        kept = [client.lrange(key, 0, -1) for key in client.keys("*:player:*") if client.type(key) == b"list"]

        assert kept
        assert ada.token.encode() not in repr(kept).encode()
        assert ada.token.rpartition("_")[2] not in repr(kept)

    def test_an_answer_with_a_token_is_not_cached(self, api):
        assert api.spectator.post("/v1/players").headers["Cache-Control"] == "private, no-store"

    def test_a_token_is_valid_in_every_process(self, api, ada):
        api.service.players._cache._values.clear()

        assert ada.get(api.table(ada, bots=1)).json["view"]["viewer"] == 0


class TestGames:
    def test_every_game_is_listed(self, api):
        games = api.spectator.get("/v1/games").json["games"]

        assert [game["name"] for game in games] == list(GAMES)

    def test_the_list_describes_each_game(self, api):
        games = {game["name"]: game for game in api.spectator.get("/v1/games").json["games"]}

        assert games["blind_don"]["aim"].startswith("Have the higher score after four rounds. You score for")
        assert all("\n" not in game["aim"] and len(game["aim"]) > 80 for game in games.values())

    @pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
    def test_a_game_describes_itself_completely(self, api, game):
        answer = api.spectator.get(f"/v1/games/{game.name}").json

        assert answer["seats"] == {"fewest": game.seats[0], "most": game.seats[1]}
        assert answer["rules"] == game.rules
        assert " ".join(answer["rules"].split()).count(answer["aim"]) == 1
        assert [policy["name"] for policy in answer["policies"]] == list(levels_of(game))
        assert [option["name"] for option in answer["options"]] == list(game.options.__struct_fields__)
        assert all(option["meaning"] and option["form"] for option in answer["options"])
        assert len(answer["actions"]) == len(game.actions)

    def test_a_game_describes_the_settings_of_its_tournaments(self, api):
        shown = api.spectator.get("/v1/games/coconut").json["tournament_settings"]

        settings = {setting.pop("name"): setting for setting in shown}
        assert {*settings, "game", "options", "sittings"} == {*FullSetup.__struct_fields__}
        assert settings["grace_seconds"] == {
            "default": 300,
            "meaning": "Seconds after the start of a table in which each entrant must appear.",
            "form": {"type": "integer", "minimum": 1, "maximum": 604_800},
        }

    @pytest.mark.parametrize("game", GAMES)
    def test_the_defaults_of_a_game_open_a_table(self, api, ada, game):
        shown = api.spectator.get(f"/v1/games/{game}").json
        options = {option["name"]: option["default"] for option in shown["options"]}

        answer = ada.post("/v1/tables", {"game": game, "seats": shown["seats"]["fewest"], "options": options})

        assert answer.status_code == 201
        assert answer.json["view"]["options"] == options


class TestSeating:
    def test_the_host_opens_and_is_not_seated(self, api, ada):
        answer = ada.post(
            "/v1/tables", {"game": "blindside", "seats": 3, "options": {"rounds": 2}, "turn_seconds": 30}
        )

        view = answer.json["view"]
        assert (answer.status_code, answer.headers["ETag"]) == (201, tag_of(answer.json))
        assert answer.headers["Location"] == f"/v1/tables/{view['id']}"
        assert (view["phase"], view["host"], view["turn_seconds"]) == ("open", ada.id, 30)
        assert view["options"]["rounds"] == 2
        assert [seat["player"] for seat in view["seats"]] == [None] * 3

    def test_players_and_bots_take_seats(self, api, ada, bob):
        path = ada.post("/v1/tables", {"game": "blindside", "seats": 3}).headers["Location"]

        bob.post(f"{path}/seats", {"seat": 2, "seed": "my own"})
        ada.post(f"{path}/seats")
        seated = ada.post(f"{path}/seats", {"policy": "steady"})

        seats = seated.json["view"]["seats"]
        assert [seat["name"] for seat in seats] == ["Ada", "Steady bot", "Bob"]
        assert [seat["policy"] for seat in seats] == [None, "steady", None]
        assert seats[2]["seed"] == "my own"

    def test_a_player_with_a_seat_sees_its_view(self, api, ada, bob):
        path = api.table(ada, bob)

        assert [person.get(path).json["view"]["viewer"] for person in (ada, bob, api.spectator)] == [
            0,
            1,
            "spectator",
        ]

    def test_a_player_leaves_and_a_bot_is_removed(self, api, ada, bob):
        path = api.table(ada, bob, bots=1)

        left = bob.delete(f"{path}/seats/1")
        removed = ada.delete(f"{path}/seats/2")

        assert (left.status_code, left.json["view"]["viewer"]) == (200, "spectator")
        assert [seat["player"] for seat in removed.json["view"]["seats"]] == [ada.id, None, None]

    def test_a_closed_table_is_finished(self, api, ada):
        path = api.table(ada, bots=1)

        closed = ada.close(path).json

        assert closed["view"]["result"]["outcome"] == "closed"
        assert [event["type"] for event in closed["events"]] == ["table.ended", "table.seed_revealed"]


class TestPlay:
    @pytest.mark.parametrize("game", GAMES)
    def test_a_table_is_played_to_its_end_and_its_log_verifies(self, api, ada, game):
        path = api.playing(ada, bots=1, game=game, options=SHORT.get(game, {}))

        api.play_out(path, ada)

        log = ada.get(f"{path}/log")
        assert verify_log(log.data).valid
        verdict = api.spectator.post("/v1/verify", data=log.data, content_type="application/x-ndjson").json
        assert (verdict["valid"], verdict["game"], verdict["finding"]) == (True, game, None)
        assert log.headers["Content-Disposition"].startswith("attachment")

    def test_an_accepted_action_returns_its_events_and_the_table(self, api, ada, bob):
        path = api.playing(ada, bob)
        action = next(first_legal(ada, path))

        answer = ada.post(f"{path}/actions", action)

        shown = answer.json
        assert (answer.status_code, shown["version"]) == (200, 6)
        assert answer.headers["ETag"] == tag_of(shown)
        (event,) = shown["events"]
        assert (event["type"], event["by"]) == ("blindside.blindside_passed", "player:0")
        assert event["data"] == {"seat": 0, "card": action["card"]}
        assert shown["view"] == ada.get(path).json["view"]
        assert shown["head"] == ada.get(path).json["head"]

    def test_ten_can_be_spelled_in_two_ways(self, api, ada, bob):
        tables = (api.playing(ada, bob) for _ in range(1_000))
        path, ten = next(
            (path, action) for path in tables for action in first_legal(ada, path) if action["card"][0] == "T"
        )
        spelled = {**ten, "card": ten["card"].replace("T", "10")}

        assert ada.post(f"{path}/actions", spelled).json["events"][0]["data"]["card"] == ten["card"]

    def test_the_table_ends_when_all_but_one_have_resigned(self, api, ada, bob):
        path = api.playing(ada, bob)

        resigned = bob.resign(path).json

        assert resigned["view"]["result"]["places"] == [1, 2]
        assert resigned["view"]["server_seed"] is not None

    def test_g_2_a_resignation_shows_no_score_before_scoring(self, api, ada, bob):
        path = api.playing(ada, bob, options={"rounds": 1})
        while legal := [(who, action) for who in (ada, bob) for action in first_legal(who, path)][:1]:
            assert legal[0][0].post(f"{path}/actions", legal[0][1]).status_code == 200

        resigned = bob.resign(path).json
        api.run_due(path)

        assert [event["type"] for event in resigned["events"]] == ["table.seat_resigned"]
        assert (resigned["view"]["result"], resigned["view"]["server_seed"]) == (None, None)
        assert api.spectator.get(path).json["view"]["result"]["places"] == [1, 2]

    def test_a_player_who_is_not_away_cannot_return(self, api, ada, bob):
        answer = ada.post(f"{api.playing(ada, bob)}/return")

        assert (answer.status_code, answer.json["code"]) == (422, "not_away")


class TestViews:
    def test_an_unchanged_view_is_not_sent_again(self, api, ada, bob):
        path = api.playing(ada, bob)
        tag = ada.get(path).headers["ETag"]

        again = ada.get(path, headers={"If-None-Match": tag})

        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        ada.post(f"{path}/actions", next(first_legal(ada, path)))
        assert ada.get(path, headers={"If-None-Match": tag}).status_code == 200

    @pytest.mark.parametrize(
        ("tags", "status"), [("*", 304), ('W/"5"', 304), ('"4", "5"', 304), ('"4"', 200), ("5", 200)]
    )
    def test_entity_tags_are_compared_per_http(self, api, ada, bob, tags, status):
        path = api.playing(ada, bob)

        assert ada.get(path, headers={"If-None-Match": tags}).status_code == status

    def test_views_are_not_shared_by_caches(self, api, ada, bob):
        headers = ada.get(api.playing(ada, bob)).headers

        assert "Authorization" in headers["Vary"]
        assert "private" in headers["Cache-Control"]

    def test_an_earlier_version_is_shown_as_it_was(self, api, ada, bob):
        path = api.playing(ada, bob)
        then, present = ada.get(f"{path}?version=5"), ada.get(path)
        ada.post(f"{path}/actions", next(first_legal(ada, path)))

        again = ada.get(f"{path}?version=5")

        assert again.data == then.data
        assert again.json["view"] == present.json["view"]
        assert again.headers["ETag"] == tag_of(again.json)
        assert ada.get(f"{path}?version=1").json["view"]["phase"] == "open"

    def test_a_seated_player_can_ask_for_the_spectator_view(self, api, ada, bob):
        path = api.playing(ada, bob)

        for query, actor in (("viewer=spectator", api.spectator), ("viewer=0", ada)):
            assert ada.get(f"{path}?{query}").json["view"] == actor.get(path).json["view"]

    def test_a_head_request_returns_only_headers(self, api, ada, bob):
        path = api.playing(ada, bob)
        answer = api.spectator.ask("HEAD", path)

        assert answer.data == b""
        assert answer.headers["Content-Length"] == api.spectator.get(path).headers["Content-Length"]


class TestEvents:
    def test_events_are_paged(self, api, ada, bob):
        path = api.playing(ada, bob)
        seen, cursor, more = [], "0", True
        while more:
            page = ada.get(f"{path}/events?limit=2&cursor={cursor}").json
            seen += page["events"]
            cursor, more = page["cursor"], page["more"]

        assert [event["version"] for event in seen] == [1, 2, 3, 4, 5]
        assert ada.get(f"{path}/events").json["events"] == seen
        assert cursor == f"5-{api.spectator.get(path).json['head'][:16]}"

    def test_a_page_after_the_last_event_is_empty_and_its_cursor_stays_valid(self, api, ada, bob):
        path = api.playing(ada, bob)

        cursor = f"5-{api.spectator.get(path).json['head'][:16]}"
        for given in (cursor, "5"):
            page = ada.get(f"{path}/events?cursor={given}").json
            assert (page["events"], page["cursor"], page["more"]) == ([], given, False)

    @pytest.mark.parametrize("cursor", ["6", "5-" + 16 * "0", "999"])
    def test_a_cursor_of_another_history_is_refused(self, api, ada, bob, cursor):
        path = api.playing(ada, bob)
        for accept in ("application/json", "application/x-ndjson"):
            answer = ada.get(f"{path}/events?cursor={cursor}", headers={"Accept": accept})
            assert (answer.status_code, answer.json["code"]) == (409, "history_changed")

    def test_events_are_available_line_by_line(self, api, ada, bob):
        path = api.playing(ada, bob)
        lines = ada.get(f"{path}/events?cursor=1&limit=3", headers={"Accept": "application/x-ndjson"})

        assert lines.mimetype == "application/x-ndjson"
        assert [json.loads(line) for line in lines.text.splitlines()] == ada.get(f"{path}/events").json[
            "events"
        ][1:4]

    @pytest.mark.parametrize("part", [1, 2, 4, 5, 6])
    def test_lines_do_not_depend_on_the_batch_size(self, api, ada, bob, monkeypatch, part):
        path = api.playing(ada, bob)
        addresses = [f"{path}/events", f"{path}/events?limit=4", f"{path}/events?cursor=1"]

        def lines():
            return [
                ada.get(address, headers={"Accept": "application/x-ndjson"}).text for address in addresses
            ]

        whole = lines()
        assert [text.count("\n") for text in whole] == [5, 4, 4]
        monkeypatch.setattr(history, "PART", part)
        assert lines() == whole

    def test_the_cards_of_others_are_hidden(self, api, ada, bob):
        path = api.playing(ada, bob)
        deals = [
            person.get(f"{path}/events").json["events"][-1]["data"]["hands"]
            for person in (ada, bob, api.spectator)
        ]

        assert deals[0][1] == deals[1][0] == deals[2][0] == deals[2][1] == ["??"] * 4
        assert "??" not in deals[0][0]
        assert "??" not in deals[1][1]

    def test_a_tampered_log_is_refused_with_the_place(self, api, ada, bob):
        path = api.playing(ada, bob)
        ada.resign(path)
        log = bytearray(ada.get(f"{path}/log").data)
        log[log.index(b'"seat":1') + 7] ^= 1

        verdict = api.spectator.post("/v1/verify", data=bytes(log), content_type="application/x-ndjson").json

        assert not verdict["valid"]
        assert verdict["finding"]["line"] is not None


def test_an_old_lobby_row_shows_no_seat_as_resigned(api, ada):
    row = {"phase": "open", "host": ada.id, "seats": [{"player": ada.id, "policy": None}, None]}

    (shown,) = lobby_tables([json.dumps(row).encode()], api.service.players)

    assert [seat and seat.resigned for seat in shown["seats"]] == [False, None]
