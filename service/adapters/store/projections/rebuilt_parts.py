"""The progress of `hoodwink rebuild` in Redis, so that an interrupted one can be continued.

| key | type | holds |
|---|---|---|
| `hw:rebuilt` | set, expiring | `<projection> <partition>` of each partition that the command has rebuilt |

It is next to the contents that it describes: a backup that is restored does not have it, unless it has them, too.
"""

from collections.abc import Collection
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport

KEY: Final = "hw:rebuilt"
_DAY_SECONDS: Final = 86_400
"""A rebuild that starts later has another reason, and rebuilds everything."""


class RebuiltParts:
    """The parts that an interrupted rebuild has completed. A part is a projection, or the due times, in one partition."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def read(self) -> set[tuple[str, int]]:
        found = [member.decode().split(" ") for member in self._transport.call(KEY, "SMEMBERS", KEY)]
        return {(name, int(partition)) for name, partition in found}

    def add(self, names: Collection[str], partition: int) -> None:
        members = [f"{name} {partition}" for name in names]
        self._transport.call_each([(KEY, ("SADD", KEY, *members)), (KEY, ("EXPIRE", KEY, _DAY_SECONDS))])

    def remove(self, names: Collection[str]) -> None:
        """Forgets all parts of these projections, which will be or have been rebuilt completely."""
        if parts := [f"{name} {partition}" for name, partition in self.read() if name in names]:
            self._transport.call(KEY, "SREM", KEY, *parts)
