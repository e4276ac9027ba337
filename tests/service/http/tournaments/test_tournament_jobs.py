"""Long work for tournaments runs in jobs with the same outcome as in a request."""

from types import SimpleNamespace

import pytest

from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.pairing import seating
from hoodwink.domain.tournaments.pairing.round_robin import arranging, shapes
from hoodwink.service.http.messages.standings_answers import standings_answer
from hoodwink.service.http.resources.tournaments import readings as tournament_readings
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader, is_long
from tests.service.http.api import CONFIRMED, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.inline_jobs import queue_jobs, runner
from tests.tournaments.schedules import hasty_schedules

KEY = "a_key_of_sixteen_or_more"


@pytest.fixture
def api():
    """An API whose jobs run only when a test runs them."""
    api = standing_api()
    service = api.service
    queue_jobs(service)
    with hasty_schedules():
        yield api


@pytest.fixture
def searched(monkeypatch):
    """The shapes searched so far."""
    found, searched = arranging.search, []

    def search(shape):
        searched.append(shape.key)
        return found(shape)

    monkeypatch.setattr(arranging, "search", search)
    return searched


def run(api, answer):
    """Runs the job of an answer; returns its outcome."""
    assert (answer.status_code, answer.json["state"]) == (202, "queued"), answer.text
    runner(api.service).run(answer.json["id"])
    return api.spectator.get(answer.headers["Location"]).json


def run_steps(api):
    """Runs the jobs begun by the worker; returns their number."""
    due = api.service.job_store.due(now=api.service.clock.now_ms())
    for job in due:
        runner(api.service).run(job.id)
    return len(due)


def round_robin(api, olga, **form):
    cup = Cup(api, olga, format="round_robin", seats=4, **form)
    cup.enter(bots=7)
    return cup


def league(api, olga, bots=11, **form):
    cup = Cup(api, olga, format="league", seats=4, **form)
    return cup.start(bots=bots)


def schedule(cup):
    return cup.api.service.tournaments.load(cup.id).state.schedule


def test_a_start_searches_in_a_job_once_per_size(api, olga, searched):
    cup = round_robin(api, olga)
    begun = cup.order("/start")
    assert (begun.json["kind"], cup.view["phase"], searched) == ("tournament_command", "registration", [])

    ended = run(api, begun)
    assert (ended["state"], ended["result"]["events"][0]["type"]) == ("done", "tournament.started")
    assert cup.view["phase"] == "running"
    assert searched == ["7:2:0:2"]

    shapes._remembered.clear()  # as in another process
    again = round_robin(api, olga)
    assert again.order("/start").status_code == 200
    assert searched == ["7:2:0:2"]
    assert schedule(cup) != schedule(again)


def test_a_refused_start_begins_no_job(api, olga, ada):
    cup = round_robin(api, olga)
    problem(ada.post(f"{cup.path}/start"), 403, "not_organiser")
    problem(cup.order("/start", {"expected_version": 1}), 409, "version_conflict")
    few = Cup(api, olga, format="round_robin")
    few.enter(bots=1)
    problem(few.order("/start"), 422, "too_few_entrants")


def test_a_start_can_be_repeated_with_its_key_before_and_after_its_job(api, olga):
    cup = round_robin(api, olga)
    first, second = (cup.order("/start", key=KEY) for _ in range(2))
    assert first.json == second.json
    ended = run(api, first)
    repeated = cup.order("/start", key=KEY)
    assert (repeated.status_code, repeated.json) == (200, ended["result"])
    problem(cup.order("/rounds", key=KEY), 409, "idempotency_key_reused")
    problem(cup.order("/start"), 422, "tournament_started")


