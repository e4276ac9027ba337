"""The organiser's desk over HTTP: the boards in play, and the acts of organisers."""

import pytest

from hoodwink.domain.players import hash_token
from hoodwink.service.adapters.store.reasons import RedisReasons
from hoodwink.service.settings import Settings
from tests.service.application.audits import differences
from tests.service.http.api import CONFIRMED, Person, catch_up, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.players.test_bots import bot_of
from tests.service.http.tournaments.test_duplicate_secrecy import Event
from tests.service.http.tournaments.test_tournament_secrecy import SEEDS
from tests.service.http.tournaments.test_tournaments import check_proof, verify_log


@pytest.fixture
def api():
    return standing_api()


# ------------------------------------------------------------------------------------- boards in play


def boards(cup, query="", by=None):
    answer = (by or cup.organiser).get(f"{cup.path}/boards{query}")
    assert answer.status_code == 200, answer.text
    return answer.json


def test_t_17_the_desk_lists_boards_in_play_without_cards_or_scores(api, running, ada):
    cup = running
    assert boards(cup) == {"now": api.service.clock.now_ms(), "boards": [], "cursor": None}
    cup.pair()
    assert boards(cup)["boards"] == [], "a pairing that has not started is not in play"
    cup.command("/rounds/1/start")
    (opening,) = boards(cup)["boards"]
    assert (opening["status"], opening["play"]) == ("opening", None)

    cup.run_due()
    (table,) = [path.rpartition("/")[2] for path in cup.tables()]
    api.service.presence.note({table: [ada.id]}, now=api.service.clock.now_ms())
    (board,) = boards(cup)["boards"]

    assert (board["round"], board["board"], board["table"]) == (1, 1, table)
    assert {seat["entrant"]: seat["connected"] for seat in board["seats"]} == {1: True, 2: False, 3: False}
    view = api.spectator.get(f"/v1/tables/{table}").json["view"]
    play = board["play"]
    assert play["grace_until"] == view["grace_until"]
    assert play["awaited"] == [0, 1, 2]
    assert play["waiting"] == view["waiting"]
    known = {
        "waiting",
        "waits_since",
        "deadline",
        "grace_until",
        "awaited",
        "no_shows",
        "resigned",
        "bot_kept",
    }
    assert set(play) == known, "no cards, scores or rounds of the game"


def test_t_17_the_desk_shows_idle_time_and_clock_of_the_slowest_seat(api, olga, ada, bob):
    cup = Cup(api, olga, seats=2, turn_seconds=60, game="blindside").start(ada, bob)
    cup.pair()
    cup.start_round()
    for person in (ada, bob):
        person.post(f"{cup.tables()[0]}/ready")
    cup.run_due()
    play = boards(cup)["boards"][0]["play"]
    began = play["waits_since"]
    assert began is not None
    assert play["deadline"] == began + 60_000

    cup.clock.now += 30_000

    later = boards(cup)
    assert later["boards"][0]["play"]["waits_since"] == began
    assert later["now"] == began + 30_000


def test_t_17_boards_come_in_pages_and_leave_when_they_have_ended(api, olga, ada, bob, cy):
    cup = Cup(api, olga, seats=2).start(ada, bob, cy, bots=1)
    cup.pair()
    cup.start_round()
    first = boards(cup, "?limit=1")
    rest = boards(cup, f"?limit=1&cursor={first['cursor']}")
    assert [board["board"] for board in (*first["boards"], *rest["boards"])] == [1, 2]
    assert (first["cursor"], rest["cursor"]) == ("1.0001", None)

    cup.end_table(cup.tables()[0])

    assert [board["board"] for board in boards(cup)["boards"]] == [2]
    assert boards(cup, "?cursor=1.x")["boards"] == []
    problem(olga.get(f"{cup.path}/boards?cursor=x"), 400, "invalid_query")


def test_t_17_only_officials_see_the_desk(running, ada):
    problem(ada.get(f"{running.path}/boards"), 403, "not_official")
    assert running.get("/boards").status_code == 401


