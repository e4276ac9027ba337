"""Cuts off clients that do not read their large answers, which the server keeps in memory until they are sent.

The server accepts every answer immediately and does not report its progress. The kernel knows how much has arrived.
"""

import asyncio
import time
from collections.abc import Callable
from threading import Lock
from typing import Final

import structlog

from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.serving.sockets import Delivery, cut_off, deliveries

log = structlog.get_logger(__name__)

MAX_SMALL: Final = MAX_BODY
"""Answers up to this size are not counted. The limit of connections bounds their memory well enough."""
STALLED_SECONDS: Final = 10.0
_SETTLED_SECONDS: Final = 1.0
"""Most answers arrive within this time. After it, an empty send buffer means that the server has nothing left to send."""


class _Unread:
    """An answer that may not have arrived.

    Attributes:
        length: in bytes. The server keeps all of them until the last one is sent.
        taken: when the server took it.
        since: when the client last received some of it; initially `taken`.
        acknowledged: bytes that the client had received on this connection at the last check.
    """

    __slots__ = ("acknowledged", "length", "since", "taken")

    def __init__(self, length: int, now: float) -> None:
        self.length = length
        self.taken = self.since = now
        self.acknowledged: int | None = None


class UnreadAnswers:
    """The large answers of this process that clients have not read. Safe to share between threads."""

    def __init__(
        self,
        *,
        max_bytes: int,
        stalled_seconds: float = STALLED_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the maximum for all answers together, and the seconds within which a client must receive something."""
        self._max_bytes = max_bytes
        self._stalled_seconds = stalled_seconds
        self._clock = clock
        self._clients: dict[str, _Unread] = {}
        self._lock = Lock()

    def clients(self) -> set[str]:
        """Returns the clients that are still receiving an answer."""
        with self._lock:
            return set(self._clients)

    def add(self, client: str, length: int) -> None:
        """Notes an answer that the server has taken. If there are too many, cuts off clients immediately."""
        if length <= MAX_SMALL:
            return
        with self._lock:
            # The entry of an earlier answer on this connection can go: the server reads the next request only when
            # little of that answer is left.
            self._clients[client] = _Unread(length, self._clock())
            # Not left to the next tick, because a flood can fill the memory within a second.
            if sum(unread.length for unread in self._clients.values()) > self._max_bytes:
                self._check()

    async def tick(self) -> None:
        """Cuts off clients that have stalled; call it about once a second."""
        if self._clients:
            # In a thread, because inspecting thousands of connections takes tens of milliseconds.
            await asyncio.to_thread(self._check_all)

    def _check_all(self) -> None:
        with self._lock:
            self._check()

    def _check(self) -> None:
        now, found = self._clock(), deliveries(self._clients)
        for client in list(self._clients):
            if client not in found or self._has_arrived(self._clients[client], found[client], now):
                del self._clients[client]
        stalled = self._stalled({client for client in self._clients if found[client].unsent}, now)
        for client in stalled:
            del self._clients[client]
        if stalled:
            log.info("clients that did not read their answers were cut off", cut_off=len(stalled))
            # Unsent bytes are discarded, or the kernel would keep the megabytes of a dead peer for minutes.
            cut_off(stalled, discards_unsent=True)

    def _has_arrived(self, unread: _Unread, delivery: Delivery, now: float) -> bool:
        """Notes what the client has received; returns whether that was everything."""
        if unread.acknowledged not in {None, delivery.acknowledged}:
            unread.since = now
        unread.acknowledged = delivery.acknowledged
        # An empty send buffer alone proves nothing: the server may be about to fill it again.
        return not delivery.unsent and now - unread.since >= _SETTLED_SECONDS

    def _stalled(self, clients: set[str], now: float) -> set[str]:
        """Returns the clients that have received nothing for too long, or for longest if there are too many."""
        kept, stalled = 0, set[str]()
        for client in sorted(clients, key=lambda client: self._clients[client].since, reverse=True):
            unread = self._clients[client]
            kept += unread.length
            # Nobody is cut off in the first second, because many honest readers may ask at the same moment.
            is_excess = kept > self._max_bytes and now - unread.taken >= _SETTLED_SECONDS
            if is_excess or now - unread.since > self._stalled_seconds:
                stalled.add(client)
        return stalled
