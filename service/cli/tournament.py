"""`hoodwink tournament`: whole tournaments in this process."""

import click

from service.cli.tournament_simulate import simulate


@click.group("tournament")
def command() -> None:
    """Simulate tournaments."""


command.add_command(simulate)
