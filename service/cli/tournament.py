"""`hoodwink tournament`: simulate tournaments, and export the logs of one."""

from pathlib import Path

import click

from domain.tables import export_log
from domain.tournaments.life.log import export_log as export_tournament_log
from service.cli.reach import reached_service
from service.cli.tournament_simulate import simulate


@click.group("tournament")
def command() -> None:
    """Simulate tournaments, or export the logs of one."""


@command.command("export", short_help="Export the logs of a tournament and its tables.")
@click.argument("tournament")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write the logs to.",
)
def export(tournament: str, out: Path) -> None:
    """Export the log of TOURNAMENT and those of its tables, once its seed is revealed.

    Before that the log would tell the cards of tables to come.
    """
    with reached_service() as service:
        state = service.tournaments.load(tournament).state
        if not state.is_seed_revealed:
            raise click.ClickException("The tournament is not over yet; its log is open to nobody.")
        logs = {"tournament": export_tournament_log(tournament, service.tournaments.entries(tournament))}
        for round_ in state.rounds:
            for match in round_.matches:
                for deal in match.deals:
                    if deal.is_opened:
                        logs[deal.table] = export_log(deal.table, service.tables.entries(deal.table))
    out.mkdir(parents=True, exist_ok=True)
    for name, log in logs.items():
        (out / f"{name}.ndjson").write_bytes(log)
    file = out / "tournament.ndjson"
    click.echo(f"{len(logs)} logs are in {out}; check them with: hoodwink verify {file} --tables {out}")


command.add_command(simulate)
