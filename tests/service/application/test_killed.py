"""The whole service is killed after any of its writes and loses its memory and all tasks, but tables continue."""

from typing import Any

import pytest

from hoodwink.domain.tables.state import Phase
from hoodwink.service.application.work.dispatch import RETRY_MS
from tests.service.application.faults import Killed
from tests.service.application.world import World
from tests.service.databases import new_redis


def play_until_killed(client: Any, clock_ms: int) -> bool:
    """Runs a service from its start until nothing is due; returns whether it was not killed."""
    world = World(client)
    world.clock.now += clock_ms
    try:
        world.dispatcher.tick()
        world.work()
        world.settle()
    except Killed:
        return False
    return True


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.campaign)])
def test_a_kill_after_any_write_neither_loses_nor_doubles_anything(kill, step):
    versions = set()
    for writes in range(0, 10_000, step):
        kill(1 << 30)
        client = new_redis()
        table = World(client).table("bot", "bot", rounds=1)
        kill(writes)
        if play_until_killed(client, 0):
            break
        kill(1 << 30)
        assert play_until_killed(client, RETRY_MS)
        after = World(client)
        assert after.now_at(table).phase is Phase.ENDED, writes
        assert after.is_valid(table), writes
        assert not [key for key in client.keys("hw:*:due:*") if not key.endswith(b":versions")], writes
        versions.add(after.now_at(table).version)
    assert writes > 40
    assert len(versions) == 1
