"""`hoodwink run`: runs the whole service under one supervisor, or one part alone."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import click
import structlog

from hoodwink.service.adapters.process.log_lines import LogFormat, format_line_now, write_logs
from hoodwink.service.cli.repair import is_at_terminal, repair
from hoodwink.service.settings import InvalidSettings, Settings, Variable, variables
from hoodwink.service.supervisor import CannotStart, GaveUp
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis
from hoodwink.service.supervisor.roster import PARTS
from hoodwink.service.supervisor.serving import exec_part, serve

log = structlog.get_logger(__name__)


class _Run(click.Command):
    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Environment"):
            formatter.write_dl([(variable.name, _described(variable)) for variable in variables()])


@click.command("run", cls=_Run)
@click.argument("part", required=False, type=click.Choice(list(PARTS)))
@click.option("-v", "--verbose", is_flag=True, help="Also print what every part logs.")
def command(*, part: str | None, verbose: bool) -> None:
    """Run the whole service, with an embedded Redis unless REDIS_URL names another one.

    With the name of a part, run only that part in this process. All parts then share the Redis at REDIS_URL. When
    Redis goes away, api and projector wait for it; worker, jobs, thinkers and pushes exit and have to be
    restarted, for instance by systemd or Docker.
    """
    try:
        settings = Settings.from_environment(os.environ)
    except InvalidSettings as error:
        raise click.ClickException(str(error)) from None
    write_logs(settings.log_level, part=part or "supervisor", style=settings.log_format)
    # A misspelt setting would otherwise have no effect, and nobody would notice.
    for name in Settings.unknown(os.environ):
        log.warning("this variable is not a setting; `hoodwink run --help` lists all settings", name=name)
    try:
        if part:
            # Does not return: exec, so that signals reach the part itself.
            exec_part(part, settings, warn=log.warning)
        say = partial(_say, settings.log_format)
        run = partial(
            serve, announce=partial(_announce, say), warn=log.warning, echo=_print if verbose else None
        )
        try:
            run(settings)
        except GaveUp as error:
            # Once. If Redis cannot load the repaired data, either, that is reported.
            if not _repair(settings, error):
                raise
            run(settings)
        say("Stopped.", err=True)
    except (CannotStart, CannotStartRedis, GaveUp) as error:
        # With JSON logs, every line must be an object, even the last one.
        if settings.log_format == "text":
            raise click.ClickException(str(error)) from None
        log.critical(str(error))
        sys.exit(1)


def _repair(settings: Settings, error: GaveUp) -> bool:
    """Offers to cut off the damaged end of the data, if there is a terminal; returns whether it was cut off."""
    if settings.redis_url or not is_at_terminal():
        return False
    _print(f"{error}\n", err=True)
    done = repair(settings)
    if done:
        _print(done, err=True)
    return done is not None


def _announce(say: Callable[[str], None], settings: Settings) -> None:
    say(f"Hoodwink is ready: play at {settings.own_origin}")
    say(f"The API is described at {settings.own_origin}/docs")
    say(f"Logs are in {settings.data_folder / 'logs'}. Press Ctrl-C to stop.")


def _say(style: LogFormat, line: str, *, err: bool = False) -> None:
    """Prints a line for the person at the terminal: as it is, or as a log line if the logs are JSON."""
    _print(line if style == "text" else format_line_now("supervisor", line, style), err=err)


def _print(line: str, *, err: bool = False) -> None:
    with suppress(OSError):  # the reader of a pipe may be gone, which must not stop the service
        click.echo(line, err=err)


def _described(variable: Variable) -> str:
    default = f" [default: {variable.default}]" if variable.default else ""
    return f"{variable.meaning}{default}"
