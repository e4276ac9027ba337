"""Guards the number of partitions. All keys depend on it, so it is stored with the data."""

from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.ports import StoreUnavailable

_KEY: Final = "hw:partitions"


class PartitionsChanged(StoreUnavailable):
    """Raised for another number of partitions than that of the data; the message is one line for people."""


def hold_partitions(*, client: Client, partitions: int) -> None:
    """Stores the number of partitions in an empty Redis, and refuses any other number from then on.

    Raises:
        PartitionsChanged: the data lie in another number of partitions, so they would not be found.
        StoreUnavailable: Redis does not answer.
    """
    transport = Transport(client)
    transport.call(_KEY, "SET", _KEY, partitions, "NX")
    noted = int(transport.call(_KEY, "GET", _KEY))
    if noted != partitions:
        raise PartitionsChanged(
            f"This Redis holds data in {noted} partitions, not {partitions}: set HOODWINK_PARTITIONS={noted}."
        )
