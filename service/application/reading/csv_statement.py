"""Statements as CSV (RFC 4180), one row per line; times in ISO 8601, UTC."""

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Final

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
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for line in lines:
        row = {name: getattr(line, name, None) for name in COLUMNS} | {"time": iso_time(line.at)}
        writer.writerow(row.values())
    return written.getvalue()
