"""The file formats of tournaments, TRF-2026 and JSON, and the folder for their logs."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click
from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.files.tournament_json import read_tournament
from hoodwink.domain.tournaments.files.trf import TrfSheet, read_trf
from hoodwink.domain.tournaments.standings import Row, standings, tiebreaks_of
from hoodwink.domain.tournaments.terms import Format, Tiebreak
from hoodwink.service.cli.shared.files import LOG_SUFFIXES

C = TypeVar("C", bound=Callable[..., Any])

_NO_LOTS: Final = (
    "The file contains neither lots nor standings, so entrants that only the lot would separate share a rank."
)
_NO_BRACKET: Final = (
    "The file contains neither standings nor the knockout bracket, so the entrants are shown without ranks."
)


class ReadFile(NamedTuple):
    """A tournament read from a file; `notes` name what the file lacks, and `is_report` is true for TRF-2026."""

    crosstable: Crosstable
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    is_report: bool = False


def file_options(command: C) -> C:
    """Adds the options `--trf` and `--json` (as `json_`) to a command."""
    file = click.Path(dir_okay=False, path_type=Path)
    trf = click.option(
        "--trf", type=file, help="Write FIDE's TRF-2026 to this file (Swiss or league at tables of two)."
    )
    json = click.option("--json", "json_", type=file, help="Write the tournament as JSON to this file.")
    return trf(json(command))


def write_logs(folder: Path, logs: Mapping[str, bytes]) -> None:
    """Writes the logs of a tournament and its tables to a folder; the keys are file names without suffix.

    Raises:
        ClickException: the folder contains other logs, which `hoodwink verify --tables` would treat as its tables.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = {f"{name}.ndjson": log for name, log in logs.items()}
    others = sorted(
        file.name for file in folder.iterdir() if file.suffix in LOG_SUFFIXES and file.name not in names
    )
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise click.ClickException(
            f"{folder} contains logs that are not of this tournament: {others[0]}{more}. Choose another folder: each "
            "tournament needs its own."
        )
    for name, log in names.items():
        (folder / name).write_bytes(log)


def read_file(data: bytes) -> ReadFile:
    """Returns the tournament in a file, TRF-2026 or JSON.

    Uses the last standings in a JSON file as they are: they cannot be computed again without the lots and the bracket,
    which are not in the file.

    Raises:
        ValueError: the file has neither format.
    """
    # The lines of a report begin with three digits.
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
    """Returns the standings with the ranks in the file, if any; an expelled entrant has no rank there."""
    rows = standings(sheet.crosstable).rows
    if not sheet.ranks:
        return rows
    ranked = [replace(row, rank=sheet.ranks.get(row.entrant)) for row in rows]
    return tuple(sorted(ranked, key=lambda row: (row.rank is None, row.rank or 0)))


def _ranked_without_standings(crosstable: Crosstable) -> ReadFile:
    """Returns a tournament with the standings that follow from its results alone."""
    notes = []
    if Tiebreak.LOT in tiebreaks_of(crosstable.terms):
        others = tuple([tiebreak for tiebreak in crosstable.terms.tiebreaks if tiebreak is not Tiebreak.LOT])
        # `strict_places` would need the lot, too.
        crosstable = replace(
            crosstable, terms=replace(crosstable.terms, tiebreaks=others, strict_places=False)
        )
        notes.append(_NO_LOTS)
    rows: Iterable[Row] = standings(crosstable).rows
    if crosstable.terms.format is Format.KNOCKOUT:  # scores do not say who was knocked out by whom
        rows = [replace(row, rank=None) for row in sorted(rows, key=lambda row: row.entrant)]
        notes = [_NO_BRACKET]
    return ReadFile(crosstable, tuple(rows), tuple(notes))
