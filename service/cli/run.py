"""`hoodwink run`: runs the whole service under one supervisor, or one part alone."""

import os
from contextlib import suppress

import click

from service.settings import InvalidSettings, Settings, Variable, variables
from service.supervisor import CannotStart, GaveUp
from service.supervisor.roster import PARTS, address
from service.supervisor.serving import exec_part, serve


class _Run(click.Command):
    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Environment"):
            formatter.write_dl([(variable.name, _described(variable)) for variable in variables()])


@click.command("run", cls=_Run)
@click.argument("part", required=False, type=click.Choice(list(PARTS)))
@click.option("-v", "--verbose", is_flag=True, help="Also print what every part logs.")
def command(*, part: str | None, verbose: bool) -> None:
    """Run the whole service, with an embedded Redis unless REDIS_URL names another one.

    With the name of a part, run only that part, in this process; all parts of a service then share the Redis that
    REDIS_URL names. When Redis goes away, api and projector wait for it; a worker ends and has to be restarted, for instance
    by systemd or docker.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if part:
            exec_part(part, settings, warn=_warn)
        serve(settings, announce=_announce, warn=_warn, echo=_echo if verbose else None)
        _print("Stopped.", err=True)
    except (CannotStart, GaveUp, InvalidSettings) as error:
        raise click.ClickException(str(error)) from None


def _announce(settings: Settings) -> None:
    _print(f"Hoodwink is ready at {address(settings)}")
    _print(f"Logs are in {settings.data_folder / 'logs'}. Press Ctrl-C to stop.")


def _warn(line: str) -> None:
    _print(f"hoodwink: {line}", err=True)


def _echo(part: str, line: str) -> None:
    _print(f"{part:>9} | {line}")


def _print(line: str, *, err: bool = False) -> None:
    with suppress(OSError):  # the reader of this output has gone; the service goes on
        click.echo(line, err=err)


def _described(variable: Variable) -> str:
    default = f" [default: {variable.default}]" if variable.default else ""
    return f"{variable.meaning}{default}"
