"""`hoodwink admin`: voids tables and creates the tokens of administrators."""

import re
from getpass import getuser

import click

from domain.kernel import Names, visible
from domain.players import hash_token
from domain.tables import Table, people_at
from domain.words import seating_of
from service.application import intents
from service.application.administrators import LISTED_PATTERN, new_token
from service.cli.connection import connected_service
from service.cli.output import say


@click.group("admin")
def command() -> None:
    """Void tables, and create the tokens of administrators."""


@command.command("void", short_help="Void a table that has ended.")
@click.argument("table")
@click.option("--reason", required=True, help="The reason, which everybody can read.")
@click.option(
    "--name", default=getuser, show_default="your login name", help="The name of the administrator."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def void(*, table: str, reason: str, name: str, yes: bool) -> None:
    """Void TABLE, which must have ended: its result no longer counts.

    Each of its journal entries is reversed; lists, statistics and histories follow. This cannot be undone.
    """
    with connected_service() as service:
        intent = intents.void(name, reason)
        ended = service.tables.load(table).state
        if not yes:
            click.confirm(
                visible(
                    f"Void {_described(ended, service.players.names(people_at(ended)))}? This cannot be undone."
                ),
                abort=True,
            )
        version = service.tables.execute(table, intent).after.state.version
    say(f"Table {table} is void as of version {version}: {reason} ({name})")


def _described(table: Table, names: Names) -> str:
    return f"table {table.id} ({table.rulebook.title}: {', '.join(seating_of(table, names).names)})"


@command.command("token", short_help="Create an administrator's token.")
@click.argument("name")
def token(name: str) -> None:
    """Create a token for the administrator NAME, and print the setting that makes it valid."""
    created = new_token()
    listed = f"{name}={hash_token(created)}"
    if not re.fullmatch(LISTED_PATTERN, listed):
        raise click.BadParameter(
            "use 1 to 32 lower-case letters, digits, dots, hyphens or underscores, beginning with a letter or a digit",
            param_hint="NAME",
        )
    click.echo(f"{created}\n")
    click.echo("The token is shown only now. Start the service with its hash:", err=True)
    click.echo(f"HOODWINK_ADMINISTRATORS={listed}")
