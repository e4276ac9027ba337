"""How the present code takes over from an older commit: all at once, or one part after the other."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from service.adapters.embedded_redis import EmbeddedRedis
from service.settings import Settings
from tests.upgrade.releases import ROOT, Running

Takeover: TypeAlias = Callable[[], None]

ORDER = ("projector", "worker", "api")
"""Who only reads what the others store comes first: the present code reads old forms, but not the other way round."""

_SECONDS_BESIDE_OLD_PARTS = 5.0


@contextmanager
def at_once(tree: Path, settings: Settings, *, is_killed: bool) -> Iterator[tuple[Settings, Takeover]]:
    """Runs the service of a tree; gives its settings, and what replaces it by the present one."""
    with ExitStack() as stack:
        old = stack.enter_context(Running(tree, settings))
        old.await_ready()

        def take_over() -> None:
            old.end(is_killed=is_killed)
            stack.enter_context(Running(ROOT, settings)).await_ready()

        yield settings, take_over


@contextmanager
def in_turn(tree: Path, settings: Settings, *, is_killed: bool) -> Iterator[tuple[Settings, Takeover]]:
    """The same with parts that share a Redis and are replaced while the others of them run."""
    with EmbeddedRedis(folder=settings.data_folder) as server, ExitStack() as stack:
        settings = replace(settings, redis_url=server.url)
        parts = {part: stack.enter_context(Running(tree, settings, part)) for part in ORDER}
        parts["api"].await_ready()

        def take_over() -> None:
            for part in ORDER:
                parts[part].end(is_killed=is_killed)
                parts[part] = stack.enter_context(Running(ROOT, settings, part))
                time.sleep(_SECONDS_BESIDE_OLD_PARTS)
            parts["api"].await_ready()

        yield settings, take_over
