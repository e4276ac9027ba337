"""Voiding: an administrator takes back the result of a table, and its log records it."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import TableVoided
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tables.proving.verify import TABLE, verify_log
from hoodwink.domain.tables.state import Voided
from hoodwink.domain.tables.view import view_table
from tests.domain.tables.forger import changed, entries_of, rechained
from tests.domain.tables.sitting import Sitting, playing

REASON = "Two players shared a screen."
VOID = commands.VoidTable("olga", REASON)


def played(**opening):
    return playing("ada", "bo", "bot", rounds=2, **opening).play_out()


def voided(**opening):
    sitting = played(**opening)
    sitting.do(VOID, by="admin", after_ms=1_000)
    return sitting


def refusal(log):
    finding = verify_log(log).finding
    assert finding is not None
    return finding.code, finding.version


def test_v_1_a_void_is_an_event_after_the_last_one_with_name_and_reason():
    sitting = played()
    before = sitting.table
    assert sitting.do(VOID, by="admin", after_ms=1_000) == (TableVoided("olga", REASON),)
    assert [entry.type for entry in sitting.entries[-2:]] == ["table.seed_revealed", "table.voided"]
    assert sitting.table.voided == Voided("olga", REASON, sitting.now)
    assert (sitting.table.version, sitting.table.result) == (before.version + 1, before.result)


def test_v_1_only_an_administrator_may_void():
    assert allowed_actors(played().table, VOID) == ("admin",)


@pytest.mark.parametrize("viewer", ["spectator", "everybody", 0])
def test_v_1_everybody_sees_that_a_table_is_void_and_why(viewer):
    sitting = voided()
    view = view_table(sitting.table, viewer)
    assert (view.voided, view.result) == (Voided("olga", REASON, sitting.now), sitting.table.result)
    assert view_table(played().table, viewer).voided is None


def test_v_1_a_table_is_voided_once():
    assert voided().refusal(VOID) == "already_voided"


@pytest.mark.parametrize("sitting", [Sitting().sit("ada"), playing("ada", "bo")], ids=["open", "playing"])
def test_v_1_a_table_that_is_not_over_is_not_voided(sitting):
    assert sitting.refusal(VOID) == "table_not_over"


def test_v_1_a_table_without_scores_and_result_cannot_be_voided():
    closed, abandoned = Sitting().sit("ada"), playing("ada", "bo")
    closed.do(commands.CloseTable(), by="host")
    abandoned.do(commands.AbandonTable())
    assert {sitting.refusal(VOID) for sitting in (closed, abandoned)} == {"nothing_to_void"}


def test_v_1_a_result_without_a_scored_round_can_be_voided():
    sitting = playing("ada", "bo")
    sitting.resign(1)
    assert sitting.table.scored == ()
    assert sitting.do(VOID, by="admin") == (TableVoided("olga", REASON),)


def test_v_1_scored_rounds_without_a_result_can_be_voided():
    sitting = playing("ada", "bo", rounds=2)
    while not sitting.table.scored:
        sitting.step()
    sitting.do(commands.AbandonTable())
    assert sitting.do(VOID, by="admin") == (TableVoided("olga", REASON),)


def test_a_table_remembers_which_event_scored_which_round():
    sitting = played()
    versions = [entry.version for entry in sitting.entries if entry.type == "table.round_scored"]
    assert [(scored.version, scored.round) for scored in sitting.table.scored] == list(
        zip(versions, (1, 2), strict=True)
    )
    assert sitting.table.result is not None
    totals = [sum(deltas) for deltas in zip(*(scored.deltas for scored in sitting.table.scored), strict=True)]
    assert tuple(totals) == sitting.table.result.scores


@pytest.mark.parametrize("name", ["", "Olga", "-olga", "o" * 33, "olga b", "olga\n"])
def test_an_impossible_name_of_an_administrator_is_refused(name):
    assert played().refusal(commands.VoidTable(name, REASON)) == "invalid_admin"


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "\x7f", "x" * 501])
def test_a_reason_is_one_line_and_not_empty(reason):
    assert played().refusal(commands.VoidTable("olga", reason)) == "invalid_reason"


def test_a_void_table_accepts_and_owes_nothing():
    sitting = voided()
    assert sitting.refusal(commands.Act(0, None)) == "table_over"  # type: ignore[arg-type]
    assert (work_due(sitting.table), sitting.legal(0)) == (NOTHING_DUE, ())


# ----------------------------------------------------------------------------------------- verify


def test_v_1_the_log_of_a_void_table_verifies_and_the_verdict_says_so():
    sitting = voided()
    verdict = verify_log(sitting.log())
    assert (verdict.valid, verdict.voided) == (True, Voided("olga", REASON, sitting.now))
    assert check_entries(TABLE, "t1", sitting.entries) is None
    assert verify_log(played().log()).voided is None


def test_the_log_before_a_void_is_a_prefix_of_the_log_after_it():
    sitting = played()
    before = sitting.log().split(b"\n")[1:-1]
    sitting.do(VOID, by="admin")
    assert sitting.log().split(b"\n")[1 : len(before) + 1] == before


def test_a_forged_void_is_refused():
    log = voided().log()
    entries = entries_of(log)
    last = len(entries)
    assert refusal(changed(log, last, lambda fields: fields.update(reason=" "))) == ("illegal", last)
    assert refusal(changed(log, last, lambda fields: fields.update(admin="Olga"))) == ("illegal", last)
    twice = [*entries, replace(entries[-1], cmd="again")]
    assert refusal(rechained(twice)) == ("illegal", last + 1)
    played_on = [entry for entry in entries[:-1] if entry.cmd != entries[-2].cmd]
    assert refusal(rechained([*played_on, entries[-1]])) == ("illegal", len(played_on) + 1)
    for by in ("host", "worker", "player:0", "bot:2"):
        forged = [*entries[:-1], replace(entries[-1], by=by)]
        assert refusal(rechained(forged)) == ("illegal", last)


def test_a_void_does_not_replace_the_seed():
    entries = entries_of(voided().log())
    without_seed = [*entries[:-2], entries[-1]]
    assert refusal(rechained(without_seed)) == ("incomplete", len(entries) - 2)
