"""Pushes that did not arrive and are sent again, after pauses and from threads of their own.

They wait in the memory of the push worker, which loses them when it ends. That costs a push, and nothing waits for one.
"""

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from threading import Condition
from typing import Final

import msgspec

from hoodwink.service.application.ports import Clock

PAUSES_MS: Final = (30_000, 120_000, 600_000)
"""How long to wait after each attempt that failed; after the last one the push is given up."""

MAX_PAUSE_MS: Final = 900_000
"""A push service that asks for a longer pause gets no other attempt."""

MAX_WAITING: Final = 1_000
MAX_PER_PLAYER: Final = 10

_LOOK_SECONDS: Final = 1.0


class Recall(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A push to send again, if the player is still called for the same reason.

    Attributes:
        table: the id of the table, or of the tournament for an announcement.
        attempts: how often it has been sent.
    """

    player: str
    subscription: str
    table: str
    reason: str
    attempts: int = 0


class Recalls:
    """Waiting pushes. Safe to share between threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: list[tuple[int, int, Recall]] = []
        self._players = Counter[str]()
        self._numbers = count()
        self._changed = Condition()

    def add(self, recall: Recall, *, wait_ms: int = 0) -> bool:
        """Notes a push for later; returns False if it is given up.

        Args:
            recall: the push, with the attempt that has just failed.
            wait_ms: the pause that the push service asked for.
        """
        if recall.attempts > len(PAUSES_MS) or wait_ms > MAX_PAUSE_MS:
            return False
        at = self._clock.elapsed_ms() + max(wait_ms, PAUSES_MS[recall.attempts - 1])
        with self._changed:
            if len(self._waiting) >= MAX_WAITING or self._players[recall.player] >= MAX_PER_PLAYER:
                return False
            self._players[recall.player] += 1
            # The number decides between equal times, because recalls cannot be compared.
            heappush(self._waiting, (at, next(self._numbers), recall))
            self._changed.notify()
        return True

    def take(self) -> Recall | None:
        """Returns the next push whose pause is over, if there is one."""
        with self._changed:
            if not self._waiting or self._waiting[0][0] > self._clock.elapsed_ms():
                return None
            recall = heappop(self._waiting)[2]
            self._players[recall.player] -= 1
            if not self._players[recall.player]:
                del self._players[recall.player]
            return recall

    def run(self, send: Callable[[Recall], None]) -> None:
        """Sends pushes when their pauses are over, without end; each thread that calls it sends one at a time."""
        while True:
            recall = self.take()
            if recall is not None:
                send(recall)
                continue
            with self._changed:
                # Not longer, because nothing notifies this thread when a pause ends.
                self._changed.wait(_LOOK_SECONDS)
