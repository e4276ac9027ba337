"""Runs a Celery worker that thinks for bots: `hoodwink run thinkers`.

Each decision is made in a process of a pool, with low priority. Any of these processes may be killed: another one
thinks again, or *Steady* moves.
"""

import os
from functools import cache
from typing import Final

from hoodwink.service.adapters.tasks.applications import celery_application
from hoodwink.service.adapters.tasks.broker import THINKING_KEYS
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.workers.celery_process import add_visits, run_worker
from hoodwink.workers.job_limits import NICENESS

_SECONDS: Final = 30
"""A process that thinks for longer than this is killed."""

settings = Settings.from_environment(os.environ)
app = celery_application(settings.tasks_url, THINKING_KEYS)


def _think(table_id: str) -> None:
    following = _service().thinker.think(table_id)
    if following is not None:
        _service().tasks.send(following, table_id)


add_visits(app, Task.THINK, _think)


@cache
def _service() -> Service:
    """Returns the service of this process of the pool."""
    # Made after the fork, because processes must not share connections. The metrics' folder must be chosen before.
    from hoodwink.workers.thinking_metrics import count  # noqa: PLC0415

    service = Service(settings, process="thinkers")
    service.thought = count
    return service


def _prepare() -> None:
    from hoodwink.workers.thinking_metrics import begin_counts  # noqa: PLC0415 - see `_service`

    begin_counts()


def main() -> None:
    """Runs the worker until SIGTERM or SIGINT."""
    os.nice(NICENESS)
    run_worker(
        app,
        settings,
        part="thinkers",
        ready=_prepare,
        pool_cls="prefork",
        concurrency=settings.thinking_slots,
        time_limit=_SECONDS,
    )
