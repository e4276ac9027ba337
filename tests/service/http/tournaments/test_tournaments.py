"""Tournaments over HTTP, from the draft to the last table."""

import msgspec
import pytest

from hoodwink.domain.players import hash_token
from hoodwink.service.settings import Settings
from tests.service.http.api import CONFIRMED, Person, problem
from tests.service.http.cup import FORM, Cup, standing_api

GRACE_MS = 300_000


@pytest.fixture
def api():
    return standing_api()


# ---------------------------------------------------------------------------------------- a complete tournament


def test_t_2_t_5_a_league_of_two_sittings_runs_from_draft_to_end(api, olga, ada, bob, cy):
    cup = Cup(api, olga, format="league", seats=4, tiebreaks=["buchholz", "wins"])
    assert cup.view["phase"] == "draft"
    cup.enter(ada, bob, cy, bots=3)
    assert [entrant["status"] for entrant in cup.view["entrants"]] == ["entered"] * 6
    cup.command("/start")
    assert cup.view["phase"] == "running"
    assert [entrant["number"] for entrant in cup.view["entrants"]] == [1, 2, 3, 4, 5, 6]
    for number in (1, 2):
        cup.play_round()
        standings = cup.get("/standings").json
        assert (standings["round"], len(standings["rows"])) == (number, 6)
        assert {tuple(row["tiebreaks"]) for row in standings["rows"]} == {("buchholz", "wins")}
    assert [round_["status"] for round_ in cup.view["rounds"]] == ["complete"] * 2
    assert [round_["sitting"] for round_ in cup.view["rounds"]] == [1, 2]
    finished = cup.command("/finish", CONFIRMED)
    assert [event["type"] for event in finished["events"]] == [
        "tournament.finished",
        "tournament.seed_revealed",
    ]
    assert cup.view["server_seed"] is not None
    check_proof(api, cup)


def check_proof(api, cup):
    """Verifies the logs of the tournament and its tables together."""
    logs = [cup.get("/log")]
    rounds = cup.view["rounds"]
    tables = [deal["table"] for round_ in rounds for board in round_["boards"] for deal in board["tables"]]
    logs += [api.spectator.get(f"/v1/tables/{table}/log") for table in tables]
    assert all(log.status_code == 200 for log in logs)
    whole = b"".join(log.data for log in logs)
    verdict = verify_log(api, whole)
    assert (verdict["valid"], verdict["finding"]) == (True, None)
    assert (verdict["tournament"], verdict["tables"], verdict["rounds"]) == (cup.id, len(tables), len(rounds))
    shown = [{**row} for row in cup.get("/standings").json["rows"]]
    assert verdict["standings"] == [{key: row[key] for key in row if key != "id"} for row in shown]
    forged = verify_log(api, whole.replace(b'"places":[', b'"places":[9,', 1))
    assert not forged["valid"]
    assert verify_log(api, logs[0].data)["finding"]["code"] == "missing_table"


def verify_log(api, logs):
    return api.spectator.post("/v1/verify/tournament", data=logs, content_type="application/x-ndjson").json


def test_t_5_a_tournament_of_bots_runs_by_itself(api, olga):
    cup = Cup(api, olga, advance="automatic").start(bots=5)

    assert cup.view["phase"] == "finished"
    assert cup.get("/standings").json["rows"][0]["rank"] == 1


def test_a_new_tournament_has_a_legible_normalised_name(api, olga):
    assert Cup(api, olga, name="\uff33pring ①").view["setup"]["name"] == "Spring 1"
    assert Cup(api, olga, name="Кубок Blindside").view["setup"]["name"] == "Кубок Blindside"

    for name in ("\u3164", "\u2800\u2800", "Z" + "\u0301" * 20, "Sp\u0433ing Cup"):
        refused = olga.post("/v1/tournaments", FORM | {"name": name})
        assert "`name` is illegible" in problem(refused, 422, "invalid_setup")["detail"]


# --------------------------------------------------------------------------------------- registration


def test_t_2_entries_open_with_the_registration(cup, ada):
    for answer in (ada.post(f"{cup.path}/entrants"), cup.order("/start")):
        detail = problem(answer, 422, "registration_closed")["detail"]
        assert detail == "Registration has not opened; wait for the organiser to open it."
    cup.command("/registration")
    problem(cup.order("/registration"), 422, "registration_open")

    entered = ada.post(f"{cup.path}/entrants")

    assert entered.status_code == 201
    assert entered.json["events"][0]["by"] == f"entrant:{ada.id}"
    problem(ada.post(f"{cup.path}/entrants"), 422, "already_entered")


