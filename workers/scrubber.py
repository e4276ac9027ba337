"""Audits all data slowly in the background, so that damage is found before somebody needs the data."""

import threading
from collections.abc import Callable
from typing import Final

import structlog

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.auditing import stages, unfinished
from hoodwink.service.bootstrap import Service
from hoodwink.workers.pace import Pace, Stopped

log = structlog.get_logger(__name__)

CPU_SHARE: Final = 0.01
"""The share of one core's time that the scrubber takes."""

PAUSE_SECONDS: Final = 600.0
"""Pause between two rounds."""


class NoNotes:
    """Records no verified log, because one that was intact in the last round may be damaged now."""

    def verified(self, _name: str) -> tuple[int, str] | None:
        return None

    def note(self, name: str, version: int, head: str) -> None:
        """Does nothing."""


def scrub_periodically(service: Service, stopping: threading.Event) -> None:
    """Audits all data again and again, logs each difference, and reports their number as a metric."""
    # prometheus_client looks for the metrics' folder when it is imported, so the folder must be chosen before.
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
    """Audits all data once and logs each difference.

    Returns:
        Their number, or `None` if the projector lags, so that only the next round can tell.
    """
    found = [
        (stage, finding)
        for stage in stages(service, NoNotes(), checked=pace)
        for finding in stage.findings(pace)
    ]
    is_behind = bool(found) and unfinished(service) is not None
    certain = [(stage, finding) for stage, finding in found if not (is_behind and stage.awaits_projector)]
    for stage, finding in certain:
        log.error("stored data is damaged, see `hoodwink audit`", audit=stage.name, finding=finding)
    return len(certain) if certain or not is_behind else None