def test_a_job_run_twice_acts_once_even_without_a_key(api, olga, monkeypatch):
    cup = league(api, olga)
    begun = cup.order("/rounds")
    monkeypatch.setattr(api.service.job_store, "end", lambda *_, **__: None)  # killed before it could report
    runner(api.service).run(begun.json["id"])
    monkeypatch.undo()
    runner(api.service).run(begun.json["id"], again=True)
    ended = api.spectator.get(begun.headers["Location"]).json
    assert (ended["state"], ended["result"]["events"][0]["type"]) == ("done", "tournament.round_opened")
    assert cup.types.count("round_opened") == 1


def test_a_large_field_is_paired_in_a_job_and_answered_like_a_request(api, olga, monkeypatch):
    cup = league(api, olga)
    with monkeypatch.context() as patched:
        patched.setattr(seating, "good_tables", None)  # the request must not search
        begun = cup.order("/rounds?include=words")
    ended = run(api, begun)
    (event,) = ended["result"]["events"]
    assert event["type"] == "tournament.round_opened"
    assert event["words"].startswith("Round 1 was paired")
    assert ended["result"]["version"] == cup.get("").json["version"]


def test_a_small_field_is_paired_in_the_request(api, olga):
    cup = Cup(api, olga, format="league", seats=4).start(bots=10)
    assert cup.order("/rounds").status_code == 200


def test_a_jobs_outcome_is_the_problem_at_the_time_it_runs(api, olga):
    cup = league(api, olga)
    begun = cup.order("/rounds", {"expected_version": cup.get("").json["version"]})
    cup.command("/pause", {"reason": "Lunch"})
    ended = run(api, begun)
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "version_conflict")
    assert cup.types[-1] == "paused"


def test_the_job_of_a_banned_organiser_is_refused(api, olga):
    cup = league(api, olga)
    begun = cup.order("/rounds")
    api.service.players.ban(olga.id)
    ended = run(api, begun)
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "player_banned")
    assert cup.types.count("round_opened") == 0


def test_an_automatic_round_of_a_large_field_is_paired_by_a_job(api, olga):
    cup = league(api, olga, advance="automatic")
    assert (cup.types[-1], cup.view["rounds"]) == ("started", [])
    cup.run_due()
    assert run_steps(api) == 1
    assert cup.types[-1] == "round_opened"
    cup.run_due()
    assert cup.types.count("tables_opened") == 1


def test_a_step_gets_another_job_only_after_some_minutes(api, olga):
    cup = league(api, olga, advance="automatic")
    cup.run_due()
    assert api.service.job_store.unended() == 1
    cup.clock.now += 300_000
    cup.run_due()
    assert api.service.job_store.unended() == 2
    assert run_steps(api) == 2
    assert cup.types.count("round_opened") == 1


def test_a_pairing_dropped_by_a_withdrawal_is_made_again_by_a_job(api, olga):
    cup = league(api, olga, bots=12)
    run(api, cup.order("/rounds"))
    gone = cup.view["entrants"][0]["id"]
    assert cup.order(f"/entrants/{gone}/withdrawal", CONFIRMED).status_code == 200
    assert cup.types[-1] == "pairing_dropped"
    cup.run_due()
    assert cup.types[-1] == "pairing_dropped"
    assert run_steps(api) == 1
    assert cup.types[-1] == "round_opened"
    number = len(cup.view["rounds"])
    shown = cup.get(f"/rounds/{number}").json
    seated = [seat for board in shown["round"]["boards"] for seat in board["tables"][0]["seats"]]
    assert {explained["entrant"] for explained in shown["explanations"]} >= {*seated} - {None}


@pytest.fixture
def played(api, olga, ada, bob):
    """A two-seat Swiss after its first round."""
    cup = Cup(api, olga, seats=2, tiebreaks=["buchholz", "lot"]).start(ada, bob)
    cup.play_round()
    return cup


