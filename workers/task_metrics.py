"""A worker's metrics."""

from typing import Any, Final

from celery import Celery, states
from celery.signals import task_postrun
from prometheus_client import Counter, Histogram

from hoodwink.domain.bots import LEVELS
from hoodwink.service.adapters.tasks.task_queue import DUE_AT, task_name
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service

TASKS: Final = Counter("hoodwink_tasks", "Tasks that workers have finished, by outcome.", ["task", "outcome"])
DELAY: Final = Histogram(
    "hoodwink_due_to_done_seconds",
    "Time from the moment at which the first table or tournament of a task was due to the end of the task.",
    ["task"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0),
)
LATE: Final = Counter(
    "hoodwink_late_decisions",
    "Moves that *Steady* made because the decision of a bot that thinks was late.",
    ["level"],
)
_OUTCOMES: Final = {states.SUCCESS: "done", states.FAILURE: "failed"}


def count_tasks(app: Celery, service: Service) -> None:
    """Begins to count the tasks of this process."""
    tasks = [task for task in Task if task_name(task) in app.tasks]
    # Each count begins at 0, because Prometheus sees no increase when a counter first appears.
    counters = {
        (task_name(task), state): TASKS.labels(task, outcome)
        for task in tasks
        for state, outcome in _OUTCOMES.items()
    }
    for name, level in LEVELS.items():
        if level.thinks:
            LATE.labels(name)
    service.fell_back = lambda name: LATE.labels(name).inc()
    delays = {task_name(task): DELAY.labels(task) for task in tasks}

    def count(task: Any, state: str | None, **_: Any) -> None:
        counter = counters.get((task.name, state or ""))
        if counter is None:
            return
        counter.inc()
        due_at = (task.request.headers or {}).get(DUE_AT)
        if due_at is not None:  # a task that continues another one has none
            delays[task.name].observe(max(0, service.clock.now_ms() - due_at) / 1_000)

    task_postrun.connect(count, weak=False)
