"""`hoodwink tournament`: simulates tournaments, exports them, and shows tournament files."""

from pathlib import Path

import click
from rich.console import Console

from hoodwink.domain.tables.proving.log import export_log, people_in_log
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.files.trf import Unwritable
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.service.application.reading.tournament_report import stored_report
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.files import EXPORTED_LOG, content, is_table_log, is_tournament_log
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.tournaments.files import file_options, read_file, write_logs
from hoodwink.service.cli.tournaments.simulate import simulate
from hoodwink.service.cli.tournaments.tables import crosstable_grid, standings_grid


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
    with connected_service() as service:
        loaded = service.tournaments.load(tournament)
        state = loaded.state
        if (trf or json_) and state.terms is None:
            raise click.ClickException("The tournament has not started, so it has no results yet.")
        if json_ is not None:
            json_.write_bytes(life.results_file(state, service.players.names(life.people_in(state))))
            say(f"The results are in {json_}; show them with: hoodwink tournament show {json_}")
        if trf is not None:
            _write_report(service, loaded, trf)
        if out is not None:
            _write_logs(service, state, out)


def _write_report(service: Service, loaded: LoadedTournament, file: Path) -> None:
    try:
        names = service.players.names(life.people_in(loaded.state))
        file.write_bytes(stored_report(service.tournaments, loaded, names))
    except Unwritable as error:
        raise click.ClickException(str(error)) from None
    say(f"The report is in {file}; show it with: hoodwink tournament show {file}")


def _write_logs(service: Service, state: Tournament, out: Path) -> None:
    if not state.is_seed_revealed:
        raise click.ClickException(
            "The seed of the tournament is not revealed yet. The logs can be exported after the end, once no table is in play."
        )
    entries = service.tournaments.entries(state.id)
    names = service.players.names(people_in_log(entries))
    logs = {"tournament": export_tournament_log(state.id, entries, names)}
    for round_ in state.rounds:
        for match in round_.matches:
            for deal in match.deals:
                if deal.is_opened:  # the others have no stream
                    logs[deal.table] = export_log(deal.table, service.tables.entries(deal.table), names)
    write_logs(out, logs)
    file = out / "tournament.ndjson"
    say(f"{len(logs)} logs are in {out}; check them with: hoodwink verify {file} --tables {out}")


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
    console.print(standings_grid(read.crosstable, read.rows))
    for note in read.notes:
        say(note)


command.add_command(simulate)