def test_t_17_d_7_turns_and_clocks_of_a_shared_deal_stay_hidden():
    event = Event(SEEDS[0])
    for person in event.at(event.open):
        person.post(f"{event.open}/ready")
    answer = event.people["Olga"].get("/v1/tournaments/duplicate/boards").json

    assert sorted((board["status"], board["play"]) for board in answer["boards"]) == [
        ("ended", None),
        ("playing", None),
    ]


# ------------------------------------------------------------------------------------------- rulings

WHY = {"reason": "Bob showed his cards."}
ROOT = f"hw_abcd_{'r' * 43}"


@pytest.fixture
def ruling_api():
    return standing_api(Settings(administrators=f"root={hash_token(ROOT)}"))


@pytest.fixture
def begun(ruling_api):
    """A Swiss cup of two boards, organised by Olga, with both tables in play."""
    api = ruling_api
    olga, *entrants = [api.person(name) for name in ("Olga", "Ada", "Bob", "Cy", "Dee")]
    cup = Cup(api, olga, seats=2, tiebreaks=["buchholz", "direct"]).start(*entrants)
    cup.pair()
    cup.start_round()
    return cup


def scores(cup, query=""):
    rows = cup.get(f"/standings{query}").json["rows"]
    return {row["name"]: row["score"] for row in rows}


def seated(cup, board=1, round_=1):
    """Returns the names at a board, in seat order."""
    deal = cup.view["rounds"][round_ - 1]["boards"][board - 1]["tables"][0]
    return [cup.view["entrants"][number - 1]["name"] for number in deal["seats"]]


def test_v_4_the_organiser_ends_a_stuck_table_and_its_players_see_why(begun):
    cup = begun
    answer = cup.command("/rounds/1/boards/1/end", CONFIRMED | {"reason": "The hall closes."})
    assert [event["type"] for event in answer["events"]] == ["tournament.table_stopped"]
    assert answer["events"][0]["data"]["official"] == cup.organiser.id
    problem(cup.order("/rounds/1/boards/1/end", CONFIRMED | WHY), 422, "table_stopped")

    cup.run_due()

    table = cup.api.spectator.get(cup.tables()[0]).json["view"]
    assert (table["phase"], table["result"]["outcome"]) == ("ended", "cancelled")
    words = cup.api.spectator.get(f"{cup.tables()[0]}/events?include=words&limit=1000").json["events"]
    assert any("ended without a result, by an official" in event["words"] for event in words)
    assert {scores(cup)[name] for name in seated(cup)} == {"1/2"}
    assert [board["board"] for board in boards(cup)["boards"]] == [2], "the other table goes on"


def test_v_5_a_ruling_changes_standings_only_and_is_explained(begun):
    cup = begun
    cup.end_tables()
    before, names = scores(cup), seated(cup)
    loser = next(name for name in names if before[name] == "0")
    history = cup.api.spectator.get(f"/v1/players/{cup.people[0].id}/ledger").json
    places = [1 if name == loser else 2 for name in names]

    answer = cup.command("/rounds/1/boards/1/ruling", {"places": places} | WHY)

    (event,) = answer["events"]
    digest = event["data"]["reason"].removeprefix("sha256:")
    assert "showed" not in str(cup.events()), "the text is not in the log"
    assert cup.api.spectator.get(f"/v1/reasons/{digest}").json["reason"] == WHY["reason"]
    winner = next(name for name in names if name != loser)
    assert (scores(cup)[loser], scores(cup)[winner]) == ("1", "0")
    row = next(row for row in cup.get("/standings").json["rows"] if row["name"] == loser)
    assert row["marks"]["ruled"] == [1]
    explained = cup.get(f"/standings/{row['entrant']}").json["numbers"][0]["words"]
    assert explained == f"Score 1. Round 1: 1, place 1 of 2 against {winner}, by a ruling."
    assert cup.api.spectator.get(f"/v1/players/{cup.people[0].id}/ledger").json == history
    board = cup.view["rounds"][0]["boards"][0]
    assert board["ruling"]["places"] == places
    assert board["tables"][0]["report"]["places"] != places, "the table keeps its result"


