"""Checks that the store accepts writes, without writing."""

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys


def check_writes(*, client: Client, partitions: int) -> None:
    """Returns if Redis, or on a cluster every node with a partition, accepts writes; raises `StoreUnavailable`."""
    # `XX` sets only a key that exists, and this one never does: so nothing changes and nothing reaches Redis' log. But
    # Redis refuses the command like every write when its disk or memory is full, or when it is a replica.
    keys = Keys(partitions).in_each("never")
    Transport(client).call_each([(key, ("SET", key, "", "XX")) for key in keys])
