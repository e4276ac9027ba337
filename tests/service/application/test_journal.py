"""The exported journal, read by hledger and beancount."""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import LEDGER, JournalEntry, Posting
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.service.application.reading.journal import account_name, journal_text
from tests.domain.projections.contents import projected
from tests.domain.tables.sitting import START, Sitting, playing

BEAN_CHECK = Path(sys.executable).with_name("bean-check")


@cache
def entries() -> list[JournalEntry]:
    """Returns the journal of tables of three games in chronological order."""
    tables = [
        playing("ada", "bo_1", "bot", "bot", table="one", rounds=3),
        playing("ada", "b.ø", game="coconut", table="two-2"),
        playing("cy", "bot", game="double_blind", table="three"),
    ]
    contents = projected(LEDGER, *[table.play_out() for table in tables])
    idle = JournalEntry(
        id="four:9",
        at=START,
        table="four",
        game="blind_don",
        round=1,
        event="table.round_scored",
        unit="point",
        postings=(),
    )
    return sorted([*contents.rows.values(), idle], key=lambda entry: entry.at)


@cache  # and no constant, because each test process would play the tables when it collects the tests
def journal() -> str:
    return "".join(journal_text(entries()))


def test_a_transaction_shows_round_event_and_time():
    entry = JournalEntry(
        id="t1:12",
        at=START + 5,
        table="t1",
        game="blindside",
        round=2,
        event="table.round_scored",
        unit="token",
        postings=(Posting("player:ada", 3, 3), Posting("bot:steady", -3, -3)),
    )
    *_, text = journal_text([entry])
    assert text.splitlines() == [
        "",
        '2025-06-15 * "Blindside, round 2" "t1:12 table.round_scored 2025-06-15T15:06:40.005+00:00"',
        "  Assets:Players:P-ada:Blindside                         3 TOKEN",
        "  Assets:Bots:B-steady:Blindside                        -3 TOKEN",
    ]


def test_a_reversal_refers_to_its_entry_and_tournament():
    entry = JournalEntry(
        id="t1:40:1",
        at=START + 5,
        table="t1",
        tournament="cup",
        game="blindside",
        round=2,
        event="table.voided",
        unit="token",
        reverses="t1:12",
        postings=(Posting("player:ada", -3, 0), Posting("bot:steady", 3, 0)),
    )
    *_, text = journal_text([entry])
    assert text.splitlines()[1] == (
        '2025-06-15 * "Blindside, round 2, void" '
        '"t1:40:1 table.voided 2025-06-15T15:06:40.005+00:00 reverses t1:12 tournament cup"'
    )


def test_account_names_are_unique():
    names = ["a", "A", "a_", "a-", "a-5f-", "a.b", "a:b", "ä", "a-e4-"]
    written = {account_name(f"player:{name}", "blindside") for name in names}
    assert len(written) == len(names)


def test_an_empty_journal_is_a_comment():
    assert all(line.startswith(";") for line in "".join(journal_text([])).split("\n") if line)


@pytest.fixture(params=["hledger", "bean-check"])
def checker(request):
    """The command of each program that checks a journal file."""
    if request.param == "hledger":
        if not shutil.which("hledger"):
            pytest.skip("ACCOUNTING TESTS NOT RUN: hledger is not installed")
        return ["hledger", "check", "--strict", "-f"]
    if not BEAN_CHECK.exists():
        pytest.skip("ACCOUNTING TESTS NOT RUN: beancount is not installed")
    return [str(BEAN_CHECK)]


def accepts(checker: list[str], journal: str, folder: Path) -> bool:
    file = folder / "hoodwink.journal"
    file.write_text(journal, encoding="utf-8")
    run = subprocess.run([*checker, str(file)], capture_output=True, text=True, check=False)
    assert (run.returncode == 0) == (run.stderr == ""), run.stderr
    return run.returncode == 0


@pytest.mark.accounting
def test_the_journal_is_accepted_by_ledger_tools(checker, tmp_path):
    assert accepts(checker, journal(), tmp_path)


@pytest.mark.accounting
def test_an_empty_journal_is_accepted_by_ledger_tools(checker, tmp_path):
    assert accepts(checker, "".join(journal_text([])), tmp_path)


@pytest.mark.accounting
@pytest.mark.parametrize("index", [0, 5, -1])
def test_an_unbalanced_copy_is_refused(checker, tmp_path, index):
    text = journal()
    amount = list(re.finditer(r"-?\d+(?= (TOKEN|POINT)$)", text, re.MULTILINE))[index]
    unbalanced = f"{text[: amount.start()]}{int(amount[0]) + 1}{text[amount.end() :]}"
    assert not accepts(checker, unbalanced, tmp_path)


@pytest.mark.accounting
@pytest.mark.parametrize("lines", ["^!account .*\n", "^.* open .*\n"], ids=["declared", "opened"])
def test_a_copy_with_an_undeclared_account_is_refused(checker, tmp_path, lines):
    without = re.sub(lines, "", journal(), count=1, flags=re.MULTILINE)
    assert accepts(checker, without, tmp_path) == (("hledger" in checker) != ("account" in lines))


@pytest.mark.accounting
def test_v_1_a_journal_of_100_tables_with_voids_is_accepted(checker, tmp_path):
    entries = books_of_many_tables()
    assert len({entry.table for entry in entries}) == MANY
    assert {entry.game for entry in entries} == set(GAMES)
    assert sum(entry.reverses is not None for entry in entries) >= MANY // 10
    assert accepts(checker, "".join(journal_text(entries)), tmp_path)


MANY = 100


@cache
def books_of_many_tables() -> list[JournalEntry]:
    """Returns the journal of tables of all games in chronological order; every seventh is void."""
    found = list[JournalEntry]()
    for number in range(MANY):
        sitting = many_a_table(number)
        if number % 7 == 0:
            sitting.do(VoidTable("olga", "A shared screen."), by="admin", after_ms=3_600_000)
        found += projected(LEDGER, sitting).rows.values()
    return sorted(found, key=lambda entry: entry.at)


def many_a_table(number: int) -> Sitting:
    """Plays a table of people and bots, 20 minutes after the previous one."""
    game = sorted(GAMES)[number % len(GAMES)]
    options: dict[str, Any] = {"rounds": 1} if game in {"blindside", "coconut", "shithead"} else {}
    sitting = Sitting(seats=2, game=game, table=f"table{number}", **options)
    sitting._chance = Random(number)
    sitting.now += number * 1_200_000
    sitting.sit(f"player{number % 40}", "bot" if number % 3 else f"other{number % 30}")
    return sitting.start().deal().play_out()


@pytest.mark.accounting
def test_the_journals_balances_match_the_ledger(tmp_path):
    if not shutil.which("hledger"):
        pytest.skip("ACCOUNTING TESTS NOT RUN: hledger is not installed")
    file = tmp_path / "hoodwink.journal"
    file.write_text(journal(), encoding="utf-8")
    asked = ["hledger", "-f", str(file), "balance", "--flat", "--no-total", "-O", "csv"]
    lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    balances = dict(line.replace('"', "").split(",") for line in lines)
    owed: dict[str, int] = {}
    for entry in entries():
        for posting in entry.postings:
            account = account_name(posting.account, entry.game)
            owed[account] = owed.get(account, 0) + posting.amount
    assert {account: int(amount.split()[0]) for account, amount in balances.items()} == {
        account: amount for account, amount in owed.items() if amount
    }
