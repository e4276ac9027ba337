"""The Celery workers: `celery -A workers.app worker`. They move bots, deal and score rounds, and call time."""

import os
from contextlib import suppress

from service.adapters.task_queue import ATTEND, celery_application
from service.application.errors import NotFound
from service.application.ports import StoreUnavailable
from service.bootstrap import Service
from service.settings import Settings

settings = Settings.from_environment(os.environ)
service = Service(settings)
app = celery_application(settings.tasks_url or "redis://127.0.0.1:6379/0")


@app.task(name=ATTEND, autoretry_for=(StoreUnavailable,), max_retries=None, default_retry_delay=1)
def attend(table_id: str) -> None:
    """Does what is due at a table. Twice does no harm, and a lost task is sent again from the feed."""
    with suppress(NotFound):  # the store was emptied while the task was on its way
        service.attendance.attend(table_id)
