"""One fault of each kind in the stored ledger: the audit reports all its effects, and a rebuild repairs it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from hoodwink.domain.projections import JournalEntry, Posting
from hoodwink.domain.projections.tallies import tally_counters
from hoodwink.domain.tables.commands import Act, VoidTable
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.projecting.projecting import rebuild
from tests.service.application.audits import differences as audited
from tests.service.application.test_ledger import project
from tests.service.application.world import World

BALANCE = "player:ada|blindside"


class Books:
    """The stored ledger of two tables, one of them void, with faults to plant."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.client: Any = world.client

    def play_tables(self) -> None:
        for table in ("kept", "void"):
            self.world.table("ada", "bot", "bot", table=table, rounds=3)
            self.world.settle()
            self.play(table)
        self.world.do("void", VoidTable("olga", "A shared screen."), by="admin")
        project(self.world)

    def play(self, table: str) -> None:
        while self.world.now_at(table).result is None:
            self.world.clock.now += 60_000
            self.world.do(table, Act(0, self.world.choice(table, 0)), by="player:0")
            self.world.settle()

    def entry(self, table: str, *, reversal: bool = False) -> tuple[str, JournalEntry]:
        """Returns key and content of an entry on ada's account."""
        for name, row in sorted(self.client.hgetall(self.key("rows")).items()):
            entry = msgspec.json.decode(row, type=JournalEntry)
            is_adas = any(posting.account == "player:ada" for posting in entry.postings)
            if entry.table == table and is_adas and (entry.reverses is not None) == reversal:
                return name.decode(), entry
        raise AssertionError("nothing moved on ada's account")

    def key(self, part: str) -> str:
        return f"hw:{{p00}}:ledger:{part}"

    def indexes(self) -> list[str]:
        return [self.key(f"index:{name.decode()}") for name in self.client.smembers(self.key("indexes"))]

    def put(self, name: str, entry: JournalEntry) -> None:
        self.client.hset(self.key("rows"), name, msgspec.json.encode(entry))

    def move(self, entry: JournalEntry, times: int) -> None:
        """Adds the postings of an entry to the counters `times` times."""
        for posting in entry.postings:
            balance = f"{posting.account}|{entry.game}"
            for counter in (balance, *tally_counters(balance, entry.at)):
                self.client.hincrby(self.key("counters"), counter, times * posting.amount)

    def found(self) -> list[Difference]:
        return audited(self.world.service, "ledger")

    def locations(self) -> list[str]:
        return [difference.location.removeprefix("partition 0, ") for difference in self.found()]


@pytest.fixture(scope="module")
def played():
    books = Books(World(partitions=1))
    books.play_tables()
    return books.world


@pytest.fixture
def books(played):
    books = Books(played.copy(partitions=1))
    assert books.found() == []
    return books


def listed(books: Books, name: str) -> list[str]:
    """Returns the indexes with a key, by their names in the audit."""
    found = [index for index in books.indexes() if books.client.zscore(index, name) is not None]
    return sorted(f"index {index.removeprefix(books.key('index:'))}, {name}" for index in found)


def counted(entry: JournalEntry) -> list[str]:
    balances = [f"{posting.account}|{entry.game}" for posting in entry.postings]
    return [
        f"counters, {counter}"
        for balance in dict.fromkeys(balances)
        for counter in (balance, *tally_counters(balance, entry.at))
    ]


def lose(books: Books) -> set[str]:
    """Removes an entry completely."""
    name, entry = books.entry("kept")
    traces = {f"rows, {name}", *listed(books, name), *counted(entry)}
    books.client.hdel(books.key("rows"), name)
    for index in books.indexes():
        books.client.zrem(index, name)
    books.move(entry, -1)
    return traces


def double(books: Books) -> set[str]:
    """Applies an entry twice: its amounts count twice."""
    _, entry = books.entry("kept")
    books.move(entry, 1)
    return set(counted(entry))


def copy(books: Books) -> set[str]:
    """Copies an entry in the journal under another id."""
    name, entry = books.entry("kept")
    repeated = msgspec.structs.replace(entry, id=f"{entry.id}:9")
    books.put(f"{name}:0009", repeated)
    for index in books.indexes():
        if (order := books.client.zscore(index, name)) is not None:
            books.client.zadd(index, {f"{name}:0009": order})
    return {f"rows, {name}:0009", *listed(books, f"{name}:0009")}


def alter(books: Books) -> set[str]:
    """Changes the amounts of an entry so that they still sum to zero."""
    name, entry = books.entry("kept")
    first, *rest = entry.postings
    postings = (Posting(first.account, first.amount + 1, first.at_table), *rest[:-1])
    postings += (Posting(rest[-1].account, rest[-1].amount - 1, rest[-1].at_table),)
    books.put(name, msgspec.structs.replace(entry, postings=postings))
    return {f"rows, {name}"}


def move_in_time(books: Books) -> set[str]:
    """Moves an entry to a wrong position in a list."""
    name, _ = books.entry("kept")
    books.client.zincrby(books.key("index:journal"), 1, name)
    return {f"index journal, {name}"}


def hide_a_reversal(books: Books) -> set[str]:
    """Removes a reversal from its player's account."""
    name, _ = books.entry("void", reversal=True)
    books.client.zrem(books.key("index:account:player:ada"), name)
    return {f"index account:player:ada, {name}"}


def forget_what_is_reversed(books: Books) -> set[str]:
    """Removes the reference of a reversal to its entry."""
    name, entry = books.entry("void", reversal=True)
    books.put(name, msgspec.structs.replace(entry, reverses=None))
    return {f"rows, {name}"}


def change_a_balance(books: Books) -> set[str]:
    """Makes a balance wrong although every entry is correct."""
    books.client.hincrby(books.key("counters"), BALANCE, 1)
    return {f"counters, {BALANCE}"}


FAULTS = [
    lose,
    double,
    copy,
    alter,
    move_in_time,
    hide_a_reversal,
    forget_what_is_reversed,
    change_a_balance,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_v_3_a_planted_fault_is_reported_with_all_effects_and_repaired(
    books, fault: Callable[[Books], set[str]]
):
    expected = fault(books)
    assert set(books.locations()) == expected != set()
    rebuild([books.world.service.projectors["ledger"]])
    assert books.found() == []


def test_a_void_missing_from_the_ledger_is_reported(books):
    books.world.do("kept", VoidTable("olga", "Another one."), by="admin")
    (found,) = books.found()
    assert found.location == "applied, table:kept"
    assert found.replayed == books.world.now_at("kept").version


def test_a_difference_has_the_stored_and_the_expected_value(books):
    name, entry = books.entry("kept")
    lose(books)
    (row,) = [difference for difference in books.found() if difference.location.endswith(f"rows, {name}")]
    assert (row.live, row.replayed) == (None, msgspec.json.encode(entry).decode())
