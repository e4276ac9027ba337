"""`hoodwink export`: writes the log of a finished table, read directly from the store."""

from pathlib import Path

import click

from hoodwink.domain.tables.proving.log import export_log, people_in_log
from hoodwink.domain.tables.state import Phase
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.files import out_option
from hoodwink.service.cli.shared.output import say


@click.command("export")
@click.argument("table")
@out_option
def command(table: str, out: Path | None) -> None:
    """Export the complete log of TABLE, byte for byte like `GET /v1/tables/TABLE/log`.

    The table must have ended, because the log shows every hidden card.
    """
    with connected_service() as service:
        # This command reads the store directly, so none of the API's checks protect the hidden cards here.
        state = service.tables.load(table).state
        if state.phase is not Phase.ENDED:
            raise click.ClickException(
                "The table has not ended yet. Its log shows hidden cards, so it can be exported only after the end."
            )
        if state.is_embargoed:  # D-7
            raise click.ClickException(
                "Other tables still play the deal of this one. Its log can be exported when the last of them has ended."
            )
        entries = service.tables.entries(table)
        log = export_log(table, entries, service.players.names(people_in_log(entries)))
    if out is None:
        click.echo(log, nl=False)
    else:
        out.write_bytes(log)
        say(f"The log is in {out}; check it with: hoodwink verify {out}")
