"""How the processes of the service write their logs: a line for each message, to standard error."""

import logging
import sys
import time

import structlog

_TIME = "%Y-%m-%d %H:%M:%S"


def write_logs(level: str) -> None:
    """Sets up what this process logs from now on, of its own and of its libraries.

    Tracebacks name lines of code and show no values, for those may be cards.

    Args:
        level: the least of debug, info, warning and error that is written.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(_Line("%(asctime)s [%(levelname)-9s] %(message)s"))
    logging.basicConfig(level=least, handlers=[lines], force=True)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt=_TIME),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


class _Line(logging.Formatter):
    """Writes what libraries log as structlog writes what we log."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return time.strftime(datefmt or _TIME, time.gmtime(record.created))

    def format(self, record: logging.LogRecord) -> str:
        record.levelname = record.levelname.lower()
        return super().format(record)
