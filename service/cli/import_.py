"""`hoodwink import`: imports a log that another service exported."""

from pathlib import Path

import click

from hoodwink.domain.tables.proving.log import count_events
from hoodwink.service.application.commands.imports import MAX_LOG, InvalidLog
from hoodwink.service.cli.shared.connection import connected_service
from hoodwink.service.cli.shared.files import EXPORTED_LOG, table_log
from hoodwink.service.cli.shared.output import say
from hoodwink.service.cli.shared.progress import checking
from hoodwink.service.cli.verify import at_line


@click.command("import")
@click.argument("file", type=EXPORTED_LOG)
def command(file: Path) -> None:
    """Import the exported log FILE, so that players can view it and play on from it.

    The log is verified first. An import appears in no lobby, ledger, history, statistics or rating. Importing the
    same log again changes nothing. With - as FILE, the command reads standard input.
    """
    log = table_log(file)
    if len(log) > MAX_LOG:  # before the verification, which would take long for such a log
        raise click.ClickException(
            f"{file} is too large: an imported log may have at most {MAX_LOG:,} bytes."
        )
    with connected_service() as service:
        try:
            with checking(count_events(log)) as on_progress:
                import_id = service.imports.add(log, on_progress=on_progress)
        except InvalidLog as error:
            finding = error.finding
            raise click.ClickException(
                f"{file} does not verify{at_line(finding)}: {finding.detail}."
            ) from None
        table = service.imports.look(import_id).loaded.state
    say(
        f"Table {table.id} ({table.game}, {table.version} events) is import {import_id}: GET /v1/imports/{import_id}"
    )
