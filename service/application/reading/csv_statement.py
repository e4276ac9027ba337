"""Statements as CSV, one row per line; times in ISO 8601, UTC."""

from collections.abc import Iterable
from typing import Final

from hoodwink.service.application.reading.csv_rows import csv_of
from hoodwink.service.application.reading.journal import iso_time
from hoodwink.service.application.reading.statements import StatementLine

COLUMNS: Final = (
    "entry",
    "time",
    "event",
    "table",
    "tournament",
    "game",
    "round",
    "account",
    "unit",
    "amount",
    "balance",
    "reverses",
)


def csv_text(lines: Iterable[StatementLine]) -> str:
    """Returns a header row and a row for each line."""
    rows = [
        # A line has no `time`: its `at` is written there as text.
        ({name: getattr(line, name, None) for name in COLUMNS} | {"time": iso_time(line.at)}).values()
        for line in lines
    ]
    return csv_of(COLUMNS, rows)
