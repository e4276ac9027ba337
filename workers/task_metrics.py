"""What a worker counts of its tasks."""

from functools import partial
from typing import Any, Final

from celery import states
from celery.signals import task_postrun
from prometheus_client import Counter, Histogram

from service.adapters.task_queue import DUE_AT, task_name
from service.application.dispatch import Task
from service.bootstrap import Service

TASKS: Final = Counter(
    "hoodwink_tasks", "Tasks that workers have ended, by what came of it.", ["task", "outcome"]
)
DELAY: Final = Histogram(
    "hoodwink_due_to_done_seconds",
    "Time from the moment at which the first table or tournament of a task was due to the end of the task.",
    ["task"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0),
)
_OUTCOMES: Final = {states.SUCCESS: "done", states.FAILURE: "failed"}


def count_tasks(service: Service) -> None:
    """Counts the tasks of this process and its children from now on, with the clock of the service."""
    for task in Task:
        DELAY.labels(task)
        for outcome in _OUTCOMES.values():
            TASKS.labels(task, outcome)
    task_postrun.connect(partial(_count, service), weak=False)


def _count(service: Service, task: Any, state: str | None, **_: Any) -> None:
    name = _NAMES.get(task.name)
    if name is None or state not in _OUTCOMES:
        return
    TASKS.labels(name, _OUTCOMES[state]).inc()
    due_at = (task.request.headers or {}).get(DUE_AT)
    if due_at is not None:  # tasks that an earlier release sent have none
        DELAY.labels(name).observe(max(0, service.clock.now_ms() - due_at) / 1_000)


_NAMES: Final = {task_name(task): task for task in Task}
