"""Checks the number of partitions. All keys depend on it, so it is stored with the data."""

from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.ports import StoreUnavailable

_KEY: Final = "hw:partitions"


class PartitionsChanged(StoreUnavailable):
    """Raised if the data have another number of partitions. The message is one line for people."""


def hold_partitions(*, client: Client, partitions: int) -> None:
    """Stores the number of partitions in an empty Redis, and rejects any other number from then on.

    Raises:
        PartitionsChanged: the data have another number of partitions, so they would not be found.
        StoreUnavailable: Redis does not answer.
    """
    transport = Transport(client)
    # `NX` and a read: when two processes start on an empty Redis, both end up with the number of the faster one.
    transport.call(_KEY, "SET", _KEY, partitions, "NX")
    noted = int(transport.call(_KEY, "GET", _KEY))
    if noted != partitions:
        raise PartitionsChanged(
            f"This Redis holds data in {noted} partitions, not {partitions}: set HOODWINK_PARTITIONS={noted}."
        )
