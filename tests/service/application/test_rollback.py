"""A store that comes back older than what processes remember, and then gets other events."""

import pytest

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.errors import HistoryChanged, NotFound
from hoodwink.service.application.ports import IdempotencyKey, StreamId
from hoodwink.service.application.streams.history import Position, first_vanished
from tests.service.adapters.commits import record
from tests.service.application.world import World, put_back, service_on


@pytest.fixture
def world():
    world = World()
    world.table("ada", "bo", "bot")
    world.settle()
    return world


@pytest.fixture
def other(world):
    """Another process, with the present state of the table in memory."""
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


@pytest.mark.parametrize("actions", [1, 2])
def test_a_reader_is_shown_the_history_that_took_the_place_of_the_one_it_remembers(world, other, actions):
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)
    world.do(table, commands.TakeSeat(player="cy", seat=1), by="player:1")
    if actions == 2:
        world.do(table, commands.LeaveSeat(0), by="player:0")

    assert other.tables.load(table).state == world.now_at(table)
    assert other.tables.load(table).state.seats[1].player == "cy"


def test_a_table_that_vanished_is_not_found(world):
    put_back(world.service, "t1", 0)
    with pytest.raises(NotFound):
        world.now_at("t1")
    with pytest.raises(NotFound):
        world.do("t1", commands.CloseTable(), by="host")


@pytest.mark.parametrize("actions", [0, 1, 2, 3])
def test_what_is_decided_on_a_vanished_history_is_decided_again(world, other, actions):
    """The store may now be shorter than what is remembered, as long, or longer."""
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)  # bo has no seat any more
    for _ in range(actions):
        seated = world.now_at(table).seats[1] is not None
        command = commands.LeaveSeat(1) if seated else commands.TakeSeat(player="cy", seat=1)
        world.do(table, command, by="player:1")
    free = next((seat for seat, who in enumerate(world.now_at(table).seats) if who is None), None)
    if free is None:
        other.tables.execute(table, lambda _: (commands.StartTable(), "host"))
    else:
        taken = commands.TakeSeat(player="dee", seat=free)
        other.tables.execute(table, lambda _: (taken, f"player:{free}"))

    assert [record.entry.version for record in other.tables.history(table)] == list(range(1, 4 + actions))
    assert world.now_at(table) == other.tables.load(table).state


def test_what_only_a_vanished_history_allows_is_refused_and_not_stored(world, other):
    """The other process remembers a full table, with one event more than are stored."""
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)
    world.do(table, commands.LeaveSeat(0), by="player:0")
    with pytest.raises(RuleViolation, match="seats_empty"):
        other.tables.execute(table, lambda _: (commands.StartTable(), "host"))

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


def test_vanished_events_are_distinguished_from_later_ones_by_time():
    def at(*times: int) -> list[Entry]:
        return [record(number, at=time) for number, time in enumerate(times, start=1)]

    assert first_vanished(at(1, 2, 3), version=7, at=9) == 4
    assert first_vanished(at(1, 2, 3, 20, 21, 22, 23, 24), version=7, at=9) == 4
    assert first_vanished([], version=7, at=9) == 1
    assert first_vanished(at(9, 9, 9), version=3, at=9) == 3  # the same moment on both sides


def test_a_key_of_a_vanished_command_is_a_new_command(world):
    table = open_table(world)
    key = IdempotencyKey("k1", "sit")
    seated = lambda _: (commands.TakeSeat(player="bo", seat=1), "player:1")  # noqa: E731
    world.do(table, commands.LeaveSeat(1), by="player:1")
    first = world.service.tables.execute(table, seated, key=key)
    assert world.service.tables.execute(table, seated, key=key).events == first.events
    put_back(world.service, table, 2)
    again = world.service.tables.execute(table, seated, key=key)

    assert again.events != first.events
    assert again.after.state.version == 3 < first.after.state.version


def test_a_reader_who_goes_on_from_a_vanished_event_hears_of_it(world):
    position = world.service.tables.load("t1").position
    put_back(world.service, "t1", position.version - 2)
    with pytest.raises(HistoryChanged):
        world.service.tables.following("t1", position)
    first = world.service.tables.following("t1", Position(0, ""), count=1)
    assert (
        world.service.tables.following("t1", Position(1, first[0].entry.hash[:16]), count=1)[0].entry.version
        == 2
    )


def test_a_worker_that_remembers_too_much_calls_off_nothing(world):
    """The bot's move that such a worker takes for made is still due, and is made."""
    table = world.table("ada", "bot", table="t3")
    world.settle()
    # After the bot's move the table waits for Ada.
    moved = next(
        recorded.entry.version
        for recorded in world.service.tables.history(table)
        if recorded.entry.by == "bot:1"
    )
    put_back(world.service, table, moved - 1)
    fresh = service_on(world.client, world.clock)
    fresh.due_audit().rebuild()
    assert list(fresh.due_times.due_by("work", world.clock.now, count=9)) == [table]
    assert world.visit(table).steps == 1

    world.dispatch()
    assert world.now_at(table).version == moved
    assert list(fresh.due_times.due_by("work", world.clock.now, count=9)) == []


def test_a_due_time_noted_from_a_vanished_entry_leaves_the_true_one(world):
    table = world.table("bot", "bot", table="t3", start=False)
    version = world.now_at(table).version
    world.do(table, commands.StartTable(), by="host")
    entries = world.read()
    put_back(world.service, table, version)
    world.dispatcher.dispatch(entries)

    assert list(world.service.due_times.due_by("work", world.clock.now, count=9)) == []


def test_people_are_looked_up_again_after_a_lost_connection(world):
    registered = world.service.players.register(name="Ada")
    assert world.service.players.authenticate(registered.token)
    world.client.flushall()
    world.service._forget_players()

    assert world.service.players.authenticate(registered.token) is None


# --------------------------------------------------------------------- the secret of a table that is in play again


def over(world, table="t3", **opening):
    """Plays a table of two bots to its end; returns its version then."""
    world.table("bot", "bot", table=table, **opening)
    world.settle()
    return world.service.tables.load(table).state.version


@pytest.mark.parametrize("phase", ["open", "playing"])
def test_a_table_whose_seed_is_out_is_ended_again_without_a_result(world, phase):
    over(world)
    put_back(world.service, "t3", 3 if phase == "open" else 8)
    table = world.now_at("t3")

    assert (table.phase, table.result.outcome, table.result.places) == (
        "ended",
        "closed" if phase == "open" else "abandoned",
        None,
    )
    assert world.is_valid("t3")
    assert service_on(world.client, world.clock).tables.load("t3").state == table


def test_the_end_is_recorded_once_however_many_processes_remember_the_first_one(world):
    over(world)
    other = service_on(world.client, world.clock)
    other.tables.load("t3")
    put_back(world.service, "t3", 8)
    world.now_at("t3")

    assert other.tables.load("t3").state.version == world.now_at("t3").version == 10


def test_a_table_that_lacks_its_last_score_alone_is_scored_again(world):
    version = over(world)
    result = world.now_at("t3").result
    scored = next(
        recorded.entry.cmd
        for recorded in reversed(world.service.tables.history("t3"))
        if recorded.event.wire == "table.round_scored"
    )
    last = [
        recorded.entry.version
        for recorded in world.service.tables.history("t3")
        if recorded.entry.cmd != scored
    ][-1]
    put_back(world.service, "t3", last)
    assert world.now_at("t3").phase == "playing"
    world.broker.add("t3")
    world.settle()

    assert (world.now_at("t3").result, world.now_at("t3").version) == (result, version)
    assert world.is_valid("t3")
