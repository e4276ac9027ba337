"""Keeps the parts of a service running: starts them in waves, restarts those that exit, and stops them all."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic

from hoodwink.service.adapters.process.repetitions import Repetitions
from hoodwink.service.supervisor.guardian import Guardian
from hoodwink.service.supervisor.guardian_process import kill_group
from hoodwink.service.supervisor.logs import PartLog
from hoodwink.service.supervisor.parts import Part, RestartPolicy
from hoodwink.service.supervisor.signals import Signals

_TAIL_LINES = 15
_SHORT_WAIT = 0.03


class GaveUp(Exception):
    """Raised when a part cannot be kept running. The message is for people. All other parts have been stopped."""


@dataclass(slots=True)
class _Child:
    """A part's current process, if any, and its early exits."""

    part: Part
    log: PartLog
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    restart_at: float = inf
    early_exits: int = 0
    delay: float = 0.0
    has_run_longer: bool = False


class Supervisor:
    """Runs parts until a signal requests a stop or a part cannot be kept running.

    Args:
        logs: the folder for the log of each part.
        warn: called with each problem, in one line for people.
        echo: called with each line of the parts' logs.
        holding: file descriptors to keep open until the last process is gone, such as a lock.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        *,
        logs: Path,
        warn: Callable[[str], None],
        echo: Callable[[str], None] | None = None,
        holding: tuple[int, ...] = (),
        policy: RestartPolicy | None = None,
    ) -> None:
        self._children = [_Child(part=part, log=PartLog(logs, part.name, part.shape)) for part in parts]
        self._warn = warn
        self._echo = echo
        self._holding = holding
        self._policy = policy or RestartPolicy()
        self._signals = Signals()
        self._repetitions = Repetitions()

    def run(self, announce: Callable[[], None]) -> None:
        """Returns after a signal has requested a stop and every process is gone.

        Args:
            announce: called once, when every part is ready.

        Raises:
            GaveUp: a part exited early too often without ever running longer, or could not be started.
            Exception: the check of a part failed.
        """
        with self._signals, Guardian(holding=self._holding) as self._guardian:
            try:
                for wave in self._waves():
                    self._start_wave(wave)
                if not self._signals.stop_requests:
                    announce()
                while not self._signals.stop_requests:
                    self._poll()
                    self._signals.wait(self._policy.poll_interval)
            finally:
                self._stop_all()

    def _waves(self) -> list[list[_Child]]:
        numbers = sorted({child.part.wave for child in self._children})
        return [[child for child in self._children if child.part.wave == number] for number in numbers]

    def _start_wave(self, wave: list[_Child]) -> None:
        # One after another, because each loads for most of a second: where there are few cores, they would all be late.
        for child in wave:
            if self._signals.stop_requests:
                return
            self._start(child)
            if self._await_ready(child):
                child.part.check()

    def _await_ready(self, child: _Child) -> bool:
        """Waits until a part is ready; returns false if a stop is requested first."""
        warn_at = monotonic() + self._policy.slow_start
        while not self._signals.stop_requests:
            if child.part.is_ready():
                return True
            if monotonic() > warn_at:
                self._warn(f"Still waiting for {child.part.name}; see {child.log.path}.")
                warn_at = inf
            self._signals.wait(_SHORT_WAIT)
            self._poll()  # this part, or one before it, may end while it starts
        return False

    def _poll(self) -> None:
        self._guardian.ensure_running()
        for child in self._children:
            if child.process is None:
                if monotonic() >= child.restart_at:
                    self._start(child)
            elif child.process.poll() is not None:
                self._on_exit(child, child.process)
        self._relay()
        for child in self._children:
            child.log.rotate()  # only now, because lines that nobody has read would be lost

    def _start(self, child: _Child) -> None:
        try:
            child.process = self._spawn(child)
        except OSError as error:
            raise GaveUp(f"{child.part.name} cannot be started: {error}.") from None
        child.started_at = monotonic()
        # The child has already registered itself. This entry is for the next guardian, in case this one is killed.
        self._guardian.register(child.process.pid)

    def _spawn(self, child: _Child) -> subprocess.Popen[bytes]:
        with child.log.open() as log:
            return subprocess.Popen(
                child.part.argv,
                env={**os.environ, **child.part.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Its own group: Ctrl-C reaches only the supervisor, and a part can be killed with its children.
                process_group=0,
                preexec_fn=partial(self._guardian.register_self, os.getpid()),  # noqa: PLW1509 - one thread only
            )

    def _on_exit(self, child: _Child, process: subprocess.Popen[bytes]) -> None:
        """Kills the children that the exited process left, and schedules its restart."""
        self._kill_group(process)
        child.process = None
        ran_for = monotonic() - child.started_at
        # However long it ran: a Redis may load data for minutes before it finds the damage. A negative code is a
        # signal, after which the last lines explain nothing.
        if process.returncode > 0 and (fault := child.part.fault(child.log.tail(_TAIL_LINES))):
            raise GaveUp(fault)
        if ran_for < self._policy.early_exit:
            self._on_early_exit(child, process.returncode)
        else:
            child.early_exits, child.delay, child.has_run_longer = 0, 0.0, True
        child.restart_at = monotonic() + child.delay
        # A part that once ran longer is restarted indefinitely, during an outage for hours.
        if child.has_run_longer and not self._repetitions.is_due(child.part.name):
            return
        when = f" in {child.delay:.0f} s" if child.delay >= 1 else ""
        self._warn(
            f"{child.part.name} {_outcome(process.returncode)} after {ran_for:.0f} s; restarting it{when}."
        )

    def _on_early_exit(self, child: _Child, returncode: int) -> None:
        """Doubles the delay before the restart, or raises `GaveUp` after too many."""
        child.early_exits += 1
        child.delay = min(2 * child.delay or self._policy.first_delay, self._policy.max_delay)
        if child.early_exits == self._policy.max_early_exits:
            # A part that once ran longer is set up correctly. What it needs now, such as Redis, may come back.
            if not child.has_run_longer:
                raise GaveUp(_failure_report(child, returncode))
            self._warn(
                f"{child.part.name} exited early {child.early_exits} times in a row; see {child.log.path}."
            )

    def _kill_group(self, process: subprocess.Popen[bytes]) -> None:
        kill_group(process.pid)
        self._guardian.unregister(process.pid)

    def _relay(self) -> None:
        for child in self._children:
            # Read even without `echo` where lines have a shape, because reading them writes the part's log.
            for line in child.log.new_lines() if self._echo or child.part.shape else ():
                if self._echo:
                    self._echo(line)

    def _stop_all(self) -> None:
        end_at = monotonic() + self._policy.stop_timeout
        # Redis is in the lowest wave, because the others still write to it while they end.
        for waves_below, wave in reversed(list(enumerate(self._waves()))):
            processes = [child.process for child in wave if child.process]
            for process in processes:
                process.send_signal(signal.SIGTERM)
            self._await_exit(processes, end_at - waves_below * self._policy.wave_stop_timeout)
            for process in processes:
                self._kill_group(process)
                process.wait()
        self._relay()

    def _await_exit(self, processes: list[subprocess.Popen[bytes]], end_at: float) -> None:
        """Returns when all have exited, the time is up, or a stop is requested again."""
        requests = self._signals.stop_requests  # a second Ctrl-C means that the user does not want to wait
        while any(process.poll() is None for process in processes):
            if monotonic() > end_at or self._signals.stop_requests > requests:
                return
            self._signals.wait(_SHORT_WAIT)


def _outcome(returncode: int) -> str:
    if returncode < 0:
        return f"was killed by {signal.Signals(-returncode).name}"
    return f"ended with exit code {returncode}"


def _failure_report(child: _Child, returncode: int) -> str:
    lines = [
        f"{child.part.name} {_outcome(returncode)} immediately, {child.early_exits} times in a row; giving up.",
        f"The last lines of {child.log.path}:",
        *(f"  {line}" for line in child.log.tail(_TAIL_LINES)),
    ]
    return "\n".join(lines)
