"""The command `hoodwink`. Each subcommand is a module of this package, imported on first use."""

import errno
import sys
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from types import MappingProxyType
from typing import Any

import click

from hoodwink.service.adapters.process.interpreter import exit_quickly

SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "run": "Run the whole service, or one part of it.",
        "repair": "Cut off the damaged end of the embedded Redis's data file.",
        "health": "Check that a running service is healthy.",
        "demo": "Watch bots play a table on a running service.",
        "simulate": "Play many tables with bots in this process.",
        "arena": "Compare bots on duplicate deals.",
        "bot": "Connect a bot of yours to a server.",
        "mcp": "Let a language model play on a server.",
        "tournament": "Simulate a tournament, export one, or show a tournament file.",
        "replay": "Step through an exported log, event by event.",
        "review": "Compare the moves in an exported log with those of the bot Expert.",
        "verify": "Check that an exported log is complete, fair and legal.",
        "import": "Import a log from another service, to view or continue it.",
        "export": "Export the log of a table that has ended.",
        "ledger": "Export the journal, show a balance, or write a statement.",
        "admin": "Administer a service: void tables, ban players, rotate keys.",
        "archive": "Move finished tables to the archive, check it, or move them back.",
        "rebuild": "Rebuild projections and due times from the logs.",
        "audit": "Verify every log, and compare all stored data with the logs.",
        "new-game": "Create the files of a new game in a checkout.",
        "bench": "Measure the performance on this machine.",
        "page": "Compare the libraries in the web page with those on npm.",
        "openapi": "Write the OpenAPI description, or check that it is up to date.",
    }
)
"""The summary of each subcommand in `hoodwink --help`, in this order."""

_OF_BOTS = frozenset({"arena", "bot", "mcp", "review", "simulate"})
"""The subcommands in the package `bots`."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUMMARIES:
            return None
        # The module of `import` is `import_`; that of `new-game` is `new_game`.
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name.replace("-", "_")
        if cmd_name in _OF_BOTS:
            name = f"bots.{name}"
        # Imported late: Flask, Celery and Redis together would slow down every command, even --help.
        module = import_module(f"hoodwink.service.cli.{name}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            # Its subclasses quote only the user's own input. A plain `ClickException` may quote a player's name, whose
            # control characters would act on the terminal.
            if type(error) is not click.ClickException:
                raise
            from hoodwink.service.application.players.legibility import visible

            raise click.ClickException("\n".join(map(visible, error.message.split("\n")))) from None
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package in {"", "hoodwink"}:
                raise
            extra = package if package == "mcp" else "service"
            raise click.ClickException(
                f"This command needs the package {package}, which is not installed: pip install 'hoodwink[{extra}]'."
            ) from None
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise click.ClickException("The disk is full, so the output is incomplete.") from None
            if error.filename is None:  # not about a file that the user named, so keep the traceback
                raise
            raise click.FileError(str(error.filename), hint=error.strerror) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


@click.command(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="hoodwink", message="%(prog)s %(version)s")
def hoodwink() -> None:
    """Card games played partly blind, for people and bots."""


def main() -> None:
    """Runs the command line, and exits the process with the command's exit code."""
    exit_quickly()
    hoodwink(prog_name="hoodwink", args=sys.argv[1:])
