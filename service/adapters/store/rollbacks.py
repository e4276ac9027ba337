"""Reports that Redis came back older than a process remembers, with a log line and a count.

The count is in Redis, under `hw:vanished` (process → events), so that `/metrics` shows it for the processes of all
machines. A later restore of an older Redis also resets the count.
"""

from collections.abc import Mapping
from typing import Final

import structlog
from redis.exceptions import ResponseError

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.ports import StoreUnavailable, StreamId

log = structlog.get_logger(__name__)

_KEY: Final = "hw:vanished"


class RedisRollbacks:
    """Reports for one process, and reads the counts of all. Safe to share between threads."""

    def __init__(self, *, client: Client, process: str) -> None:
        """Counts under the name `process`."""
        self._transport = Transport(client)
        self._process = process

    def notice(self, stream: StreamId, *, first: int, last: int) -> None:
        """Reports the versions that the process remembers and the store no longer has. Never raises."""
        named = {stream.category: stream.id}
        log.warning("events vanished from the store", first_vanished=first, last_vanished=last, **named)
        try:
            self._transport.call(_KEY, "HINCRBY", _KEY, self._process, last - first + 1)
        except (
            StoreUnavailable,
            ResponseError,
        ) as error:  # the command that noticed it must not fail because of a count
            log.warning("the vanished events could not be counted", error=str(error))

    def counts(self) -> Mapping[str, int]:
        """Returns the number of vanished events that each process noticed; may raise `StoreUnavailable`."""
        reply = self._transport.call(_KEY, "HGETALL", _KEY)
        return {
            process.decode(): int(events) for process, events in zip(reply[::2], reply[1::2], strict=True)
        }
