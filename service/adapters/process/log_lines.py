"""Logging of all processes: one line per message, on standard error, in one format.

    2026-03-01T09:30:00.000000Z warning projector store unavailable error='Connection refused' group=books

A line has the time in UTC, level, part, message, and further fields. JSON lines have the same fields.
"""

import json
import logging
import re
import sys
import threading
from collections.abc import Mapping, MutableMapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

import structlog
from structlog.processors import TimeStamper, format_exc_info
from structlog.stdlib import ProcessorFormatter, add_log_level

from hoodwink.service.adapters.process.repetitions import Repetitions
from hoodwink.service.adapters.process.request_ids import current_request

LogFormat: TypeAlias = Literal["text", "json"]
_Fields: TypeAlias = MutableMapping[str, Any]

_FIRST: Final = ("time", "level", "part", "message")

_OUTAGE_MESSAGES: Final = frozenset(
    {
        "store unavailable",
        "the connection to the store was lost",
        "the feed cannot be followed",
        "the changes of players cannot be followed",
        "a stream could not start",
        "players' tables cannot be followed",
        "the connected players could not be recorded",
        "could not trim the feed",
        "the vanished events could not be counted",
    }
)
"""Messages of this service that mean that Redis is unavailable."""

_CELERY_RECONNECTS: Final = "celery.worker.consumer.consumer"
"""The logger to which Celery writes once a second while it cannot reach its broker."""


class _OutageFilter(logging.Filter):
    """Lets one message per process through when Redis is unavailable, and then further ones at growing intervals."""

    def __init__(self) -> None:
        super().__init__()
        self._repetitions = Repetitions()

    def filter(self, record: logging.LogRecord) -> bool:
        # One key for all messages, because several loops of a process notice the same outage.
        return not _reports_outage(record) or self._repetitions.is_due("store")


def _reports_outage(record: logging.LogRecord) -> bool:
    if isinstance(record.msg, dict):  # structlog passes its fields on; other loggers pass a text
        return record.msg.get("event") in _OUTAGE_MESSAGES
    return record.name == _CELERY_RECONNECTS and record.levelno >= logging.WARNING


def write_logs(level: str, *, part: str, style: LogFormat) -> None:
    """Sets up the logging of this process and its libraries.

    A line that cannot be written, because the disk is full or nobody reads the pipe, is lost without an error.

    Args:
        level: the lowest level that is written: debug, info, warning or error.
        part: the name of this process in its lines.
        style: `text` for people, or `json` for one object per line.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    beginning: list[structlog.typing.Processor] = [
        add_log_level,
        TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    lines = logging.StreamHandler(sys.stderr)
    lines.addFilter(_OutageFilter())
    lines.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=beginning,
            processors=[
                ProcessorFormatter.remove_processors_meta,
                format_exc_info,  # structlog's richer tracebacks show local variables, which may be cards
                lambda _logger, _method, fields: format_line(_in_order(part, fields), style),
            ],
        )
    )
    logging.basicConfig(level=least, handlers=[lines], force=True)
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[*beginning, ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    _log_uncaught()


def _in_order(part: str, fields: _Fields) -> dict[str, Any]:
    """Returns the fields of a line in the order of all lines."""
    request = current_request()
    first = {"time": fields.pop("time"), "level": fields.pop("level"), "part": part}
    return {**first, "message": fields.pop("event"), **({"request": request} if request else {}), **fields}


def format_line(fields: Mapping[str, Any], style: LogFormat) -> str:
    """Returns a line without its newline. In text, a traceback follows on further lines.

    >>> format_line({"time": "2026-03-01T09:30:00Z", "level": "info", "part": "api", "message": "hello", "to": "all of you"}, "text")
    "2026-03-01T09:30:00Z info api hello to='all of you'"
    """
    if style == "json":
        return json.dumps(fields, default=str, ensure_ascii=False)
    rest = {key: value for key, value in fields.items() if key not in {*_FIRST, "exception"}}
    values = [f"{key}={_shown(value)}" for key, value in rest.items()]
    line = " ".join([*(_visible(str(fields[key])) for key in _FIRST), *values])
    return f"{line}\n{fields['exception']}" if "exception" in fields else line


def format_line_now(part: str, message: str, style: LogFormat) -> str:
    """Returns a line of level info with the current time."""
    return format_line(
        {"time": _utc(datetime.now(UTC)), "level": "info", "part": part, "message": message}, style
    )


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _shown(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and text and " " not in text else repr(text)


def _visible(text: str) -> str:
    """Returns a text without newlines and control characters."""
    # A client's text with a newline could forge another log line, and escape sequences could change a terminal.
    return text if text.isprintable() else repr(text)[1:-1]


def _log_uncaught() -> None:
    """Logs uncaught exceptions in the format of all lines."""
    # Python's own hooks would write tracebacks without time and part, which breaks readers of JSON lines.
    log = structlog.get_logger("uncaught")
    sys.excepthook = lambda _kind, error, _trace: log.critical("the process failed", exc_info=error)
    threading.excepthook = lambda failed: log.critical("a thread failed", exc_info=failed.exc_value)


_REDIS_LINE: Final = re.compile(
    r"(\d+):[A-Z] (\d\d \w{3} \d{4} \d\d:\d\d:\d\d\.\d{3}) ([.*#-]) (.*)", re.DOTALL
)
_REDIS_LEVELS: Final = {".": "debug", "-": "debug", "*": "info", "#": "warning"}


def redis_line(line: str, style: LogFormat) -> str:
    """Returns a line of a Redis server in the format of all lines.

    >>> redis_line("Segmentation fault", "text").partition("Z ")[2]
    'info redis Segmentation fault'
    """
    found = _REDIS_LINE.fullmatch(line)
    if found is None:  # mostly a part of a crash report
        return format_line_now("redis", line, style)
    process, time, mark, message = found.groups()
    at = datetime.strptime(time, "%d %b %Y %H:%M:%S.%f").astimezone()  # the server writes local time
    fields = {"time": _utc(at), "level": _REDIS_LEVELS[mark], "part": "redis", "message": message}
    return format_line({**fields, "process": process}, style)
