"""Cuts off idle connections, those without a request under way, where an address or all together have too many.

The server holds a fixed number of connections, does not expose their peers, and accepts no more until one is closed. It
closes those that are silent for `header_read_timeout`; until then a few thousand of them would keep everybody out.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping

import structlog

from hoodwink.service.http.framework.client_address import Networks, counted_client
from hoodwink.service.http.framework.metrics import IDLE_CUT_OFF
from hoodwink.service.http.serving.sockets import cut_off, descriptors, silences

log = structlog.get_logger(__name__)


class IdleConnections:
    """The idle connections of this process."""

    def __init__(self, *, port: int, per_address: int, most: int, proxies: Networks = ()) -> None:
        """Takes the bounds.

        Args:
            port: the port that clients connect to.
            per_address: the most that an address may have.
            most: the most that all addresses together may have.
            proxies: bounded only with all others, since they have the connections of many clients.
        """
        self._port = port
        self._per_address = per_address
        self._most = most
        self._counted_as = counted_client(proxies)

    async def tick(self, busy: Collection[str]) -> None:
        """Cuts off idle connections beyond a bound; call it about once a second, with the clients that are not idle."""
        if len(descriptors()) - len(busy) > min(self._per_address, self._most):
            # In a thread, because looking at thousands of connections takes tens of milliseconds.
            await asyncio.to_thread(self._cut_off, frozenset(busy))

    def _cut_off(self, busy: Collection[str]) -> None:
        silent = {client: ms for client, ms in silences(self._port).items() if client not in busy}
        excess = self.excess(silent)
        if excess:
            IDLE_CUT_OFF.inc(len(excess))
            log.info("idle connections were cut off", cut_off=len(excess), idle=len(silent))
            cut_off(excess)

    def excess(self, silent: Mapping[str, int]) -> set[str]:
        """Returns the clients beyond the bounds, among idle ones and the time for which each has been silent.

        The longest silent are cut off first, since a request may just be on its way from the others.
        """
        counts, kept, excess = Counter[str](), 0, set[str]()
        for client in sorted(silent, key=silent.__getitem__):
            address = self._counted_as(client)
            if kept >= self._most or (address is not None and counts[address] >= self._per_address):
                excess.add(client)
                continue
            kept += 1
            if address is not None:
                counts[address] += 1
        return excess
