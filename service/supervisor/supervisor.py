"""Keeps the parts of a service running: starts them in waves, restarts what dies, ends them all."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic

from service.supervisor.guardian import Guardian
from service.supervisor.guardian_process import kill_group
from service.supervisor.logs import PartLog
from service.supervisor.parts import Pace, Part
from service.supervisor.signals import Signals

_TAIL_LINES = 15
_IMPATIENT = 0.03


class GaveUp(Exception):
    """Raised when a part cannot be kept alive, and says so for people. All other parts have been ended."""


@dataclass(slots=True)
class _Life:
    """A part's present process, and how its last ones fared."""

    part: Part
    log: PartLog
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    due_at: float = inf
    quick_deaths: int = 0
    pause: float = 0.0
    has_lived: bool = False


class Supervisor:
    """Runs parts until a signal asks to stop or a part cannot be kept alive.

    Args:
        logs: the folder that gets a log of each part.
        say: is told, in one line for people, what goes wrong.
        echo: is given every line that a part writes, with the part's name.
        holding: file descriptors to keep open until the last process is gone, such as a lock.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        *,
        logs: Path,
        say: Callable[[str], None],
        echo: Callable[[str, str], None] | None = None,
        holding: tuple[int, ...] = (),
        pace: Pace | None = None,
    ) -> None:
        self._lives = [_Life(part=part, log=PartLog(logs, part.name)) for part in parts]
        self._say = say
        self._echo = echo
        self._holding = holding
        self._pace = pace or Pace()
        self._signals = Signals()

    def run(self, announce: Callable[[], None]) -> None:
        """Returns when a signal has asked to stop and every process is gone.

        Args:
            announce: is called once, when every part is ready.

        Raises:
            GaveUp: a part died at once too often and never lived longer, or could not be started at all.
            Exception: whatever the check of a part raised.
        """
        with self._signals, Guardian(holding=self._holding) as self._guardian:
            try:
                for wave in self._waves():
                    self._bring_up(wave)
                if not self._signals.stops_asked:
                    announce()
                while not self._signals.stops_asked:
                    self._look()
                    self._signals.wait(self._pace.look_every)
            finally:
                self._take_down()

    def _waves(self) -> list[list[_Life]]:
        numbers = sorted({life.part.wave for life in self._lives})
        return [[life for life in self._lives if life.part.wave == number] for number in numbers]

    def _bring_up(self, wave: list[_Life]) -> None:
        if self._signals.stops_asked:
            return
        for life in wave:
            self._start(life)
        if self._is_ready(wave):
            for life in wave:
                life.part.check()

    def _is_ready(self, wave: list[_Life]) -> bool:
        """Waits until every part of the wave is ready; returns false if asked to stop before."""
        tell_at = monotonic() + self._pace.still_waiting
        while not self._signals.stops_asked:
            late = [life for life in wave if not life.part.is_ready()]
            if not late:
                return True
            if monotonic() > tell_at:
                self._say(f"Still waiting for {_names(late)}; see {late[0].log.path}.")
                tell_at = inf
            self._signals.wait(_IMPATIENT)
            self._look()
        return False

    def _look(self) -> None:
        self._guardian.revive()
        for life in self._lives:
            if life.process is None:
                if monotonic() >= life.due_at:
                    self._start(life)
            elif life.process.poll() is not None:
                self._bury(life, life.process)
            life.log.curb()
        self._relay()

    def _start(self, life: _Life) -> None:
        try:
            life.process = self._spawn(life)
        except OSError as error:
            raise GaveUp(f"{life.part.name} cannot be started: {error}.") from None
        life.started_at = monotonic()
        self._guardian.register(life.process.pid)

    def _spawn(self, life: _Life) -> subprocess.Popen[bytes]:
        with life.log.open() as log:
            return subprocess.Popen(
                life.part.argv,
                env={**os.environ, **life.part.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
                preexec_fn=partial(self._guardian.adopt_self, os.getpid()),  # noqa: PLW1509 - one thread only
            )

    def _bury(self, life: _Life, process: subprocess.Popen[bytes]) -> None:
        """Notes a death, ends what the dead left running, and plans the next start."""
        self._clear(process)
        life.process = None
        lived = monotonic() - life.started_at
        if lived < self._pace.quick_death:
            self._bury_young(life, process.returncode)
        else:
            life.quick_deaths, life.pause, life.has_lived = 0, 0.0, True
        life.due_at = monotonic() + life.pause
        when = f" in {life.pause:.0f} s" if life.pause >= 1 else ""
        self._say(
            f"{life.part.name} {_ending(process.returncode)} after {lived:.0f} s; starting it again{when}."
        )

    def _bury_young(self, life: _Life, returncode: int) -> None:
        """Decides after a death at once whether there is any hope. What has lived may only lack what it needs now."""
        life.quick_deaths += 1
        life.pause = min(2 * life.pause or self._pace.pause, self._pace.longest_pause)
        if fault := life.part.fault(life.log.tail(_TAIL_LINES)):
            raise GaveUp(fault)
        if life.quick_deaths == self._pace.deaths:
            if not life.has_lived:
                raise GaveUp(_obituary(life, returncode))
            self._say(
                f"{life.part.name} died at once {life.quick_deaths} times running; see {life.log.path}."
            )

    def _clear(self, process: subprocess.Popen[bytes]) -> None:
        kill_group(process.pid)
        self._guardian.forget(process.pid)

    def _relay(self) -> None:
        if self._echo is None:
            return
        for life in self._lives:
            for line in life.log.news():
                self._echo(life.part.name, line)

    def _take_down(self) -> None:
        end_at = monotonic() + self._pace.stop_within
        for below, wave in reversed(list(enumerate(self._waves()))):
            processes = [life.process for life in wave if life.process]
            for process in processes:
                process.send_signal(signal.SIGTERM)
            self._await_end(processes, end_at - below * self._pace.wave_stop)
            for process in processes:
                self._clear(process)
                process.wait()
        self._relay()

    def _await_end(self, processes: list[subprocess.Popen[bytes]], end_at: float) -> None:
        """Returns when all have ended, the time is up, or somebody asks once more to stop."""
        asked = self._signals.stops_asked
        while any(process.poll() is None for process in processes):
            if monotonic() > end_at or self._signals.stops_asked > asked:
                return
            self._signals.wait(_IMPATIENT)


def _names(lives: list[_Life]) -> str:
    return ", ".join(life.part.name for life in lives)


def _ending(returncode: int) -> str:
    if returncode < 0:
        return f"was killed by {signal.Signals(-returncode).name}"
    return f"ended with exit code {returncode}"


def _obituary(life: _Life, returncode: int) -> str:
    lines = [
        f"{life.part.name} {_ending(returncode)} at once, {life.quick_deaths} times running; giving up.",
        f"The last lines of {life.log.path}:",
        *(f"  {line}" for line in life.log.tail(_TAIL_LINES)),
    ]
    return "\n".join(lines)
