"""A store that comes back older than what processes remember, and goes on otherwise."""

import pytest

from domain.kernel import RuleViolation
from domain.tables import CloseTable, LeaveSeat, StartTable, TakeSeat
from service.application.errors import HistoryChanged, NotFound
from service.application.history import Place, first_vanished
from service.application.ports import Command, EventRecord, StreamId
from tests.service.application.world import World, put_back, service_on


@pytest.fixture
def world():
    world = World()
    world.table("ada", "bo", "bot")
    world.settle()
    return world


@pytest.fixture
def other(world):
    """Another process, which knows the table as it is now."""
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    return service


def open_table(world, table="t2"):
    """Opens a table of two with one person."""
    world.table("ada", "bo", table=table, start=False)
    return table


def test_a_reader_is_shown_what_the_store_holds_and_not_what_it_remembers(world):
    before = world.now_at("t1").version
    put_back(world.service, "t1", before - 3)

    assert world.now_at("t1").version == before - 3


def test_a_table_that_vanished_is_not_found(world):
    put_back(world.service, "t1", 0)
    with pytest.raises(NotFound):
        world.now_at("t1")
    with pytest.raises(NotFound):
        world.do("t1", CloseTable(), by="host")


@pytest.mark.parametrize("actions", [0, 1, 2, 3])
def test_what_is_decided_on_a_vanished_history_is_decided_again(world, other, actions):
    """However far the store has gone on meanwhile: shorter, as long as, or longer than what is remembered."""
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)  # bo sits no more
    for _ in range(actions):
        seated = world.now_at(table).seats[1] is not None
        command = LeaveSeat(1) if seated else TakeSeat(player="cy", name="Cy", seat=1)
        world.do(table, command, by="player:1")
    free = next((seat for seat, who in enumerate(world.now_at(table).seats) if who is None), None)
    if free is None:
        other.tables.execute(table, lambda _: (StartTable(), "host"))
    else:
        taken = TakeSeat(player="dee", name="Dee", seat=free)
        other.tables.execute(table, lambda _: (taken, f"player:{free}"))

    assert [record.version for record in other.tables.history(table)] == list(range(1, 4 + actions))
    assert world.now_at(table) == other.tables.load(table).table


def test_what_only_a_vanished_history_allows_is_refused_and_not_stored(world, other):
    """The other process remembers a full table, and one more event than there are."""
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)
    world.do(table, LeaveSeat(0), by="player:0")
    with pytest.raises(RuleViolation, match="seats_empty"):
        other.tables.execute(table, lambda _: (StartTable(), "host"))

    assert world.service.store.version(StreamId("table", table)) == 3


def test_each_process_reports_once_what_vanished(world, other, capsys):
    version = world.now_at("t1").version
    put_back(world.service, "t1", version - 4)
    for service in (world.service, other):
        for _ in range(3):
            service.tables.load("t1")

    assert world.service.rollbacks.counted() == {"command": 8}
    written = capsys.readouterr().out
    assert written.count("the store went back") == 2
    assert written.count(f"first_vanished={version - 3} last_vanished={version} table=t1") == 2


def test_what_vanished_is_told_from_what_was_stored_since_by_its_time():
    def at(*times: int) -> list[EventRecord]:
        return [EventRecord("t", b"", time, "host", "c", "h") for time in times]

    assert first_vanished(at(1, 2, 3), version=7, at=9) == 4
    assert first_vanished(at(1, 2, 3, 20, 21, 22, 23, 24), version=7, at=9) == 4
    assert first_vanished([], version=7, at=9) == 1
    assert first_vanished(at(9, 9, 9), version=3, at=9) == 3  # the same moment on both sides


def test_a_key_of_a_vanished_command_is_a_new_command(world):
    table = open_table(world)
    key = Command("k1", "sit")
    seated = lambda _: (TakeSeat(player="bo", name="bo", seat=1), "player:1")  # noqa: E731
    world.do(table, LeaveSeat(1), by="player:1")
    first = world.service.tables.execute(table, seated, key=key)
    assert world.service.tables.execute(table, seated, key=key).repeated
    put_back(world.service, table, 2)
    again = world.service.tables.execute(table, seated, key=key)

    assert not again.repeated
    assert again.after.table.version == 3 < first.after.table.version


def test_a_reader_who_goes_on_from_a_vanished_event_hears_of_it(world):
    place = world.service.tables.load("t1").place
    put_back(world.service, "t1", place.version - 2)
    with pytest.raises(HistoryChanged):
        world.service.tables.following("t1", place)
    first = world.service.tables.following("t1", Place(0, ""), count=1)
    assert world.service.tables.following("t1", Place(1, first[0].hash[:16]), count=1)[0].version == 2


def test_a_worker_that_remembers_too_much_calls_off_nothing(world, other):
    """What such a worker believed to be done is still due, and gets done."""
    table = world.table("bot", "bot", table="t3")
    world.note()
    other.tables.load(table)
    world.work()  # the table has been played to its end
    over = world.service.tables.load(table)
    put_back(world.service, table, 3)
    world.do(table, StartTable(), by="host")
    world.note()
    vars(world.service).pop("tables")
    world.service.tables._cache.put(table, over)
    world.service.attendance.attend(table)
    world.settle()

    assert world.now_at(table).phase == "ended"
    assert world.is_valid(table)
    assert world.service.due_times.due_by("work", world.clock.now + 10**9, count=9) == []


def test_a_due_time_noted_from_a_vanished_entry_leaves_the_true_one(world):
    table = world.table("bot", "bot", table="t3", start=False)
    version = world.now_at(table).version
    world.do(table, StartTable(), by="host")
    entries = world.read()
    put_back(world.service, table, version)
    world.dispatcher.note(entries)

    assert world.service.due_times.due_by("work", world.clock.now, count=9) == []


def test_people_are_looked_up_again_after_a_lost_connection(world):
    registered = world.service.players.register(name="Ada")
    assert world.service.players.authenticate(registered.token)
    world.client.flushall()
    world.service._forget_people()

    assert world.service.players.authenticate(registered.token) is None
