"""The parts that a supervisor runs, and the policy by which it restarts and stops them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


def _always_ready() -> bool:
    return True


def _no_check() -> None:
    pass


def _no_known_fault(_lines: Sequence[str]) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A process to keep running.

    Attributes:
        name: one word, which also names its log.
        environment: variables added to the supervisor's own environment.
        is_ready: returns, without raising and within half a second, whether the part does its work.
        check: called once, when the part is ready for the first time; an exception ends the run.
        fault: called with the last lines of a part that ended with an error; returns, in a line for people, why
            restarting it would be useless, which ends the run, or `None`.
        shape: gives a line that the part writes the shape of our log lines; `None` if it writes them so.
        wave: parts start after every lower wave is ready, and are stopped before any lower wave.
    """

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_ready: Callable[[], bool] = _always_ready
    check: Callable[[], None] = _no_check
    fault: Callable[[Sequence[str]], str | None] = _no_known_fault
    shape: Callable[[str], str] | None = None
    wave: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartPolicy:
    """When a supervisor checks, restarts, stops and gives up on its parts; times are in seconds.

    Attributes:
        poll_interval: how often parts are checked when no signal reports an exit.
        early_exit: a part that exits sooner than this has exited early.
        first_delay: before the restart after an early exit; doubled after each further one.
        longest_delay: the limit of that doubling.
        most_early_exits: early exits in a row after which the supervisor gives up a part, unless it once ran longer.
        stop_timeout: how long all parts together have to end before they are killed.
        wave_stop_timeout: how much of `stop_timeout` is reserved for each lower wave.
        slow_start: after this time a part that is not ready yet is reported.
    """

    poll_interval: float = 0.25
    early_exit: float = 2.0
    first_delay: float = 0.1
    longest_delay: float = 5.0
    most_early_exits: int = 5
    stop_timeout: float = 4.5
    wave_stop_timeout: float = 1.5
    slow_start: float = 20.0
