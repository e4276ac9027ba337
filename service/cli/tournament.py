"""`hoodwink tournament`: simulates tournaments, exports them, and shows tournament files."""

from pathlib import Path

import click
from rich.console import Console

from hoodwink.service.cli.shared.files import EXPORTED_LOG, content, is_table_log, is_tournament_log
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.tournaments.files import file_options, read_file
from hoodwink.service.cli.tournaments.simulate import simulate
from hoodwink.service.cli.tournaments.tables import crosstable_grid, standings_grids


@click.group("tournament")
def command() -> None:
    """Simulate a tournament, export one, or show a tournament file."""


@command.command("export", short_help="Export the logs of a tournament, or its TRF or JSON.")
@click.argument("tournament")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the logs of the tournament and its tables to this folder.",
)
@file_options
def export(tournament: str, out: Path | None, trf: Path | None, json_: Path | None) -> None:
    """Export TOURNAMENT: its results at any time after the start, or the logs that prove it.

    The logs can be exported only after the seed is revealed, because it determines the cards of all tables.
    """
    if (out, trf, json_) == (None, None, None):
        raise click.UsageError("Choose what to write: --out, --trf or --json.")
    # Imported late, because the other commands need no Redis.
    from hoodwink.service.cli.tournaments.export import write_files

    write_files(tournament, out=out, trf=trf, json_=json_)


@command.command("show", short_help="Show the cross-table and standings of a TRF or JSON file.")
@click.argument("file", type=EXPORTED_LOG)
def show(file: Path) -> None:
    """Show the cross-table and standings of the tournament in FILE.

    FILE is a report in FIDE's TRF-2026, whose tie-breaks are computed from its results, or the JSON written by `export`
    and `simulate`, which contains the standings.
    """
    data = content(file)
    # Logs begin with a brace, too, so `read_file` would report them as damaged JSON files.
    if is_table_log(data):
        raise click.ClickException(
            f"{file} is the log of a table; show it with: hoodwink replay {file}, and check it with: "
            f"hoodwink verify {file}"
        )
    if is_tournament_log(data):
        raise click.ClickException(
            f"{file} is the log of a tournament; check it and see the standings with: "
            f"hoodwink verify {file} --tables DIRECTORY"
        )
    try:
        read = read_file(data)
    except ValueError as error:
        raise click.ClickException(f"{file} is not a tournament file: {error}") from None
    console = Console()
    console.print(crosstable_grid(read.crosstable, read.rows, is_report=read.is_report))
    console.print(standings_grids(read.crosstable, read.rows))
    for note in read.notes:
        say(note)


command.add_command(simulate)
