"""A store rolled back to an older state than the processes' caches, and then continued with other events."""

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
    """Another process with the current state of the table in its cache."""
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    return service


def open_table(world, table="t2"):
    """Opens a table for two with one person."""
    world.table("ada", "bo", table=table, start=False)
    return table


def test_reads_show_the_store_and_not_the_cache(world):
    before = world.now_at("t1").version
    put_back(world.service, "t1", before - 3)

    assert world.now_at("t1").version == before - 3


@pytest.mark.parametrize("actions", [1, 2])
def test_reads_show_the_history_that_replaced_the_cached_one(world, other, actions):
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)
    world.do(table, commands.TakeSeat(player="cy", seat=1), by="player:1")
    if actions == 2:
        world.do(table, commands.LeaveSeat(0), by="player:0")

    assert other.tables.load(table).state == world.now_at(table)
    assert other.tables.load(table).state.seats[1].player == "cy"


def test_a_vanished_table_is_not_found(world):
    put_back(world.service, "t1", 0)
    with pytest.raises(NotFound):
        world.now_at("t1")
    with pytest.raises(NotFound):
        world.do("t1", commands.CloseTable(), by="host")


@pytest.mark.parametrize("actions", [0, 1, 2, 3])
def test_a_decision_based_on_a_vanished_history_is_repeated(world, other, actions):
    """The store may now be shorter than the cached history, as long, or longer."""
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)  # bo no longer has a seat
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


def test_a_command_legal_only_in_a_vanished_history_is_refused(world, other):
    """The other process caches a full table, with one event more than the store."""
    table = open_table(world)
    other.tables.load(table)
    put_back(world.service, table, 2)
    world.do(table, commands.LeaveSeat(0), by="player:0")
    with pytest.raises(RuleViolation, match="seats_empty"):
        other.tables.execute(table, lambda _: (commands.StartTable(), "host"))

    assert world.service.store.version(StreamId("table", table)) == 3


def test_each_process_reports_vanished_events_once(world, other, capsys):
    version = world.now_at("t1").version
    put_back(world.service, "t1", version - 4)
    for service in (world.service, other):
        for _ in range(3):
            service.tables.load("t1")

    assert world.service.rollbacks.counts() == {"command": 8}
    written = capsys.readouterr().out
    assert written.count("events vanished from the store") == 2
    assert written.count(f"first_vanished={version - 3} last_vanished={version} table=t1") == 2


def test_vanished_events_are_distinguished_from_later_ones_by_time():
    def at(*times: int) -> list[Entry]:
        return [record(number, at=time) for number, time in enumerate(times, start=1)]

    assert first_vanished(at(1, 2, 3), version=7, at=9) == 4
    assert first_vanished(at(1, 2, 3, 20, 21, 22, 23, 24), version=7, at=9) == 4
    assert first_vanished([], version=7, at=9) == 1
    assert first_vanished(at(9, 9, 9), version=3, at=9) == 3  # the same moment on both sides


def test_the_key_of_a_vanished_command_counts_as_new(world):
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


def test_reading_on_from_a_vanished_event_is_detected(world):
    position = world.service.tables.load("t1").position
    put_back(world.service, "t1", position.version - 2)
    with pytest.raises(HistoryChanged):
        world.service.tables.following("t1", position)
    first = world.service.tables.following("t1", Position(0, ""), count=1)
    assert (
        world.service.tables.following("t1", Position(1, first[0].entry.hash[:16]), count=1)[0].entry.version
        == 2
    )


def test_a_worker_with_vanished_events_cached_cancels_no_work(world):
    """The worker's cache contains the bot's move, but it is still due and is made."""
    table = world.table("ada", "bot", table="t3")
    world.settle()
    # After the bot's move, the table waits for Ada.
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


def test_a_due_time_of_a_vanished_entry_does_not_replace_the_true_one(world):
    table = world.table("bot", "bot", table="t3", start=False)
    version = world.now_at(table).version
    world.do(table, commands.StartTable(), by="host")
    entries = world.read()
    put_back(world.service, table, version)
    world.dispatcher.dispatch(entries)

    assert list(world.service.due_times.due_by("work", world.clock.now, count=9)) == []


def test_players_are_read_again_after_a_lost_connection(world):
    registered = world.service.players.register(name="Ada")
    assert world.service.players.authenticate(registered.token)
    world.client.flushdb()
    world.service._forget_players()

    assert world.service.players.authenticate(registered.token) is None


# --------------------------------------------------------------------- public seeds of rolled back tables


def over(world, table="t3", **opening):
    """Plays a table of two bots to its end; returns its last version."""
    world.table("bot", "bot", table=table, **opening)
    world.settle()
    return world.service.tables.load(table).state.version


@pytest.mark.parametrize("phase", ["open", "playing"])
def test_a_table_with_a_public_seed_is_ended_again_without_a_result(world, phase):
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


def test_processes_that_cached_the_first_end_record_one_new_end(world):
    over(world)
    other = service_on(world.client, world.clock)
    other.tables.load("t3")
    put_back(world.service, "t3", 8)
    world.now_at("t3")

    assert other.tables.load("t3").state.version == world.now_at("t3").version == 10


def test_a_table_missing_only_its_last_score_is_scored_again(world):
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
