"""Bots that think: their decisions are made apart from their moves, and may be late or lost (G-19)."""

from typing import Any

import pytest

from hoodwink.domain.games.coconut.actions import PickUpPile
from hoodwink.domain.tables.commands import Act, DealRound, Resign, TakeBack
from hoodwink.domain.tables.pace import ALONE_PATIENCE_MS, PATIENCE_MS, THINKING_MS, thinking_times
from hoodwink.domain.tables.state import Phase, turn_of
from hoodwink.service.application.work.table_worker import Visit
from hoodwink.service.application.work.tasks import Task
from tests.service.application.audits import differences as audited
from tests.service.application.world import World

DELAY = 1_000


@pytest.fixture
def world() -> World:
    return World()


def at_turn(world: World, *players: str, game: str = "blind_don", **opening: Any) -> str:
    """Returns a table at which the bot in seat 0 owes an action."""
    table = world.table(*players, game=game, **opening)
    world.do(table, DealRound(), by="worker")
    world.dispatch()
    while 0 not in turn_of(world.now_at(table)).owes:
        seat = turn_of(world.now_at(table)).owes[0]
        world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
        world.dispatch()
    return table


def visit(world: World, table: str, at: int) -> Visit:
    world.clock.now = at
    found = world.service.table_worker.run_due(table)
    world.dispatch()
    assert not audited(world.service, "due times")
    return found


def test_a_bot_thinks_from_the_beginning_of_its_turn_and_moves_at_its_own_time(world):
    table = at_turn(world, "bot:sharp", "Ada", bot_delay=DELAY)
    began, moves_at, _ = thinking_times(world.now_at(table), 0)
    assert moves_at >= began + THINKING_MS
    assert world.service.due_times.due_by("work", began, count=1) == {table: began}
    assert visit(world, table, began) == Visit(0, Task.THINK)
    assert world.service.due_times.find("work", table).at == moves_at

    world.clock.now = began + 300
    assert world.service.thinker.think(table) is None
    version = world.now_at(table).version
    assert visit(world, table, moves_at - 1) == Visit(0)
    assert visit(world, table, moves_at).steps == 1
    (moved,) = world.service.tables.history(table, after=version, count=1)
    assert (moved.entry.at, moved.entry.by) == (moves_at, "bot:0")


def test_a_bot_that_thinks_hides_it_at_tables_without_a_delay(world):
    table = at_turn(world, "bot:expert", "Ada", bot_delay=0)
    began, moves_at, late_at = thinking_times(world.now_at(table), 0)
    assert (moves_at, late_at) == (began + THINKING_MS, began + THINKING_MS + PATIENCE_MS)


def test_steady_moves_for_a_bot_that_is_late(world):
    late: list[str] = []
    world.service.fell_back = late.append
    table = at_turn(world, "bot:expert", "Ada", bot_delay=DELAY)
    _, moves_at, late_at = thinking_times(world.now_at(table), 0)
    assert visit(world, table, moves_at) == Visit(0, Task.THINK)
    assert world.service.due_times.find("work", table).at == late_at
    assert visit(world, table, late_at).steps == 1
    assert late == ["expert"]
    assert world.service.thinker.think(table) is None


def test_a_late_decision_counts_once_among_workers_with_old_copies_of_the_table(world):
    table = at_turn(world, "bot:expert", "Ada", bot_delay=DELAY)
    other, late = World(world.client, world.clock), list[str]()
    world.service.fell_back = other.service.fell_back = late.append
    visit(world, table, thinking_times(world.now_at(table), 0)[0])
    while not late or 0 not in turn_of(other.now_at(table)).owes:
        seat = turn_of(other.now_at(table)).owes[0]
        if seat:
            other.do(table, Act(seat, other.choice(table, seat)), by=f"player:{seat}")
        else:
            visit(other, table, thinking_times(other.now_at(table), 0)[2])
    assert visit(world, table, world.clock.now) == Visit(0, Task.THINK)
    assert late == ["expert"]


def test_a_decision_is_lost_with_the_position_and_kept_while_nobody_acts(world):
    table = at_turn(world, "bot:sharp", "Ada", "Bob", game="double_blind", bot_delay=DELAY)
    world.service.thinker.think(table)
    kept = world.service.thoughts.find(world.now_at(table), 0)
    assert kept is not None
    world.do(table, Resign(2), by="player:2")
    assert world.service.thoughts.find(world.now_at(table), 0) == kept
    visit(world, table, thinking_times(world.now_at(table), 0)[1])
    assert world.service.thoughts.find(world.now_at(table), 0) is None


def test_g_20_a_decision_lapses_when_the_action_before_it_is_taken_back(world):
    table = at_turn(world, "bot:sharp", "Ada", bot_delay=DELAY, take_backs=True, flip="after_trick")
    while world.now_at(table).undoable is None:
        visit(world, table, world.clock.now + DELAY)
        world.service.thinker.think(table)
        if 1 in turn_of(world.now_at(table)).owes:
            world.do(table, Act(1, world.choice(table, 1)), by="player:1")
            world.dispatch()
    world.service.thinker.think(table)
    decided = world.now_at(table)
    assert world.service.thoughts.find(decided, 0) is not None

    world.do(table, TakeBack(1), by="player:1")
    assert visit(world, table, thinking_times(decided, 0)[2]) == Visit(0)
    action = world.choice(table, 1)
    world.do(table, Act(1, action), by="player:1")
    world.dispatch()
    assert world.service.thoughts.find(world.now_at(table), 0) is None
    assert visit(world, table, world.clock.now) == Visit(0, Task.THINK)
    world.service.thinker.think(table)
    assert visit(world, table, thinking_times(world.now_at(table), 0)[1]).steps == 1
    assert not audited(world.service, "logs")


def test_a_decision_that_is_not_allowed_is_ignored(world):
    table = at_turn(world, "bot:sharp", "Ada", game="coconut", bot_delay=DELAY)
    world.service.thoughts.keep(world.now_at(table), 0, PickUpPile())
    _, moves_at, late_at = thinking_times(world.now_at(table), 0)
    assert visit(world, table, moves_at).steps == 0
    assert visit(world, table, late_at).steps == 1


def test_stand_ins_do_not_think(world):
    table = at_turn(world, "bot:expert", "Ada", bot_delay=DELAY)
    world.service.thinker.think(table)
    visit(world, table, thinking_times(world.now_at(table), 0)[1])
    while 1 not in turn_of(world.now_at(table)).owes:
        visit(world, table, world.clock.now + DELAY)
        world.service.thinker.think(table)
    world.do(table, Resign(1), by="player:1")
    assert world.service.thinker.think(table) is Task.RUN_BOTS or world.now_at(table).phase is Phase.ENDED


@pytest.mark.parametrize("game", ["blind_don", "coconut"])
def test_bots_alone_play_on_as_soon_as_they_have_thought(world, game):
    table = (
        world.table("bot:sharp", "bot:steady", game=game, rounds=1)
        if game == "coconut"
        else world.table("bot:sharp", "bot:steady", game=game)
    )
    service, began = world.service, world.clock.now
    for _ in range(2_000):
        found = service.table_worker.run_bots(table, until=service.clock.elapsed_ms() + 1_000)
        if world.now_at(table).phase is Phase.ENDED:
            break
        if found.next_task is Task.THINK:
            assert service.thinker.think(table) in {Task.RUN_BOTS, Task.THINK}
    assert world.now_at(table).phase is Phase.ENDED
    assert world.clock.now < began + ALONE_PATIENCE_MS
    assert world.is_valid(table)
