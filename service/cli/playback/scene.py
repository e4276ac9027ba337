"""A position in a recording as text: the event, the seats, and the cards on the table."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Names, Viewer, fields_by_seat, without_name
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tables.view import TableView, view_table
from hoodwink.domain.words import seating_of
from hoodwink.service.application.players.legibility import visible
from hoodwink.service.cli.playback.lines import coloured
from hoodwink.service.cli.playback.recording import HIDDEN_EVENT, Recording
from hoodwink.service.cli.playback.stepper import HELP, SPEEDS, Position


def scene(recording: Recording, position: Position) -> RenderableType:
    """Returns the frame for a position: the table, or the help."""
    if position.shows_help:
        return _help()
    applied, viewer = recording.at(position.version), position.viewer
    words = applied.words_for(viewer)
    return Group(
        _title(recording, position, applied.table),
        "",
        coloured(HIDDEN_EVENT if words is None else words),
        "",
        table_scene(applied.table, viewer, applied.names),
    )


def table_scene(table: Table, viewer: Viewer, names: Names = without_name) -> RenderableType:
    """Returns the seats with their cards, and the other parts of the viewer's view."""
    # The view that the API sends to this viewer, so that a seat sees no more cards here than at the table.
    view = view_table(table, viewer, names)
    return Group(_seats(view, seating_of(table, names).names), "", *_rest(view))


def footer(position: Position) -> Text:
    """Returns the last line: the number being typed, a note, or the state of automatic play."""
    if position.prompt:
        return Text(f"{position.prompt}: {position.typed}_", no_wrap=True)
    if position.note:
        return Text(position.note, style="bold", no_wrap=True)
    playing = f"playing, {SPEEDS[position.speed]:g} events a second" if position.is_playing else "stopped"
    return Text(f"{playing} · ? for help, q to quit", style="dim", no_wrap=True, overflow="crop")


def viewer_name(viewer: Viewer) -> str:
    if isinstance(viewer, int):
        return f"seat {viewer}"
    return "a spectator" if viewer == "spectator" else "everybody, all cards open"


def _title(recording: Recording, position: Position, table: Table) -> Text:
    where = f"version {position.version} of {recording.last} · round {table.round} · {table.phase}"
    title = Text.assemble((f"{GAMES[table.game].title}", "bold"), f" · table {visible(table.id)}")
    return title.append(f"\n{where}\nseen by {viewer_name(position.viewer)}")


def _seats(view: TableView, names: tuple[str, ...]) -> Grid:
    """Returns a row for each seat; > marks the seats that owe an action."""
    # Zones that are empty at all seats would only widen the table.
    zones = {name: getattr(view.view, name) for name in fields_by_seat(type(view.view))}
    shown = {name: zone for name, zone in zones.items() if zone is not None and any(map(_is_shown, zone))}
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("", "seat", *(name.replace("_", " ") for name in shown)):
        grid.add_column(column)
    for seat, name in enumerate(names):
        holder = view.seats[seat]
        note = " (resigned)" if holder.resigned else ""
        cells = [_cell(zone[seat]) for zone in shown.values()]
        grid.add_row(">" if holder.owes else " ", coloured(f"{seat} {name}{note}"), *cells)
    return grid


def _is_shown(value: Any) -> bool:
    return value not in (None, False, ())


def _rest(view: TableView) -> Iterator[Text]:
    """Yields a line for each other non-empty field of the game's view, and for the result."""
    by_seat = fields_by_seat(type(view.view))
    for name in view.view.__struct_fields__:
        value = getattr(view.view, name)
        # The title shows the round.
        if name not in {*by_seat, "round"} and value not in (None, ()):
            yield Text.assemble((f"{name.replace('_', ' ')}: ", "dim"), _cell(value))
    if view.result is not None:
        yield Text.assemble(("result: ", "dim"), _cell(msgspec.to_builtins(view.result)))


def _cell(value: Any) -> Text:
    return coloured(_as_text(msgspec.to_builtins(value)))


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_as_text(part)}" for name, part in value.items() if part is not None)
    if isinstance(value, list | tuple):
        parts = [
            f"({_as_text(part)})" if isinstance(part, Mapping | list | tuple) else _as_text(part)
            for part in value
        ]
        return " ".join(parts)
    return "-" if value is None else str(value)


def _help() -> Grid:
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_header=False)
    for keys, meaning in HELP:
        grid.add_row(Text(keys, style="bold"), meaning)
    grid.add_row("", "")
    grid.add_row("any key", "back to the table")
    return grid
