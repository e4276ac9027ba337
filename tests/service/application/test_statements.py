"""Statements compared with plain sums over the whole journal."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import JournalEntry, table_account
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import WORKER
from hoodwink.domain.tables.events import TournamentPlace
from hoodwink.domain.tables.state import (
    Phase,
    is_played_by_bot,
    turn_of,
)
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.projecting.projections import Cursor
from hoodwink.service.application.reading.ledger import gained
from hoodwink.service.application.reading.statements import Extract, Statement, StatementLine
from tests.service.application.test_ledger import project
from tests.service.application.world import NOW, SEED, World

ADA, BOT = "player:ada", "bot:random"
CUP = "cup"
VOID = commands.VoidTable("olga", "A shared screen.")


def cup_table(world: World, board: int) -> str:
    """Plays a table of a tournament."""
    table = f"board{board}"
    opening = commands.OpenTable(
        table=table,
        game="blindside",
        seats=2,
        host="holly",
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=SEED,
        options={"rounds": 2},
    )
    place = TournamentPlace(tournament=CUP, round=1, board=board, deal=1, grace_seconds=0, fillers=())
    players = [
        commands.TakeSeat(player="ada"),
        commands.TakeSeat(player="bot:random", policy="random"),
    ]
    command: Any = commands.OpenTournamentTable(opening=opening, tournament=place, occupants=tuple(players))
    world.service.tables.open(table, command, by=WORKER, key=IdempotencyKey(f"open {table}", ""))
    return table


def play_out(world: World, table: str) -> None:
    """Plays a table to its end, one second per action."""
    world.settle()
    while (loaded := world.now_at(table)).phase is Phase.PLAYING:
        world.clock.now += 1_000
        for seat in turn_of(loaded).owes[:1]:
            if not is_played_by_bot(loaded, seat):
                world.do(table, commands.Act(seat, world.choice(table, seat)), by=f"player:{seat}")
        world.dispatcher.tick()
        world.settle()


@pytest.fixture(scope="module")
def world():
    """Tables of several games over some weeks, inside and outside a tournament, some voided."""
    world = World(partitions=2)
    for number in range(2):
        for game in ("blindside", "coconut", "double_blind"):
            world.clock.now += 5 * 24 * 3_600_000 // (1 + number)
            options: dict[str, Any] = {"rounds": 2} if game == "coconut" else {}
            table = world.table("ada", "bot", "bot", table=f"{game[:4]}{number}", game=game, **options)
            play_out(world, table)
        play_out(world, cup_table(world, number + 1))
    for table in ("coco0", "board1", "coco1"):
        world.clock.now += 77
        world.do(table, VOID, by="admin")
    project(world)
    return world


@pytest.fixture(scope="module")
def journal(world) -> list[JournalEntry]:
    """All entries, the latest first."""
    return list(world.service.ledger.journal())


def pages(write, count: int) -> list[Statement]:
    found = [write(None, count)]
    while found[-1].more is not None:
        found.append(write(found[-1].more, count))
    return found


def lines(found: list[Statement]) -> list[StatementLine]:
    return [line for statement in found for line in statement.lines]


def account_pages(world: World, account: str, extract: Extract, count: int) -> list[Statement]:
    statements = world.service.statements
    return pages(
        lambda cursor, count: statements.of_account(account, extract, cursor=cursor, count=count).statement,
        count,
    )


def expected(journal: list[JournalEntry], account: str) -> list[tuple[str, int, int]]:
    """Returns entry, amount and balance of each line, the latest first."""
    held, rows = Counter[str](), []
    for entry in reversed(journal):
        if any(posting.account == account for posting in entry.postings):
            held[entry.game] += gained(entry, account)
            rows.append((entry.id, gained(entry, account), held[entry.game]))
    return rows[::-1]


def shown(found: list[StatementLine]) -> list[tuple[str, int, int]]:
    return [(line.entry, line.amount, line.balance) for line in found]


@pytest.mark.parametrize(("account", "count"), [(ADA, 1), (ADA, 200), (BOT, 4)])
def test_pages_continue_the_running_balance(world, journal, account, count):
    found = account_pages(world, account, Extract(), count)
    assert shown(lines(found)) == expected(journal, account) != []
    assert all(len(statement.lines) <= count for statement in found)


@pytest.mark.parametrize("unit", ["token", "point"])
def test_a_statement_of_one_unit_has_only_its_lines(world, journal, unit):
    found = lines(account_pages(world, ADA, Extract(unit=unit), 5))
    units = {entry.id: entry.unit for entry in journal}
    assert shown(found) == [row for row in expected(journal, ADA) if units[row[0]] == unit]
    assert {line.unit for line in found} == {unit}
    opened = world.service.statements.of_account(ADA, Extract(unit=unit), cursor=None, count=1)
    assert {balance.unit for balance in opened.closing} == {unit}


def test_a_statement_as_of_an_event_ends_with_the_balance_then(world, journal):
    rows = expected(journal, ADA)
    for entry in journal[::3]:
        before = world.service.ledger.right_after(entry.id)
        found = world.service.statements.of_account(ADA, Extract(before=before), cursor=None, count=3)
        reached = [other.id for other in journal[journal.index(entry) :]]
        left = [row for row in rows if row[0] in reached]
        assert shown(list(found.statement.lines)) == left[:3]
        closing = {balance.game: balance.amount for balance in found.closing}
        assert closing == held_after(journal[journal.index(entry) :], ADA)


def held_after(entries: list[JournalEntry], account: str) -> dict[str, int]:
    held = Counter(dict.fromkeys(GAMES, 0))
    for entry in entries:
        held[entry.game] += gained(entry, account)
    return dict(held)


def test_a_void_is_one_event_with_a_step_per_reversal(world, journal):
    reversals = [entry for entry in journal if entry.reverses and entry.table == "coco0"]
    void = reversals[0].id.rpartition(":")[0]
    closings = [
        dict(held(world, ADA, world.service.ledger.right_after(moment)))
        for moment in (void, reversals[0].id, reversals[1].id)
    ]
    assert closings[0] == closings[1]
    assert closings[2]["coconut"] == closings[1]["coconut"] - gained(reversals[0], ADA)


def held(world: World, account: str, before: Cursor) -> dict[str, int]:
    return {balance.game: balance.amount for balance in world.service.ledger.balances(account, before=before)}


@pytest.mark.parametrize(("first", "last"), [(0, 5), (3, 9), (0, -1)])
def test_a_time_range_has_opening_and_closing_balances(world, journal, first, last):
    times = sorted({entry.at for entry in journal})
    since, until = times[first], times[last]
    extract = Extract(since=since, before=Cursor(until, ""))
    for count in (3, 200):
        found = account_pages(world, ADA, extract, count)
        inside = {entry.id for entry in journal if since <= entry.at < until}
        assert shown(lines(found)) == [row for row in expected(journal, ADA) if row[0] in inside]
    whole = world.service.statements.of_account(ADA, extract, cursor=None, count=200)
    moved = Counter[str]()
    for line in whole.statement.lines:
        moved[line.game] += line.amount
    for opening, closing in zip(whole.opening, whole.closing, strict=True):
        assert opening.amount + moved[opening.game] == closing.amount
    assert {balance.game: balance.amount for balance in whole.opening} == held_after(
        [entry for entry in journal if entry.at < since], ADA
    )


def test_every_page_has_the_balances_of_the_whole_statement(world):
    extract = Extract(since=NOW + 10)
    first = world.service.statements.of_account(ADA, extract, cursor=None, count=2)
    second = world.service.statements.of_account(ADA, extract, cursor=first.statement.more, count=2)
    assert (first.opening, first.closing) == (second.opening, second.closing)
    assert first.statement.lines != second.statement.lines


@pytest.mark.parametrize("extract", [Extract(), Extract(since=NOW), Extract(before=Cursor(10**15 - 1, ""))])
def test_an_unused_account_has_an_empty_statement(world, extract):
    found = world.service.statements.of_account("player:nobody", extract, cursor=None, count=5)
    assert (found.statement.lines, found.statement.more) == ((), None)
    assert {balance.amount for balance in (*found.opening, *found.closing)} == {0}


def test_a_range_after_the_last_entry_has_the_current_balance(world):
    extract = Extract(since=world.clock.now + 10**9)
    found = world.service.statements.of_account(ADA, extract, cursor=None, count=5)
    assert found.statement.lines == ()
    assert found.opening == found.closing == world.service.queries.balances("ada")


# ------------------------------------------------------------------------ tables and tournaments


@pytest.mark.parametrize("table", ["coco0", "doub1", "board2"])
@pytest.mark.parametrize("count", [1, 200])
def test_a_tables_statement_has_a_line_for_each_account_and_entry(world, journal, table, count):
    found = lines(
        pages(
            lambda cursor, count: world.service.statements.of_table(
                table, Extract(), cursor=cursor, count=count
            ),
            count,
        )
    )
    assert found
    check_within(found, [entry for entry in journal if entry.table == table])


def test_a_tables_own_account_is_the_sum_of_its_entries(world, journal):
    account = table_account("coco0")
    moments = [number for number, entry in enumerate(journal) if gained(entry, account)]
    assert moments
    for number in moments:
        before = world.service.ledger.right_after(journal[number].id)
        assert held(world, account, before) == held_after(journal[number:], account)


@pytest.mark.parametrize("count", [1, 3, 200])
def test_a_tournaments_statement_adds_up_over_its_tables(world, journal, count):
    found = lines(
        pages(
            lambda cursor, count: world.service.statements.of_tournament(
                CUP, Extract(), cursor=cursor, count=count
            ),
            count,
        )
    )
    assert {line.tournament for line in found} == {CUP}
    assert {line.table for line in found} == {"board1", "board2"}
    check_within(found, [entry for entry in journal if entry.tournament == CUP])


def check_within(found: list[StatementLine], entries: list[JournalEntry]) -> None:
    held, rows = Counter[str](), []
    for entry in reversed(entries):
        for account in dict.fromkeys(posting.account for posting in entry.postings):
            held[account] += gained(entry, account)
            rows.append((entry.id, account, gained(entry, account), held[account]))
    lines = [(line.entry, line.account, line.amount, line.balance) for line in found]
    assert sorted(lines) == sorted(rows)
    assert all(later.at >= earlier.at for later, earlier in pairwise(found))


@pytest.mark.parametrize("write", ["of_table", "of_tournament"])
def test_a_statement_in_the_other_unit_is_empty(world, write):
    name = CUP if write == "of_tournament" else "board1"
    statement = getattr(world.service.statements, write)(name, Extract(unit="point"), cursor=None, count=9)
    assert statement.lines == ()


def test_an_unplayed_tournament_has_an_empty_statement(world):
    assert world.service.statements.of_tournament("none", Extract(), cursor=None, count=9) == Statement(
        (), None
    )
