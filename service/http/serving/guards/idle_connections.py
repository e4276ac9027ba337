"""Closes idle connections (those without a request in progress) if an address, or all together, have too many.

The server holds a fixed number of connections and accepts no more until one is closed. It does not expose their
peers. It closes silent ones only after `header_read_timeout`, so a few thousand of them could lock everybody out.
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

    def __init__(self, *, port: int, per_address: int, max_idle: int, proxies: Networks = ()) -> None:
        """Takes the limits.

        Args:
            port: the port that clients connect to.
            per_address: the maximum for one address.
            max_idle: the maximum for all addresses together.
            proxies: exempt from `per_address`, since they forward many clients.
        """
        self._port = port
        self._per_address = per_address
        self._max_idle = max_idle
        self._counted_as = counted_client(proxies)

    async def tick(self, busy: Collection[str]) -> None:
        """Closes excess idle connections; call it about once a second with the clients that are not idle."""
        # Counting descriptors is cheap and never too low, so usually no connection has to be inspected.
        if len(descriptors()) - len(busy) > min(self._per_address, self._max_idle):
            # In a thread, because inspecting thousands of connections takes tens of milliseconds.
            await asyncio.to_thread(self._cut_off, frozenset(busy))

    def _cut_off(self, busy: Collection[str]) -> None:
        silent = {client: ms for client, ms in silences(self._port).items() if client not in busy}
        excess = self.excess(silent)
        if excess:
            IDLE_CUT_OFF.inc(len(excess))
            log.info("idle connections were cut off", cut_off=len(excess), idle=len(silent))
            cut_off(excess)

    def excess(self, silent: Mapping[str, int]) -> set[str]:
        """Returns the clients beyond the limits, given the ms for which each idle client has been silent."""
        counts, kept, excess = Counter[str](), 0, set[str]()
        # The longest silent ones have to go, because a request may just be on its way from the others.
        for client in sorted(silent, key=silent.__getitem__):
            address = self._counted_as(client)
            if kept >= self._max_idle or (address is not None and counts[address] >= self._per_address):
                excess.add(client)
                continue
            kept += 1
            if address is not None:
                counts[address] += 1
        return excess
