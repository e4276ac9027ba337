"""Administrators over HTTP: tokens, commands and their public effects."""

import logging

import pytest
from flask import Flask

from hoodwink.domain.administration import is_reason_digest, reason_digest
from hoodwink.domain.players import hash_token
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.http.app import create_app
from hoodwink.service.settings import Settings
from tests.service.http.api import CONFIRMED, Person, catch_up, new_api, new_service, problem, version
from tests.service.http.cup import Cup

OLGAS, OTTOS, OLGAS_NEXT = "hwa_olgas-token", "hwa_ottos-token", "hwa_olgas-next-token"
LISTED = ",".join(
    f"{name}={hash_token(token)}" for name, token in (("olga", OLGAS), ("otto", OTTOS), ("olga", OLGAS_NEXT))
)
REASON = "Two players shared a screen."
VOID = CONFIRMED | {"reason": REASON}


@pytest.fixture
def api():
    return new_api(Settings(administrators=LISTED))


@pytest.fixture
def olga(api):
    return Person(api.app, OLGAS)


@pytest.fixture
def finished(api, ada, bob):
    """A table played to its end by Ada and Bob."""
    path = api.playing(ada, bob, options={"rounds": 1})
    api.play_out(path, ada, bob)
    return path


def test_v_1_an_administrator_voids_a_table_with_name_and_reason(api, olga, finished):
    before = api.spectator.get(finished).json
    answer = olga.post(f"{finished}/void", VOID)
    assert answer.status_code == 200
    (event,) = answer.json["events"]
    assert (event["type"], event["by"]) == ("table.voided", "admin")
    digest = event["data"]["reason"]
    assert event["data"] == {"admin": "olga", "reason": digest}
    assert REASON not in answer.text
    shown = api.spectator.get(f"/v1/reasons/{digest.removeprefix('sha256:')}").json
    assert shown["reason"] == REASON
    assert digest == reason_digest(shown["salt"], REASON)
    view = api.spectator.get(finished).json["view"]
    assert view["voided"] == {"admin": "olga", "reason": digest, "at": event["at"]}
    assert view["result"] == before["view"]["result"]
    assert answer.json["version"] == before["version"] + 1


def test_v_1_the_log_of_a_voided_table_verifies(api, olga, finished):
    before = api.spectator.get(f"{finished}/log").data.splitlines()
    olga.post(f"{finished}/void", VOID)
    log = api.spectator.get(f"{finished}/log").data
    assert log.splitlines()[1 : len(before)] == before[1:]
    verdict = api.spectator.post("/v1/verify", data=log, content_type="application/x-ndjson").json
    digest = api.spectator.get(finished).json["view"]["voided"]["reason"]
    assert (verdict["valid"], verdict["voided"]["reason"]) == (True, digest)
    assert REASON.encode() not in log
    assert verify_log(log).valid


@pytest.mark.parametrize("token", [OTTOS, OLGAS_NEXT])
def test_there_can_be_several_administrators_and_tokens(api, finished, token):
    answer = Person(api.app, token).post(f"{finished}/void", VOID)
    name = "otto" if token == OTTOS else "olga"
    assert answer.json["view"]["voided"]["admin"] == name


def test_a_players_token_is_not_an_administrators(api, ada, finished):
    before = version(api, finished)
    problem(ada.post(f"{finished}/void", VOID), 403, "not_administrator")
    assert version(api, finished) == before


@pytest.mark.parametrize("token", ["x", "hwa_", OLGAS + "x", OLGAS[:-1], hash_token(OLGAS)])
def test_a_wrong_token_is_refused(api, finished, token):
    answer = Person(api.app, token).post(f"{finished}/void", VOID)
    problem(answer, 401, "token_invalid")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_request_without_token_is_refused(api, finished):
    problem(api.spectator.post(f"{finished}/void", VOID), 401, "token_missing")