def test_t_5_pairing_a_round_again_is_refused_with_advice(cup, ada, bob):
    cup.start(ada, bob)
    cup.command("/rounds")
    assert problem(cup.order("/rounds"), 422, "round_open")["detail"] == (
        "Round 1 has already been paired. Start it, and pair the next round once its tables have ended."
    )


def test_t_3_entrants_over_the_cap_wait_and_move_up(api, olga, ada, bob, cy):
    cup = Cup(api, olga, cap=2)
    cup.enter(ada, bob, cy)
    assert statuses(cup) == {"Ada": "entered", "Bob": "entered", "Cy": "waiting"}

    withdrawn = bob.post(f"{cup.path}/entrants/{bob.id}/withdrawal", CONFIRMED)

    assert withdrawn.status_code == 200
    assert statuses(cup) == {"Ada": "entered", "Cy": "entered"}
    cup.command("/entrants", by=bob)
    assert statuses(cup)["Bob"] == "waiting"
    cup.command("/start")
    assert statuses(cup) == {"Ada": "entered", "Cy": "entered"}


def statuses(cup):
    return {entrant["name"]: entrant["status"] for entrant in cup.view["entrants"]}


def test_t_3_the_organiser_orders_the_starting_ranks(cup, ada, bob, cy):
    cup.enter(ada, bob, cy)
    cup.command("/order", {"entrants": [cy.id, ada.id]})
    cup.command("/start")

    assert [entrant["name"] for entrant in cup.view["entrants"]] == ["Cy", "Ada", "Bob"]


def test_entrants_withdraw_themselves_and_the_organiser_only_bots(cup, ada, bob):
    cup.enter(ada, bob, bots=1)

    problem(ada.post(f"{cup.path}/entrants/{bob.id}/withdrawal", CONFIRMED), 403, "not_you")
    problem(cup.order(f"/entrants/{bob.id}/withdrawal", CONFIRMED), 403, "not_you")
    problem(ada.post(f"{cup.path}/entrants/bot:1/withdrawal", CONFIRMED), 403, "not_organiser")
    problem(ada.post(f"{cup.path}/entrants/nobody/withdrawal", CONFIRMED), 404, "entrant_not_found")
    cup.command("/entrants/bot:1/withdrawal", CONFIRMED)
    assert list(statuses(cup)) == ["Ada", "Bob"]


def test_only_the_organiser_enters_bots(cup, ada):
    cup.command("/registration")

    problem(ada.post(f"{cup.path}/entrants", {"policy": "random"}), 403, "not_organiser")


def test_entrants_cannot_choose_names_and_bots_have_no_seed(cup, ada):
    cup.command("/registration")
    seeded = {"policy": "random", "seed_commitment": "a" * 64}

    problem(ada.post(f"{cup.path}/entrants", {"name": "Ace"}), 400, "invalid_body")
    problem(cup.order("/entrants", seeded), 422, "bot_seed")
    assert statuses(cup) == {}


def test_t_2_a_start_needs_two(cup, ada):
    cup.enter(ada)

    problem(cup.order("/start"), 422, "too_few_entrants")


# ------------------------------------------------------------------------------- sittings, seeds, byes


def test_t_4_an_entrant_who_has_not_checked_in_is_not_paired(api, olga, ada, bob, cy):
    cup = Cup(api, olga, check_in=600).start(ada, bob, cy)
    problem(cup.order("/rounds"), 422, "check_in_due")
    problem(ada.post(f"{cup.path}/check-in"), 422, "check_in_closed")
    cup.command("/sittings/1/check-in")
    for person in (ada, bob):
        cup.command("/check-in", by=person)
    problem(cup.order("/rounds"), 422, "check_in_running")
    cup.clock.now += 600_000

    paired = cup.pair()

    assert [board["tables"][0]["seats"] for board in paired["boards"]] in ([[1, 2]], [[2, 1]])
    assert paired["unplayed"] == [{"entrant": 3, "why": "absent", "score": "0"}]


def test_t_4_an_entrant_who_announces_an_absence_returns_by_checking_in(running, cy):
    running.command("/absence", by=cy)
    problem(cy.post(f"{running.path}/absence"), 422, "already_absent")
    running.play_round()
    assert [entry["entrant"] for entry in running.view["rounds"][0]["unplayed"]] == [3]

    assert running.pair()["unplayed"] == []


