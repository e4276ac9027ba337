"""CSV files (RFC 4180) that are safe to open in a spreadsheet."""

import csv
from collections.abc import Iterable, Sequence
from decimal import Decimal
from io import StringIO
from typing import Final, TypeAlias

Cell: TypeAlias = str | int | Decimal | None

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""The first characters of a text that a spreadsheet may run as a formula."""


def csv_of(columns: Sequence[str], rows: Iterable[Iterable[Cell]]) -> str:
    """Returns a header row and the rows.

    Texts that a spreadsheet would take for a formula begin with an apostrophe, because people choose their names. Numbers
    stay as they are.
    """
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return written.getvalue()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
