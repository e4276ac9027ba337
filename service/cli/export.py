"""`hoodwink export`: the log of a table that is over, straight from the store."""

from pathlib import Path

import click

from domain.tables import Phase, export_log
from service.cli.files import out_option
from service.cli.reach import reached_service


@click.command("export")
@click.argument("table")
@out_option
def command(table: str, out: Path | None) -> None:
    """Export the whole log of TABLE, byte for byte what `GET /v1/tables/TABLE/log` gives.

    Only of a table that is over: before that the log holds every hidden card.
    """
    with reached_service() as service:
        if service.tables.load(table).state.phase is not Phase.ENDED:
            raise click.ClickException("The table is not over yet; its log is open to nobody.")
        log = export_log(table, service.tables.entries(table))
    if out is None:
        click.echo(log, nl=False)
    else:
        out.write_bytes(log)
        click.echo(f"The log is in {out}; check it with: hoodwink verify {out}")
