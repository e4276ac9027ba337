"""Bots think in processes of their own, which may be killed at any time (G-19)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.tables.commands import Act, DealRound
from hoodwink.domain.tables.pace import MAX_DELAY_MS, thinking_times, thinks
from hoodwink.domain.tables.state import turn_of
from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.store.clock import clock_on
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.application.world import StandingClock, World
from tests.service.processes import end
from tests.workers.parts import until

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]


def test_a_killed_thinker_loses_nothing(tmp_path):
    """The process dies in the middle of a decision; the next one decides, and the bot makes that move."""
    died = tmp_path / "died"
    with EmbeddedRedis(folder=tmp_path / "redis") as redis, connect(redis.url) as client:
        settings = Settings(redis_url=redis.url, thinking_slots=1)
        world = World(client, clock_on(client=client, partitions=16))
        table = world.table("bot:expert", "Ada", game="blind_don", bot_delay=MAX_DELAY_MS)
        dealt = world.do(table, DealRound(), by="worker").after.state
        if not thinks(dealt, turn_of(dealt).owes[0]):
            dealt = world.do(table, Act(1, world.choice(table, 1)), by="player:1").after.state
        send = partial(world.service.tasks.send, Task.THINK, table)
        with thinkers(settings, died):
            send()
            until(died.exists)
            thought = until(lambda: world.service.thoughts.find(dealt, 0), doing=send)
        assert world.now_at(table).version == dealt.version

        moves_at = thinking_times(dealt, 0)[1]
        clock = StandingClock()
        clock.now = moves_at
        later = World(client, clock)
        assert later.service.table_worker.run_due(table).steps == 1
        (moved,) = later.service.tables.history(table, after=dealt.version, count=1)
        event: Any = moved.event
        assert (moved.entry.by, event.position) == ("bot:0", thought.position)


@contextmanager
def thinkers(settings: Settings, died: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.workers.unruly_thinkers", str(died)],
        cwd=ROOT,
        env=os.environ | settings.to_environment(),
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        end(process)
