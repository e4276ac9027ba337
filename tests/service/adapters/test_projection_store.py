"""The projection store, on each kind of Redis."""

from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.projections import Add, Put, Remove
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.projections import holds as projection_holds
from hoodwink.service.adapters.store.projections.holds import HOLD_MS, Hold
from hoodwink.service.adapters.store.projections.projection_store import RedisProjectionStore
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projections import (
    Cursor,
    PartitionHeld,
    Progress,
    ProjectionSnapshot,
)
from hoodwink.service.application.streams.history import Position
from tests.service.adapters.commits import commit, record

TABLES = [StreamId("table", f"t{number}") for number in range(12)]
ONE = TABLES[0]


class Row(msgspec.Struct):
    name: str


def put(key: str, order: int, *indexes: str, leaves: tuple[str, ...] = (), name: str = "") -> Put:
    return Put(key=key, row=Row(name or key), order=order, indexes=indexes, leaves=leaves)


def mark(version: int) -> Position:
    """Returns the mark of an event stored by `commit`."""
    return Position(version, f"{version:064x}" if version else "")


@pytest.fixture
def books(client):
    """A store with twelve unprojected tables of ten events each."""
    store = RedisEventStore(client=client)
    for stream in TABLES:
        store.append(commit(0, stream=stream, events=10))
    return RedisProjectionStore(client=client)


def snapshots(books: RedisProjectionStore, projection: str = "books") -> list[ProjectionSnapshot]:
    return [books.contents(projection, partition) for partition in books.partitions]


def rows(
    books: RedisProjectionStore, index: str, count: int = 100, before: Cursor | None = None
) -> list[str]:
    page = books.page("books", index, before=before, count=count)
    return [msgspec.json.decode(row, type=Row).name for row in page.rows]


def fill(books: RedisProjectionStore, *, orders: int = 1_000) -> None:
    """Adds a row for each table to a list of all tables."""
    for number, stream in enumerate(TABLES):
        assert books.apply(
            "books", stream, after=mark(0), reached=mark(1), effects=[put(stream.id, number % orders, "all")]
        )


def test_removing_a_row_removes_it_from_its_lists_only(books):
    effects = [
        put("a", 1, "all", "few"),
        put("b", 2, "all"),
        Remove("a", ("all", "few")),
        Remove("c", ("all",)),
    ]
    assert books.apply("books", ONE, after=mark(0), reached=mark(1), effects=effects)
    assert (rows(books, "all"), rows(books, "few")) == (["b"], [])
    assert books.rows("books", ONE, ["a"]) == (None,)


def test_effects_advance_the_position_and_apply_once(books):
    effects = [Add("played", 2), put("row", 5, "all")]
    assert books.apply("books", ONE, after=mark(0), reached=mark(3), effects=effects)
    assert not books.apply("books", ONE, after=mark(0), reached=mark(3), effects=effects)
    assert books.applied("books", ONE) == 3
    assert books.counters("books", ["played", "never"]) == (2, 0)
    assert books.rows("books", ONE, ["none", "row"]) == (None, b'{"name":"row"}')
    assert rows(books, "all") == ["row"]


@pytest.mark.parametrize("after", [0, 2, 4])
def test_effects_from_another_position_are_ignored(books, after):
    books.apply("books", ONE, after=mark(0), reached=mark(3), effects=[])
    assert not books.apply("books", ONE, after=mark(after), reached=mark(9), effects=[Add("played", 1)])
    assert (books.applied("books", ONE), books.counters("books", ["played"])) == (3, (0,))


def test_projections_and_streams_have_separate_positions(books):
    books.apply("books", ONE, after=mark(0), reached=mark(3), effects=[Add("played", 1)])
    assert books.apply("others", ONE, after=mark(0), reached=mark(1), effects=[Add("played", 1)])
    assert books.applied("books", TABLES[1]) == 0
    assert books.counters("books", ["played"]) == (1,)


def test_a_row_is_replaced_and_changes_lists(books):
    books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[put("row", 5, "open", name="old")])
    changed = put("row", 6, "closed", leaves=("open",), name="new")
    books.apply("books", ONE, after=mark(1), reached=mark(2), effects=[changed])
    assert (rows(books, "open"), rows(books, "closed")) == ([], ["new"])


