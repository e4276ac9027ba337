"""Forks: tables that continue an ended table from any version, provably and unrated."""

from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import SeededDraws, build_pack, commitment
from hoodwink.domain.due_times import WorkDue
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Stage, redact
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.deciding.forks import MAX_GENERATIONS
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import Parent, RoundScored, TableForked, TableOpened
from hoodwink.domain.tables.evolve import table_after
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.pace import pause_until
from hoodwink.domain.tables.proving.lineage import verify_lineage
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tables.proving.verify import TABLE, verify_log
from hoodwink.domain.tables.state import (
    MAX_ACTIONS_PER_ROUND,
    UNOPENED,
    Phase,
    deadline_of,
    stage_of,
)
from hoodwink.domain.tables.view import view_table
from tests.domain.tables.forger import entries_of, fields_of, rechained, with_data
from tests.domain.tables.sitting import Sitting, playing

GOLDEN = Path(__file__).parents[2] / "golden"
FORK_SEED = "f0" * 32
HOST_SEED, ADAS_SEED = "0" * 32, "a" * 32


def parent_of(game="blindside", seats=3, **opening):
    """Returns a table of people that was played out."""
    return playing(*[f"player{seat}" for seat in range(seats)], game=game, **opening).play_out()


def settled(entries, version):
    """Returns the log up to the end of the command that a version belongs to."""
    for _, group in groupby(entries, key=lambda entry: entry.cmd):
        last = list(group)[-1].version
        if last >= version:
            return tuple(entries[:last])
    raise AssertionError(version)


def forked(parent, version, *people, **given):
    """Returns a fork of a table's log at a version, with these people or bots in the seats."""
    command = commands.ForkTable(
        table=given.pop("table", "fork"),
        host="holly",
        turn_seconds=given.pop("turn_seconds", 0),
        bot_delay=0,
        round_pause=given.pop("round_pause", 0),
        server_seed=given.pop("server_seed", FORK_SEED),
        entries=settled(parent.entries, version),
        **given,
    )
    return Sitting(command).sit(*people)


def dealt_at(parent, number):
    """Returns the version at which a round was dealt."""
    return next(
        version
        for version in range(1, parent.table.version + 1)
        if table_after(parent.entries[:version]).round == number
    )


PARENT = parent_of(rounds=3)
IN_ROUND_TWO = dealt_at(PARENT, 2) + 5


@pytest.mark.parametrize("game", GAMES)
def test_a_fork_of_any_game_can_be_played_to_its_end_from_any_version(game):
    parent = parent_of(game, seats=GAMES[game].seats[0])
    chance = Random(game)
    for version in (1, *chance.sample(range(2, parent.table.version - 6), 5)):
        names = ["bot"] * len(parent.table.seats)
        fork = forked(parent, version, *names).start().play_out()

        assert fork.table.phase is Phase.ENDED
        verdict = verify_log(fork.log())
        assert (verdict.valid, verdict.finding) == (True, None)
        assert verify_lineage((fork.log(), parent.log())).generations == 2


def test_a_fork_begins_with_the_state_of_its_parent():
    fork = forked(PARENT, IN_ROUND_TWO)
    before = table_after(settled(PARENT.entries, IN_ROUND_TWO))

    assert fork.table.state == before.state
    assert (fork.table.round, fork.table.round_scores) == (2, before.round_scores)
    assert fork.table.parent == Parent(
        table="t1", version=IN_ROUND_TWO, head=PARENT.entries[IN_ROUND_TWO - 1].hash
    )
    assert fork.table.options == PARENT.table.options
    assert (fork.table.phase, fork.table.seats, fork.table.rated) == (Phase.OPEN, (None,) * 3, False)


def test_scores_carry_on_and_only_rounds_scored_by_the_fork_are_its_own():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start().play_to(Stage.TO_DEAL)
    scored = next(event for event in events_of(fork) if isinstance(event, RoundScored))

    before = table_after(settled(PARENT.entries, IN_ROUND_TWO)).round_scores
    assert scored.round == 2
    assert scored.totals == tuple(map(sum, zip(before, scored.deltas, strict=True)))
    assert len(fork.table.scored) == 1


def events_of(sitting):
    return [decode_event(entry.type, bytes(entry.data)) for entry in sitting.entries]


