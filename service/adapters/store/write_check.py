"""Checks that the store accepts writes, without writing."""

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys


def check_writes(*, client: Client, partitions: int) -> None:
    """Returns if Redis, or on a cluster every node with a partition, accepts writes; raises `StoreUnavailable`."""
    # `XX` only sets an existing key, and this one never exists, so nothing changes and nothing gets into Redis's
    # log. But Redis refuses the command like every write if its disk or memory is full, or if it is a replica.
    keys = Keys(partitions).in_each("never")
    Transport(client).call_each([(key, ("SET", key, "", "XX")) for key in keys])