def test_counters_are_summed_across_partitions(books):
    for number, stream in enumerate(TABLES):
        books.apply(
            "books", stream, after=mark(0), reached=mark(1), effects=[Add("played", number), Add("lost", -1)]
        )
    assert books.counters("books", ["played", "lost"]) == (66, -12)


def test_a_list_merges_partitions_in_descending_order(books):
    fill(books)
    assert rows(books, "all") == [stream.id for stream in reversed(TABLES)]


@pytest.mark.parametrize("orders", [1, 3, 1_000])
def test_pages_give_every_row_once(books, orders):
    fill(books, orders=orders)
    for count in (1, 2, 5, 11, 12, 13):
        found, before = list[str](), None
        while True:
            page = books.page("books", "all", before=before, count=count)
            found += [msgspec.json.decode(row, type=Row).name for row in page.rows]
            before = page.more
            if before is None:
                break
        assert found == rows(books, "all"), count
        assert sorted(found) == sorted(stream.id for stream in TABLES), count


def test_a_missing_list_is_empty(books):
    assert rows(books, "nowhere") == []
    assert books.rows("books", ONE, ["row"]) == (None,)


def test_a_row_dropped_during_a_read_is_omitted(books, client):
    fill(books)
    for key in client.scan_iter(match="hw:*:books:rows"):
        client.delete(key)
    assert rows(books, "all") == []


def test_contents_include_everything(books):
    effects = [Add("played", 2), put("row", 5, "open", "all", leaves=("closed",))]
    books.apply("books", ONE, after=mark(0), reached=mark(3), effects=effects)
    assert len(snapshots(books)) == 16
    assert [snapshot for snapshot in snapshots(books) if snapshot != ProjectionSnapshot()] == [
        ProjectionSnapshot(
            applied={ONE: mark(3)},
            rows={"row": b'{"name":"row"}'},
            counters={"played": 2},
            indexes={"open": {"row": 5}, "all": {"row": 5}},
        )
    ]


# ----------------------------------------------------------------- after a rollback


@pytest.mark.parametrize(
    "reached",
    [Position(3, "0" * 64), Position(11, f"{11:064x}")],
    ids=["another event", "no such event"],
)
def test_events_missing_from_the_stream_are_not_applied(books, reached):
    assert not books.apply("books", ONE, after=mark(0), reached=reached, effects=[Add("played", 1)])
    assert snapshots(books) == [ProjectionSnapshot()] * 16


def another_history(client: Client, stream: StreamId) -> None:
    """Stores other events under the id of a stream."""
    client.delete(*client.scan_iter(match=f"hw:*:table:{stream.id}"))
    events = tuple(record(number, hash="f" * 64) for number in range(1, 11))
    RedisEventStore(client=client).append(replace(commit(0, stream=stream, key="other"), entries=events))


def test_progress_is_proven_by_its_events_hash(books, client):
    assert books.progress("books", ONE) == Progress(Position(), is_proven=True)
    books.apply("books", ONE, after=mark(0), reached=mark(3), effects=[])
    assert books.progress("books", ONE) == Progress(mark(3), is_proven=True)
    another_history(client, ONE)
    assert books.progress("books", ONE) == Progress(mark(3), is_proven=False)


def test_a_mark_beyond_the_stream_is_not_proven(books, client):
    books.apply("books", ONE, after=mark(0), reached=mark(3), effects=[])
    client.delete(*client.scan_iter(match="hw:*:table:t0"))
    assert books.progress("books", ONE) == Progress(mark(3), is_proven=False)


def test_positions_of_an_earlier_release_can_be_read(books, client):
    """Earlier releases write the version here and the hash there, or only the version."""
    books.apply("books", ONE, after=mark(0), reached=mark(3), effects=[Add("played", 1)])
    (applied,) = client.scan_iter(match="hw:*:books:applied")
    heads = applied.replace(b"applied", b"heads")
    client.hset(applied, "table:t0", 3)
    client.hset(heads, "table:t0", f"3 {mark(3).head}")
    assert books.progress("books", ONE) == Progress(mark(3), is_proven=True)
    assert [snapshot.applied for snapshot in snapshots(books) if snapshot.applied] == [{ONE: mark(3)}]
    assert not books.apply("books", ONE, after=Position(3), reached=mark(4), effects=[])
    client.hset(applied, "table:t0", 4)
    assert books.applied("books", ONE) == 4
    assert books.progress("books", ONE) == Progress(Position(4), is_proven=True)
    assert [snapshot.applied for snapshot in snapshots(books) if snapshot.applied] == [{ONE: Position(4)}]
    assert not books.apply("books", ONE, after=mark(4), reached=mark(5), effects=[])
    assert books.apply("books", ONE, after=Position(4), reached=mark(5), effects=[Add("played", 1)])
    assert books.progress("books", ONE) == Progress(mark(5), is_proven=True)
    assert not client.exists(heads)
    client.hset(applied, "table:t0", 30)
    assert books.progress("books", ONE) == Progress(Position(30), is_proven=False)


