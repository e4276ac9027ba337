"""Reads sorted sets of times across partitions."""

from collections.abc import Iterable
from heapq import merge
from itertools import islice

from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.checksums import score_until


def earliest(transport: Transport, keys: Iterable[str], until_ms: int, *, count: int) -> dict[str, int]:
    """Returns up to `count` members whose time has come, earliest first: id → time in ms since the epoch."""
    # `count` of each partition, because all of the earliest may be in one of them.
    replies = transport.call_each(
        [
            (key, ("ZRANGEBYSCORE", key, "-inf", score_until(until_ms), "WITHSCORES", "LIMIT", 0, count))
            for key in keys
        ]
    )
    found = [
        [(int(float(at)), id_.decode()) for id_, at in zip(reply[::2], reply[1::2], strict=True)]
        for reply in replies
    ]
    return {id_: at for at, id_ in islice(merge(*found), count)}