def test_v_5_a_ruling_counts_absences_and_annulments(begun):
    cup = begun
    cup.end_tables()
    names = seated(cup)

    cup.command("/rounds/1/boards/1/ruling", {"places": [1, None]} | WHY)
    assert [scores(cup)[name] for name in names] == ["1", "0"]
    cup.command("/rounds/1/boards/1/ruling", {"score": "0"} | WHY)
    assert [scores(cup)[name] for name in names] == ["0", "0"]
    cup.command("/rounds/1/boards/1/ruling", WHY)
    assert [scores(cup)[name] for name in names] == ["1/2", "1/2"]


def test_v_6_only_an_administrator_reverses_a_ruling_and_then_it_is_final(begun):
    cup = begun
    cup.end_tables()
    before = cup.get("/standings").json["rows"]
    cup.command("/rounds/1/boards/1/ruling", {"score": "0"} | WHY)
    path, root = f"{cup.path}/rounds/1/boards/1/ruling", Person(cup.api.app, ROOT)
    problem(cup.organiser.post(f"{path}/reversal", CONFIRMED | WHY), 403, "not_administrator")

    assert root.post(f"{path}/reversal", CONFIRMED | {"reason": "It was fair play."}).status_code == 200

    assert cup.get("/standings").json["rows"] == before
    problem(cup.organiser.post(path, WHY), 422, "ruling_reversed")
    (act,) = cup.api.service.administration.acts()
    assert (act.event.act, act.event.subject, act.reason) == ("reverse_ruling", cup.id, "It was fair play.")


def test_v_6_nobody_rules_on_a_table_they_sit_at(api, olga, ada, bob, cy):
    cup = Cup(api, olga, seats=2).start(olga, ada, bob, cy)
    cup.pair()
    cup.start_round()
    own = next(board for board in (1, 2) if "Olga" in seated(cup, board))
    cup.end_tables()

    problem(cup.order(f"/rounds/1/boards/{own}/ruling", WHY), 422, "own_table")
    problem(cup.order(f"/rounds/1/boards/{own}/end", CONFIRMED | WHY), 422, "own_table")
    cup.command(f"/rounds/1/boards/{3 - own}/ruling", WHY)


@pytest.mark.parametrize("deal", ["independent", "same"])
def test_v_6_nobody_rules_where_their_own_bot_plays(api, olga, ada, bob, cy, deal):
    cup = Cup(api, olga, seats=2, outside_bots=True, turn_seconds=60, deal=deal)
    bot, ann = bot_of(api, olga), api.person("Ann")
    cup.start(bot, ada, bob, cy)
    cup.command("/arbiters", {"player": ann.id})
    cup.pair()
    cup.start_round()
    number = next(entrant["number"] for entrant in cup.view["entrants"] if entrant["id"] == bot.id)
    boards = cup.view["rounds"][0]["boards"]
    own = next(board["board"] for board in boards if number in board["tables"][0]["seats"])
    other, end = 3 - own, CONFIRMED | WHY

    problem(cup.order(f"/rounds/1/boards/{own}/end", end), 422, "own_table")
    problem(cup.order(f"/rounds/1/boards/{own}/ruling", WHY), 422, "own_table")
    if deal == "same":
        problem(cup.order(f"/rounds/1/boards/{other}/end", end), 422, "own_table")
    else:
        cup.command(f"/rounds/1/boards/{other}/end", end)
    cup.command(f"/rounds/1/boards/{own}/end", end, by=ann)


def test_v_5_logs_with_rulings_verify_and_prove_the_standings(begun):
    cup = begun
    cup.command("/rounds/1/boards/1/end", CONFIRMED | WHY)
    cup.run_due()
    cup.end_table(cup.tables()[1])
    cup.command("/rounds/1/boards/1/ruling", {"places": [2, 1]} | WHY)
    cup.play_round()
    cup.command("/finish", CONFIRMED)
    cup.command("/rounds/2/boards/1/ruling", {"score": "1"} | WHY)

    check_proof(cup.api, cup)

    logs = [cup.get("/log").data, *[cup.api.spectator.get(f"{table}/log").data for table in all_tables(cup)]]
    unruled = logs[0].replace(b'"tournament.table_stopped"', b'"tournament.table_voided"', 1)
    assert not verify_log(cup.api, b"".join([unruled, *logs[1:]]))["valid"]


