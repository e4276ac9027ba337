"""Two ways in which the current code takes over from an older commit: as a whole, or part by part."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.upgrade.releases import ROOT, Running

Takeover: TypeAlias = Callable[[], None]

ORDER = ("projector", "worker", "api")
"""Parts that only read come first, because the current code reads old formats but old code does not read new ones."""

_SECONDS_WITH_OLD_PARTS = 5.0


@contextmanager
def as_a_whole(tree: Path, settings: Settings, *, is_killed: bool) -> Iterator[tuple[Settings, Takeover]]:
    """Runs the service of a tree; yields its settings and a function that replaces it with the current code."""
    with ExitStack() as stack:
        old = stack.enter_context(Running(tree, settings))
        old.await_ready()

        def take_over() -> None:
            old.end(is_killed=is_killed)
            stack.enter_context(Running(ROOT, settings)).await_ready()

        yield settings, take_over


@contextmanager
def part_by_part(tree: Path, settings: Settings, *, is_killed: bool) -> Iterator[tuple[Settings, Takeover]]:
    """Does the same with parts that share a Redis, each replaced while the others run."""
    with EmbeddedRedis(folder=settings.data_folder) as server, ExitStack() as stack:
        settings = replace(settings, redis_url=server.url)
        parts = {part: stack.enter_context(Running(tree, settings, part)) for part in ORDER}
        parts["api"].await_ready()

        def take_over() -> None:
            for part in ORDER:
                parts[part].end(is_killed=is_killed)
                parts[part] = stack.enter_context(Running(ROOT, settings, part))
                time.sleep(_SECONDS_WITH_OLD_PARTS)
            stack.enter_context(Running(ROOT, settings, "jobs"))  # which earlier releases do not have
            parts["api"].await_ready()

        yield settings, take_over
