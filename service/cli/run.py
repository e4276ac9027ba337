"""`hoodwink run`: everything under one supervisor, or one part alone."""

import os
from contextlib import suppress

import click

from service.settings import InvalidSettings, Settings, Variable, variables
from service.supervisor import CannotStart, GaveUp
from service.supervisor.roster import PARTS, address
from service.supervisor.serving import become, serve


class _Run(click.Command):
    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Environment"):
            formatter.write_dl([(each.name, _described(each)) for each in variables()])


@click.command("run", cls=_Run)
@click.argument("part", required=False, type=click.Choice(list(PARTS)))
@click.option("-v", "--verbose", is_flag=True, help="Show what every part logs, too.")
def command(*, part: str | None, verbose: bool) -> None:
    """Run the whole service, with a Redis of its own unless REDIS_URL names one.

    A PART runs alone, in this process; all parts of a service then share the Redis that REDIS_URL names. A
    worker alone ends when its broker goes away, for whatever runs it to start it again; api and projector wait.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if part:
            become(part, settings, say=_say)
        serve(settings, announce=_announce, say=_say, echo=_echo if verbose else None)
    except (CannotStart, GaveUp, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


def _announce(settings: Settings) -> None:
    _print(f"Hoodwink is ready at {address(settings)}")
    _print(f"Logs are in {settings.data_folder / 'logs'}. Ctrl-C ends it.")


def _say(line: str) -> None:
    _print(f"hoodwink: {line}", err=True)


def _echo(part: str, line: str) -> None:
    _print(f"{part:>9} | {line}")


def _print(line: str, *, err: bool = False) -> None:
    with suppress(OSError):  # whoever listened has gone; the service goes on
        click.echo(line, err=err)


def _described(variable: Variable) -> str:
    default = f" [default: {variable.default}]" if variable.default else ""
    return f"{variable.meaning}{default}"
