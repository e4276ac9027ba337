"""What the keys do: from a position in a recording to the next one. It knows no terminal."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from domain.kernel import Viewer
from service.cli.playback.recording import Recording

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Events a second."""

_LONGEST_NUMBER: Final = 9

HELP: Final = (
    ("right, n", "next event"),
    ("left, p", "previous event"),
    ("home, g", "first event"),
    ("end, G", "last event"),
    ("v 120 enter", "go to version 120"),
    ("r 2 enter", "go to the deal of round 2"),
    ("down, ]  up, [", "next round, previous round"),
    ("space", "play by itself, or stop"),
    ("+  -", "faster, slower"),
    ("0 to 9", "see what that seat sees"),
    ("s  e", "see what a spectator sees, or everything"),
    ("tab", "the next viewer"),
    ("? or h", "this help"),
    ("q", "quit"),
)
"""Every key and what it does."""


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """Where a viewer is in a recording.

    Attributes:
        speed: a place in `SPEEDS`.
        is_playing: the next event comes by itself.
        asks: `version` or `round` while its number is being typed, otherwise empty.
        typed: the digits so far.
        shows_help: the keys are shown in place of the table.
        note: what could not be done, until the next key.
        has_quit: it is over.
    """

    version: int = 1
    viewer: Viewer = "everybody"
    speed: int = 2
    is_playing: bool = False
    asks: str = ""
    typed: str = ""
    shows_help: bool = False
    note: str = ""
    has_quit: bool = False


Move: TypeAlias = Callable[[Position, Recording], Position]


def pressed(position: Position, key: str, recording: Recording) -> Position:
    """Returns the position after a key; one that means nothing changes nothing."""
    position = replace(position, note="")
    if position.asks:
        return _typed(position, key, recording)
    if position.shows_help:
        return replace(position, shows_help=False, has_quit=key == "q")
    if len(key) == 1 and key.isascii() and key.isdigit():
        return _seen_by(position, int(key), recording)
    move = _MOVES.get(key)
    return position if move is None else move(position, recording)


def played(position: Position, recording: Recording) -> Position:
    """Returns the position one event on, standing still at the end."""
    following = _to(position, position.version + 1, recording)
    return replace(following, is_playing=following.version < recording.last)


def pause_seconds(position: Position) -> float:
    """Returns how long an event stands while it plays by itself."""
    return 1 / SPEEDS[position.speed]


def _to(position: Position, version: int, recording: Recording) -> Position:
    return replace(position, version=min(max(version, 1), recording.last))


def _by(step: int) -> Move:
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
    """Goes to the deal of this round or, from there, of the one before."""
    number = recording.at(position.version).table.round
    start = recording.round_start(number) or 1
    if start == position.version:
        start = recording.round_start(number - 1) or 1
    return _to(position, start, recording)


def _asking(what: str) -> Move:
    return lambda position, _recording: replace(position, asks=what, typed="", is_playing=False)


def _typed(position: Position, key: str, recording: Recording) -> Position:
    if key == "enter":
        return _answered(replace(position, asks="", typed=""), position.asks, position.typed, recording)
    if key == "backspace":
        return replace(position, typed=position.typed[:-1])
    if len(key) == 1 and key.isascii() and key.isdigit():
        return replace(position, typed=(position.typed + key)[:_LONGEST_NUMBER])
    is_slip = len(key) == 1 and key != "q"  # leaving the prompt would let the next keys do something else
    return position if is_slip else replace(position, asks="", typed="")


def _answered(position: Position, what: str, typed: str, recording: Recording) -> Position:
    if not typed:
        return position
    number = int(typed)
    if what == "version":
        if 1 <= number <= recording.last:
            return _to(position, number, recording)
        return replace(position, note=f"There are versions 1 to {recording.last}.")
    start = recording.round_start(number)
    if start is None:
        return replace(position, note=f"There is no round {number}.")
    return _to(position, start, recording)


def _toggled(position: Position, recording: Recording) -> Position:
    if not position.is_playing and position.version == recording.last:
        position = _to(position, 1, recording)  # from the end it plays again
    return replace(position, is_playing=not position.is_playing)


def _at_speed(step: int) -> Move:
    return lambda position, _recording: replace(
        position, speed=min(max(position.speed + step, 0), len(SPEEDS) - 1)
    )


def _seen_by(position: Position, seat: int, recording: Recording) -> Position:
    if seat >= recording.seats:
        return replace(position, note=f"There are seats 0 to {recording.seats - 1}.")
    return replace(position, viewer=seat)


def _seen_as(viewer: Viewer) -> Move:
    return lambda position, _recording: replace(position, viewer=viewer)


def _next_viewer(position: Position, recording: Recording) -> Position:
    viewers: tuple[Viewer, ...] = ("everybody", "spectator", *range(recording.seats))
    return replace(position, viewer=viewers[(viewers.index(position.viewer) + 1) % len(viewers)])


def _helped(position: Position, _recording: Recording) -> Position:
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
        "v": _asking("version"),
        "r": _asking("round"),
        " ": _toggled,
        **dict.fromkeys(("+", "="), _at_speed(1)),
        **dict.fromkeys(("-", "_"), _at_speed(-1)),
        "s": _seen_as("spectator"),
        "e": _seen_as("everybody"),
        "tab": _next_viewer,
        **dict.fromkeys(("?", "h"), _helped),
        **dict.fromkeys(("q", "end of input"), _quit),
    }
)
