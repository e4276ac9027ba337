"""The journal: the entries of each round and their accounts."""

import pytest

from hoodwink.domain.kernel import Stage
from hoodwink.domain.projections import (
    LEDGER,
    JournalEntry,
    Posting,
    balance_counter,
    book_index,
    books_of,
    entry_key,
)
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.domain.tables.events import RoundScored, TableVoided
from tests.domain.projections.contents import Contents, projected
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_tournament_table import sitting_of

ACCOUNTS = ("player:ada", "player:bo", "bot:random")


def rounds_scored(sitting: Sitting) -> list[int]:
    return [entry.version for entry in sitting.entries if entry.type == RoundScored.wire]


def entries_of(contents: Contents) -> list[JournalEntry]:
    return list(contents.rows.values())


@pytest.mark.parametrize("game", ["blindside", "coconut", "double_blind"])
def test_every_scored_round_is_one_entry_that_sums_to_zero(game):
    sitting = playing("ada", "bo", "bot", game=game).play_out()
    entries = entries_of(projected(LEDGER, sitting))
    assert [entry.id for entry in entries] == [f"t1:{version}" for version in rounds_scored(sitting)]
    assert [entry.round for entry in entries] == list(range(1, len(entries) + 1))
    assert {entry.unit for entry in entries} == {sitting.table.rulebook.unit}
    assert {(entry.table, entry.game, entry.event) for entry in entries} == {("t1", game, RoundScored.wire)}
    for entry in entries:
        assert sum(posting.amount for posting in entry.postings) == 0


def test_balances_are_the_final_scores():
    sitting = playing("ada", "bo", "bot", rounds=4).play_out()
    result = sitting.table.result
    assert result is not None
    counters = projected(LEDGER, sitting).counters
    names = ACCOUNTS
    assert tuple(counters[balance_counter(name, "blindside")] for name in names) == result.scores


@pytest.mark.parametrize("opening", [{"private": True}, {"watch": "nobody"}])
def test_a_hidden_table_is_entered_in_its_own_book(opening):
    sitting = playing("ada", "bo", "bot", rated=False, rounds=4, **opening).play_out()
    contents = projected(LEDGER, sitting)
    for account in ACCOUNTS:
        (seen_by_all,) = books_of(account, unlisted=False)
        listed, unlisted = books_of(account)
        assert listed == seen_by_all == account
        assert not contents.indexes[book_index(listed)]
        assert contents.listed(book_index(unlisted))
    balances = [contents.counters[balance_counter(books_of(name)[1], "blindside")] for name in ACCOUNTS]
    assert sitting.table.result
    assert tuple(balances) == sitting.table.result.scores


def test_tokens_move_between_the_seats():
    sitting = playing("ada", "bo", "cy", rounds=3).play_out()
    accounts = {
        posting.account for entry in entries_of(projected(LEDGER, sitting)) for posting in entry.postings
    }
    assert accounts <= {"player:ada", "player:bo", "player:cy"}


def test_points_are_issued_by_the_table():
    sitting = playing("ada", "bo", "cy", game="coconut", rounds=1).play_out()
    (entry,) = entries_of(projected(LEDGER, sitting))
    assert entry.postings[-1] == Posting("table:t1", -1, -1)
    assert entry.postings[0].amount == 1
    assert entry.postings[0].account.startswith("player:")


def test_a_tables_account_has_neither_counters_nor_a_list():
    sitting = playing("ada", "bo", "cy", game="coconut", rounds=1).play_out()
    contents = projected(LEDGER, sitting)
    (entry,) = entries_of(contents)
    winner = entry.postings[0].account
    assert {name.partition("|")[0] for name in contents.counters} == {winner}
    assert set(contents.indexes) == {"journal", "table:t1", book_index(winner)}


def test_two_bots_of_a_kind_share_an_account():
    sitting = playing("bot", "bot", rounds=2).play_out()
    contents = projected(LEDGER, sitting)
    assert contents.counters[balance_counter("bot:random", "blindside")] == 0
    assert all(sum(posting.amount for posting in entry.postings) == 0 for entry in entries_of(contents))


def test_an_entry_is_listed_in_the_journal_and_for_each_account():
    sitting = playing("ada", "bo", "cy", rounds=3).play_out()
    contents = projected(LEDGER, sitting)
    keys = [entry_key("t1", version) for version in reversed(rounds_scored(sitting))]
    assert contents.listed("journal") == contents.listed("table:t1") == keys
    for key, entry in contents.rows.items():
        for posting in entry.postings:
            assert key in contents.listed(f"account:{posting.account}")


def test_a_round_that_moves_nothing_is_an_entry_without_postings():
    sitting = playing("ada", "bo", "cy", rounds=1).play_to(Stage.TO_SCORE)
    contents = projected(LEDGER, sitting)
    assert contents.rows == {}
    tied = projected(LEDGER, everybody_ties())
    (entry,) = entries_of(tied)
    assert entry.postings == ()
    assert tied.counters == {}
    assert tied.listed("journal") == list(tied.rows)


