"""`hoodwink import`: takes in a log from elsewhere."""

from pathlib import Path

import click

from service.application.imports import LARGEST_LOG, InvalidLog
from service.cli.files import EXPORTED_LOG, table_log
from service.cli.reach import reached_service


@click.command("import")
@click.argument("file", type=EXPORTED_LOG)
def command(file: Path) -> None:
    """Import the exported log FILE, so that it can be looked at and played on from.

    It is verified first. It counts in no lobby, ledger, history, statistics or rating, and the same log twice is one
    import. With - as FILE it reads the standard input.
    """
    log = table_log(file)
    if len(log) > LARGEST_LOG:
        raise click.ClickException(
            f"{file} is too large: a log may have {LARGEST_LOG:,} bytes to be imported."
        )
    with reached_service() as service:
        try:
            made = service.imports.add(log)
        except InvalidLog as error:
            raise click.ClickException(f"{file} does not verify: {error.finding.detail}.") from None
        table = service.imports.load(made).state
    click.echo(
        f"Table {table.id} ({table.game}, {table.version} events) is import {made}: GET /v1/imports/{made}"
    )
