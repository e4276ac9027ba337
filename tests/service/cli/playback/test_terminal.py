"""`hoodwink replay` on a pseudo-terminal: keys change the frame, and the terminal is restored at the end."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

from hoodwink.service.cli.playback.terminal import Terminal, keys_in

LOG = Path(__file__).parents[3] / "golden" / "blindside-4.log"
PATIENCE_SECONDS = 60
ON_A_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
# A job in the background of a script, such as `make test &`, ignores Ctrl-C, and its children inherit that.
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
LIKE_A_SHELL = """
import fcntl, os, signal, subprocess, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = subprocess.Popen([sys.executable, *sys.argv[1:]], process_group=0)
os.tcsetpgrp(0, job.pid)
os.waitpid(job.pid, os.WUNTRACED)
os.write(1, f"suspended job {job.pid}#".encode())
job.wait()
"""
"""Suspending needs a waiting shell, since the kernel does not suspend a job that nobody could continue."""
STYLES = re.compile(r"\x1b\[[0-9;]*m")


class Session:
    """A replay on its own terminal."""

    def __init__(self, *arguments, lines=40, columns=120, under=ON_A_TERMINAL, **environment):
        self.screen, self._inside = pty.openpty()
        self.resize(lines, columns)
        self.modes = termios.tcgetattr(self._inside)
        self.shown = ""
        inherited = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", under, "-m", "hoodwink.service.cli", "replay", str(LOG), *arguments],
            stdin=self._inside,
            stdout=self._inside,
            stderr=self._inside,
            env={**inherited, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )

    def resize(self, lines, columns):
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys):
        os.write(self.screen, keys.encode())

    def until(self, *texts):
        """Returns the first frame with all these texts, and drops all output so far."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all(text in self.frame for text in texts):
            assert time.monotonic() < deadline, f"never showed {texts!r} but {self.frame!r}"
            self._read_output()
        frame, self.shown = self.frame, ""
        return frame

    def see(self, keys, *texts):
        """Presses keys and returns the first frame with all these texts."""
        self.press(keys)
        return self.until(*texts)

    def rest(self):
        """Returns the remaining output up to the end of the process."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            self._read_output()
        while self._read_output():
            pass
        return self.shown

    @property
    def frame(self):
        """The latest frame as text; empty while only a part of it has been read."""
        _, start, frame = self.shown.rpartition("\x1b[H")
        if start and "\x1b[J" not in frame:
            return ""
        return STYLES.sub("", frame)

    def _read_output(self):
        """Reads new output, waiting briefly for it; returns whether there was any."""
        if not select.select([self.screen], [], [], 0.1)[0]:
            return False
        read = os.read(self.screen, 65536)
        self.shown += read.decode(errors="replace")
        return bool(read)

    def is_restored(self):
        """Returns whether the terminal has its original modes."""
        return termios.tcgetattr(self._inside) == self.modes

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.screen)
        os.close(self._inside)


@contextmanager
def session(*arguments, **given):
    opened = Session(*arguments, **given)
    try:
        yield opened
    finally:
        opened.close()


def test_keys_move_through_the_table_and_the_terminal_is_restored():
    with session() as replay:
        assert "A table of Blindside with 6 seats was opened." in replay.until("version 1 of 586")
        assert not replay.is_restored()
        replay.see("n", "version 2 of 586")
        replay.see("\x1b[C\x1b[C", "version 4 of 586")
        replay.see("\x1b[D", "version 3 of 586")
        replay.see("\x1b[F", "version 586 of 586")
        replay.see("\x1b[H", "version 1 of 586")
        replay.see("v120\r", "version 120 of 586")
        replay.see("r2\r", "round 2 · playing")
        replay.press("q")

        assert replay.rest().endswith("\x1b[?25h\x1b[?1049l")
        assert replay.process.returncode == 0
        assert replay.is_restored()


def test_the_viewer_can_be_changed_at_any_moment():
    with session("--seat", "2", "--plain", lines=24) as replay:  # --plain prints lines even on a terminal
        assert replay.rest().count("\n") == 586
    with session("--seat", "2") as replay:
        replay.until("seen by seat 2")
        assert "Hands: Player p2 " in replay.see("v9\r", "version 9 of 586")
        spectated = replay.see("s", "seen by a spectator")
        assert "Player p2 dealt round 1" in spectated
        assert "Hands:" not in spectated
        everything = replay.see("e", "seen by everybody")
        assert "??" not in everything
        replay.see("\t", "seen by a spectator")


def test_automatic_play_continues_until_stopped():
    with session() as replay:
        replay.until("version 1 of 586")
        replay.see("++++ ", "playing, 16 events a second")
        replay.until("version 4 of 586")
        replay.see(" ", "stopped")
        replay.see("?", "go to the deal of round 2")
        replay.see("x", "version")


@pytest.mark.parametrize(
    ("environment", "has_colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_the_text_is_the_same_without_colours(environment, has_colours):
    with session(**environment) as replay:
        replay.until("version 1 of 586")
        replay.press("v12\r")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "passed 9H face down" not in STYLES.sub("", replay.shown):
            assert time.monotonic() < deadline
            replay._read_output()

        assert ("\x1b[31m" in replay.shown) is has_colours
        if environment.get("TERM") == "dumb":
            assert "\x1b" not in replay.shown


def test_a_frame_fits_a_terminal_of_any_size():
    with session(lines=8) as replay:
        replay.until("version 1 of 586")
        replay.see("v12\r", "version 12 of 586", "too small for the rest")
        replay.resize(40, 120)
        assert "too small" not in replay.until("discard count: 1")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_the_terminal_is_restored_after_a_signal(number, code):
    with session() as replay:
        replay.until("version 1 of 586")
        replay.process.send_signal(number)

        assert replay.rest().endswith("\x1b[?25h\x1b[?1049l")
        assert replay.process.returncode == code
        assert replay.is_restored()


def test_the_terminal_is_restored_after_ctrl_c():
    with session() as replay:
        replay.until("version 1 of 586")
        replay.press("\x03")

        assert "\x1b[?25h\x1b[?1049l" in replay.rest()
        assert "Traceback" not in replay.shown
        assert replay.is_restored()


def test_the_terminal_is_restored_while_it_is_suspended():
    with session(under=LIKE_A_SHELL) as replay:
        replay.until("version 1 of 586")
        suspended = replay.see("\x1a", "suspended job ", "#")
        assert replay.is_restored()

        os.kill(int(suspended.rpartition("suspended job ")[2].rstrip("#")), signal.SIGCONT)
        replay.until("version 1 of 586")
        assert not replay.is_restored()
        replay.press("q")
        replay.rest()
        assert replay.is_restored()


def test_a_signal_in_the_middle_of_a_frame_restores_the_terminal(monkeypatch):
    outside, inside = pty.openpty()
    with os.fdopen(inside, "r+b", buffering=0) as file, open(inside, "w", closefd=False) as output:
        monkeypatch.setattr("sys.stdin", file)
        terminal = Terminal(Console(file=output, force_terminal=True, width=120, height=400))
        handler = signal.signal(signal.SIGALRM, lambda *_: terminal.give_back())
        reader = threading.Timer(0.5, lambda: read_until(outside, b"the footer"))
        reader.start()
        signal.setitimer(
            signal.ITIMER_REAL, 0.1
        )  # drawing then blocks, since nobody reads the terminal's buffer
        terminal.draw("\n".join(["x" * 100] * 300), "the footer")
        reader.join(PATIENCE_SECONDS)
        signal.signal(signal.SIGALRM, handler)
    os.close(outside)
    assert not reader.is_alive()


def read_until(file: int, end: bytes) -> None:
    seen = b""
    while end not in seen:
        seen += os.read(file, 4_096)


def test_a_vanished_terminal_ends_playback():
    with session() as replay:
        replay.until("version 1 of 586")
        replay.see("\x04", "\x1b[?1049l")
        assert replay.process.wait(PATIENCE_SECONDS) == 0


def test_bytes_become_keys():
    assert keys_in(b"\x1bOC\x1b[1~\x1b[4~\x1b[5~\x1b[6~\x1b\x7f\t\r") == [
        "right",
        "home",
        "end",
        "page up",
        "page down",
        "escape",
        "backspace",
        "tab",
        "enter",
    ]
    assert keys_in("ö€".encode()) == ["ö", "€"]
    assert keys_in(b"\xff\x80") == ["\ufffd"] or keys_in(b"\xff\x80")