@pytest.mark.parametrize("given", ["", "Bearer ", OLGAS])
def test_a_malformed_header_is_answered_with_the_expected_form(api, finished, given):
    answer = api.spectator.post(f"{finished}/void", VOID, headers={"Authorization": given})
    detail = problem(answer, 401, "token_invalid")["detail"]
    assert detail == "Send the token as `Authorization: Bearer hwa_…`."


def test_without_configured_tokens_there_is_no_administrator(finished, api):
    vars(api.service).pop("administrators", None)
    nobody: Flask = create_app(new_service())
    problem(Person(nobody, OLGAS).post(f"{finished}/void", VOID), 401, "token_invalid")
    problem(Person(nobody, "").post(f"{finished}/void", VOID), 401, "token_invalid")


def test_an_administrators_token_is_not_a_players(api, olga, finished):
    problem(olga.get(finished), 401, "token_invalid")
    problem(olga.post(f"{finished}/seats"), 401, "token_invalid")


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
def test_a_void_needs_a_reason_and_a_confirmation(api, olga, finished, body, field):
    answer = problem(olga.post(f"{finished}/void", body), 400, "invalid_body")
    assert [fault["name"] for fault in answer["faults"]] == [field]


def test_voids_forbidden_by_the_rules_have_their_codes(api, olga, ada, finished):
    problem(olga.post(f"{finished}/void", CONFIRMED | {"reason": "  "}), 422, "invalid_reason")
    assert olga.post(f"{finished}/void", VOID).status_code == 200
    problem(olga.post(f"{finished}/void", VOID), 422, "already_voided")
    problem(olga.post(f"{api.table(ada, bots=1)}/void", VOID), 422, "table_not_over")
    problem(olga.post("/v1/tables/nowhere0/void", VOID), 404, "table_not_found")


def test_a_repeated_void_returns_its_first_result(api, olga, finished):
    first = olga.post(f"{finished}/void", VOID, key="k" * 16)
    again = olga.post(f"{finished}/void", VOID, key="k" * 16)
    assert (again.status_code, again.json) == (200, first.json)
    problem(
        olga.post(f"{finished}/void", VOID | {"reason": "?"}, key="k" * 16), 409, "idempotency_key_reused"
    )


def test_only_successful_admin_commands_are_recorded_and_only_once(api, olga, ada, finished):
    for _ in range(2):
        olga.post(f"{finished}/void", VOID, key="k" * 16)
    olga.post(f"{finished}/void", VOID)
    ended = table_of_bots(api, ada)
    for _ in range(2):
        olga.post(f"{ended}/end", CONFIRMED, key="k" * 16)
    olga.post("/v1/tables/nowhere0/void", VOID)
    found = [
        (act.event.admin, act.event.act, act.event.subject, act.reason)
        for act in api.service.administration.acts()
    ]
    assert found == [
        ("olga", "void_table", finished.rpartition("/")[2], REASON),
        ("olga", "end_table", ended.rpartition("/")[2], None),
    ]


def test_an_erased_reason_is_hidden_from_everybody(api, olga, finished):
    olga.post(f"{finished}/void", VOID, key="k" * 16)
    digest = api.spectator.get(finished).json["view"]["voided"]["reason"].removeprefix("sha256:")
    api.service.administration.erase_reason("olga", 1)
    problem(api.spectator.get(f"/v1/reasons/{digest}"), 404, "reason_not_found")
    olga.post(f"{finished}/void", VOID, key="k" * 16)
    problem(api.spectator.get(f"/v1/reasons/{digest}"), 404, "reason_not_found")


# ------------------------------------------------------------------------------- banned players


@pytest.fixture
def banned(api, ada):
    """Ada, banned."""
    api.service.erasure.ban(ada.id)
    return ada


def test_a_banned_player_cannot_act_at_tables_or_in_tournaments(api, ada, bob):
    path, cup = api.table(bob, bots=1), Cup(api, bob)
    api.service.erasure.ban(ada.id)
    for address, body in (
        (f"{path}/seats", {}),
        ("/v1/tables", {"game": "blindside", "seats": 2}),
        (f"{path}/actions", {"type": "keep", "card": "9S"}),
        (f"{cup.path}/entrants", {}),
    ):
        problem(ada.post(address, body), 403, "player_banned")


