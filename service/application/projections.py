"""Where projections keep what they hold, and what can be asked of it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec

from domain.projections import Effect
from service.application.errors import ApplicationError, InternalCode
from service.application.history import Place
from service.application.ports import StreamId


class Standing(NamedTuple):
    """How a projection stands to a stream.

    Attributes:
        applied: the place of the last event that changed the projection.
        is_proven: the stream holds that place.
    """

    applied: Place
    is_proven: bool


class Shelf(msgspec.Struct, gc=False, kw_only=True):
    """What a projection keeps of the tables of one partition.

    Attributes:
        applied: how far it has come, by stream.
        rows: JSON by key.
        counters: by name.
        indexes: the order of each key, by index.
    """

    applied: dict[StreamId, Place] = {}
    rows: dict[str, bytes] = {}
    counters: dict[str, int] = {}
    indexes: dict[str, dict[str, int]] = {}


class Cursor(msgspec.Struct, frozen=True, gc=False):
    """Where a page ended: the order and the key of its last row."""

    order: int
    key: str


class Page(msgspec.Struct, frozen=True, gc=False):
    """Rows as JSON, and where the next page begins; `None` behind the last row."""

    rows: tuple[bytes, ...]
    more: Cursor | None


class ProjectionReader(Protocol):
    """What projections answer. Every call may raise `StoreUnavailable`."""

    def page(self, projection: str, index: str, *, before: Cursor | None, count: int) -> Page:
        """Returns up to `count` rows of an index, the highest order first, that stand behind `before`."""
        ...

    def rows(self, projection: str, stream: StreamId, keys: Sequence[str]) -> tuple[bytes | None, ...]:
        """Returns rows that a stream's events put, as JSON, in the order asked for; `None` for one that is not there."""
        ...

    def counters(self, projection: str, names: Sequence[str]) -> tuple[int, ...]:
        """Returns counters in the order asked for; 0 for one that was never added to."""
        ...

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns the version of the last event of the stream that changed the projection."""
        ...


class PartitionHeld(ApplicationError):
    """Raised when a projection's partition is in other hands: one that reads it, or makes it anew."""

    def __init__(self, projection: str, partition: int) -> None:
        super().__init__(
            InternalCode.PARTITION_HELD,
            f"Partition {partition} of {projection} is being audited or rebuilt by another; try again later.",
        )


class ProjectionStore(Protocol):
    """Where projections keep their rows and counters. Every call may raise `StoreUnavailable`."""

    def apply(
        self,
        projection: str,
        stream: StreamId,
        *,
        after: Place,
        reached: Place,
        effects: Sequence[Effect],
        revision: int = 1,
    ) -> bool:
        """Carries out the effects of a stream's events behind `after` up to `reached`, all at once.

        The first effects in a partition note the revision of the projection that they are of.

        Returns False, and does nothing, unless the projection stands at `after` on that stream, the stream
        holds the event that `reached` names, and nobody reads or drops the partition just now.
        """
        ...

    def standing(self, projection: str, stream: StreamId) -> Standing:
        """Returns how far the projection has come on the stream, and whether the stream is still that one."""
        ...

    def partition(self, stream: StreamId) -> int:
        """Returns the partition that keeps what comes from the stream."""
        ...

    @property
    def partitions(self) -> tuple[int, ...]:
        """Every partition there is."""
        ...

    def anew(
        self, projection: str, partitions: Collection[int], *, wait_seconds: float = 0.0
    ) -> AbstractContextManager[Callable[[], None]]:
        """Forgets everything that the projection keeps in some partitions, for a body that fills them again.

        What the context manager gives has to be called now and then, for only so is it known that somebody
        is still at it. Others may project meanwhile. Unless the body comes to its end, the partitions count
        as unfinished.

        Raises:
            PartitionHeld: somebody else is at it and does not end in time, or the body was silent for too long.
        """
        ...

    def unfinished(self, projection: str) -> tuple[int, ...]:
        """Returns the partitions that somebody began to make anew, and nobody is at work on."""
        ...

    def outdated(self, projection: str, revision: int) -> tuple[int, ...]:
        """Returns the partitions whose contents are of another revision of the projection."""
        ...

    def contents(self, projection: str) -> Iterator[Shelf]:
        """Yields everything the projection keeps, for each partition as it was at one moment.

        Raises:
            PartitionHeld: somebody makes a partition anew for longer than one can wait.
        """
        ...
