"""Logging for the processes of the service: a line for each message, to standard error."""

import logging
import sys

import structlog
from structlog.stdlib import ProcessorFormatter


def write_logs(level: str) -> None:
    """Sets up the logging of this process and its libraries.

    Tracebacks name lines of code and show no values, for those may be cards. A line that cannot be written, because
    the disk is full or nobody reads the pipe any more, is lost without an error.

    Args:
        level: the lowest level that is written: debug, info, warning or error.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    beginning: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S"),
    ]
    lines = logging.StreamHandler(sys.stderr)
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