def test_a_banned_player_can_still_read_and_leave(api, banned):
    assert banned.get("/v1/me/tables").status_code == 200
    assert banned.post("/v1/me/stream-tokens").status_code == 200
    assert banned.post("/v1/players/me/erase", CONFIRMED).status_code == 200


def test_a_ban_resigns_and_gives_up_everything(api, ada, bob):
    playing, opened = api.playing(ada, bob), api.table(ada, bots=1)
    catch_up(api)
    api.service.erasure.ban(ada.id)
    assert api.spectator.get(playing).json["view"]["phase"] == "ended"
    assert api.spectator.get(opened).json["view"]["phase"] == "ended"


def test_a_lifted_ban_leaves_no_trace(api, banned):
    api.service.players.lift_ban(banned.id)
    assert banned.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201


def test_a_void_can_require_a_version(api, olga, finished):
    now = version(api, finished)
    problem(olga.post(f"{finished}/void", VOID | {"expected_version": now - 1}), 409, "version_conflict")
    assert olga.post(f"{finished}/void", VOID | {"expected_version": now}).status_code == 200


def test_v_1_a_void_updates_books_lists_and_statistics(api, olga, ada, finished):
    catch_up(api)
    olga.post(f"{finished}/void", VOID)
    catch_up(api)
    account = api.spectator.get(f"/v1/players/{ada.id}/ledger").json
    assert {balance["amount"] for balance in account["balances"]} == {0}
    entries = api.spectator.get(f"{finished}/ledger").json["entries"]
    reversed_ids = [entry["reverses"] for entry in entries if entry["reverses"]]
    assert sorted(reversed_ids) == sorted(entry["id"] for entry in entries if not entry["reverses"])
    (row,) = api.spectator.get("/v1/tables?phase=ended").json["tables"]
    assert row["voided"]["admin"] == "olga"
    history = api.spectator.get(f"/v1/players/{ada.id}/history").json
    assert [(row["outcome"], row["place"], row["score"]) for row in history["tables"]] == [
        ("no_result", None, None)
    ]
    assert history["voided"] == [finished.rpartition("/")[2]]
    counted = api.spectator.get("/v1/games/blindside/statistics").json
    assert (counted["rounds_scored"], counted["tables_ended"], counted["tables_voided"]) == (0, 1, 1)


def test_a_history_without_voids_lists_none(api, ada, finished):
    catch_up(api)
    history = api.spectator.get(f"/v1/players/{ada.id}/history").json
    assert (len(history["tables"]), history["voided"]) == (1, [])


def test_a_reader_can_wait_for_the_books_after_a_void(api, olga, finished):
    olga.post(f"{finished}/void", VOID)
    catch_up(api)
    entries = api.spectator.get(f"{finished}/ledger?wait_for={version(api, finished)}").json["entries"]
    assert any(entry["reverses"] for entry in entries)


def test_no_token_reaches_a_log_line(api, olga, finished, caplog, capsys):
    with caplog.at_level(logging.DEBUG):
        olga.post(f"{finished}/void", VOID)
        Person(api.app, OLGAS + "x").post(f"{finished}/void", VOID)
    written = caplog.text + "".join(capsys.readouterr())
    assert "olgas-token" not in written
    assert hash_token(OLGAS) not in written


# ------------------------------------------------------------------------------- bot tables


def table_of_bots(api, host):
    """Returns the path of a bot table that has just started."""
    path = api.of_bots(host)
    assert host.post(f"{path}/start").status_code == 200
    return path


def test_g_17_an_administrator_ends_a_bot_table(api, ada, olga):
    path = table_of_bots(api, ada)
    answer = olga.post(f"{path}/end", CONFIRMED)
    assert answer.json["view"]["result"] == {"outcome": "stopped", "places": None, "scores": None}
    assert {event["by"] for event in answer.json["events"]} == {"admin"}
    assert verify_log(api.spectator.get(f"{path}/log").data).valid


