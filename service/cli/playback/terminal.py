"""The terminal during a playback: reads single keys, and draws each frame over the last one."""

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, MappingProxyType
from typing import Any, Final, NoReturn

from rich.console import Console, RenderableType

# Terminals send the same key with `[` or, in their application mode, with `O`.
_SEQUENCES: Final[Mapping[bytes, str]] = MappingProxyType(
    {
        b"\x1b[A": "up",
        b"\x1bOA": "up",
        b"\x1b[B": "down",
        b"\x1bOB": "down",
        b"\x1b[C": "right",
        b"\x1bOC": "right",
        b"\x1b[D": "left",
        b"\x1bOD": "left",
        b"\x1b[H": "home",
        b"\x1bOH": "home",
        b"\x1b[1~": "home",
        b"\x1b[F": "end",
        b"\x1bOF": "end",
        b"\x1b[4~": "end",
        b"\x1b[5~": "page up",
        b"\x1b[6~": "page down",
        b"\x1b": "escape",
        b"\r": "enter",
        b"\n": "enter",
        b"\t": "tab",
        b"\x7f": "backspace",
        b"\x08": "backspace",
        b"\x04": "end of input",
    }
)
_KEYS: Final = re.compile(
    rb"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*|[\x80-\xbf]"
)
_INCOMPLETE: Final = re.compile(rb"\x1b(?:\[[0-9;]*|O)?\Z")
"""The start of an escape sequence, or the Escape key alone: only a pause afterwards tells them apart."""

_SEQUENCE_SECONDS: Final = 0.05
# The alternate screen keeps the shell's lines as they were; the cursor is hidden while frames are drawn.
_ENTER: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"
_KILLED: Final = 128
"""Shells report a command killed by a signal with the exit code 128 + the number of the signal."""


def keys_in(read: bytes) -> list[str]:
    r"""Returns the keys that the bytes represent, each by its name or as its character.

    >>> keys_in(b"n\x1b[C\x1b[9;9X 7")
    ['n', 'right', 'unknown', ' ', '7']
    """
    return [_key(found) for found in _KEYS.findall(read)]


def _key(found: bytes) -> str:
    if found in _SEQUENCES:
        return _SEQUENCES[found]
    return "unknown" if found.startswith(b"\x1b") else found.decode(errors="replace")


class Terminal:
    """The terminal of standard input and output."""

    def __init__(self, console: Console) -> None:
        """Takes the console for the frames; on a dumb terminal they are printed one below the other."""
        self._console = console
        self._input = sys.stdin.fileno()
        self._output = console.file.fileno()
        self._saved = termios.tcgetattr(self._input)
        self._take_count = 0

    @property
    def state(self) -> object:
        """A value that changes when the frame must be redrawn: after a resize, or after `take`."""
        return self._console.size, self._take_count

    def draw(self, frame: RenderableType, footer: RenderableType) -> None:
        """Draws a frame, cut to the height of the terminal, and the footer on the last line."""
        with self._console.capture() as captured:
            self._console.print(frame)
        with self._console.capture() as below:
            self._console.print(footer, end="")
        lines = captured.get().splitlines()
        if self._console.is_dumb_terminal:
            self._write("\n".join([*lines, below.get(), ""]))
            return
        room = max(self._console.height - 1, 1)
        if len(lines) > room:
            lines = [*lines[: room - 1], "… (the terminal is too small for the rest)"]
        # Over the last frame: `[H` goes to the top, `[K` clears the rest of a line, `[J` the lines below.
        drawn = "".join(f"{line}\x1b[K\r\n" for line in lines)
        self._write(f"\x1b[H{drawn}\x1b[J\x1b[{room + 1};1H{below.get()}\x1b[K")

    def keys(self, seconds: float) -> list[str]:
        """Returns the pressed keys as soon as there are any, or an empty list after the timeout."""
        if not self._is_ready(seconds):
            return []
        read = self._read()
        # Over a slow connection, the bytes of one key may arrive in several reads.
        while _INCOMPLETE.search(read) and self._is_ready(_SEQUENCE_SECONDS):
            more = self._read()
            if not more:
                break
            read += more
        # A terminal that is ready without bytes has been closed.
        return keys_in(read) if read else ["end of input"]

    def _is_ready(self, seconds: float) -> bool:
        return bool(select.select([self._input], [], [], seconds)[0])

    def _read(self) -> bytes:
        try:
            return os.read(self._input, 1024)
        except OSError:  # the terminal is gone
            return b""

    def take(self) -> None:
        """Switches the terminal to single keys without echo, and to the alternate screen; Ctrl-C still interrupts."""
        self._take_count += 1
        tty.setcbreak(self._input)
        if not self._console.is_dumb_terminal:
            self._write(_ENTER)

    def give_back(self) -> None:
        """Restores the terminal; may be called at any time, also repeatedly."""
        try:
            if not self._console.is_dumb_terminal:
                self._write(_LEAVE)
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved)
        except (OSError, termios.error):  # the terminal is gone
            return

    def _write(self, text: str) -> None:
        # Not through the console's file: a signal may arrive within a write, and its handler writes, too, which
        # Python's buffered files refuse (`reentrant call`).
        unwritten = text.encode(self._console.encoding, "replace")
        while unwritten:
            unwritten = unwritten[os.write(self._output, unwritten) :]


@contextmanager
def restore_at_exit(terminal: Terminal) -> Iterator[None]:
    """Restores the terminal when the process ends or is suspended, for any reason."""

    def ended(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(_KILLED + number)  # unwinds through `restored`, which restores the terminal

    def stopped(number: int, _frame: FrameType | None) -> None:
        terminal.give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # suspended here until SIGCONT
        signal.signal(number, stopped)
        terminal.take()

    handlers: dict[signal.Signals, Any] = {
        signal.SIGTERM: ended,
        signal.SIGHUP: ended,
        signal.SIGTSTP: stopped,
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        terminal.take()
        yield
    finally:
        terminal.give_back()
        for number, handler in before.items():
            signal.signal(number, handler)