def everybody_ties() -> Sitting:
    """Returns a table with a round in which nobody gained or lost anything, found by trying names."""
    for number in range(200):
        sitting = playing("ada", "bo", table=f"t{number}", rounds=1)
        for _ in range(number):
            sitting.choice(sitting.owing())  # other choices from here on
        sitting.play_out()
        if sitting.table.result is not None and sitting.table.result.scores == (0, 0):
            return sitting
    raise AssertionError("somebody always won")


def test_g_13_a_stand_ins_winnings_go_to_the_player():
    sitting = playing("ada", "bo", "cy", rounds=3)
    sitting.resign(0)
    contents = projected(LEDGER, sitting.play_out())
    assert {posting.account for entry in entries_of(contents) for posting in entry.postings} <= {
        "player:ada",
        "player:bo",
        "player:cy",
    }


def test_g_14_g_15_rounds_without_score_are_no_entries():
    sitting = playing("ada", "bo", "cy", rounds=3).play_to(Stage.TO_DEAL).deal()
    sitting.resign(0)
    sitting.resign(1)
    assert len(entries_of(projected(LEDGER, sitting))) == 1


# ------------------------------------------------------------------------------------------- voids


def voided(game: str = "blindside") -> Sitting:
    sitting = playing("ada", "bo", "bot", game=game).play_out()
    sitting.do(VoidTable("olga", "A shared screen."), by="admin", after_ms=1_000)
    return sitting


@pytest.mark.parametrize("game", ["blindside", "coconut", "double_blind"])
def test_v_1_v_2_a_void_adds_a_reversal_for_each_entry(game):
    sitting = voided(game)
    versions, void = rounds_scored(sitting), sitting.table.version
    entries = {entry.id: entry for entry in entries_of(projected(LEDGER, sitting))}
    assert list(entries) == [
        *(f"t1:{version}" for version in versions),
        *(f"t1:{void}:{number}" for number in range(1, len(versions) + 1)),
    ]
    for number, version in enumerate(versions, start=1):
        entry, reversal = entries[f"t1:{version}"], entries[f"t1:{void}:{number}"]
        assert (entry.reverses, reversal.reverses) == (None, entry.id)
        assert (reversal.event, reversal.at) == (TableVoided.wire, sitting.now)
        assert (reversal.round, reversal.unit, reversal.game) == (entry.round, entry.unit, entry.game)
        assert [(posting.account, -posting.amount) for posting in reversal.postings] == [
            (posting.account, posting.amount) for posting in entry.postings
        ]


def test_v_1_a_void_restores_the_balances_before_the_table():
    counters = projected(LEDGER, voided("coconut")).counters
    accounts = (*ACCOUNTS, "table:t1")
    assert [counters[balance_counter(name, "coconut")] for name in accounts] == [0, 0, 0, 0]


def test_reversals_are_listed_after_the_entries_they_reverse():
    sitting = voided()
    contents = projected(LEDGER, sitting)
    ids = [contents.rows[key].id for key in contents.listed("journal")]
    void, count = sitting.table.version, len(rounds_scored(sitting))
    assert ids[:count] == [f"t1:{void}:{number}" for number in range(count, 0, -1)]


def test_v_1_a_void_without_scored_rounds_reverses_nothing():
    sitting = playing("ada", "bo")
    sitting.resign(1)
    sitting.do(VoidTable("olga", "A shared screen."), by="admin")
    contents = projected(LEDGER, sitting)
    assert (contents.rows, contents.counters) == ({}, {})


@pytest.mark.parametrize("players", [("ada", "bo", "bot"), ("bot", "bot", "ada")])
def test_a_posting_has_the_gain_of_its_account_at_the_table_so_far(players):
    sitting = playing(*players, game="double_blind").play_out()
    sitting.do(VoidTable("olga", "A shared screen."), by="admin")
    gained: dict[str, int] = {}
    for entry in entries_of(projected(LEDGER, sitting)):
        for posting in entry.postings:
            gained[posting.account] = gained.get(posting.account, 0) + posting.amount
            assert posting.at_table == gained[posting.account]
    assert set(gained.values()) == {0}


def test_entries_of_a_tournaments_table_name_the_tournament():
    sitting = sitting_of("ada", "steady")
    sitting.deal().play_out()
    contents = projected(LEDGER, sitting)
    assert {entry.tournament for entry in entries_of(contents)} == {"t9"}
    assert contents.listed("tournament:t9") == contents.listed("journal") != []
    assert "tournament:t9" not in projected(LEDGER, playing("ada", "bo", rounds=1).play_out()).indexes
