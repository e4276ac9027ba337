"""Runs a Celery worker that sends pushes, and the messages of webhooks: `hoodwink run pushes`.

It has a queue and threads of its own, because the servers that it sends to belong to strangers and may be slow. Webhooks have
threads of their own as well, and no task: their messages are in the logs of tournaments (`Deliverer`).
"""

import os
from functools import cache
from threading import Thread
from typing import Final

import structlog

from hoodwink.service.adapters.tasks.applications import celery_application
from hoodwink.service.adapters.tasks.broker import PUSH_KEYS
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.work.recalls import Recall
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.workers.celery_process import add_visits, run_worker

_LOOK_SECONDS: Final = 1.0

log = structlog.get_logger(__name__)
settings = Settings.from_environment(os.environ)
app = celery_application(settings.tasks_url, PUSH_KEYS)


def _call(table_id: str) -> None:
    _service().caller.call(table_id)


def _announce(tournament_id: str) -> None:
    _service().caller.announce(tournament_id)


def _nudge(table_id: str) -> None:
    _service().caller.nudge(table_id)


def _offer_entries(tournament_id: str) -> None:
    _service().caller.offer_entries(tournament_id)


add_visits(app, Task.CALL, _call)
add_visits(app, Task.ANNOUNCE, _announce)
add_visits(app, Task.NUDGE, _nudge)
add_visits(app, Task.OFFER_ENTRIES, _offer_entries)


@cache
def _service() -> Service:
    # prometheus_client looks up the metrics' folder when it is imported, so import it only after the folder is chosen.
    from hoodwink.workers.push_metrics import count, count_delivery  # noqa: PLC0415

    service = Service(settings, process="pushes")
    service.pushed, service.delivered = count, count_delivery
    return service


def _call_again(recall: Recall) -> None:
    try:
        _service().caller.call_again(recall)
    except Exception:  # a lost push is no reason to keep the others waiting
        log.exception("could not send a push again")


def _deliver() -> None:
    """Sends messages of webhooks, without end."""
    while True:
        try:
            if _service().deliverer.visit_next():
                continue
        except StoreUnavailable as error:
            log.warning("store unavailable", task="webhooks", error=str(error))
        except Exception:  # one webhook is no reason to keep the others waiting; it is visited again later
            log.exception("could not send the messages of a webhook")
        _service().clock.wait(_LOOK_SECONDS)


def _prepare() -> None:
    from hoodwink.workers.push_metrics import begin_counts  # noqa: PLC0415 - see `_service`

    begin_counts()
    _ = _service().caller, _service().deliverer  # made before there are threads
    for number in range(settings.push_slots):
        again = Thread(
            target=_service().recalls.run, args=(_call_again,), name=f"recalls-{number}", daemon=True
        )
        again.start()
    for number in range(settings.webhook_slots):
        Thread(target=_deliver, name=f"webhooks-{number}", daemon=True).start()


def main() -> None:
    """Runs the worker until SIGTERM or SIGINT."""
    run_worker(
        app, settings, part="pushes", ready=_prepare, pool_cls="threads", concurrency=settings.push_slots
    )
