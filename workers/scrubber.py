"""Audits all data slowly in the background, so that damage is found before somebody needs the data."""

import threading
from collections.abc import Callable
from typing import Final

import structlog

from hoodwink.service.application.ports import StoreUnavailable, StreamId
from hoodwink.service.auditing import CERTAIN, audit_all, unfinished
from hoodwink.service.bootstrap import Service
from hoodwink.workers.pace import Pace, Stopped

log = structlog.get_logger(__name__)

CPU_SHARE: Final = 0.01
"""The share of one core's time that the scrubber may use."""

PAUSE_SECONDS: Final = 600.0
"""Pause between two rounds."""


class NoNotes:
    """Remembers no verified logs, so that every round verifies all of them: an intact log may be damaged later."""

    is_complete: Final = False

    def is_verified(self, _stream: StreamId, _version: int, _head: str) -> bool:
        return False

    def note(self, stream: StreamId, version: int, head: str) -> None:
        """Does nothing."""


def scrub_periodically(service: Service, stopping: threading.Event) -> None:
    """Audits all data after every pause, and reports the number of differences as a metric."""
    # prometheus_client looks up the metrics' folder when it is imported, so import it only after the folder is chosen.
    from hoodwink.service.monitoring.processes import note_scrubbing  # noqa: PLC0415

    while not stopping.wait(PAUSE_SECONDS):
        try:
            found = scrub(service, Pace(stopping, CPU_SHARE))
        except Stopped:
            return
        except StoreUnavailable as error:
            log.warning("scrubbing was interrupted", error=str(error))
        except Exception:
            log.exception("scrubbing failed")
        else:
            if found is not None:
                note_scrubbing(found)


def scrub(service: Service, pace: Callable[[object], None]) -> int | None:
    """Audits all data once, and logs each difference that a lagging projector cannot explain.

    Returns:
        The number of differences, or `None` if a lagging projector may have caused all of them.
    """
    found = audit_all(service, NoNotes(), on_progress=pace, done=pace)
    is_behind = bool(found) and unfinished(service) is not None
    certain = [finding for finding in found if not is_behind or finding.audit in CERTAIN]
    for finding in certain:
        log.error("stored data is damaged, see `hoodwink audit`", audit=finding.audit, finding=str(finding))
    return len(certain) if certain or not is_behind else None
