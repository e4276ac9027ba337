"""Cuts off clients that do not read their large answers, which the server keeps in memory until all has been sent.

The server accepts every answer immediately and does not report what is left of it, but the kernel knows what has arrived.
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
"""The most bytes of an answer that is not counted: connections are bounded anyway."""
STALLED_SECONDS: Final = 10.0
_SETTLED_SECONDS: Final = 1.0
"""The time in which most answers arrive, and after which an empty send buffer means that the server has no more to send."""


class _Unread:
    """An answer that may not have arrived.

    Attributes:
        length: its bytes; the server keeps all of them until the last one is sent.
        taken: the time when the server took it.
        since: the time when the client last received some of it, at first `taken`.
        acknowledged: the bytes that the client had received on this connection when it was last looked at.
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
        most_bytes: int,
        stalled_seconds: float = STALLED_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the most bytes of all of them together, and the seconds in which a client must receive something."""
        self._most_bytes = most_bytes
        self._stalled_seconds = stalled_seconds
        self._clock = clock
        self._clients: dict[str, _Unread] = {}
        self._lock = Lock()

    def clients(self) -> set[str]:
        """Returns the clients that are still being sent an answer."""
        with self._lock:
            return set(self._clients)

    def add(self, client: str, length: int) -> None:
        """Notes an answer that the server has taken; where there are too many, cuts off clients immediately."""
        if length <= MAX_SMALL:
            return
        with self._lock:
            # Of a former answer on this connection little is left, or the server would not have read another request.
            self._clients[client] = _Unread(length, self._clock())
            if sum(unread.length for unread in self._clients.values()) > self._most_bytes:
                self._check()

    async def tick(self) -> None:
        """Cuts off clients that have stalled; call it about once a second."""
        if self._clients:
            # In a thread, because looking at thousands of connections takes tens of milliseconds.
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
            cut_off(stalled, discards_unsent=True)

    def _has_arrived(self, unread: _Unread, delivery: Delivery, now: float) -> bool:
        """Notes what the client has received, and returns whether that was everything."""
        if unread.acknowledged not in {None, delivery.acknowledged}:
            unread.since = now
        unread.acknowledged = delivery.acknowledged
        return not delivery.unsent and now - unread.since >= _SETTLED_SECONDS

    def _stalled(self, clients: set[str], now: float) -> set[str]:
        """Returns those of the clients that have received nothing for too long, or for longest where there are too many.

        In their first second none is one too many, so that many who read at the same time all have their answers.
        """
        kept, stalled = 0, set[str]()
        for client in sorted(clients, key=lambda client: self._clients[client].since, reverse=True):
            unread = self._clients[client]
            kept += unread.length
            is_one_too_many = kept > self._most_bytes and now - unread.taken >= _SETTLED_SECONDS
            if is_one_too_many or now - unread.since > self._stalled_seconds:
                stalled.add(client)
        return stalled