# ------------------------------------------------------------------------------ bounded pieces


class Traffic:
    """Records the longest command and the longest reply of a store."""

    def __init__(self, books: RedisProjectionStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.longest = 0
        transport = books._transport
        call, call_each = transport.call, transport.call_each

        def counted(key: str, *command: Any, **named: Any) -> Any:
            reply = call(key, *command, **named)
            self.longest = max(self.longest, len(command), size(reply))
            return reply

        def each_counted(commands: Any) -> Any:
            replies = call_each(commands)
            self.longest = max(self.longest, *[len(command) for _, command in commands])
            self.longest = max(self.longest, *[size(reply) for reply in replies])
            return replies

        monkeypatch.setattr(transport, "call", counted)
        monkeypatch.setattr(transport, "call_each", each_counted)


def size(reply: Any) -> int:
    return sum(map(size, reply)) if isinstance(reply, list) else 1


def fill_one(books: RedisProjectionStore, *, rows: int) -> None:
    """Fills one partition with rows, each in its own list and in a list of all."""
    puts = [put(f"row{number}", number, "all", f"list{number}") for number in range(rows)]
    steps = [mark(version) for version in range(11)]
    for (after, reached), first in zip(pairwise(steps), range(0, rows, rows // 10), strict=True):
        effects = puts[first : first + rows // 10]
        assert books.apply("books", ONE, after=after, reached=reached, effects=effects)


def test_a_big_partition_is_read_and_dropped_in_pages(books, client, monkeypatch):
    fill_one(books, rows=3_000)
    traffic = Traffic(books, monkeypatch)
    (snapshot,) = [snapshot for snapshot in snapshots(books) if snapshot.rows]
    assert (len(snapshot.rows), len(snapshot.indexes), len(snapshot.indexes["all"])) == (3_000, 3_001, 3_000)
    assert snapshot.indexes["list7"] == {"row7": 7}
    with books.rebuilding("books", books.partition(ONE)):
        pass
    assert list(client.scan_iter(match="hw:*:books:*")) == []
    assert 0 < traffic.longest < 1_200


def during_reading(books: RedisProjectionStore, happens: Callable[[], None], monkeypatch: Any) -> None:
    """Calls a function once, after the first page of a read."""
    call_each, happened = books._transport.call_each, list[bool]()

    def call_late(commands: Any) -> Any:
        replies = call_each(commands)
        if not happened and commands[0][1][0] == "HSCAN":
            happened.append(True)
            happens()
        return replies

    monkeypatch.setattr(books._transport, "call_each", call_late)


def test_a_partition_does_not_change_during_a_read(books, client, monkeypatch):
    books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[put("row", 5, "old")])
    other = RedisProjectionStore(client=client)
    applied = list[bool]()

    def apply() -> None:
        for name, after in (("books", mark(1)), ("others", mark(0))):
            applied.append(
                other.apply(name, ONE, after=after, reached=mark(2), effects=[put("row", 6, "new")])
            )

    during_reading(books, apply, monkeypatch)
    assert books.contents("books", books.partition(ONE)).indexes == {"old": {"row": 5}}
    assert applied == [False, True]
    assert other.apply("books", ONE, after=mark(1), reached=mark(2), effects=[])


def test_a_partition_read_too_slowly_is_read_again(books, client, monkeypatch):
    books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[put("row", 5, "old")])
    other = RedisProjectionStore(client=client)

    def expire() -> None:
        client.delete(*client.scan_iter(match="hw:*:books:held"))
        assert other.apply("books", ONE, after=mark(1), reached=mark(2), effects=[put("row", 6, "new")])

    during_reading(books, expire, monkeypatch)
    snapshot = books.contents("books", books.partition(ONE))
    assert (snapshot.applied, snapshot.indexes) == ({ONE: mark(2)}, {"old": {"row": 5}, "new": {"row": 6}})
    assert list(client.scan_iter(match="hw:*:books:held")) == []


def test_a_killed_reader_does_not_block_for_long(books, client):
    Hold(books._transport, books._keys, "books", books.partition(ONE)).take("read", wait_seconds=0)
    (held,) = client.scan_iter(match="hw:*:books:held")
    assert 0 < client.pttl(held) <= HOLD_MS
    assert not books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[])


# ------------------------------------------------------------------------------ rebuilt


def test_rebuild_leaves_nothing_of_one_projection(books, client):
    for name in ("books", "others"):
        for stream in TABLES:
            effects = [Add("n", 1), put(stream.id, 1, "all", stream.id)]
            books.apply(name, stream, after=mark(0), reached=mark(1), effects=effects)
    kept = snapshots(books, "others")
    with ExitStack() as stack:
        for partition in books.partitions:
            stack.enter_context(books.rebuilding("books", partition))
        assert shelves_of_any(client) == {"others"}
        assert books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[Add("n", 5)])
    assert (snapshots(books, "others"), books.counters("books", ["n"])) == (kept, (5,))
    assert list(client.scan_iter(match="hw:*:held")) == list(client.scan_iter(match="hw:*:rebuilding")) == []


