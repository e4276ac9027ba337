"""`hoodwink page`: checks the files of the web page."""

import sys

import click

from hoodwink.service.cli.shared.output import say
from hoodwink.service.web.vendored import NotPublished, differences, download, libraries


@click.group("page")
def command() -> None:
    """Check the files of the web page."""


@command.command("vendored", short_help="Compare the libraries in the page with those on npm.")
def vendored() -> None:
    """Download the web page's libraries from npm and compare them byte for byte.

    Exits with 0 if all files are as published, otherwise with 1 after a line for each difference.
    """
    count = 0
    for name, library in libraries().items():
        try:
            found = list(differences(library, download(library.source)))
        except NotPublished as error:
            raise click.ClickException(str(error)) from None
        for line in found:
            say(f"{name} {library.version}: {line}")
        if not found:
            say(f"{name} {library.version}: {len(library.files)} files are as published.")
        count += len(found)
    sys.exit(1 if count else 0)
