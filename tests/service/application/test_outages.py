"""Outages cost no player time: the API records heartbeats, and workers and API extend clocks after gaps."""

from typing import Any

import pytest

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.commands import Act, RevealSeed
from hoodwink.domain.tables.state import (
    deadline_of,
    grace_until,
    is_played_by_bot,
    reveals_until,
    turn_of,
    waits_until,
)
from hoodwink.domain.tournaments.life import CheckIn
from hoodwink.service.adapters.tasks.pulse import RedisHeart
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.outages import Outages
from hoodwink.service.application.work.clock_mover import OutageDispatcher
from hoodwink.service.application.work.tasks import Task
from tests.service.application.test_tournament_worker import ID, cup, do, start, tables
from tests.service.application.world import World, service_on
from tests.service.databases import new_redis

SEED = "a1" * 16
BEAT_MS = 1_000


class Service(World):
    """A service whose API records heartbeats as time passes in a test."""

    def __init__(self) -> None:
        super().__init__()
        self.heart = RedisHeart(client=self.client)
        self.api = Outages(heart=self.heart, clock=self.clock, beats=True)
        self.api.beat()
        self.watch = self.new_watch()

    def new_watch(self) -> OutageDispatcher:
        """Returns the outage detection of a new projector."""
        return OutageDispatcher(
            outages=self.service.outages,
            due_times=self.service.due_times,
            tasks=self.broker,
            clock=self.clock,
        )

    def serve(self, milliseconds: int) -> None:
        """Lets time pass with a running API."""
        while milliseconds > 0:
            self.clock.now += min(BEAT_MS, milliseconds)
            milliseconds -= BEAT_MS
            self.api.beat()

    def be_away(self, milliseconds: int) -> None:
        """Lets time pass without API; the workers keep running."""
        self.clock.now += milliseconds

    def move_clocks(self) -> list[str]:
        """Runs the tasks that move clocks; returns their targets."""
        self.watch.tick()
        moved = []
        while self.broker.others:
            task, name = self.broker.others.popleft()
            assert task is Task.MOVE_CLOCKS
            category, _, id_ = name.partition(":")
            self.service.clock_mover.move(StreamId(category, id_))
            moved.append(name)
        return moved

    def wires(self, table: str) -> list[str]:
        return [recorded.event.wire for recorded in self.service.tables.history(table)]


@pytest.fixture
def world():
    return Service()


def start_table(world: Service, **opening: Any) -> str:
    table = world.table("ada", "bo", turn_seconds=10, **opening)
    world.settle()
    return table


def left_ms(world: Service, table: str) -> int:
    """Returns the remaining time of the first seat that owes, in ms."""
    state = world.now_at(table)
    deadline = deadline_of(state, turn_of(state).owes[0])
    assert deadline is not None
    return deadline - world.clock.now


def test_g_18_an_outage_of_19_seconds_costs_no_turn_of_10(world):
    table = start_table(world)
    world.serve(4_000)
    world.be_away(19_000)
    assert world.visit(table).steps == 0, "the API may still be away, so no clock runs out"
    world.api.beat()
    assert world.move_clocks() == [f"table:{table}"]
    assert left_ms(world, table) == 6_000
    world.settle()
    assert world.wires(table).count("table.clocks_moved") == 1
    world.serve(6_000)
    world.visit(table)
    assert "table.clock_ran_out" in world.wires(table)
    assert "table.clock_ran_out" not in world.wires(table)[: world.wires(table).index("table.clocks_moved")]


def test_g_18_a_worker_moves_the_clock_without_a_dispatcher(world):
    table = start_table(world)
    world.be_away(19_000)
    world.api.beat()
    assert world.visit(table).steps == 1
    assert world.wires(table)[-1] == "table.clocks_moved"
    assert left_ms(world, table) == 10_000


def test_g_18_seeds_can_be_revealed_after_an_outage_at_the_start(world):
    table = world.table("ada", "bo", committed={"ada": SEED})
    world.be_away(16_000)
    assert world.visit(table).steps == 0
    # The first request after the outage arrives before any heartbeat.
    api = service_on(world.client, world.clock, given={"outages": world.api})
    api.tables.execute(table, lambda _: (RevealSeed(0, SEED), Actor("player:0")))
    assert world.wires(table)[-2:] == ["table.clocks_moved", "table.player_seed_revealed"]
    world.settle()
    assert world.now_at(table).round == 1


