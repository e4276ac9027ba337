"""`hoodwink tournament`: simulate tournaments, export one, and read the file of another."""

from pathlib import Path

import click
from rich.console import Console

from domain.tables import export_log
from domain.tournaments import life
from domain.tournaments.files.trf import Unwritable
from domain.tournaments.life import Tournament
from domain.tournaments.life.log import export_log as export_tournament_log
from service.application.tournament_report import stored_report
from service.bootstrap import Service
from service.cli.files import EXPORTED_LOG, content, is_table_log, is_tournament_log
from service.cli.reach import reached_service
from service.cli.tournament_files import file_options, read_file, write_logs
from service.cli.tournament_simulate import simulate
from service.cli.tournament_tables import crosstable_grid, standings_grid


@click.group("tournament")
def command() -> None:
    """Simulate tournaments, export one, or read the file of another."""


@command.command("export", short_help="Export the logs of a tournament, or its TRF or JSON.")
@click.argument("tournament")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the logs of the tournament and of its tables to this folder.",
)
@file_options
def export(tournament: str, out: Path | None, trf: Path | None, json_: Path | None) -> None:
    """Export TOURNAMENT: the logs that prove it, once its seed is revealed, or its results, at any time after the start.

    Before the reveal the log would tell the cards of tables to come.
    """
    if (out, trf, json_) == (None, None, None):
        raise click.UsageError("Name what to write: --out, --trf or --json.")
    with reached_service() as service:
        state = service.tournaments.load(tournament).state
        if (trf or json_) and state.terms is None:
            raise click.ClickException("The tournament has not started, so it has no results yet.")
        if json_ is not None:
            json_.write_bytes(life.results_file(state))
            click.echo(f"The results are in {json_}; look at them with: hoodwink tournament show {json_}")
        if trf is not None:
            _write_report(service, state, trf)
        if out is not None:
            _write_logs(service, state, out)


def _write_report(service: Service, state: Tournament, file: Path) -> None:
    try:
        file.write_bytes(stored_report(service.tournaments, state))
    except Unwritable as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"The report is in {file}; look at it with: hoodwink tournament show {file}")


def _write_logs(service: Service, state: Tournament, out: Path) -> None:
    if not state.is_seed_revealed:
        raise click.ClickException("The tournament is not over yet; its log is open to nobody.")
    logs = {"tournament": export_tournament_log(state.id, service.tournaments.entries(state.id))}
    for round_ in state.rounds:
        for match in round_.matches:
            for deal in match.deals:
                if deal.is_opened:
                    logs[deal.table] = export_log(deal.table, service.tables.entries(deal.table))
    write_logs(out, logs)
    file = out / "tournament.ndjson"
    click.echo(f"{len(logs)} logs are in {out}; check them with: hoodwink verify {file} --tables {out}")


@command.command("show", short_help="Show the cross-table and standings of a TRF or JSON file.")
@click.argument("file", type=EXPORTED_LOG)
def show(file: Path) -> None:
    """Show the tournament in FILE: cross-table and standings.

    FILE is FIDE's TRF-2026, with the ranks it holds and the tie-breaks that follow from its results, or the JSON of
    `export` and `simulate`, which holds its own standings.
    """
    data = content(file)
    if is_table_log(data):
        raise click.ClickException(
            f"{file} is the log of a table; look at it with: hoodwink replay {file}, and check it with: "
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
    console.print(standings_grid(read.crosstable, read.rows))
    for note in read.notes:
        click.echo(note)


command.add_command(simulate)
