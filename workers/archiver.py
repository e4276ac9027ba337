"""Archives finished tables, tournaments and series in the background."""

import threading
from typing import Final

import structlog

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.streams.parts import resting
from hoodwink.service.bootstrap import Service
from hoodwink.workers.pace import Pace, Stopped

log = structlog.get_logger(__name__)

CPU_SHARE: Final = 0.03
"""The share of one core's time that the archiver may use."""

PAUSE_SECONDS: Final = 600.0
"""Pause between two runs."""


def archive_periodically(service: Service, stopping: threading.Event) -> None:
    """Moves logs after every pause, and counts them and the failed runs as metrics."""
    # prometheus_client looks up the metrics' folder when it is imported, so import it only after the folder is chosen.
    from hoodwink.service.monitoring.processes import ARCHIVE_FAILURES, ARCHIVED  # noqa: PLC0415

    idle_ms = service.settings.archive_after_ms
    if service.archiver is None or not idle_ms:
        return
    while not stopping.wait(PAUSE_SECONDS):
        before = resting.set(Pace(stopping, CPU_SHARE))
        try:
            moved = service.archiver.run(idle_ms=idle_ms)
        except Stopped:
            return
        except StoreUnavailable as error:
            ARCHIVE_FAILURES.inc()
            log.warning("archiving was interrupted", error=str(error))
        except Exception:
            ARCHIVE_FAILURES.inc()
            log.exception("archiving failed")
        else:
            ARCHIVED.inc(moved)
        finally:
            resting.reset(before)