def all_tables(cup):
    rounds = cup.view["rounds"]
    tables = [deal["table"] for round_ in rounds for board in round_["boards"] for deal in board["tables"]]
    return [f"/v1/tables/{table}" for table in tables]


def test_v_5_an_erased_reason_is_gone_and_the_log_still_verifies(begun):
    cup = begun
    cup.end_tables()
    ruled = cup.command("/rounds/1/boards/1/ruling", WHY)["events"][0]["data"]["reason"]

    cup.api.service.administration.erase_reason_of("root", ruled)

    answer = cup.api.spectator.get(f"/v1/reasons/{ruled.removeprefix('sha256:')}")
    problem(answer, 404, "reason_not_found")
    cup.command("/finish", CONFIRMED | {"reason": "One round was enough."})
    check_proof(cup.api, cup)


def test_a_refused_ruling_stores_no_reason(begun, monkeypatch):
    kept: list[str] = []
    monkeypatch.setattr(RedisReasons, "keep", lambda _, digest, __: kept.append(digest))

    problem(begun.order("/rounds/1/boards/1/ruling", WHY), 422, "table_in_play")

    assert kept == []
    begun.command("/rounds/1/boards/1/end", CONFIRMED | WHY)
    assert len(kept) == 1


# ------------------------------------------------------------------------------- absences, withdrawals


def test_t_18_the_organiser_marks_an_entrant_absent_and_withdraws_another(begun):
    cup = begun
    ada, bob, *_ = cup.people
    cup.end_tables()
    marked = cup.command(f"/entrants/{ada.id}/absence", WHY)["events"][0]
    assert (marked["type"], marked["data"]["sitting"]) == ("tournament.marked_absent", 2)
    withdrawn = cup.command(f"/entrants/{bob.id}/withdrawal", CONFIRMED | WHY)["events"][0]
    digest = withdrawn["data"]["reason"].removeprefix("sha256:")
    assert cup.api.spectator.get(f"/v1/reasons/{digest}").json["reason"] == WHY["reason"]

    round_ = cup.pair()

    assert sorted(number for board in round_["boards"] for number in board["tables"][0]["seats"]) == [3, 4]
    why = {unplayed["entrant"]: unplayed["why"] for unplayed in round_["unplayed"]}
    assert why == {1: "absent", 2: "withdrawn"}
    cup.command("/check-in", by=ada)
    problem(bob.post(f"{cup.path}/entrants/{ada.id}/withdrawal", CONFIRMED | WHY), 403, "not_you")
    problem(bob.post(f"{cup.path}/entrants/{ada.id}/absence", WHY), 403, "not_official")
    problem(cup.order(f"/entrants/{ada.id}/withdrawal", CONFIRMED), 403, "not_you")


@pytest.mark.parametrize(("format_", "is_refused"), [("knockout", True), ("swiss", False)])
def test_t_18_an_official_wins_nothing_for_their_bot(api, olga, ada, bob, format_, is_refused):
    sittings = [{}] if is_refused else [{"rounds": 2}]
    cup = Cup(api, olga, seats=2, outside_bots=True, turn_seconds=60, format=format_, sittings=sittings)
    bot = bot_of(api, olga)
    cup.start(bot, ada, bob)

    for path, form in (("absence", WHY), ("withdrawal", CONFIRMED | WHY)):
        answer = cup.order(f"/entrants/{ada.id}/{path}", form)
        if is_refused:
            problem(answer, 422, "own_contest")
        else:
            assert answer.status_code == 200
    cup.command(f"/entrants/{bot.id}/withdrawal", CONFIRMED | WHY)
    if is_refused:
        cup.command(f"/entrants/{ada.id}/withdrawal", CONFIRMED | WHY)


def test_t_22_the_organiser_adds_a_round(begun):
    cup = begun
    planned = cup.view["rounds_planned"]
    answer = cup.command("/added-rounds", {"rounds": 1, "reason": "Time is left."})

    assert answer["events"][0]["type"] == "tournament.rounds_added"
    assert cup.view["rounds_planned"] == planned + 1 == 3
    cup.end_tables()
    for _ in range(2):
        cup.play_round()
    cup.command("/finish", CONFIRMED)
    check_proof(cup.api, cup)