def test_t_14_seeds_are_committed_called_and_revealed(api, cup, ada, bob, cy):
    cup.command("/registration")
    cup.command("/entrants", {"seed_commitment": digest("ad" * 16)}, by=ada)
    cup.enter(bob, cy)
    cup.people.append(ada)
    cup.command("/start")
    called = cup.command("/rounds")
    assert [event["type"] for event in called["events"]] == ["tournament.seeds_called"]
    assert cup.view["call"]["awaited"] == [ada.id]
    problem(ada.post(f"{cup.path}/seed", {"seed": "bd" * 16}), 422, "wrong_seed")
    problem(bob.post(f"{cup.path}/seed", {"seed": "bd" * 16}), 422, "no_seed_awaited")

    cup.command("/seed", {"seed": "ad" * 16}, by=ada)
    cup.run_due()

    assert [round_["round"] for round_ in cup.view["rounds"]] == [1]
    assert {entrant["name"]: entrant["seed"] for entrant in cup.view["entrants"]} == {
        "Ada": "ad" * 16,
        "Bob": "",
        "Cy": "",
    }
    cup.start_round()
    table = api.spectator.get(cup.tables()[0]).json["view"]
    assert [seat["seed"] for seat in table["seats"] if seat["player"] == ada.id] == ["ad" * 16]


def digest(seed):
    from hashlib import sha256

    return sha256(seed.encode()).hexdigest()


def test_t_14_a_seed_that_is_not_revealed_counts_as_empty(cup, ada, bob, cy):
    cup.command("/registration")
    cup.command("/entrants", {"seed_commitment": digest("ad" * 16)}, by=ada)
    cup.enter(bob, cy)
    cup.command("/start")
    cup.command("/rounds")
    cup.clock.now += 10_000

    cup.run_due()

    assert cup.types[-2:] == ["entrant_seeds_missed", "round_opened"]
    problem(ada.post(f"{cup.path}/seed", {"seed": "ad" * 16}), 422, "no_seed_awaited")


def test_t_9_one_bye_is_requested_and_another_assigned(running, ada, bob):
    running.command("/byes", {"round": 1}, by=ada)
    problem(bob.post(f"{running.path}/byes", {"round": 2}), 422, "last_round")
    problem(ada.post(f"{running.path}/byes", {"round": 1}), 422, "bye_requested")
    problem(running.order("/byes", {"round": 1, "entrant": bob.id, "score": "1"}), 422, "invalid_reason")
    problem(ada.post(f"{running.path}/byes", {"round": 1, "entrant": bob.id}), 403, "not_organiser")
    running.command("/byes", {"round": 2, "entrant": bob.id, "score": "1", "reason": "Jury duty."})
    shown = [(entrant["requested_byes"], entrant["assigned_byes"]) for entrant in running.view["entrants"]]
    assert shown == [([1], []), ([], [{"round": 2, "score": "1"}]), ([], [])]

    assert running.pair()["unplayed"] == [{"entrant": 1, "why": "requested_bye", "score": "1/2"}]


def test_t_9_a_bye_with_an_invalid_score_is_refused(running, bob):
    form = {"round": 1, "entrant": bob.id, "score": "1/3", "reason": "He asked."}

    problem(running.order("/byes", form), 422, "invalid_score")
    faults = problem(running.order("/byes", form | {"score": 0.5}), 400, "invalid_body")["faults"]
    assert [fault["name"] for fault in faults] == ["score"]


def test_t_8_a_late_entrant_gets_the_next_rank(api, olga, ada, bob, cy):
    cup = Cup(api, olga, late_until=2, late_score="1/2").start(ada, bob)
    cup.play_round()

    cup.command("/entrants", by=cy)

    late = cup.view["entrants"][-1]
    assert (late["number"], late["from_round"]) == (3, 2)
    rows = {row["entrant"]: row["score"] for row in cup.get("/standings").json["rows"]}
    assert rows[3] == "1/2"
    cup.pair()
    problem(api.person("Dee").post(f"{cup.path}/entrants"), 422, "too_late")


def test_t_4_a_sitting_can_be_rescheduled(running):
    later = running.clock.now + 86_400_000

    running.command("/sittings/2/schedule", {"starts_at": later, "reason": "The hall is taken."})

    assert running.view["setup"]["sittings"][1]["starts_at"] == later
    problem(running.order("/sittings/3/schedule", {"starts_at": None, "reason": "x"}), 422, "no_such_sitting")