def shelves_of_any(client: Client) -> set[str]:
    """Returns the projections that have rows."""
    return {key.decode().split(":")[2] for key in client.scan_iter(match="hw:*:rows")}


def test_one_partition_can_be_rebuilt_alone(books):
    fill(books)
    with books.rebuilding("books", books.partition(ONE)):
        pass
    gone = {stream.id for stream in TABLES if books.partition(stream) == books.partition(ONE)}
    assert ONE.id in gone
    assert set(rows(books, "all")) == {stream.id for stream in TABLES} - gone


def test_a_partition_locked_by_another_is_left_alone(books):
    fill(books)
    partition = books.partition(ONE)
    with (
        books.rebuilding("others", partition),
        books.rebuilding("books", partition),
        pytest.raises(PartitionHeld, match=f"Partition {partition} of books"),
        books.rebuilding("books", partition),
    ):
        raise AssertionError("never reached")
    assert books.unfinished("books") == ()


def test_an_interrupted_rebuild_stays_unfinished(books, client):
    partition = books.partition(ONE)
    with pytest.raises(ValueError, match="broken off"), books.rebuilding("books", partition):
        assert books.unfinished("books") == ()
        raise ValueError("broken off")
    assert books.unfinished("books") == (partition,)
    with books.rebuilding("books", partition):
        pass
    assert books.unfinished("books") == ()


def test_a_rebuild_that_lost_its_lock_stays_unfinished(books, client, monkeypatch):
    monkeypatch.setattr(projection_holds, "_RENEW_SECONDS", 0)
    partition = books.partition(ONE)
    with pytest.raises(PartitionHeld), books.rebuilding("books", partition) as still_here:
        still_here()
        client.delete(*client.scan_iter(match="hw:*:books:held"))
        still_here()
    assert books.unfinished("books") == (partition,)


# --------------------------------------------------------------------------------------- revisions


def test_contents_of_another_revision_are_outdated(books):
    partition = books.partition(ONE)
    assert books.outdated("books", 2) == ()
    books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[], revision=2)
    assert books.outdated("books", 2) == ()
    for other in (1, 3):
        *empty, filled = books.outdated("books", other)
        assert (filled, {*empty, filled}) == (partition, set(books.partitions)), (
            "what it left empty comes first"
        )
    books.apply("books", ONE, after=mark(1), reached=mark(2), effects=[], revision=3)
    assert books.outdated("books", 2) == (), "what was there before is of the revision before"


def test_contents_without_a_revision_count_as_the_first(books, client):
    fill(books)
    for partition in books.partitions:
        client.delete(books._key("books", "revision", partition))
    assert books.outdated("books", 1) == ()
    filled = {books.partition(stream) for stream in TABLES}
    assert set(books.outdated("books", 2)[-len(filled) :]) == filled


def test_rebuild_records_current_revision(books):
    books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[], revision=1)
    with books.rebuilding("books", books.partition(ONE)):
        books.apply("books", ONE, after=mark(0), reached=mark(1), effects=[], revision=2)
    assert books.outdated("books", 2) == ()
