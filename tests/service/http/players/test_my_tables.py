"""Players' lists of their own tables, with waiting tables first."""

import json

import pytest

from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.reading.my_tables import NOTHING_TOLD, Told
from hoodwink.service.application.streams.history import Position
from hoodwink.service.http.messages.my_tables import parse_told, told_text
from tests.service.application.world import StandingClock, add_malformed_entry, lose_archived
from tests.service.http.api import catch_up, first_legal, new_api, problem

MINE = "/v1/me/tables"


@pytest.fixture
def api():
    return new_api(clock=StandingClock())


def tables_of(api, person, query=""):
    """Returns the person's tables after the projections caught up."""
    catch_up(api)
    answer = person.get(MINE + query)
    assert answer.status_code == 200, answer.text
    assert answer.json["now"] == api.service.clock.now_ms()
    return answer.json["tables"]


def ids(paths):
    return [path.rpartition("/")[2] for path in paths]


def move_of(person, path):
    assert person.post(f"{path}/actions", next(first_legal(person, path))).status_code == 200


def test_a_row_summarises_a_players_table(api, ada, bob):
    path = api.playing(ada, bob, bots=1, turn_seconds=60, options={"rounds": 2})
    (row,) = tables_of(api, bob)
    view, now = api.spectator.get(path).json, api.service.clock.now_ms()

    assert row == {
        "id": view["view"]["id"],
        "version": view["version"],
        "game": "blindside",
        "phase": "playing",
        "round": 1,
        "host": ada.id,
        "seat": 1,
        "offered_seat": None,
        "opponents": [
            {"seat": 0, "player": ada.id, "name": "Ada", "policy": None},
            {"seat": 2, "player": "bot:random", "name": "Random bot", "policy": "random"},
        ],
        "owes": [seat["seat"] for seat in view["view"]["seats"] if seat["owes"]],
        "waits_since": now,
        "deadline": now + 60_000,
        "tournament": None,
        "result": None,
        "last_event": {"type": row["last_event"]["type"], "at": now},
    }
    assert row["last_event"]["type"] == api.spectator.get(f"{path}/events").json["events"][-1]["type"]


def test_a_row_reads_the_state_from_the_table(api, ada, bob):
    path = api.playing(ada, bob)
    (before,) = tables_of(api, ada)
    api.service.clock.now += 5
    move_of(ada, path)
    (after,) = ada.get(MINE).json["tables"]

    assert (before["waits_since"], after["waits_since"]) == (after["last_event"]["at"] - 5, None)
    assert after["version"] == before["version"] + 1
    assert after["owes"] == [1]


def test_a_host_without_a_seat_sees_the_table_from_outside(api, ada, bob):
    opened = ada.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    bob.post(f"{opened}/seats")
    (row,) = tables_of(api, ada)

    assert (row["seat"], row["deadline"], row["waits_since"]) == (None, None, None)
    assert [opponent["name"] for opponent in row["opponents"]] == ["Bob"]


def test_an_offer_names_the_seat_until_it_is_declined(api, ada, bob):
    opened = ada.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    ada.post(f"{opened}/offers", {"player": bob.id, "seat": 1})
    (row,) = tables_of(api, bob)

    assert (row["seat"], row["offered_seat"]) == (None, 1)
    assert bob.delete(f"{opened}/seats/1").status_code == 200
    assert tables_of(api, bob) == []


def test_waiting_tables_come_first_and_the_latest_need_on_top(api, ada, bob, cy):
    first = api.playing(ada, bob)
    api.service.clock.now += 10
    second = api.playing(ada, cy)
    api.service.clock.now += 10
    done = api.playing(ada, bob)
    api.service.clock.now += 10
    move_of(ada, done)
    api.service.clock.now += 10
    opened = api.table(ada, bots=1)

    assert [row["id"] for row in tables_of(api, ada)] == ids([second, first, opened, done])


def test_tables_of_others_are_not_listed(api, ada, bob, cy):
    api.playing(ada, bob)
    assert tables_of(api, cy) == []