def awaiting_sneak(world: Service, *players: str) -> str:
    """Plays at a Coconut table until it waits for a possible sneak."""
    table = world.table(*players, game="coconut", sneak=True, sneak_grace_ms=10_000)
    world.settle()
    while (waits_until(world.now_at(table)) or 0) <= world.clock.now:
        seat = turn_of(world.now_at(table)).owes[0]
        if world.visit(table).steps == 0:
            world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
    return table


def test_g_18_co_37_a_turn_after_an_outage_keeps_the_time_for_a_sneak(world):
    table = awaiting_sneak(world, "ada", "bo", "cy")
    before = waits_until(world.now_at(table)) or 0
    world.be_away(19_000)
    world.api.beat()
    api = service_on(world.client, world.clock, given={"outages": world.api})
    seat = turn_of(world.now_at(table)).owes[0]
    action = world.choice(table, seat)
    with pytest.raises(RuleViolation):
        api.tables.execute(table, lambda _: (Act(seat, action), Actor(f"player:{seat}")))
    assert world.wires(table)[-1] == "table.clocks_moved"
    assert waits_until(world.now_at(table)) == before + 19_000
    world.serve(10_000)
    api.tables.execute(table, lambda _: (Act(seat, action), Actor(f"player:{seat}")))
    assert world.wires(table).count("table.clocks_moved") == 1


def test_g_18_co_37_an_outage_does_not_shorten_the_wait_for_a_sneak(world):
    table = awaiting_sneak(world, "ada", "bot", "cy")
    while not is_played_by_bot(world.now_at(table), turn_of(world.now_at(table)).owes[0]):
        world.serve(10_000)
        seat = turn_of(world.now_at(table)).owes[0]
        world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
    before = waits_until(world.now_at(table)) or 0
    assert before > world.clock.now
    world.be_away(19_000)
    assert world.visit(table).steps == 0, "the API is away, so nobody could sneak"
    world.api.beat()
    assert world.visit(table).steps == 1
    assert world.wires(table)[-1] == "table.clocks_moved"
    assert waits_until(world.now_at(table)) == before + 19_000
    world.serve(10_000)
    assert world.visit(table).steps == 1


def test_outages_are_recent_for_a_minute(world):
    world.be_away(19_000)
    world.api.beat()
    assert [until - since for since, until in world.api.recent] == [19_000]
    world.serve(60_000)
    assert world.api.recent == ()


def test_g_18_a_late_reveal_without_an_outage_stays_late(world):
    table = world.table("ada", "bo", committed={"ada": SEED})
    world.serve(10_000)
    until = reveals_until(world.now_at(table))
    with pytest.raises(Exception, match="reveal_over"):
        world.do(table, RevealSeed(0, SEED), by="player:0")
    assert reveals_until(world.now_at(table)) == until
    world.visit(table)
    assert world.wires(table)[-1] != "table.clocks_moved"


def test_g_18_a_short_silence_does_not_move_the_clock(world):
    table = start_table(world)
    world.serve(9_000)
    world.be_away(2_900)
    assert world.visit(table).steps == 0
    world.api.beat()
    assert world.move_clocks() == []
    world.visit(table)
    assert "table.clock_ran_out" in world.wires(table)


def test_g_18_tasks_lost_with_their_projector_are_sent_again(world):
    table = start_table(world)
    world.be_away(19_000)
    world.api.beat()
    world.watch.tick()
    world.broker.others.clear()
    assert world.move_clocks() == []
    world.watch = world.new_watch()
    assert world.move_clocks() == [f"table:{table}"]
    assert left_ms(world, table) == 10_000
    world.watch = world.new_watch()
    world.move_clocks()
    assert world.wires(table).count("table.clocks_moved") == 1


