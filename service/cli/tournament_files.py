"""The files that a tournament is written to and read from: TRF-2026 and JSON."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click
from msgspec.structs import replace

from domain.tournaments.crosstable import Crosstable
from domain.tournaments.files.tournament_json import read_tournament
from domain.tournaments.files.trf import TrfSheet, read_trf
from domain.tournaments.standings import Row, standings, tiebreaks_of
from domain.tournaments.terms import Format, Tiebreak
from service.cli.files import LOG_SUFFIXES

C = TypeVar("C", bound=Callable[..., Any])

_NO_LOTS: Final = (
    "The file has no lots and no standings: entrants whom only the lot would tell apart share a rank."
)
_NO_BRACKET: Final = (
    "The file has neither standings nor the bracket of the knockout: its entrants are shown without ranks."
)


class ReadFile(NamedTuple):
    """A tournament as a file shows it; the notes say what it lacks, and `is_report` that it is TRF-2026."""

    crosstable: Crosstable
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    is_report: bool = False


def file_options(command: C) -> C:
    """Adds `--trf` and `--json` (as `json_`) to a command."""
    file = click.Path(dir_okay=False, path_type=Path)
    trf = click.option(
        "--trf", type=file, help="Write FIDE's TRF-2026 to this file (Swiss at tables of two)."
    )
    json = click.option("--json", "json_", type=file, help="Write the tournament as JSON to this file.")
    return trf(json(command))


def write_logs(folder: Path, logs: Mapping[str, bytes]) -> None:
    """Writes the logs of a tournament and of its tables, by the names of their files without the ending.

    Raises:
        ClickException: the folder holds other logs, which `hoodwink verify --tables` would take for those of tables.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = {f"{name}.ndjson": log for name, log in logs.items()}
    others = sorted(
        file.name for file in folder.iterdir() if file.suffix in LOG_SUFFIXES and file.name not in names
    )
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise click.ClickException(
            f"{folder} holds logs that are not of this tournament: {others[0]}{more}. Name another folder: each "
            "tournament needs one of its own."
        )
    for name, log in names.items():
        (folder / name).write_bytes(log)


def read_file(data: bytes) -> ReadFile:
    """Returns the tournament in a file, TRF-2026 or JSON.

    A JSON file's own last standings are shown, for it holds neither the lots nor a knockout's bracket.

    Raises:
        ValueError: it is no such file.
    """
    if not data.lstrip().startswith(b"{"):
        sheet = read_trf(_text(data))
        return ReadFile(sheet.crosstable, _ranked_by_report(sheet), is_report=True)
    read = read_tournament(data)
    if read.standings:
        return ReadFile(read.crosstable, read.standings[-1])
    return _ranked_without_standings(read.crosstable)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ValueError("It is not text in UTF-8.") from None


def _ranked_by_report(sheet: TrfSheet) -> tuple[Row, ...]:
    """Returns the standings with the ranks of the file, where it has any: an expelled entrant has none in it."""
    rows = standings(sheet.crosstable).rows
    if not sheet.ranks:
        return rows
    ranked = [replace(row, rank=sheet.ranks.get(row.entrant)) for row in rows]
    return tuple(sorted(ranked, key=lambda row: (row.rank is None, row.rank or 0)))


def _ranked_without_standings(crosstable: Crosstable) -> ReadFile:
    """Returns a tournament with as much of its standings as follows from its results alone."""
    notes = []
    if Tiebreak.LOT in tiebreaks_of(crosstable.terms):
        others = tuple([one for one in crosstable.terms.tiebreaks if one is not Tiebreak.LOT])
        crosstable = replace(
            crosstable, terms=replace(crosstable.terms, tiebreaks=others, strict_places=False)
        )
        notes.append(_NO_LOTS)
    rows: Iterable[Row] = standings(crosstable).rows
    if crosstable.terms.format is Format.KNOCKOUT:
        rows = [replace(row, rank=None) for row in sorted(rows, key=lambda row: row.entrant)]
        notes = [_NO_BRACKET]
    return ReadFile(crosstable, tuple(rows), tuple(notes))