def test_g_17_only_its_host_may_close_a_bot_table(api, ada, bob):
    path = table_of_bots(api, ada)
    problem(bob.close(path), 403, "not_host")
    assert ada.close(path).json["view"]["result"]["outcome"] == "stopped"


def test_g_17_a_table_with_a_person_in_play_cannot_be_ended(api, ada, olga):
    path = api.playing(ada, bots=2)
    for answer in (ada.close(path), olga.post(f"{path}/end", CONFIRMED)):
        assert "people still play" in problem(answer, 422, "table_started")["detail"]


def test_g_17_only_an_administrator_ends_a_table_that_all_people_resigned(api, ada, olga):
    path = api.playing(ada, bots=2)
    ada.resign(path)
    assert "administrator" in problem(ada.close(path), 422, "table_started")["detail"]
    assert olga.post(f"{path}/end", CONFIRMED).json["view"]["result"]["outcome"] == "stopped"
    assert verify_log(api.spectator.get(f"{path}/log").data).valid


def test_g_17_a_player_may_not_end_a_table_as_an_administrator(api, ada):
    problem(ada.post(f"{table_of_bots(api, ada)}/end", CONFIRMED), 403, "not_administrator")


def test_only_bot_tables_are_limited_per_host():
    api = new_api(Settings(bot_tables_per_host="1"))
    ada = api.person("Ada")
    table_of_bots(api, ada)
    beyond = api.of_bots(ada)
    answer = ada.post(f"{beyond}/start")
    problem(answer, 429, "too_many_bot_tables")
    assert int(answer.headers["Retry-After"]) > 0
    assert api.spectator.get(beyond).json["view"]["phase"] == "open"
    api.playing(ada, bots=1)
    table_of_bots(api, api.person("Bob"))


# ------------------------------------------------------------------------------------------- tournaments


@pytest.fixture
def cup(api, ada):
    """A tournament of bots whose first round is in play."""
    cup = Cup(api, ada, bot_delay=60_000).start(bots=3)
    cup.pair()
    cup.start_round()
    return cup


def test_t_2_an_administrator_ends_a_tournament_with_a_reason(api, olga, cup):
    answer = olga.post(f"{cup.path}/end?include=words", VOID)

    assert answer.json["tournament"]["phase"] == "cancelled"
    (cancelled,) = [event for event in answer.json["events"] if event["type"] == "tournament.cancelled"]
    assert cancelled["by"] == "admin"
    assert is_reason_digest(cancelled["data"]["reason"])
    assert cancelled["words"] == "An administrator cancelled the tournament."
    (table,) = cup.tables()
    cup.run_due()
    assert api.spectator.get(table).json["view"]["result"]["outcome"] == "cancelled"
    logs = b"".join(api.spectator.get(f"{path}/log").data for path in (cup.path, table))
    verdict = api.spectator.post("/v1/verify/tournament", data=logs, content_type="application/x-ndjson")
    assert verdict.json["valid"], verdict.json


def test_t_2_a_repeated_end_of_a_tournament_returns_its_first_result(olga, cup):
    first, again = (olga.post(f"{cup.path}/end", VOID, key="k" * 16) for _ in range(2))
    assert (again.status_code, again.data) == (200, first.data)
    problem(olga.post(f"{cup.path}/end", VOID), 422, "tournament_over")


def test_t_2_ending_a_tournament_needs_admin_reason_and_confirmation(ada, olga, cup):
    problem(ada.post(f"{cup.path}/end", VOID), 403, "not_administrator")
    for body, field in ((CONFIRMED, "reason"), ({"reason": REASON}, "confirm")):
        answer = problem(olga.post(f"{cup.path}/end", body), 400, "invalid_body")
        assert [fault["name"] for fault in answer["faults"]] == [field]
    assert cup.view["phase"] == "running"
