"""`hoodwink admin`: what the operator of the machine may decide."""

import re
from getpass import getuser

import click

from domain.players import hash_token
from domain.tables import Table
from service.application import intents
from service.application.administrators import LISTED_PATTERN, new_token
from service.cli.reach import reached_service


@click.group("admin")
def command() -> None:
    """Take results back, and make the tokens of administrators."""


@command.command("void", short_help="Void a table that is over.")
@click.argument("table")
@click.option("--reason", required=True, help="Why, for everybody to read.")
@click.option("--name", default=getuser, show_default="your login name", help="The name of who decides it.")
@click.option("--yes", is_flag=True, help="Do not ask whether you mean it.")
def void(*, table: str, reason: str, name: str, yes: bool) -> None:
    """Void TABLE, which is over: its result counts no longer.

    The books reverse each of its entries; lists, statistics and histories follow. It cannot be undone.
    """
    with reached_service() as service:
        intent = intents.void(name, reason)
        found = service.tables.load(table).state
        if not yes:
            click.confirm(f"Void {_described(found)}? That cannot be undone.", abort=True)
        version = service.tables.execute(table, intent).after.state.version
    click.echo(f"Table {table} is void from version {version} on: {reason} ({name})")


def _described(table: Table) -> str:
    names = ", ".join(occupant.name for occupant in table.seats if occupant is not None)
    return f"table {table.id} ({table.rulebook.title}: {names})"


@command.command("token", short_help="Make an administrator's token.")
@click.argument("name")
def token(name: str) -> None:
    """Make a token for the administrator NAME, and say how the service learns of it."""
    made = new_token()
    listed = f"{name}={hash_token(made)}"
    if not re.fullmatch(LISTED_PATTERN, listed):
        raise click.BadParameter(
            "it has 1 to 32 lower-case letters, digits, dots, hyphens or underscores, and begins with a "
            "letter or a digit",
            param_hint="NAME",
        )
    click.echo(f"{made}\n")
    click.echo("This is the only time that the token is shown. Start the service with its hash:", err=True)
    click.echo(f"HOODWINK_ADMINISTRATORS={listed}")