@pytest.mark.parametrize("path", ["/results", "/report", "/standings", "/standings?round=0", "/standings/2"])
def test_slow_reads_run_in_a_job_with_the_same_answer(api, played, monkeypatch, path):
    direct = played.get(path)
    assert direct.status_code == 200, direct.text
    monkeypatch.setattr(tournament_readings, "is_long", lambda *_: True)
    with monkeypatch.context() as patched:
        patched.setattr(TournamentReader, "_read", None)  # the request must not compute
        begun = played.get(path)
        again = played.get(path)  # for another reader
    assert begun.json == again.json
    assert run(api, begun)["state"] == "done"

    read = played.get(path)
    assert (read.status_code, read.data) == (200, direct.data)
    for header in ("Content-Type", "ETag", "Content-Disposition"):
        assert read.headers.get(header) == direct.headers.get(header)


def test_k_5_standings_are_computed_once_for_all_who_ask_and_again_after_each_change(
    api, played, ada, monkeypatch
):
    path, computed = f"{played.path}/standings", []

    def standings(tournament, after, names, compute=standings_answer):
        computed.append(tournament.version)
        return compute(tournament, after, names)

    monkeypatch.setattr(tournament_readings, "standings_answer", standings)
    answers = [reader.get(path) for reader in (ada, api.spectator, played.organiser)]
    assert [answer.data for answer in answers] == [answers[0].data] * 3
    assert len(computed) == 1
    played.command("/pause", {"reason": "Lunch"})
    assert ada.get(path).json["version"] == answers[0].json["version"] + 1
    ada.ask("PATCH", "/v1/players/me", json={"name": "Adah"})
    assert "Adah" in api.spectator.get(path).text
    assert len(computed) == 3


def test_all_requests_for_a_reading_share_one_job(api, played, ada, bob, monkeypatch):
    monkeypatch.setattr(tournament_readings, "is_long", lambda *_: True)
    path = f"{played.path}/standings"
    readers = (ada, bob, api.spectator)
    begun = [reader.get(path, key=f"{KEY}_{number}").json for number, reader in enumerate(readers)]
    assert begun[0] == begun[1] == begun[2]
    assert api.service.job_store.unended() == 1


def test_each_version_is_read_by_its_own_job(api, played, monkeypatch):
    monkeypatch.setattr(tournament_readings, "is_long", lambda *_: True)
    first = played.get("/standings")
    run(api, first)
    played.command("/pause", {"reason": "Lunch"})
    assert played.get("/standings").json["id"] != first.json["id"]


def test_a_request_for_an_unchanged_version_begins_no_job(played, monkeypatch):
    tag = played.get("/results").headers["ETag"]
    monkeypatch.setattr(tournament_readings, "is_long", lambda *_: True)
    assert played.get("/results", headers={"If-None-Match": tag}).status_code == 304


def test_a_missing_report_is_reported_by_a_job_too(api, olga, ada, bob, cy, monkeypatch):
    cup = Cup(api, olga).start(ada, bob, cy)
    monkeypatch.setattr(tournament_readings, "is_long", lambda *_: True)
    ended = run(api, cup.get("/report"))
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "no_report_possible")
    problem(cup.get("/report"), 422, "no_report_possible")


@pytest.mark.parametrize(
    ("what", "entrants", "rounds", "expected"),
    [
        ("results", 10, 10, False),
        ("results", 11, 10, True),
        ("standings", 100, 10, False),
        ("report", 50, 10, False),
        ("report", 51, 10, True),
        ("standing", 101, 10, True),
        ("round", 1000, 100, False),
        ("journal", 101, 10, True),
        ("deal", 101, 10, True),
    ],
)
def test_slow_reads_are_determined_by_entrants_and_rounds(what, entrants, rounds, expected):
    started = SimpleNamespace(is_started=True)
    tournament = Tournament(entrants=(None,) * entrants, rounds=(started,) * rounds)
    assert is_long(tournament, Reading(tournament="t", what=what)) is expected
    long_log = Tournament(version=1_001)
    assert is_long(long_log, Reading(tournament="t", what=what)) is (what == "journal")
