"""The command `hoodwink`. Each subcommand is a module of this package and is imported only when asked for."""

import sys
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from types import MappingProxyType
from typing import Any

import click

SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "run": "Run the whole service, or one part of it.",
        "demo": "Watch bots play a table through the whole service.",
        "simulate": "Play many tables with bots in this process.",
        "tournament": "Play a whole tournament with bots in this process, or export one.",
        "replay": "Step through an exported log, event by event.",
        "verify": "Check that an exported log is whole, fair and legal.",
        "import": "Import a log from elsewhere, to look at and to play on from.",
        "export": "Export the log of a table that is over.",
        "ledger": "Export the journal of all tables, show a balance, or write a statement.",
        "admin": "Void a table, or make an administrator's token.",
        "rebuild": "Rebuild projections and due times from the logs.",
        "audit": "Verify every log, and compare projections and due times with them.",
        "bench": "Measure how fast it is on this machine.",
        "openapi": "Write the description of the API, or check the written one.",
    }
)
"""What `hoodwink --help` says of `service.cli.<name>.command`, in this order; `import_` is the module of `import`."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUMMARIES:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        module = import_module(f"service.cli.{name}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.filename is None:
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
    """Runs the command line; the process ends with the command's exit code."""
    hoodwink(prog_name="hoodwink", args=sys.argv[1:])
