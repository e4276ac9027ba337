"""Logging for the processes of the service: a line for each message, to standard error."""

import logging
import sys
from typing import Final

import structlog
from structlog.stdlib import ProcessorFormatter

from service.adapters.repetitions import Repetitions

_ABSENCES: Final = frozenset(
    {
        "store unavailable",
        "the connection to the store was lost",
        "the feed cannot be followed",
        "the changes of players cannot be followed",
        "a stream could not begin",
        "the tables of players cannot be followed",
        "the connected players could not be noted",
        "could not trim the feed",
        "the vanished events could not be counted",
    }
)
"""The messages of this service that mean that Redis is away."""

_CELERY_RECONNECTS: Final = "celery.worker.consumer.consumer"
"""The logger to which Celery writes once a second that it cannot reach its broker."""


class _OutageFilter(logging.Filter):
    """Lets a process write once that Redis is away, and then at growing intervals, whichever part of it notices."""

    def __init__(self) -> None:
        super().__init__()
        self._repetitions = Repetitions()

    def filter(self, record: logging.LogRecord) -> bool:
        return not _says_absence(record) or self._repetitions.is_due("store")


def _says_absence(record: logging.LogRecord) -> bool:
    if isinstance(record.msg, dict):  # ours, from structlog
        return record.msg.get("event") in _ABSENCES
    return record.name == _CELERY_RECONNECTS and record.levelno >= logging.WARNING


def write_logs(level: str) -> None:
    """Sets up the logging of this process and its libraries.

    Tracebacks name lines of code and show no values, for those may be cards. A line that cannot be written, because
    the disk is full or nobody reads the pipe any more, is lost without an error. That Redis is away is written at growing
    intervals.

    Args:
        level: the lowest level that is written: debug, info, warning or error.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    beginning: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S"),
    ]
    lines = logging.StreamHandler(sys.stderr)
    lines.addFilter(_OutageFilter())
    lines.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=beginning,
            processors=[
                ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                ),
            ],
        )
    )
    logging.basicConfig(level=least, handlers=[lines], force=True)
    structlog.configure(
        processors=[*beginning, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
