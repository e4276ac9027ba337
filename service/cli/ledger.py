"""`hoodwink ledger`: the journal as plain text, and what an account holds."""

from pathlib import Path

import click

from service.application.journal import journal_text
from service.cli.files import out_option
from service.cli.reach import reached_service

_KINDS = frozenset({"player", "bot", "table"})


@click.group("ledger")
def command() -> None:
    """Read the double-entry ledger of all tables."""


@command.command("export")
@out_option
def export(out: Path | None) -> None:
    """Write the whole journal as a text that both hledger and bean-check accept."""
    with reached_service() as service:
        entries = list(service.ledger.journal())[::-1]
    text = "".join(journal_text(entries))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"1 entry is in {out}." if len(entries) == 1 else f"{len(entries)} entries are in {out}.")


@command.command("balance")
@click.argument("account")
@click.option("--as-of", metavar="TABLE:VERSION", help="Right after that event; by default now.")
def balance(account: str, as_of: str | None) -> None:
    """Show what ACCOUNT gained in each game: player:ID, bot:POLICY or table:ID."""
    kind, _, name = account.partition(":")
    if kind not in _KINDS or not name:
        raise click.BadParameter(
            f"{account!r} is no account: player:ID, bot:POLICY or table:ID", param_hint="ACCOUNT"
        )
    if as_of is not None and not as_of.rpartition(":")[2].isdecimal():
        raise click.BadParameter(f"{as_of!r} is not TABLE:VERSION", param_hint="--as-of")
    with reached_service() as service:
        if kind == "player":
            service.players.get(name)
        if kind == "table":
            service.tables.load(name)
        before = None if as_of is None else service.ledger.right_after(as_of)
        for one in service.ledger.balances(account, before=before):
            click.echo(f"{one.game:<14}{one.amount:>8} {one.unit}")