def test_g_18_a_table_is_moved_for_both_of_two_outages(world):
    table = start_table(world)
    for _ in range(2):
        world.be_away(19_000)
        world.api.beat()
    world.move_clocks()
    assert world.wires(table).count("table.clocks_moved") == 2
    assert left_ms(world, table) == 10_000
    assert "table.clock_ran_out" not in world.wires(table)


def test_g_18_nothing_is_recorded_without_a_running_clock(world):
    table = world.table("ada", "bo")
    world.settle()
    world.be_away(19_000)
    world.api.beat()
    world.move_clocks()
    assert "table.clocks_moved" not in world.wires(table)


def test_g_18_t_6_an_outage_makes_nobody_a_no_show(world):
    start(world, "ada", "bo", "cy")
    world.settle()
    (table,) = tables(world)
    world.serve(200_000)
    world.be_away(150_000)
    world.service.tournament_worker.report(table)
    assert world.now_at(table).awaited == (0, 1, 2)
    world.api.beat()
    assert world.move_clocks() == [f"table:{table}"]
    assert grace_until(world.now_at(table)) == world.clock.now + 100_000
    world.serve(99_999)
    world.service.tournament_worker.report(table)
    assert world.now_at(table).awaited == (0, 1, 2)
    world.serve(1)
    world.service.tournament_worker.report(table)
    assert world.now_at(table).no_shows == (0, 1, 2)


def test_g_18_t_6_the_grace_time_is_moved_without_a_dispatcher(world):
    start(world, "ada", "bo", "cy")
    world.settle()
    (table,) = tables(world)
    world.be_away(400_000)
    world.api.beat()
    world.service.tournament_worker.report(table)
    assert world.now_at(table).awaited == (0, 1, 2)
    assert world.wires(table)[-1] == "table.clocks_moved"


def test_t_16_an_outage_ends_no_check_in(world):
    start(world, "ada", "bo", "cy", check_in=60)
    world.settle()
    world.service.tournament_worker.run_due(ID)
    assert cup(world).check_in_until == world.clock.now + 60_000
    world.be_away(90_000)
    world.service.tournament_worker.run_due(ID)
    assert not cup(world).rounds
    world.api.beat()
    assert world.move_clocks() == [f"tournament:{ID}"]
    assert cup(world).check_in_until == world.clock.now + 60_000
    for entrant in ("ada", "bo", "cy"):
        do(world, CheckIn(entrant), by=f"entrant:{entrant}")
    world.service.tournament_worker.run_due(ID)
    assert cup(world).rounds


# -------------------------------------------------------------------------------------- heartbeats


def test_several_processes_record_one_outage(world):
    others = [Outages(heart=RedisHeart(client=world.client), clock=world.clock, beats=True) for _ in range(3)]
    began = world.clock.now
    world.be_away(19_000)
    for process in others:
        process.beat()
        world.clock.now += 5
    assert list(world.api.gaps()) == [(began, began + 19_000)]


def test_there_is_no_outage_while_one_process_serves(world):
    other = Outages(heart=RedisHeart(client=world.client), clock=world.clock, beats=True)
    for _ in range(20):
        world.clock.now += 1_000
        other.beat()
    world.api.beat()
    assert not world.api.gaps()


def test_a_clock_behind_the_last_heartbeat_is_no_outage(world):
    last = world.clock.now
    world.heart.beat(last - 60_000)
    assert world.heart.read().last == last
    assert not world.heart.beat(last + 1_000).gaps


def test_a_missing_or_damaged_heartbeat_is_no_outage():
    client = new_redis()
    heart = RedisHeart(client=client)
    assert heart.read() == (None, ())
    assert heart.beat(1_000_000) == (1_000_000, ())
    client.set("hw:{pulse}:last", "1x")
    client.rpush("hw:{pulse}:gaps", "x", "5 ", "5 1y")
    assert heart.beat(2_000_000) == (2_000_000, ())


def test_the_latest_twenty_outages_are_kept(world):
    for _ in range(25):
        world.be_away(5_000)
        world.api.beat()
    assert len(world.api.gaps()) == 20


def test_worker_processes_record_no_heartbeat(world):
    last = world.clock.now
    world.be_away(60_000)
    assert not world.service.outages.gaps()
    assert world.heart.read().last == last
