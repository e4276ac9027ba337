"""Says which events the store no longer holds."""

import structlog

from service.application.ports import StreamId

log = structlog.get_logger(__name__)


class LoggedRollbacks:
    """Logs each stream that came back older than this process remembers it."""

    def noticed(self, stream: StreamId, *, first: int, last: int) -> None:
        """Logs the first and the last version that have vanished."""
        log.warning("the store went back", stream=f"{stream.category}:{stream.id}", first=first, last=last)
