"""The parts that a supervisor runs, and its policy for restarting and stopping them."""

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
        is_ready: returns whether the part works, without raising and within half a second.
        check: called once, when the part is ready for the first time. An exception ends the run.
        fault: called with the last lines of a part that ended with an error. Returns one line for people if a
            restart would be useless, which ends the run, or `None`.
        shape: converts a line of the part to our log format; `None` if it writes that format itself.
        wave: a part starts when every lower wave, and the parts before it in its own, are ready. It stops with its
            wave, before any lower one.
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
    """When a supervisor checks, restarts, stops and gives up on its parts. Times are in seconds.

    Attributes:
        poll_interval: the time between checks of the parts when no signal reports an exit.
        early_exit: a part that exits sooner than this has exited early.
        first_delay: before the restart after an early exit; doubled after each further one.
        max_delay: the limit of that doubling.
        max_early_exits: consecutive early exits after which the supervisor gives up, unless the part once ran
            longer.
        stop_timeout: the time in which all parts must end before they are killed.
        wave_stop_timeout: the share of `stop_timeout` that is reserved for each lower wave.
        slow_start: the time after which a part that is not ready is reported.
    """

    poll_interval: float = 0.25
    early_exit: float = 2.0
    first_delay: float = 0.1  # short, because a killed API must be back before players notice
    max_delay: float = 5.0
    max_early_exits: int = 5
    stop_timeout: float = 4.5  # well below the ten seconds after which Docker kills a container
    wave_stop_timeout: float = 1.5
    slow_start: float = 20.0
