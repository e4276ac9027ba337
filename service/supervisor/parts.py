"""What a supervisor keeps running."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


def _at_once() -> bool:
    return True


def _nothing() -> None:
    pass


def _unknown(_lines: Sequence[str]) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A process to keep running.

    Attributes:
        name: one word, which also names its log.
        environment: what is added to the supervisor's own environment.
        is_ready: tells, without raising and within half a second, whether the part does its work.
        check: is called once, when the part is ready for the first time; what it raises ends the run.
        fault: is given the last lines of a part that died at once; what it returns, in a line for people, is
            why to start it again would be of no use, and ends the run.
        wave: parts start after every lower wave is ready, and end before any lower wave is asked to.
    """

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_ready: Callable[[], bool] = _at_once
    check: Callable[[], None] = _nothing
    fault: Callable[[Sequence[str]], str | None] = _unknown
    wave: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The supervisor's patience, in seconds unless said otherwise.

    Attributes:
        look_every: how often parts are looked at when no signal tells of a death.
        quick_death: a part that lived shorter died at once.
        pause: before the second start after a death at once; doubled each time.
        longest_pause: what it is doubled to at most.
        deaths: how many deaths at once it takes to give up a part that never lived longer.
        stop_within: how long all parts together have to end before they are killed.
        wave_stop: what of it is kept for each lower wave.
        still_waiting: when to tell that a part is not ready yet.
    """

    look_every: float = 0.25
    quick_death: float = 2.0
    pause: float = 0.1
    longest_pause: float = 5.0
    deaths: int = 5
    stop_within: float = 4.5
    wave_stop: float = 1.5
    still_waiting: float = 20.0
