"""The pace of the service: waiting bots, chances to act out of turn, and pauses between rounds."""

import hmac
from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables.commands import Act, SayReady
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.pace import (
    bot_chances,
    bot_moves_at,
    pause_until,
)
from hoodwink.domain.tables.state import (
    Phase,
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.view import plays_of
from hoodwink.domain.tables.waiting import waiting_of
from hoodwink.service.application.audit.due_audit import DueRecord
from hoodwink.service.application.work.bot_actions import bot_chance
from hoodwink.service.application.work.dispatch import RETRY_MS
from tests.domain.laws.playout import Play, play
from tests.domain.laws.worlds import Commit, Outlook, commits_of
from tests.service.application.audits import differences as audited
from tests.service.application.world import World
from tests.service.http.api import Api
from tests.service.http.twins import TABLE, api_with_play

DELAY = 1_000
PAUSE = 8_000


@pytest.fixture
def world():
    return World()


def later(world: World, until: int) -> int:
    """Moves the clock forward to a time and runs dispatcher and workers; returns the number of steps."""
    world.clock.now = until
    world.dispatcher.tick()
    steps = world.work()
    world.dispatch()
    return steps


def recorded_due_time(world: World, table: str = "t1") -> DueRecord:
    return world.service.due_times.find("work", table)


def move(world: World, seat: int, table: str = "t1") -> None:
    """Takes a random action for a seat."""
    world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
    world.dispatch()


# ------------------------------------------------------------------------------------ bots wait


def test_g_9_a_bot_moves_at_its_moment_and_completes_its_turn(world):
    table = world.table("ada", "bot", "bot", bot_delay=DELAY, five_card=True, rounds=9)
    world.settle()
    while turn_of(world.now_at(table)).owes != (0,):
        later(world, recorded_due_time(world).at or 0)
    for _ in range(3):
        move(world, 0)
    assert turn_of(world.now_at(table)).owes == (1,)
    at = bot_moves_at(world.now_at(table), 1)
    assert recorded_due_time(world).at == at
    assert later(world, at - 1) == 0
    assert later(world, at) == 3, "draw, keep, discard"
    assert turn_of(world.now_at(table)).owes == (2,)


def test_g_9_a_bots_moment_survives_restarts(world):
    table = world.table("ada", "bot", bot_delay=DELAY)
    world.settle()
    at = recorded_due_time(world).at
    assert at == bot_moves_at(world.now_at(table), 1)
    reborn = World(world.client, world.clock)
    world.broker.tasks.clear()
    assert later(reborn, at) == 1


def test_g_9_a_table_of_waiting_bots_ends_and_verifies(world):
    table = world.table("bot", "bot", "bot", "bot", game="coconut", bot_delay=DELAY, rounds=1)
    world.settle()
    while (at := recorded_due_time(world).at) is not None:
        later(world, max(at, world.clock.now))
    assert world.now_at(table).phase is Phase.ENDED
    assert world.is_valid(table)


# -------------------------------------------------------------------------------------- chances


def window(world: World, *, bot_delay: int = DELAY, **opening) -> str:
    """Returns a table of Coconut with Ada to move, where bots may sneak."""
    table = world.table("ada", "bot", "bot", "bot", game="coconut", bot_delay=bot_delay, **opening)
    world.settle()
    for _ in range(400):
        loaded = world.now_at(table)
        turn = turn_of(loaded)
        if turn.owes == (0,) and turn.may and world.clock.now == loaded.moved_at:
            return table
        if 0 in turn.owes:
            move(world, 0)
            world.settle()
        else:
            later(world, max(recorded_due_time(world).at or 0, world.clock.now))
            world.settle()
    raise AssertionError("Ada never came to move on a pile")


def test_g_9_an_unused_chance_to_interrupt_leaves_no_trace(world, monkeypatch):
    asked = []
    table = window(world, rounds=10)
    monkeypatch.setattr(
        "hoodwink.service.application.work.table_worker.chosen_action",
        lambda _, seat, now: asked.append((now, seat)),
    )
    version, chances = world.now_at(table).version, bot_chances(world.now_at(table))
    assert chances
    for at, _ in chances:
        assert recorded_due_time(world).at == at
        assert later(world, at) == 0
        assert audited(world.service, "due times") == []
    assert list(dict.fromkeys(asked)) == [
        (now, seat) for index, (now, _) in enumerate(chances) for _, seat in chances[: index + 1]
    ]
    assert (recorded_due_time(world).at, world.now_at(table).version) == (None, version)


def test_g_9_a_bot_chooses_once_per_window(world):
    table = world.now_at(window(world, rounds=10))
    others = [replace(table, version=table.version + more) for more in range(9)]
    later_windows = [replace(table, round_actions=table.round_actions + more) for more in range(9)]
    assert len({bot_chance(other, 1).random() for other in others}) == 1
    assert len({bot_chance(other, 1).random() for other in later_windows}) == 9


def test_g_19_a_bot_has_its_luck_from_a_key_of_its_own(world):
    table = world.now_at(window(world, rounds=10))
    key = hmac.digest(table.server_seed.encode(), b"bot", "sha256")
    moment = f"{table.round}:{table.round_actions}:1"
    assert bot_chance(table, 1).random() == Random(hmac.digest(key, moment.encode(), "sha256")).random()


def test_g_9_a_chance_to_interrupt_does_not_delay_the_next_work(world, monkeypatch):
    table = window(world, bot_delay=0, rounds=10)
    assert recorded_due_time(world).at is None
    sent = len(world.broker.sent)
    while work_due(world.now_at(table), asked_until=world.clock.now) == NOTHING_DUE:
        move(world, 0)  # once, or twice after clearing the pile
    assert len(world.broker.sent) == sent + 1, "although the task for the chance was sent a moment ago"


def test_g_9_moments_in_quick_succession_get_a_task_each(world):
    table = window(world, rounds=10)
    chances = bot_chances(world.now_at(table))
    assert chances[-1][0] - chances[0][0] < RETRY_MS
    for at, _ in chances:
        sent = len(world.broker.sent)
        version = world.now_at(table).version
        later(world, at)
        assert len(world.broker.sent) == sent + 1
        if world.now_at(table).version != version:
            return


# ---------------------------------------------------------------------------------------- twins


def windows(game: str) -> list[tuple[Play, list[Commit], list[Commit], int]]:
    """Returns plays and their twins for the seat to move, at points where different seats could interrupt."""
    rulebook, found = GAMES[game], []
    for seed in range(60):
        played = play(rulebook, seed, max_rounds=2, max_entries=120)
        if any(entry.event is None for entry in played.entries):
            continue
        commits = commits_of(played)
        for end in range(2, len(commits) + 1):
            turn = rulebook.turn(commits[end - 1][-1].state)
            if len(turn.owes) == 1 and turn.may and able(rulebook, commits[end - 1], turn.may):
                outlook = Outlook(played, turn.owes[0], commits)
                for other in outlook.worlds(end, Random(seed)):
                    others = commits[: other.begin] + [commit for _, commit in other]
                    if other.is_whole and able(rulebook, others[-1], turn.may) != able(
                        rulebook, commits[end - 1], turn.may
                    ):
                        found.append((played, commits[:end], others, turn.owes[0]))
                        break
    return found


def able(rulebook, commit: Commit, seats: tuple[int, ...]) -> list[int]:
    entry = commit[-1]
    return [seat for seat in seats if rulebook.legal_actions(entry.state, seat, entry.now)]


def visits(world: World) -> list[tuple[object, ...]]:
    """Returns everything observable about the service's work at a table: times, number of visits, and shown waits.

    The last visit is the one where a bot acts, or the last before the clock of the seat to move expires.
    """
    loaded = world.now_at(TABLE)
    world.clock.now = loaded.moved_at
    while world.dispatch():  # after these commits nothing is due
        pass
    world.service.due_audit().rebuild()
    seen: list[tuple[object, ...]] = []
    for _ in range(10):
        at = recorded_due_time(world, TABLE).at
        assert at is not None, "a turn clock runs"
        seen.append((at, len(world.broker.sent), waiting_of(loaded, stage_of(loaded), turn_of(loaded), at)))
        if at > loaded.moved_at + DELAY or later(world, at):
            return seen
    raise AssertionError("the table is due again and again")


def world_of(api: Api) -> World:
    service = api.service
    return World(service.client, service.clock, partitions=service.settings.partitions)


@pytest.mark.parametrize("game", ["coconut", "shithead"])
def test_g_9_co_36_sh_55_timing_does_not_reveal_which_bot_could_interrupt(game):
    pairs = windows(game)
    assert pairs
    lengths = set()
    for played, mine, others, viewer in pairs:
        bots = [seat for seat in range(played.seats) if seat != viewer]
        apis = [api_with_play(played, happened, bots=bots, bot_delay=DELAY) for happened in (mine, others)]
        first, second = (visits(world_of(api)) for api in apis)
        shared = min(len(first), len(second))
        assert first[:shared] == second[:shared]
        lengths.add(len(first) == len(second))
    assert lengths == {True, False}, "in some world a bot did act, and in its twin none could"


# ------------------------------------------------------------------------------ between rounds


def test_the_next_round_is_dealt_after_the_pause(world):
    table = world.table("ada", "bot", round_pause=PAUSE, rounds=2, five_card=True)
    world.settle()
    while stage_of(world.now_at(table)) is Stage.IN_PLAY:
        move(world, 0)
        world.settle()
    until = world.clock.now + PAUSE
    assert pause_until(world.now_at(table)) == recorded_due_time(world).at == until
    assert later(world, until - 1) == 0
    assert later(world, until) > 0
    assert world.now_at(table).round == 2


def test_the_next_round_is_dealt_as_soon_as_everybody_is_ready(world):
    table = world.table("ada", "bot", round_pause=PAUSE, rounds=2, five_card=True)
    world.settle()
    while stage_of(world.now_at(table)) is Stage.IN_PLAY:
        move(world, 0)
        world.settle()
    world.do(table, SayReady(0), by="player:0")
    world.settle()
    assert world.now_at(table).round == 2
    assert plays_of(world.now_at(table), 0, world.clock.now)


def test_g_14_a_table_can_be_abandoned_during_a_pause():
    world = World(abandon_hours=0)
    table = world.table("ada", "bo", round_pause=PAUSE, rounds=2, five_card=True, start=False)
    world.clock.now += 1
    assert world.service.table_worker.run_due(table).steps == 0