# ------------------------------------------------------------------------------------------ arbiters


def test_t_23_an_arbiter_has_the_stated_rights_and_no_others(begun):
    cup = begun
    ann, ada = cup.api.person("Ann"), cup.people[0]
    problem(ann.get(f"{cup.path}/boards"), 403, "not_official")
    cup.command("/arbiters", {"player": ann.id})
    assert cup.view["arbiters"] == [{"id": ann.id, "name": "Ann"}]
    assert len(boards(cup, by=ann)["boards"]) == 2

    ended = cup.command("/rounds/1/boards/1/end?include=words", CONFIRMED | WHY, by=ann)["events"][0]
    assert (ended["data"]["official"], ended["words"]) == (
        ann.id,
        "The arbiter Ann ended board 1 of round 1.",
    )
    cup.run_due()
    cup.command("/rounds/1/boards/1/ruling", {"places": [1, 2]} | WHY, by=ann)
    cup.command(f"/entrants/{ada.id}/absence", WHY, by=ann)
    cup.command(f"/entrants/{cup.people[1].id}/withdrawal", CONFIRMED | WHY, by=ann)
    for path, form in (
        ("/pause", {}),
        ("/rounds", {}),
        ("/finish", CONFIRMED | WHY),
        ("/added-rounds", {"rounds": 1} | WHY),
        ("/arbiters", {"player": cup.api.person("Al").id}),
        (f"/entrants/{ada.id}/expulsion", CONFIRMED | WHY),
        ("/rounds/1/boards/1/void-score", WHY),
    ):
        problem(ann.post(cup.path + path, form), 403, "not_organiser")

    cup.command("/arbiters/removal", {"player": ann.id}, by=ann)

    problem(ann.post(f"{cup.path}/rounds/1/boards/1/ruling", WHY), 403, "not_official")
    assert "Ann is no longer an arbiter." in [
        event["words"] for event in cup.events("?limit=1000&include=words")
    ]
    cup.end_tables()
    cup.command("/finish", CONFIRMED | WHY)
    check_proof(cup.api, cup)


def test_t_50_a_co_organiser_runs_the_tournament_but_does_not_end_it(begun):
    cup = begun
    cleo, ada = cup.api.person("Cleo"), cup.people[0]
    problem(ada.post(f"{cup.path}/co-organisers", {"player": cleo.id}), 403, "not_organiser")
    cup.command("/co-organisers", {"player": cleo.id})
    assert cup.view["co_organisers"] == [{"id": cleo.id, "name": "Cleo"}]

    paused = cup.command("/pause?include=words", by=cleo)["events"][0]
    assert (paused["by"], paused["words"]) == (
        f"co_organiser:{cleo.id}",
        "The co-organiser Cleo paused the tournament.",
    )
    cup.command("/resume", by=cleo)
    cup.command("/arbiters", {"player": cup.api.person("Ann").id}, by=cleo)
    ended = cup.command("/rounds/1/boards/1/end", CONFIRMED | WHY, by=cleo)["events"][0]
    assert ended["data"]["official"] == cleo.id
    cup.run_due()
    cup.end_tables()
    cup.command("/rounds", by=cleo)
    assert len(boards(cup, by=cleo)["boards"]) == 0
    assert cleo.get(f"{cup.path}/invitation").status_code == 200
    for path, form in (
        ("/cancel", CONFIRMED | WHY),
        ("/co-organisers", {"player": ada.id}),
        ("/co-organisers/removal", {"player": ada.id}),
    ):
        problem(cleo.post(cup.path + path, form), 403, "not_organiser")
    cup.command("/finish", CONFIRMED | WHY, by=cleo)
    check_proof(cup.api, cup)


def test_t_50_a_co_organiser_who_resigned_has_no_rights_and_a_private_tournament_is_gone(api, olga):
    cup, cleo = Cup(api, olga, visibility="private"), api.person("Cleo")
    problem(cleo.get(cup.path), 404, "tournament_not_found")
    cup.command("/co-organisers", {"player": cleo.id})
    cup.command("/registration", by=cleo)
    assert own_tournaments(api, cleo) == [cup.id]

    cup.command("/co-organisers/removal", {"player": cleo.id}, by=cleo)

    assert own_tournaments(api, cleo) == []
    problem(cleo.get(cup.path), 404, "tournament_not_found")
    problem(cleo.post(f"{cup.path}/start"), 404, "tournament_not_found")