def test_the_kept_round_keeps_its_deck_and_later_ones_are_shuffled_again():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start()
    kept = table_after(settled(PARENT.entries, IN_ROUND_TWO)).state
    assert (fork.table.state.stock, view_table(fork.table, 0).known_deck) == (kept.stock, True)

    fork.play_to(Stage.TO_DEAL)
    assert not view_table(fork.table, 0).known_deck
    dealt = next(entry for entry in fork.deal().entries[::-1] if entry.type == "blindside.round_dealt")
    assert not view_table(fork.table, 0).known_deck
    deck = SeededDraws(FORK_SEED, ("", "", "", "")).deck(build_pack(), 3)
    fields = fields_of(dealt)
    assert {card for hand in fields["hands"] for card in hand} == set(deck[:12])
    theirs = next(fields_of(entry) for entry in PARENT.entries if fields_of(entry).get("round") == 3)
    assert fields["hands"] != theirs["hands"]


def test_a_fork_between_two_rounds_has_no_known_card():
    version = dealt_at(PARENT, 2) - 1
    fork = forked(PARENT, version, "ada", "bob", "cid").start()

    assert stage_of(fork.table) is Stage.TO_DEAL
    assert not view_table(fork.table, 0).known_deck
    assert view_table(fork.deal().table, 0).known_deck is False


def test_a_fork_from_before_the_first_deal_is_a_table_of_the_same_options():
    fork = forked(PARENT, 2, "ada", "bob", "bot").start()

    assert (fork.table.round, fork.table.parent_rounds, stage_of(fork.table)) == (0, 0, Stage.TO_DEAL)
    assert fork.deal().table.round == 1


def test_nobody_has_resigned_at_a_fork():
    parent = playing("ada", "bob", "cid")
    parent.resign(0)
    version = parent.table.version
    parent.play_out()

    fork = forked(parent, version, "dee", "eve", "fay").start()
    assert fork.table.resigned == ()
    assert fork.play_out().table.result.outcome == "played_out"


def test_a_table_that_ended_early_can_be_continued_from_its_end():
    parent = playing("ada", "bob", "cid")
    parent.do(commands.AbandonTable())

    fork = forked(parent, parent.table.version, "ada", "bob", "cid").start().play_out()
    assert fork.table.result.outcome == "played_out"
    assert verify_lineage((fork.log(), parent.log())).valid


def test_a_table_whose_last_round_is_over_cannot_be_forked():
    command = commands.ForkTable(
        table="fork", host="holly", turn_seconds=0, server_seed=FORK_SEED, entries=tuple(PARENT.entries)
    )
    assert Sitting().refusal(command) == "nothing_to_play"


def test_the_host_and_bots_can_be_seated_as_the_fork_opens():
    occupants = (
        commands.TakeSeat(player="holly", seat=2),
        commands.TakeSeat(player="bot:steady", policy="steady", seat=0),
    )
    fork = forked(PARENT, IN_ROUND_TWO, occupants=occupants)

    assert [occupant and occupant.player for occupant in fork.table.seats] == ["bot:steady", None, "holly"]
    assert fork.table.has_host_sat
    fork.sit("bot").start().play_out()
    assert verify_log(fork.log()).valid


def test_nobody_else_can_be_seated_by_the_host():
    command = commands.ForkTable(
        table="fork",
        host="holly",
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=FORK_SEED,
        entries=settled(PARENT.entries, IN_ROUND_TWO),
        occupants=(commands.TakeSeat(player="ada", seat=0),),
    )
    with pytest.raises(Exception, match="not_your_seat"):
        decide(UNOPENED, command, 0)


def test_play_waits_until_seeds_are_revealed_although_a_round_is_in_play():
    fork = forked(PARENT, IN_ROUND_TWO, seed_commitment=commitment(HOST_SEED), turn_seconds=30)
    fork.sit_committed("ada", ADAS_SEED).sit("bob", "bot").start()
    mover = fork.owing()
    until = fork.now + REVEAL_MS

    assert (work_due(fork.table), view_table(fork.table, 0).reveals_until) == (WorkDue(until), until)
    with pytest.raises(Exception, match="seeds_awaited"):
        fork.act(mover)
    fork.do(commands.RevealSeed(None, HOST_SEED), by="host")
    fork.do(commands.MissSeed(0), after_ms=REVEAL_MS)
    assert view_table(fork.table, 0).reveals_until is None
    # The clock of a turn counts from when somebody could act.
    owing = [seat for seat in range(3) if deadline_of(fork.table, seat)]
    assert all(deadline_of(fork.table, seat) == fork.now + 30_000 for seat in owing)
    assert verify_log(fork.play_out().log()).valid


