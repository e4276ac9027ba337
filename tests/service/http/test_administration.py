"""Administrators over HTTP: their tokens, their commands, and the public effects of these."""

import logging

import pytest
from flask import Flask

from domain.players import hash_token
from domain.tables import verify_log
from service.http.app import create_app
from service.settings import Settings
from tests.service.http.house import CONFIRMED, Person, fake_service, open_house, problem, version
from tests.service.http.test_books import catch_up

OLGAS, OTTOS, OLGAS_NEXT = "hwa_olgas-token", "hwa_ottos-token", "hwa_olgas-next-token"
LISTED = ",".join(
    f"{name}={hash_token(token)}" for name, token in (("olga", OLGAS), ("otto", OTTOS), ("olga", OLGAS_NEXT))
)
REASON = "Two players shared a screen."
VOID = CONFIRMED | {"reason": REASON}


@pytest.fixture
def house():
    return open_house(Settings(administrators=LISTED))


@pytest.fixture
def olga(house):
    return Person(house.app, OLGAS)


@pytest.fixture
def over(house, ada, bob):
    """A table that the two have played to its end."""
    path = house.playing(ada, bob, options={"rounds": 2})
    house.play_out(path, ada, bob)
    return path


def test_v_1_an_administrator_voids_a_table_with_name_and_reason(house, olga, over):
    before = house.spectator.get(over).json
    answer = olga.post(f"{over}/void", VOID)
    assert answer.status_code == 200
    (event,) = answer.json["events"]
    assert (event["type"], event["by"]) == ("table.voided", "admin")
    assert event["data"] == {"admin": "olga", "reason": REASON}
    view = house.spectator.get(over).json["view"]
    assert view["voided"] == {"admin": "olga", "reason": REASON, "at": event["at"]}
    assert view["result"] == before["view"]["result"]
    assert answer.json["version"] == before["version"] + 1


def test_v_1_the_log_goes_on_and_verifies(house, olga, over):
    before = house.spectator.get(f"{over}/log").data.splitlines()
    olga.post(f"{over}/void", VOID)
    log = house.spectator.get(f"{over}/log").data
    assert log.splitlines()[1 : len(before)] == before[1:]
    verdict = house.spectator.post("/v1/verify", data=log, content_type="application/x-ndjson").json
    assert (verdict["valid"], verdict["voided"]["reason"]) == (True, REASON)
    assert verify_log(log).valid


@pytest.mark.parametrize("token", [OTTOS, OLGAS_NEXT])
def test_several_administrators_and_tokens_are_possible(house, over, token):
    answer = Person(house.app, token).post(f"{over}/void", VOID)
    name = "otto" if token == OTTOS else "olga"
    assert answer.json["view"]["voided"]["admin"] == name


def test_a_player_is_no_administrator(house, ada, over):
    before = version(house, over)
    problem(ada.post(f"{over}/void", VOID), 403, "not_administrator")
    assert version(house, over) == before


@pytest.mark.parametrize("token", ["x", "hwa_", OLGAS + "x", OLGAS[:-1], hash_token(OLGAS)])
def test_a_wrong_token_is_refused(house, over, token):
    answer = Person(house.app, token).post(f"{over}/void", VOID)
    problem(answer, 401, "token_invalid")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_is_asked_for(house, over):
    problem(house.spectator.post(f"{over}/void", VOID), 401, "token_missing")


def test_where_nobody_is_listed_nobody_is_an_administrator(over, house):
    vars(house.service).pop("administrators", None)
    nobody: Flask = create_app(fake_service())
    problem(Person(nobody, OLGAS).post(f"{over}/void", VOID), 401, "token_invalid")
    problem(Person(nobody, "").post(f"{over}/void", VOID), 401, "token_invalid")


