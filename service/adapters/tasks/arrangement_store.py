"""Stored arrangements of round robins, in Redis; see `service/application/jobs/arrangements.py`.

| key | type | holds |
|---|---|---|
| `hw:arrangement:2:<shape>` | string | the first 8 bytes of the SHA-256 of the rest, then two bytes for each position |

The number is the edition of tournaments from which on the search finds these arrangements. A key expires after 90
days without use, because the search can find the same arrangement again.
"""

import struct
from hashlib import sha256
from typing import Final

from hoodwink.domain.tournaments.pairing.round_robin import Arrangement, Shape
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport

_KEPT_SECONDS: Final = 90 * 86_400
_SUM_BYTES: Final = 8


class RedisArrangementStore:
    """Stores arrangements by shape. Safe to share between threads and processes."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def read(self, shape: Shape) -> Arrangement | None:
        """Returns the arrangement of a shape, or `None` if there is none or it is damaged."""
        key = arrangement_key(shape)
        # `GETEX` makes each use count, so that only shapes that nobody plays expire.
        stored = self._transport.call(key, "GETEX", key, "EX", _KEPT_SECONDS) or b""
        digest, packed = stored[:_SUM_BYTES], stored[_SUM_BYTES:]
        count = shape.entrants * shape.rounds
        # A damaged arrangement could seat a player twice in a round. The search finds the right one again.
        if digest != _digest(packed) or len(packed) != 2 * count:
            return None
        return struct.unpack(f">{count}H", packed)

    def write(self, shape: Shape, arrangement: Arrangement) -> None:
        key, packed = arrangement_key(shape), struct.pack(f">{len(arrangement)}H", *arrangement)
        self._transport.call(key, "SET", key, _digest(packed) + packed, "EX", _KEPT_SECONDS)


def arrangement_key(shape: Shape) -> str:
    return f"hw:arrangement:2:{shape.key}"


def _digest(packed: bytes) -> bytes:
    return sha256(packed).digest()[:_SUM_BYTES]