def test_only_a_round_that_was_played_at_the_fork_is_followed_by_a_pause():
    before_deal = forked(PARENT, dealt_at(PARENT, 2) - 1, "ada", "bob", "cid", round_pause=8_000).start()
    assert (stage_of(before_deal.table), pause_until(before_deal.table)) == (Stage.TO_DEAL, None)
    in_play = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid", round_pause=8_000).start()
    in_play.play_to(Stage.TO_DEAL)
    assert pause_until(in_play.table) == in_play.now + 8_000


def test_g_15_scores_of_the_parent_are_a_result_if_all_other_rounds_are_void():
    fork = forked(PARENT, dealt_at(PARENT, 3), "ada", "bob", "cid").start()
    fork.table = replace(fork.table, round_actions=MAX_ACTIONS_PER_ROUND - 1)
    fork.act(fork.owing())

    assert (fork.table.result.outcome, fork.table.parent_scores) == ("played_out", 2)


def test_a_fork_of_a_fork_holds_the_logs_of_both():
    child = forked(PARENT, IN_ROUND_TWO, "bot", "bot", "bot", table="child").start().play_out()
    grandchild = (
        forked(child, child.table.version - 20, "bot", "bot", "bot", table="grandchild").start().play_out()
    )

    assert verify_log(grandchild.log()).valid
    assert verify_lineage((grandchild.log(), child.log(), PARENT.log())).generations == 3
    assert lineage_finding(grandchild.log(), PARENT.log())[0] == "wrong_parent"
    assert grandchild.table.parent_scores >= 1


def test_the_number_of_forks_in_a_row_is_limited():
    table = PARENT
    for number in range(MAX_GENERATIONS):
        table = forked(table, len(settled(table.entries, 2)) if number else 2, table=f"fork{number}")
    command = commands.ForkTable(
        table="one", host="holly", turn_seconds=0, server_seed=FORK_SEED, entries=settled(table.entries, 2)
    )
    assert Sitting().refusal(command) == "too_many_forks"


def test_only_viewers_who_see_everything_receive_the_parents_log():
    fork = forked(PARENT, IN_ROUND_TWO)
    event = events_of(fork)[1]

    assert isinstance(event, TableForked)
    assert redact(event, "everybody") == event
    for viewer in (0, "spectator"):
        assert redact(event, viewer) == TableForked(())


def test_in_the_kept_round_views_hide_what_the_rules_hide():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start()
    kept = table_after(settled(PARENT.entries, IN_ROUND_TWO))

    for viewer in (0, 1, 2, "spectator"):
        assert view_table(fork.table, viewer).view == view_table(kept, viewer).view


def test_a_fork_of_a_golden_table_with_old_events_verifies_with_its_parent():
    log = (GOLDEN / "blindside-4001.log").read_bytes()
    parent = Sitting()
    parent.entries = list(parse_log(log)[1])
    assert parent.entries[0].type == "table.opened@4"

    fork = forked(parent, 60, *["bot"] * 7).start().play_out()
    assert verify_lineage((fork.log(), log)).finding is None


# ------------------------------------------------------------------------------------------- proof

FORK = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "bot").start().play_out()


def with_kept(change):
    """Returns the fork's log with its part of the parent's log changed, and all hashes in order."""
    entries = entries_of(FORK.log())
    kept = [*PARENT.entries[:IN_ROUND_TWO]]
    fields = {"entries": change(kept)}
    entries[1] = with_data(entries[1], fields)
    return rechained(entries)


def finding_of(log):
    finding = verify_log(log).finding
    return None if finding is None else (finding.code, finding.version)


def _unreadable_fork(entry):
    return with_data(replace(entry, type="table.forked"), {"entries": 7})


