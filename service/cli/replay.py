"""`hoodwink replay`: shows a table event by event, from its exported log."""

import sys
import time
from pathlib import Path

import click
from rich.console import Console

from hoodwink.domain.kernel import Viewer
from hoodwink.service.cli.playback.lines import event_line
from hoodwink.service.cli.playback.recording import (
    AppliedEvent,
    Recording,
    applied_events,
    parsed_log,
    read_recording,
)
from hoodwink.service.cli.playback.scene import footer, scene, table_scene
from hoodwink.service.cli.playback.stepper import Position, pause_seconds, played, pressed
from hoodwink.service.cli.playback.terminal import Terminal, restore_at_exit
from hoodwink.service.cli.shared.files import EXPORTED_LOG, table_log

_STDIN = Path("-")
_RESIZE_CHECK_SECONDS = 0.5
"""How often the size of the terminal is checked. There is no handler for SIGWINCH, so a resize is found by polling."""


def _viewer(_context: click.Context, _parameter: click.Parameter, given: str | None) -> Viewer | None:
    match given:
        case None | "spectator" | "everybody":
            return given
    if not (given.isascii() and given.isdigit()):
        raise click.BadParameter(f"{given!r} is not spectator, everybody or the number of a seat.")
    return int(given)


@click.command("replay")
@click.argument("file", type=EXPORTED_LOG)
@click.option(
    "--viewer",
    callback=_viewer,
    help="Show only what this viewer could see: spectator, the number of a seat, or everybody (the default).",
)
@click.option("--seat", type=click.IntRange(min=0), help="The same as --viewer with the number of a seat.")
@click.option("--spectator", flag_value="spectator", help="The same as --viewer spectator.")
@click.option("--plain", is_flag=True, help="Print one line per event instead of stepping through them.")
@click.option(
    "--upto",
    type=click.IntRange(min=1),
    help="Print the events up to this version, and the table at that version.",
)
def command(
    *,
    file: Path,
    viewer: Viewer | None,
    seat: Viewer | None,
    spectator: Viewer | None,
    plain: bool,
    upto: int | None,
) -> None:
    """Step through an exported log, as a seat or a spectator sees it, or with every card open (the default).

    Keys: right and left step, v and r go to a version or a round, space plays automatically, digits, s and e choose
    the viewer, ? lists all keys, q quits. Prints plain lines instead with --plain, with --upto, if input or output is
    not a terminal, and with - as FILE, which reads standard input.
    """
    chosen = _chosen(viewer, seat, spectator)
    # With the log on standard input, no keys can be read from there.
    is_plain = plain or upto is not None or file == _STDIN
    if is_plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print(file, chosen, upto)
        return
    recording = read_recording(file, table_log(file))
    _check_viewer(chosen, recording.at(1))
    _step(recording, chosen)


def _chosen(*named: Viewer | None) -> Viewer:
    given = [viewer for viewer in named if viewer is not None]
    if len(given) > 1:
        raise click.UsageError("Choose one of --viewer, --seat and --spectator.")
    return given[0] if given else "everybody"


def _check_viewer(viewer: Viewer, applied: AppliedEvent) -> None:
    seats = len(applied.table.seats)
    if isinstance(viewer, int) and viewer >= seats:
        raise click.ClickException(f"There is no seat {viewer}; the table has seats 0 to {seats - 1}.")


def _print(file: Path, viewer: Viewer, upto: int | None) -> None:
    console = Console(soft_wrap=True, highlight=False)
    header, entries = parsed_log(file, table_log(file))
    if upto is not None and upto > len(entries):
        raise click.ClickException(f"There is no version {upto}; the log has versions 1 to {len(entries)}.")
    applied = None
    # One by one, so that the events before a changed one are still printed.
    for applied in applied_events(file, header, entries[:upto]):
        _check_viewer(viewer, applied)
        words = applied.words_for(viewer)
        if words is not None:
            console.print(event_line(applied.recorded.entry.version, words))
    if upto is not None and applied is not None:
        console.print("", table_scene(applied.table, viewer, applied.names), sep="\n")


def _step(recording: Recording, viewer: Viewer) -> None:
    """Shows the recording and follows the keys until one quits."""
    terminal, position = Terminal(Console(highlight=False)), Position(viewer=viewer)
    with restore_at_exit(terminal):
        drawn: object = None
        next_at = time.monotonic()
        while not position.has_quit:
            # Only changes are drawn, because a dumb terminal shows each frame below the one before.
            if drawn != (position, terminal.state):
                drawn = (position, terminal.state)
                terminal.draw(scene(recording, position), footer(position))
            now = time.monotonic()
            if position.is_playing and now >= next_at:
                position = played(position, recording)
                next_at = now + pause_seconds(position)
                continue
            wait = max(next_at - now, 0) if position.is_playing else _RESIZE_CHECK_SECONDS
            # At slow speeds an event is shown for longer than that, but a resize must be noticed meanwhile.
            for key in terminal.keys(min(wait, _RESIZE_CHECK_SECONDS)):
                was_playing = position.is_playing
                position = pressed(position, key, recording)
                if position.is_playing and not was_playing:
                    next_at = time.monotonic() + pause_seconds(position)
                if position.has_quit:  # keys typed ahead after q are lost on purpose
                    break
