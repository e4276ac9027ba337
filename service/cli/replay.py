"""`hoodwink replay`: a table, event by event, from its exported log."""

from pathlib import Path

import click
import msgspec
from rich.console import Console

from domain.kernel import Viewer
from domain.tables import (
    UNOPENED,
    MalformedLog,
    Recorded,
    Table,
    decode_event,
    evolve,
    parse_log,
    redact_event,
)
from domain.tables import view_table as table_view
from service.cli.files import EXPORTED_LOG, content
from service.cli.narration import tell


@click.command("replay")
@click.argument("file", type=EXPORTED_LOG)
@click.option("--seat", type=int, help="Show only what this seat could know; by default everything.")
@click.option("--upto", type=click.IntRange(min=1), help="Stop after this version and show the table there.")
def command(file: Path, seat: int | None, upto: int | None) -> None:
    """Tell an exported log event by event, for one seat or with every card open.

    With - as FILE it reads the standard input.
    """
    try:
        header, entries = parse_log(content(file))
    except MalformedLog as error:
        raise click.ClickException(f"{file} is no exported log: {error}") from None
    viewer: Viewer = "everybody" if seat is None else seat
    console = Console(soft_wrap=True, highlight=False)
    table = UNOPENED
    for entry in entries[:upto]:
        try:
            event = decode_event(entry.type, bytes(entry.data))
            table = evolve(table, Recorded(entry.version, event, entry.at, entry.by, entry.cmd, entry.hash))
        except Exception:  # noqa: BLE001 - a log that was changed may ask for anything
            raise click.ClickException(
                f"{file} was changed: event {entry.version} cannot have happened. "
                f"`hoodwink verify {file}` says where it was changed."
            ) from None
        if seat is not None and not 0 <= seat < len(table.seats):
            raise click.ClickException(f"The table has seats 0 to {len(table.seats) - 1}.")
        if table.id != header.table:
            raise click.ClickException(
                f"{file} was changed: its first line names another table than its events."
            )
        shown = redact_event(table.game, event, viewer)
        if shown is not None:
            line = tell(shown.wire, msgspec.to_builtins(shown), seat_names(table), by=entry.by)
            console.print(f"[dim]{entry.version:>5}[/dim] ", line, sep="")
    if upto is not None:
        console.print_json(msgspec.json.encode(table_view(table, viewer)).decode())


def seat_names(table: Table) -> list[str]:
    """Returns what to call each seat."""
    return [f"{seat} {who.name}" if who else str(seat) for seat, who in enumerate(table.seats)]
