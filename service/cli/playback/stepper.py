"""The effect of each key on the position in a recording, independent of any terminal."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from hoodwink.domain.kernel import Viewer
from hoodwink.service.cli.playback.recording import Recording

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""The speeds of automatic play, in events per second."""

_MAX_NUMBER_LENGTH: Final = 9

HELP: Final = (
    ("right, n", "next event"),
    ("left, p", "previous event"),
    ("home, g", "first event"),
    ("end, G", "last event"),
    ("v 120 enter", "go to version 120"),
    ("r 2 enter", "go to the deal of round 2"),
    ("down, ]  up, [", "next round, previous round"),
    ("space", "play automatically, or stop"),
    ("+  -", "faster, slower"),
    ("0 to 9", "see what that seat sees"),
    ("s  e", "see what a spectator sees, or everything"),
    ("tab", "the next viewer"),
    ("? or h", "this help"),
    ("q", "quit"),
)
"""Every key with its effect, as the help shows them."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A position in a recording, and the state of the playback.

    Attributes:
        speed: an index into `SPEEDS`.
        is_playing: whether the events follow each other automatically.
        prompt: `version` or `round` while its number is being typed, otherwise empty.
        typed: the digits typed so far.
        shows_help: whether the help is shown instead of the table.
        note: why the last key had no effect; empty after the next key.
        has_quit: whether the playback has ended.
    """

    version: int = 1
    viewer: Viewer = "everybody"
    speed: int = 2
    is_playing: bool = False
    prompt: str = ""
    typed: str = ""
    shows_help: bool = False
    note: str = ""
    has_quit: bool = False


Move: TypeAlias = Callable[[Position, Recording], Position]


def pressed(position: Position, key: str, recording: Recording) -> Position:
    """Returns the position after a key; an unknown key has no effect."""
    position = replace(position, note="")
    if position.prompt:  # first, since digits choose a viewer otherwise
        return _typed(position, key, recording)
    if position.shows_help:
        return replace(position, shows_help=False, has_quit=key == "q")
    if len(key) == 1 and key.isascii() and key.isdigit():
        return _seen_by(position, int(key), recording)
    move = _MOVES.get(key)
    return position if move is None else move(position, recording)


def played(position: Position, recording: Recording) -> Position:
    """Returns the position at the next event; at the last one it stops playing."""
    following = _to(position, position.version + 1, recording)
    return replace(following, is_playing=following.version < recording.last)


def pause_seconds(position: Position) -> float:
    """Returns for how many seconds automatic play shows each event."""
    return 1 / SPEEDS[position.speed]


def _to(position: Position, version: int, recording: Recording) -> Position:
    return replace(position, version=min(max(version, 1), recording.last))


def _by(step: int) -> Move:
    # Stepping stops automatic play, which would move on before anyone can read the event.
    return lambda position, recording: _to(
        replace(position, is_playing=False), position.version + step, recording
    )


def _first(position: Position, recording: Recording) -> Position:
    return _to(replace(position, is_playing=False), 1, recording)


def _last(position: Position, recording: Recording) -> Position:
    return _to(replace(position, is_playing=False), recording.last, recording)


def _next_round(position: Position, recording: Recording) -> Position:
    start = recording.round_start(recording.at(position.version).table.round + 1)
    return _last(position, recording) if start is None else _to(position, start, recording)


def _previous_round(position: Position, recording: Recording) -> Position:
    """Goes to the deal of this round, or from there to the deal of the previous one."""
    number = recording.at(position.version).table.round
    start = recording.round_start(number) or 1
    if start == position.version:
        start = recording.round_start(number - 1) or 1
    return _to(position, start, recording)


def _prompting(prompt: str) -> Move:
    return lambda position, _recording: replace(position, prompt=prompt, typed="", is_playing=False)


def _typed(position: Position, key: str, recording: Recording) -> Position:
    if key == "enter":
        return _answered(replace(position, prompt="", typed=""), position.prompt, position.typed, recording)
    if key == "backspace":
        return replace(position, typed=position.typed[:-1])
    if len(key) == 1 and key.isascii() and key.isdigit():
        return replace(position, typed=(position.typed + key)[:_MAX_NUMBER_LENGTH])
    # A mistyped letter keeps the prompt open: if it closed, the digits after it would choose viewers.
    is_mistyped = len(key) == 1 and key != "q"
    return position if is_mistyped else replace(position, prompt="", typed="")


def _answered(position: Position, prompt: str, typed: str, recording: Recording) -> Position:
    if not typed:
        return position
    number = int(typed)
    if prompt == "version":
        if 1 <= number <= recording.last:
            return _to(position, number, recording)
        return replace(
            position, note=f"There is no version {number}; the log has versions 1 to {recording.last}."
        )
    start = recording.round_start(number)
    if start is None:
        return replace(position, note=f"There is no round {number}.")
    return _to(position, start, recording)


def _toggled(position: Position, recording: Recording) -> Position:
    if not position.is_playing and position.version == recording.last:
        position = _to(position, 1, recording)  # at the end, play again from the start
    return replace(position, is_playing=not position.is_playing)


def _at_speed(step: int) -> Move:
    return lambda position, _recording: replace(
        position, speed=min(max(position.speed + step, 0), len(SPEEDS) - 1)
    )


def _seen_by(position: Position, seat: int, recording: Recording) -> Position:
    if seat >= recording.seats:
        return replace(
            position, note=f"There is no seat {seat}; the table has seats 0 to {recording.seats - 1}."
        )
    return replace(position, viewer=seat)


def _seen_as(viewer: Viewer) -> Move:
    return lambda position, _recording: replace(position, viewer=viewer)


def _next_viewer(position: Position, recording: Recording) -> Position:
    viewers: tuple[Viewer, ...] = ("everybody", "spectator", *range(recording.seats))
    return replace(position, viewer=viewers[(viewers.index(position.viewer) + 1) % len(viewers)])


def _show_help(position: Position, _recording: Recording) -> Position:
    return replace(position, shows_help=True, is_playing=False)


def _quit(position: Position, _recording: Recording) -> Position:
    return replace(position, has_quit=True)


_MOVES: Final[Mapping[str, Move]] = MappingProxyType(
    {
        **dict.fromkeys(("right", "n", "enter"), _by(1)),
        **dict.fromkeys(("left", "p", "backspace"), _by(-1)),
        **dict.fromkeys(("home", "g"), _first),
        **dict.fromkeys(("end", "G"), _last),
        **dict.fromkeys(("down", "]", "page down"), _next_round),
        **dict.fromkeys(("up", "[", "page up"), _previous_round),
        "v": _prompting("version"),
        "r": _prompting("round"),
        " ": _toggled,
        **dict.fromkeys(("+", "="), _at_speed(1)),
        **dict.fromkeys(("-", "_"), _at_speed(-1)),
        "s": _seen_as("spectator"),
        "e": _seen_as("everybody"),
        "tab": _next_viewer,
        **dict.fromkeys(("?", "h"), _show_help),
        **dict.fromkeys(("q", "end of input"), _quit),
    }
)