@pytest.mark.parametrize("damage", [add_malformed_entry, lose_archived])
def test_a_damaged_log_hides_no_other_table(api, ada, bob, damage):
    broken, intact = ids([api.playing(ada, bob), api.playing(ada, bob)])
    catch_up(api)
    damage(api.service, StreamId("table", broken))
    assert [row["id"] for row in tables_of(api, ada)] == [intact]
    assert [update.now.state.id for update in api.service.my_tables.since(ada.id, NOTHING_TOLD)] == [intact]
    assert api.service.my_tables.owners([broken, intact]) == {ada.id: [intact], bob.id: [intact]}


def test_left_and_closed_tables_are_not_listed(api, ada, bob):
    path = api.table(ada, bob, bots=1)
    assert [row["id"] for row in tables_of(api, bob)] == ids([path])
    assert bob.delete(f"{path}/seats/1").status_code == 200
    assert bob.get(MINE).json["tables"] == []  # the list shows it before the projection
    assert tables_of(api, bob) == []
    ada.close(path)
    assert tables_of(api, ada) == []
    assert [row["id"] for row in tables_of(api, ada, "?phase=ended")] == ids([path])


def test_finished_tables_are_paged(api, ada, bob):
    paths = []
    for _ in range(3):
        paths.append(api.playing(ada, bob))
        api.service.clock.now += 10
        assert bob.resign(paths[-1]).status_code == 200
    catch_up(api)

    first = ada.get(f"{MINE}?phase=ended&limit=2").json
    second = ada.get(f"{MINE}?phase=ended&limit=2&cursor={first['cursor']}").json

    assert [row["id"] for row in first["tables"] + second["tables"]] == ids(paths)[::-1]
    assert second["cursor"] is None
    assert first["tables"][0]["result"]["places"] == [1, 2]
    assert tables_of(api, ada) == []


def test_a_tournaments_table_is_listed_for_its_seated_players(api, running, ada, olga):
    running.pair()
    running.start_round()
    (row,) = tables_of(api, ada)

    assert (row["tournament"]["tournament"], row["phase"]) == (running.id, "playing")
    assert tables_of(api, olga) == []


def test_a_hidden_event_is_not_named(api, ada, bob):
    path = api.playing(ada, bob, game="shithead", options={"hidden_swap": True})
    swap = next(action for action in first_legal(ada, path) if action["type"] == "swap")
    assert ada.post(f"{path}/actions", swap).status_code == 200

    (own,), (other,) = tables_of(api, ada), tables_of(api, bob)

    assert own["last_event"]["type"].startswith("shithead.")
    assert other["last_event"] is None


def test_live_tables_are_paged(api, ada, bob):
    paths = []
    for _ in range(3):
        paths.append(api.table(ada, bob))
        api.service.clock.now += 10
    catch_up(api)

    first = ada.get(f"{MINE}?limit=2").json
    second = ada.get(f"{MINE}?limit=2&cursor={first['cursor']}").json

    assert [row["id"] for row in first["tables"] + second["tables"]] == ids(paths)[::-1]
    assert second["cursor"] is None


def test_an_unknown_phase_is_refused(ada):
    problem(ada.get(f"{MINE}?phase=open"), 400, "invalid_query")


def test_my_tables_need_a_token(api):
    problem(api.spectator.get(MINE), 401, "token_missing")
    problem(api.spectator.get("/v1/me/events", headers={"Accept": "text/event-stream"}), 401, "token_missing")


def test_a_stream_id_round_trips():
    told = Told(1_750_000_000_000, (("abcdefgh", Position(12, "5e8dd316")), ("t123", Position(3, "0" * 8))))
    assert parse_told(told_text(told)) == told
    assert parse_told(told_text(Told())) == Told()
    assert told.position("abcdefghijklmnop") == Position(12, "5e8dd316")
    assert told.position("zbcdefghijklmnop") is None


@pytest.mark.parametrize("text", ["", "x", "12-0123456789abcdef", "1.abcd", "1.abcdefgh-2-xyz", "1." * 9])
def test_an_invalid_stream_id_is_refused(ada, text):
    answer = ada.get("/v1/me/events", headers={"Accept": "text/event-stream", "Last-Event-ID": text})
    assert json.loads(answer.data)["faults"][0]["name"] == "Last-Event-ID"
    problem(answer, 400, "invalid_header")
    problem(ada.get("/v1/me/events", query_string={"last_event_id": text or "-"}), 400, "invalid_query")
