"""The ports that read and change projections."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec

from hoodwink.domain.projections import Effect
from hoodwink.service.application.errors import ApplicationError, InternalCode
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.history import Position


class Progress(NamedTuple):
    """The progress of a projection on a stream.

    Attributes:
        applied: the position of the last event that changed the projection.
        is_proven: whether the stream still holds the event at that position.
    """

    applied: Position
    is_proven: bool


class ProjectionSnapshot(msgspec.Struct, gc=False, kw_only=True):
    """The contents of a projection in one partition.

    Attributes:
        applied: the position of the last event applied, by stream.
        rows: JSON by key.
        counters: numbers by name.
        indexes: the order of each key, by index.
    """

    applied: dict[StreamId, Position] = {}
    rows: dict[str, bytes] = {}
    counters: dict[str, int] = {}
    indexes: dict[str, dict[str, int]] = {}


class Cursor(msgspec.Struct, frozen=True, gc=False):
    """The end of a page: the order and the key of its last row."""

    order: int
    key: str


class Page(msgspec.Struct, frozen=True, gc=False):
    """Rows as JSON, and the cursor of the next page; `None` after the last row."""

    rows: tuple[bytes, ...]
    more: Cursor | None


class ProjectionReader(Protocol):
    """Reads projections. Every call may raise `StoreUnavailable`."""

    def page(self, projection: str, *indexes: str, before: Cursor | None, count: int) -> Page:
        """Returns up to `count` rows of some indexes that come before `before`, the highest order first.

        No row is in more than one of the indexes.
        """
        ...

    def rows(self, projection: str, stream: StreamId, keys: Sequence[str]) -> tuple[bytes | None, ...]:
        """Returns a stream's rows as JSON, in the order of the keys; `None` for one that does not exist."""
        ...

    def counters(self, projection: str, names: Sequence[str]) -> tuple[int, ...]:
        """Returns counters in the order of the names; 0 for an unknown one."""
        ...

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns the version of the last event of the stream that changed the projection."""
        ...


class PartitionHeld(ApplicationError):
    """Raised while another process audits or rebuilds a projection's partition."""

    def __init__(self, projection: str, partition: int) -> None:
        super().__init__(
            InternalCode.PARTITION_HELD,
            f"Partition {partition} of {projection} is being audited or rebuilt by another process; try again later.",
        )


class ProjectionStore(ProjectionReader, Protocol):
    """Stores the rows, counters and indexes of projections. Every call may raise `StoreUnavailable`."""

    def apply(
        self,
        projection: str,
        stream: StreamId,
        *,
        after: Position,
        reached: Position,
        effects: Sequence[Effect],
        revision: int = 1,
    ) -> bool:
        """Applies the effects of a stream's events after `after` up to `reached`, all or none of them.

        The first effects in a partition record the revision of the projection.

        Does nothing and returns False unless the projection is at `after` on that stream, the stream holds the
        event at `reached`, and no other process is reading or dropping the partition.
        """
        ...

    def progress(self, projection: str, stream: StreamId) -> Progress: ...

    def partition(self, stream: StreamId) -> int:
        """Returns the number of the partition that holds the rows of the stream."""
        ...

    @property
    def partitions(self) -> tuple[int, ...]: ...

    def rebuilding(
        self, projection: str, partition: int, *, wait_seconds: float = 0.0
    ) -> AbstractContextManager[Callable[[], None]]:
        """Drops the contents of a partition, for a `with` body that fills it again.

        The body must call the yielded function every few seconds to renew its hold on the partition. A hold
        expires so that a killed rebuild does not block it forever. Other processes may continue to project. If
        the body raises, the partition counts as unfinished.

        Raises:
            PartitionHeld: another process holds the partition for longer than `wait_seconds`, or the hold expired.
        """
        ...

    def unfinished(self, projection: str) -> tuple[int, ...]:
        """Returns the partitions whose rebuild was interrupted."""
        ...

    def outdated(self, projection: str, revision: int) -> tuple[int, ...]:
        """Returns the partitions that another revision of the projection has filled, after those that it left empty."""
        ...

    def contents(self, projection: str, partition: int) -> ProjectionSnapshot:
        """Returns a snapshot of a partition, taken at one moment.

        Raises:
            PartitionHeld: another process rebuilds the partition and does not finish in time.
        """
        ...