def test_an_administrators_token_is_no_players(house, olga, over):
    problem(olga.get(over), 401, "token_invalid")
    problem(olga.post(f"{over}/seats"), 401, "token_invalid")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"reason": REASON}, "confirm"),
        ({"reason": REASON, "confirm": False}, "confirm"),
        (CONFIRMED, "reason"),
        (CONFIRMED | {"reason": ""}, "reason"),
        (CONFIRMED | {"reason": "two\nlines"}, "reason"),
        (CONFIRMED | {"reason": "x" * 501}, "reason"),
    ],
)
def test_a_void_needs_a_reason_and_a_confirmation(house, olga, over, body, field):
    answer = problem(olga.post(f"{over}/void", body), 400, "invalid_body")
    assert [fault["name"] for fault in answer["faults"]] == [field]


def test_refusals_by_the_rules_are_named(house, olga, ada, over):
    problem(olga.post(f"{over}/void", CONFIRMED | {"reason": "  "}), 422, "invalid_reason")
    assert olga.post(f"{over}/void", VOID).status_code == 200
    problem(olga.post(f"{over}/void", VOID), 422, "already_voided")
    problem(olga.post(f"{house.table(ada, bots=1)}/void", VOID), 422, "table_not_over")
    problem(olga.post("/v1/tables/nowhere0/void", VOID), 404, "table_not_found")


def test_a_repeated_void_finds_its_first_result(house, olga, over):
    first = olga.post(f"{over}/void", VOID, key="k" * 16)
    again = olga.post(f"{over}/void", VOID, key="k" * 16)
    assert (again.status_code, again.json) == (200, first.json)
    problem(olga.post(f"{over}/void", VOID | {"reason": "?"}, key="k" * 16), 409, "idempotency_key_reused")


def test_a_void_may_insist_on_a_version(house, olga, over):
    now = version(house, over)
    problem(olga.post(f"{over}/void", VOID | {"expected_version": now - 1}), 409, "version_conflict")
    assert olga.post(f"{over}/void", VOID | {"expected_version": now}).status_code == 200


def test_v_1_books_lists_and_statistics_follow(house, olga, ada, over):
    catch_up(house)
    olga.post(f"{over}/void", VOID)
    catch_up(house)
    account = house.spectator.get(f"/v1/players/{ada.id}/ledger").json
    assert {balance["amount"] for balance in account["balances"]} == {0}
    entries = house.spectator.get(f"{over}/ledger").json["entries"]
    reversed_ids = [entry["reverses"] for entry in entries if entry["reverses"]]
    assert sorted(reversed_ids) == sorted(entry["id"] for entry in entries if not entry["reverses"])
    (row,) = house.spectator.get("/v1/tables?phase=ended").json["tables"]
    assert row["voided"]["admin"] == "olga"
    history = house.spectator.get(f"/v1/players/{ada.id}/history").json
    assert [(row["outcome"], row["place"], row["score"]) for row in history["tables"]] == [
        ("no_result", None, None)
    ]
    assert history["voided"] == [over.rpartition("/")[2]]
    counted = house.spectator.get("/v1/games/blindside/statistics").json
    assert (counted["rounds_scored"], counted["tables_ended"], counted["tables_voided"]) == (0, 1, 1)


def test_a_history_without_voids_names_none(house, ada, over):
    catch_up(house)
    history = house.spectator.get(f"/v1/players/{ada.id}/history").json
    assert (len(history["tables"]), history["voided"]) == (1, [])


def test_the_books_can_be_waited_for_after_a_void(house, olga, over):
    olga.post(f"{over}/void", VOID)
    catch_up(house)
    entries = house.spectator.get(f"{over}/ledger?wait_for={version(house, over)}").json["entries"]
    assert any(entry["reverses"] for entry in entries)


def test_no_token_reaches_a_log_line(house, olga, over, caplog, capsys):
    with caplog.at_level(logging.DEBUG):
        olga.post(f"{over}/void", VOID)
        Person(house.app, OLGAS + "x").post(f"{over}/void", VOID)
    written = caplog.text + "".join(capsys.readouterr())
    assert "olgas-token" not in written
    assert hash_token(OLGAS) not in written