def test_t_2_a_new_time_needs_no_reason(running):
    running.command("/sittings/2/schedule", {"starts_at": None})

    assert running.view["setup"]["sittings"][1]["starts_at"] is None


# ---------------------------------------------------------------------------------------------- rounds


def test_p_4_a_round_explains_its_pairing_in_words(running):
    running.pair()

    shown = running.get("/rounds/1").json

    assert shown["round"] == running.view["rounds"][0]
    assert [explanation["entrant"] for explanation in shown["explanations"]] == [1, 2, 3]
    assert all(explanation["text"] for explanation in shown["explanations"])
    assert shown["changed"] is None
    problem(running.get("/rounds/2"), 404, "round_not_found")
    problem(running.get("/rounds/0"), 404, "round_not_found")
    problem(running.get("/rounds/one"), 404, "round_not_found")


def test_a_round_is_read_without_the_other_events(api, running, monkeypatch):
    read, history = [], api.service.tournaments.history

    def counted(id_, **part):
        read.extend(found := history(id_, **part))
        return found

    running.pair()
    monkeypatch.setattr(api.service.tournaments, "history", counted)
    assert running.get("/rounds/1").status_code == 200
    assert [recorded.entry.type for recorded in read] == ["tournament.round_opened"]


def test_t_13_a_changed_pairings_event_keeps_the_engines_proposal(api, olga, ada, bob, cy):
    cup = Cup(api, olga, seats=2).start(ada, bob, cy, api.person("Dee"))
    proposed = [board["tables"][0]["seats"] for board in cup.pair()["boards"]]
    mine = [[1, 2], [3, 4]] if [1, 2] not in proposed else [[1, 3], [2, 4]]

    changed = cup.command("/rounds/1/pairing", {"tables": mine, "byes": [], "reason": "Friends share a car."})

    assert [board["tables"][0]["seats"] for board in cup.view["rounds"][0]["boards"]] == mine
    assert cup.view["rounds"][0]["is_changed"]
    (event,) = changed["events"]
    assert event["data"]["proposed_tables"] == proposed
    twice = {"tables": [[1, 2], [1, 2]], "reason": "A slip."}
    problem(cup.order("/rounds/1/pairing", twice), 422, "not_everybody_once")
    cup.start_round()
    problem(cup.order("/rounds/1/pairing", {"tables": mine, "reason": "Again."}), 422, "round_started")


def test_t_13_a_changed_pairing_has_the_explanations_of_the_proposal(api, olga, ada, bob, cy):
    cup = Cup(api, olga, seats=2).start(ada, bob, cy)
    (white, black), (bye,) = cup.pair()["boards"][0]["tables"][0]["seats"], _byes(cup)
    before = cup.get("/rounds/1").json
    for reason, tables, byes in (
        ("A slip.", [[bye, black]], [white]),
        ("Friends share a car.", [[bye, white]], [black]),
    ):
        cup.command("/rounds/1/pairing", {"tables": tables, "byes": byes, "reason": reason})

    shown = cup.get("/rounds/1").json

    assert shown["changed"] == {
        "reason": "Friends share a car.",
        "proposed_tables": [[white, black]],
        "proposed_byes": [bye],
    }
    first = "The organiser changed this pairing (Friends share a car). The engine had proposed: "
    assert [explanation["text"] for explanation in shown["explanations"]] == [
        first + explanation["text"] for explanation in before["explanations"]
    ]


def _byes(cup):
    return [entry["entrant"] for entry in cup.view["rounds"][-1]["unplayed"]]


def test_t_11_the_organiser_can_continue_with_unfinished_tables(running):
    running.pair()
    running.start_round()
    problem(running.order("/rounds"), 422, "round_unfinished")
    problem(running.order("/rounds", {"early": True}), 422, "invalid_reason")

    running.command("/rounds", {"early": True, "reason": "The hall closes."})

    assert len(running.view["rounds"]) == 2


def test_t_2_a_pause_stops_new_rounds(running):
    running.command("/pause", {"reason": "Supper."})
    assert running.view["phase"] == "paused"
    problem(running.order("/rounds"), 422, "tournament_paused")
    problem(running.order("/pause"), 422, "already_paused")

    running.command("/resume")

    problem(running.order("/resume"), 422, "not_paused")
    running.pair()


