"""Outages: times in which no API process could accept an action. They are nobody's fault, so they move open deadlines.

Every API process records a heartbeat each second. The first heartbeat after a silence records the silence as an
outage. Every table and tournament with an open deadline then gets an event that moves it:

- the dispatcher sends a task for each one that has a due time;
- a worker looks for outages before it acts on a deadline, and does not act while no API process has a heartbeat;
- the API looks for them before it refuses something as too late, and before every command for a minute after one.

The state knows the last outage that moved it, so the event is stored once even if several processes try.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from hoodwink.service.application.ports import Clock

ALIVE_MS: Final = 2_500
"""Silence after which the API no longer counts as serving; shorter than any outage that moves deadlines."""

_RECENT_MS: Final = 60_000

Gaps: TypeAlias = Sequence[tuple[int, int]]
"""Outages, oldest first: start and end, in ms since the epoch."""


class Pulse(NamedTuple):
    """The heartbeats of the API.

    Attributes:
        last: the latest one, in ms since the epoch; `None` if there has never been one.
        gaps: the latest outages.
    """

    last: int | None
    gaps: Gaps = ()


class Heart(Protocol):
    """Records heartbeats. Every call may raise `StoreUnavailable`."""

    def beat(self, now: int) -> Pulse:
        """Records a heartbeat, and an outage if the last one is too long ago."""
        ...

    def read(self) -> Pulse:
        """Returns the pulse without a heartbeat."""
        ...


class Outages:
    """The outages as one process sees them."""

    def __init__(self, *, heart: Heart, clock: Clock, beats: bool) -> None:
        """`beats` says whether this process serves players and so records heartbeats."""
        self._heart = heart
        self._clock = clock
        self._beats = beats
        self.recent: Gaps = ()
        """The outages that ended within a minute of this process's latest heartbeat."""

    def beat(self) -> None:
        # Kept in memory, because every command looks at it and must not pay a round trip.
        now = self._clock.now_ms()
        gaps = self._heart.beat(now).gaps
        self.recent = tuple([gap for gap in gaps if gap[1] > now - _RECENT_MS])

    def gaps(self) -> Gaps:
        """Returns the outages, including one that ends with this call."""
        # A request may come before the first heartbeat after an outage. Being able to serve it ends the outage.
        pulse = self._heart.read()
        if self._beats and self._is_silent(pulse):
            pulse = self._heart.beat(self._clock.now_ms())
        return pulse.gaps

    def gaps_before(self, deadline: int) -> Gaps | None:
        """Returns the outages, or `None` while one may still last that began before the deadline (in ms)."""
        pulse = self._heart.read()
        # A heartbeat after the deadline has recorded any outage before it, so a silence now does not matter.
        is_open = pulse.last is not None and pulse.last < deadline and self._is_silent(pulse)
        return None if is_open else pulse.gaps

    def _is_silent(self, pulse: Pulse) -> bool:
        return pulse.last is not None and self._clock.now_ms() - pulse.last > ALIVE_MS