def own_tournaments(api, person):
    catch_up(api)
    return [row["id"] for row in person.get("/v1/me/tournaments").json["tournaments"]]


def test_t_50_nobody_but_the_organiser_expels_the_organiser(api, olga, ada, bob):
    cup, cleo = Cup(api, olga).start(olga, ada, bob), api.person("Cleo")
    cup.command("/co-organisers", {"player": cleo.id})
    problem(cleo.post(f"{cup.path}/entrants/{olga.id}/expulsion", CONFIRMED | WHY), 403, "not_organiser")
    cup.command(f"/entrants/{ada.id}/expulsion", CONFIRMED | WHY, by=cleo)


def test_v_3_audits_agree_with_a_tournament_of_rulings_and_added_rounds(begun):
    cup = begun
    cup.command("/arbiters", {"player": cup.api.person("Ann").id})
    cup.command("/added-rounds", {"rounds": 1} | WHY)
    cup.command("/rounds/1/boards/1/end", CONFIRMED | WHY)
    cup.run_due()
    cup.end_tables()
    cup.command("/rounds/1/boards/1/ruling", {"places": [2, 1]} | WHY)
    cup.command(f"/entrants/{cup.people[0].id}/withdrawal", CONFIRMED | WHY)
    cup.command("/finish", CONFIRMED | WHY)
    cup.command("/rounds/1/boards/2/ruling", {"score": "0"} | WHY)
    catch_up(cup.api)

    for audit in ("projections", "logs"):
        assert differences(cup.api.service, audit) == []
    rows = cup.api.spectator.get(f"/v1/players/{cup.people[1].id}/tournaments").json["tournaments"]
    ranks = {row["id"]: row["rank"] for row in cup.get("/standings").json["rows"]}
    assert [row["rank"] for row in rows] == [ranks[cup.people[1].id]]


# ----------------------------------------------------------------------------------------- journal


def test_v_8_the_journal_lists_who_decided_what_and_what_was_reversed(begun):
    cup, root = begun, Person(begun.api.app, ROOT)
    ann, cleo, ada = cup.api.person("Ann"), cup.api.person("Cleo"), cup.people[0]
    cup.command("/arbiters", {"player": ann.id})
    cup.command("/co-organisers", {"player": cleo.id})
    cup.end_tables()
    ruled = cup.command("/rounds/1/boards/1/ruling", {"score": "0"} | WHY, by=ann)["version"]
    cup.command(f"/entrants/{ada.id}/absence", WHY, by=cleo)
    cup.command("/check-in", by=ada)
    reversal = f"{cup.path}/rounds/1/boards/1/ruling/reversal"
    undone = root.post(reversal, CONFIRMED | {"reason": "It was fair play."}).json["version"]
    cup.command("/pause", {"reason": "Tea."}, by=cleo)

    acts = cup.get("/journal").json["acts"]

    found = [
        (act["type"].removeprefix("tournament."), act["official"], act["reversed_by"]) for act in acts[:6]
    ]
    assert found == [
        ("paused", cleo.id, None),
        ("ruling_reversed", None, None),
        ("marked_absent", cleo.id, None),
        ("result_ruled", ann.id, undone),
        ("co_organiser_named", cup.organiser.id, None),
        ("arbiter_named", cup.organiser.id, None),
    ]
    assert (acts[0]["words"], acts[3]["version"]) == (
        "The co-organiser Cleo paused the tournament: Tea.",
        ruled,
    )
    digest = acts[3]["reason"].removeprefix("sha256:")
    assert cup.api.spectator.get(f"/v1/reasons/{digest}").json["reason"] == WHY["reason"]
    assert {"checked_in", "round_completed", "table_reported"}.isdisjoint(str(acts))
    first = cup.get("/journal?limit=4").json
    rest = cup.get(f"/journal?limit=1000&cursor={first['cursor']}").json
    assert (first["acts"] + rest["acts"], rest["cursor"]) == (acts, None)
