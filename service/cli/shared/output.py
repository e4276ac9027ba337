"""Text for the terminal: what others wrote is shown, and never acts on the terminal."""

import click
from rich.text import Text

from hoodwink.domain.kernel import visible


def say(line: str, *, err: bool = False) -> None:
    """Prints a line, with every character that shows nothing by itself as its number."""
    click.echo(visible(line), err=err)


def plain(text: object) -> Text:
    """Returns a value for rich as text, in the same way; brackets in it are no markup."""
    return Text(visible(str(text)))
