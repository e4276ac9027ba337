"""What projections keep, on each shape of Redis."""

import msgspec
import pytest

from domain.projections import Add, Put
from service.adapters.projection_store import RedisProjectionStore
from service.application.ports import StreamId
from service.application.projections import Cursor, Shelf

TABLES = [StreamId("table", f"t{number}") for number in range(12)]
ONE = TABLES[0]


class Row(msgspec.Struct):
    name: str


def put(key: str, order: int, *indexes: str, leaves: tuple[str, ...] = (), name: str = "") -> Put:
    return Put(key=key, row=Row(name or key), order=order, indexes=indexes, leaves=leaves)


@pytest.fixture
def books(client):
    return RedisProjectionStore(client=client)


def rows(
    books: RedisProjectionStore, index: str, count: int = 100, before: Cursor | None = None
) -> list[str]:
    page = books.page("books", index, before=before, count=count)
    return [msgspec.json.decode(row, type=Row).name for row in page.rows]


def fill(books: RedisProjectionStore, *, orders: int = 1_000) -> None:
    """Puts a row for each table, in a list of all."""
    for number, stream in enumerate(TABLES):
        assert books.apply(
            "books", stream, after=0, version=1, effects=[put(stream.id, number % orders, "all")]
        )


def test_effects_move_the_position_and_happen_once(books):
    effects = [Add("played", 2), put("row", 5, "all")]
    assert books.apply("books", ONE, after=0, version=3, effects=effects)
    assert not books.apply("books", ONE, after=0, version=3, effects=effects)
    assert books.applied("books", ONE) == 3
    assert books.counters("books", ["played", "never"]) == (2, 0)
    assert books.row("books", ONE, "row") == b'{"name":"row"}'
    assert rows(books, "all") == ["row"]


@pytest.mark.parametrize("after", [0, 2, 4])
def test_from_any_other_position_nothing_happens(books, after):
    books.apply("books", ONE, after=0, version=3, effects=[])
    assert not books.apply("books", ONE, after=after, version=9, effects=[Add("played", 1)])
    assert (books.applied("books", ONE), books.counters("books", ["played"])) == (3, (0,))


def test_projections_and_streams_have_positions_of_their_own(books):
    books.apply("books", ONE, after=0, version=3, effects=[Add("played", 1)])
    assert books.apply("others", ONE, after=0, version=1, effects=[Add("played", 1)])
    assert books.applied("books", TABLES[1]) == 0
    assert books.counters("books", ["played"]) == (1,)


def test_a_row_is_replaced_and_changes_lists(books):
    books.apply("books", ONE, after=0, version=1, effects=[put("row", 5, "open", name="old")])
    changed = put("row", 6, "closed", leaves=("open",), name="new")
    books.apply("books", ONE, after=1, version=2, effects=[changed])
    assert (rows(books, "open"), rows(books, "closed")) == ([], ["new"])


def test_counters_add_up_over_all_partitions(books):
    for number, stream in enumerate(TABLES):
        books.apply("books", stream, after=0, version=1, effects=[Add("played", number), Add("lost", -1)])
    assert books.counters("books", ["played", "lost"]) == (66, -12)


def test_a_list_comes_from_all_partitions_the_highest_order_first(books):
    fill(books)
    assert rows(books, "all") == [stream.id for stream in reversed(TABLES)]


@pytest.mark.parametrize("count", [1, 2, 5, 11, 12, 13])
@pytest.mark.parametrize("orders", [1, 3, 1_000])
def test_pages_give_every_row_once(books, count, orders):
    fill(books, orders=orders)
    found, before = list[str](), None
    while True:
        page = books.page("books", "all", before=before, count=count)
        found += [msgspec.json.decode(row, type=Row).name for row in page.rows]
        before = page.more
        if before is None:
            break
    assert found == rows(books, "all")
    assert sorted(found) == sorted(stream.id for stream in TABLES)


def test_a_list_that_is_not_there_is_empty(books):
    assert rows(books, "nowhere") == []
    assert books.row("books", ONE, "row") is None


def test_a_row_that_was_dropped_meanwhile_is_left_out(books, client):
    fill(books)
    for key in client.scan_iter(match="hw:*:books:rows"):
        client.delete(key)
    assert rows(books, "all") == []


def test_the_contents_are_everything(books):
    effects = [Add("played", 2), put("row", 5, "open", "all", leaves=("closed",))]
    books.apply("books", ONE, after=0, version=3, effects=effects)
    shelves = books.contents("books")
    assert len(shelves) == 16
    assert [shelf for shelf in shelves if shelf != Shelf()] == [
        Shelf(
            applied={ONE: 3},
            rows={"row": b'{"name":"row"}'},
            counters={"played": 2},
            indexes={"open": {"row": 5}, "all": {"row": 5}},
        )
    ]


def test_a_list_that_came_up_while_the_contents_were_read_is_in_them(books, monkeypatch):
    books.apply("books", ONE, after=0, version=1, effects=[put("row", 5, "old")])
    call, seen = books._wire.call, list[bytes]()

    def call_late(key, *command, **named):
        reply = call(key, *command, **named)
        if command[0] == "SMEMBERS" and reply and not seen:
            seen.append(reply)
            books.apply("books", ONE, after=1, version=2, effects=[put("row", 6, "new")])
        return reply

    monkeypatch.setattr(books._wire, "call", call_late)
    (shelf,) = [shelf for shelf in books.contents("books") if shelf.rows]
    assert shelf.indexes == {"old": {"row": 5}, "new": {"row": 6}}
    assert seen


def test_dropping_leaves_nothing_of_one_projection(books, client):
    for name in ("books", "others"):
        for stream in TABLES:
            books.apply(
                name, stream, after=0, version=1, effects=[Add("n", 1), put(stream.id, 1, "all", stream.id)]
            )
    kept = books.contents("others")
    books.drop("books")
    assert list(client.scan_iter(match="hw:*:books:*")) == []
    assert books.contents("others") == kept
    assert books.apply("books", ONE, after=0, version=1, effects=[])