def test_t_6_a_ready_entrant_is_not_a_no_show(api, running, ada, bob, cy):
    running.pair()
    running.start_round()
    (table,) = running.tables()
    ready = ada.post(f"{table}/ready")
    assert ready.json["events"][0]["type"] == "table.player_ready"
    problem(api.person("Eve").post(f"{table}/ready"), 403, "not_seated")
    running.clock.now += GRACE_MS

    running.run_due()

    numbers = {1: ada.id, 2: bob.id, 3: cy.id}
    report = running.view["rounds"][0]["boards"][0]["tables"][0]
    absent = {numbers[report["seats"][seat]] for seat in report["report"]["no_shows"]}
    assert absent == {bob.id, cy.id}
    assert running.get("/standings").json["rows"][0]["entrant"] == 1


def test_t_7_an_expelled_entrant_loses_the_seat_and_has_no_rank(running, bob):
    running.pair()
    running.start_round()
    (table,) = running.tables()
    expel = f"/entrants/{bob.id}/expulsion"
    problem(running.order(expel, {"reason": "Looked at other hands."}), 400, "invalid_body")
    problem(bob.post(running.path + expel, CONFIRMED | {"reason": "x"}), 403, "not_organiser")
    problem(
        running.order("/entrants/nobody/expulsion", CONFIRMED | {"reason": "x"}), 404, "entrant_not_found"
    )

    running.command(expel, CONFIRMED | {"reason": "Looked at other hands."})
    running.run_due()

    assert statuses(running)["Bob"] == "expelled"
    view = running.api.spectator.get(table).json["view"]
    assert [seat["player"] for seat in view["seats"] if seat["resigned"]] == [bob.id]
    assert running.get("/standings/2").json["row"]["rank"] is None


def test_t_7_an_entrant_who_withdraws_during_the_tournament_cannot_return(running, bob):
    withdrawal = f"/entrants/{bob.id}/withdrawal"
    problem(bob.post(running.path + withdrawal), 400, "invalid_body")

    running.command(withdrawal, CONFIRMED, by=bob)

    assert statuses(running)["Bob"] == "withdrawn"
    problem(bob.post(f"{running.path}/entrants"), 422, "too_late")


# ------------------------------------------------------------------------------------------- standings


def test_k_5_standings_are_available_after_any_round(running):
    for _ in range(2):
        running.play_round()
    last = running.get("/standings").json

    assert running.get("/standings?round=2").json == last
    first = running.get("/standings?round=1").json
    assert [row["score"] for row in first["rows"]] == ["1", "1/2", "0"]
    assert [row["score"] for row in last["rows"]] == ["2", "1", "0"]
    assert [row["decimals"] for row in last["rows"]] == ["2.000", "1.000", "0.000"]
    assert {row["score"] for row in running.get("/standings?round=0").json["rows"]} == {"0"}
    problem(running.get("/standings?round=3"), 404, "round_not_found")


def test_t_20_resignations_and_bot_moves_are_reported(running):
    running.play_round()
    (board,) = running.view["rounds"][0]["boards"]
    report, rows = board["tables"][0]["report"], running.get("/standings").json["rows"]

    gone = [board["tables"][0]["seats"][seat] for seat in report["resigned"]]
    by_bot = [board["tables"][0]["seats"][seat] for seat in report["by_bot"]]
    assert sorted(gone) == [2, 3]
    assert by_bot == [3]
    assert {row["entrant"]: row["marks"]["by_bot"] for row in rows} == {1: [], 2: [], 3: [1]}
    assert {row["marks"]["is_organiser"] for row in rows} == {False}


def test_k_5_a_paired_round_has_no_standings_before_its_start(running):
    running.pair()

    assert running.get("/standings").json["round"] == 0
    assert running.view["tables_in_play"] == 0
    problem(running.get("/standings?round=1"), 404, "round_not_found")


def test_k_2_each_number_of_a_standing_is_explained(api, olga, ada, bob, cy):
    cup = Cup(api, olga, tiebreaks=["buchholz", "sonneborn_berger"]).start(ada, bob, cy)
    cup.play_round()

    shown = cup.get("/standings/1").json

    assert shown["row"] == cup.get("/standings").json["rows"][0]
    assert [number["data"]["tiebreak"] for number in shown["numbers"]] == [
        None,
        "buchholz",
        "sonneborn_berger",
    ]
    assert all("Round 1" in number["words"] or "round 1" in number["words"] for number in shown["numbers"])
    problem(cup.get("/standings/4"), 404, "entrant_not_found")


