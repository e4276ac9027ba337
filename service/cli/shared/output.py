"""Safe output: text from other people, such as names, cannot send control sequences to the terminal."""

import click
from rich.text import Text

from hoodwink.service.application.players.legibility import visible


def say(line: str, *, err: bool = False) -> None:
    """Prints a line; invisible characters appear as their numbers."""
    click.echo(visible(line), err=err)


def plain(text: object) -> Text:
    """Returns a value as safe text for rich, which would treat brackets in a string as markup."""
    return Text(visible(str(text)))
