"""`hoodwink ledger`: the journal as plain text, and what an account holds."""

from pathlib import Path

import click

from service.application.journal import journal_text
from service.cli.reach import reached_service


@click.group("ledger")
def command() -> None:
    """Read the double-entry ledger of all tables."""


@command.command("export")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it there.")
def export(out: Path | None) -> None:
    """Write the whole journal as a text that both hledger and bean-check accept."""
    with reached_service() as service:
        entries = list(service.ledger.journal())[::-1]
    text = "".join(journal_text(entries))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"{len(entries)} entries are in {out}.")


@command.command("balance")
@click.argument("account")
@click.option("--as-of", metavar="TABLE:VERSION", help="Right after that event; by default now.")
def balance(account: str, as_of: str | None) -> None:
    """Show what ACCOUNT gained in each game: player:ID, bot:POLICY or table:ID."""
    with reached_service() as service:
        for one in service.ledger.balances(account, as_of=as_of):
            click.echo(f"{one.game:<14}{one.amount:>8} {one.unit}")
