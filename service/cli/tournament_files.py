"""The files that a tournament is written to and read from: TRF-2026 and JSON."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from domain.tournaments.chance import Draw
from domain.tournaments.crosstable import Crosstable
from domain.tournaments.files.tournament_json import write_tournament
from domain.tournaments.files.trf import TrfSheet, write_trf
from domain.tournaments.pairing.dutch.round import initial_colour
from domain.tournaments.standings import Standings

C = TypeVar("C", bound=Callable[..., Any])


def file_options(command: C) -> C:
    """Adds `--trf` and `--json` (as `json_`) to a command."""
    file = click.Path(dir_okay=False, path_type=Path)
    trf = click.option(
        "--trf", type=file, help="Write FIDE's TRF-2026 to this file (Swiss at tables of two)."
    )
    json = click.option("--json", "json_", type=file, help="Write the tournament as JSON to this file.")
    return trf(json(command))


def write_json(file: Path, crosstable: Crosstable, *, game: str, draw: Callable[[int], Draw]) -> None:
    """Writes a tournament as JSON; `draw` returns the lots of a round."""
    file.write_bytes(write_tournament(crosstable, game=game, draw=draw))


def write_report(
    file: Path, crosstable: Crosstable, standings: Standings, *, name: str, days: tuple[str, str]
) -> None:
    """Writes a tournament as TRF-2026; `days` are the first and the last, as yyyy/mm/dd.

    Raises:
        Unwritable: the tournament is no two-seat Swiss, or has a table in play.
    """
    sheet = TrfSheet(
        name=name,
        start=days[0],
        end=days[1],
        initial=initial_colour(crosstable) or "w",
        crosstable=crosstable,
        ranks={row.entrant: row.rank for row in standings.rows if row.rank},
    )
    file.write_text(write_trf(sheet), encoding="utf-8", newline="\n")