def test_p_6_a_knockouts_standings_show_the_stage_reached(api, olga, ada, bob, cy):
    cup = Cup(api, olga, format="knockout", seats=2, sittings=[{}], third_place=True)
    cup.start(ada, bob, cy, api.person("Dee"))
    assert cup.get("/standings/1").json["stage"] == "The first round has not started."
    for _ in range(2):
        cup.play_round()

    rows = cup.get("/standings").json["rows"]
    shown = [cup.get(f"/standings/{row['entrant']}").json for row in rows]

    assert [(row["rank"], row["stage"]) for row in rows] == [
        (1, {"round": 2, "place": 1}),
        (2, {"round": 2, "place": 2}),
        (3, {"round": 1, "place": 3}),
        (4, {"round": 1, "place": 4}),
    ]
    assert [answer["row"] for answer in shown] == rows
    assert [answer["stage"] for answer in shown] == [
        "Reached round 2 and took place 1.",
        "Reached round 2 and took place 2.",
        "Reached round 1 and took place 3.",
        "Reached round 1 and took place 4.",
    ]
    after_first = cup.get("/standings/1?round=1").json
    assert (after_first["row"]["stage"], after_first["stage"]) == (
        {"round": 2, "place": None},
        "Reached round 2.",
    )


def test_p_6_only_a_knockout_has_stages(running):
    running.play_round()
    shown = running.get("/standings/1").json

    assert (shown["stage"], shown["row"]["stage"]) == (None, None)
    assert {row["stage"] for row in running.get("/standings").json["rows"]} == {None}


def test_there_are_no_standings_before_the_start(cup):
    problem(cup.get("/standings"), 404, "no_standings")
    problem(cup.get("/standings/1"), 404, "no_standings")


def test_t_13_tiebreaks_can_change_before_the_last_round(running):
    running.pair()
    running.start_round()
    assert running.view["tables_in_play"] == 1
    running.end_tables()
    assert running.view["tables_in_play"] == 0
    running.command("/tiebreaks", {"tiebreaks": ["wins"]})  # T-2: needs no reason
    assert running.get("/standings").json["tiebreaks"] == ["wins"]
    running.pair()

    problem(running.order("/tiebreaks", {"tiebreaks": [], "reason": "Late."}), 422, "last_round")


def test_t_12_the_organiser_sets_the_score_of_a_voided_table():
    api = standing_api(Settings(administrators=f"root={hash_token('hwa_root')}"))
    cup = Cup(api, api.person("Olga")).start(*map(api.person, ("Ada", "Bob", "Cy")))
    cup.play_round()
    score = "/rounds/1/boards/1/void-score"
    problem(cup.order(score, {"reason": "Both led."}), 422, "table_not_void")
    (table,) = cup.tables()
    root = Person(api.app, "hwa_root")
    assert root.post(f"{table}/void", CONFIRMED | {"reason": "The wrong deck."}).status_code == 200
    cup.run_due()
    assert {row["score"] for row in cup.get("/standings").json["rows"]} == {"1/2"}
    problem(cup.order(score, {"score": "1/3", "reason": "Both led."}), 422, "invalid_score")

    cup.command(score, {"score": "1", "reason": "Both led."})

    assert {row["score"] for row in cup.get("/standings").json["rows"]} == {"1"}
    assert cup.view["rounds"][0]["boards"][0]["void_score"] == "1"


# ---------------------------------------------------------------------------------------------- the end


def test_t_2_cancelling_ends_the_tables_and_publishes_the_log(api, running):
    running.pair()
    running.start_round()
    problem(running.get("/log"), 409, "tournament_not_over")
    problem(running.order("/cancel", {"reason": "Fire."}), 400, "invalid_body")
    problem(running.order("/cancel", CONFIRMED), 400, "invalid_body")

    running.cancel("Fire.")
    running.run_due()

    (table,) = running.tables()
    assert api.spectator.get(table).json["view"]["result"]["outcome"] == "cancelled"
    log = running.get("/log")
    assert log.headers["Content-Disposition"] == f'attachment; filename="{running.id}.ndjson"'
    assert msgspec.json.decode(log.data.splitlines()[0])["format"] == "hoodwink-tournament-log/3"
    problem(running.order("/cancel", CONFIRMED | {"reason": "Again."}), 422, "tournament_over")


def test_t_2_an_early_end_needs_a_reason(running):
    problem(running.order("/finish", {}), 400, "invalid_body")
    refused = problem(running.order("/finish", CONFIRMED), 422, "invalid_reason")
    assert refused["detail"].startswith(
        "Ending the tournament before the last round is complete needs a reason"
    )

    running.command("/finish", CONFIRMED | {"reason": "It is late."})

    assert running.view["phase"] == "finished"