def another_card(entries):
    """Exchanges a card that was drawn in the parent, and hashes everything again."""
    index = next(number for number, entry in enumerate(entries) if entry.type == "blindside.card_discarded")
    fields = fields_of(entries[index])
    fields["card"] = "2C" if fields["card"] != "2C" else "3C"
    entries[index] = with_data(entries[index], fields)
    return list(parse_log(rechained(entries))[1])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda entries: entries[:-1], ("altered", 1)),
        (another_card, ("parent_broken", 2)),
        (lambda entries: entries[:2] + entries[3:], ("parent_broken", 2)),
        (lambda entries: [], ("parent_broken", 2)),
        (lambda entries: [entries[0], _unreadable_fork(entries[1])], ("parent_broken", 2)),
        (lambda entries: entries[: dealt_at(PARENT, 2) - 2], ("parent_broken", 2)),
    ],
)
def test_the_kept_part_of_the_parents_log_is_checked(change, code):
    assert finding_of(with_kept(change)) == code


def test_a_fork_must_hold_its_parents_log():
    entries = entries_of(FORK.log())
    assert finding_of(rechained([entries[0], *entries[2:]])) == ("illegal", 1)


def test_a_fork_that_names_another_version_is_refused():
    entries = entries_of(FORK.log())
    fields = fields_of(entries[0])
    fields["parent"]["version"] += 1
    entries[0] = with_data(entries[0], fields)
    assert finding_of(rechained(entries)) == ("altered", 1)


@pytest.mark.parametrize("field", ["rated", "first_dealer", "seats"])
def test_a_fork_cannot_change_the_terms_of_its_parent(field):
    entries = entries_of(FORK.log())
    fields = fields_of(entries[0])
    fields[field] = {"rated": True, "first_dealer": 1, "seats": 4}[field]
    entries[0] = with_data(entries[0], fields)
    assert finding_of(rechained(entries)) == ("altered", 1)


def test_a_fork_nested_too_deeply_is_refused():
    kept = list(FORK.entries[:2])
    for _ in range(MAX_GENERATIONS):
        kept = [*kept[:1], with_data(kept[1], {"entries": kept})]
    entries = entries_of(FORK.log())
    entries[1] = with_data(entries[1], {"entries": kept})
    assert finding_of(rechained(entries)) == ("illegal", 1)


def lineage_finding(*logs):
    finding = verify_lineage(logs).finding
    return None if finding is None else (finding.code, finding.detail)


def test_a_lineage_needs_valid_logs_that_continue_each_other():
    other, namesake = parent_of(rounds=3, table="t2"), parent_of(rounds=2, table="t1")

    assert lineage_finding(FORK.log(), PARENT.log()) is None
    assert lineage_finding(FORK.log(), other.log()) == (
        "wrong_parent",
        "log 2: it is the log of table t2, and table fork was forked from table t1",
    )
    assert lineage_finding(FORK.log(), namesake.log()) == (
        "wrong_parent",
        "log 2: table fork was forked from a table t1 with other events than this log has",
    )
    assert lineage_finding(PARENT.log(), FORK.log()) == (
        "wrong_parent",
        "log 2: table t1 was not forked from another, so its log continues none",
    )
    broken = PARENT.log().replace(b'"card":', b'"kard":', 1)
    assert lineage_finding(FORK.log(), broken)[1].startswith("log 2: blindside.")
    assert lineage_finding(FORK.log()[:-9], PARENT.log())[0] == "malformed"
    assert verify_lineage((PARENT.log(),)).generations == 1


def test_the_stored_log_of_a_fork_in_play_is_checked():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "bot").start()
    assert check_entries(TABLE, "fork", fork.entries) is None
    opened = events_of(fork)[0]
    assert isinstance(opened, TableOpened)


def test_a_fork_from_before_the_score_scores_the_kept_round():
    revealed = next(entry for entry in PARENT.entries if entry.type == "blindside.blindsides_revealed")
    version = revealed.version - 1
    fork = forked(PARENT, version, "ada", "bob", "cid").start()

    assert (stage_of(fork.table), view_table(fork.table, 0).known_deck) == (Stage.TO_SCORE, True)
    fork.play_to(Stage.TO_DEAL)
    theirs = next(event for event in events_of(PARENT) if isinstance(event, RoundScored))
    assert [event for event in events_of(fork) if isinstance(event, RoundScored)] == [theirs]


def test_in_later_rounds_everything_is_secret_as_at_any_table():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start().play_to(Stage.TO_DEAL).deal()
    for viewer in (0, 1, 2, "spectator"):
        hands: tuple[tuple[str, ...], ...] = getattr(view_table(fork.table, viewer).view, "hands")  # noqa: B009
        assert [set(hand) == {"??"} for hand in hands] == [seat != viewer for seat in range(3)]
