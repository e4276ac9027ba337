"""A fork is practice: it is listed in the lobby, and recorded nowhere else."""

from hoodwink.domain.projections import HISTORY, LEDGER, LOBBY, LobbyRow
from hoodwink.domain.tables.commands import VoidTable
from tests.domain.projections.contents import projected
from tests.domain.tables.sitting import playing
from tests.domain.tables.test_forks import IN_ROUND_TWO, PARENT, forked


def test_a_fork_has_no_journal_entries_and_no_history():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start().play_out()
    fork.do(VoidTable("root", "It was a joke."), by="admin")

    for projection in (LEDGER, HISTORY):
        kept = projected(projection, fork)
        assert (kept.rows, kept.counters) == ({}, {})


def test_the_lobby_names_the_parent_of_a_fork():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start()
    rows = {row.id: row for row in projected(LOBBY, fork, playing("ada", "bob")).rows.values()}

    assert all(isinstance(row, LobbyRow) for row in rows.values())
    assert (rows["fork"].parent, rows["t1"].parent) == (fork.table.parent, None)
