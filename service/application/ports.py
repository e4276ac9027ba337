"""What the use cases need from outside, as protocols; the adapters fulfil them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from domain.tables import NOTHING_DUE, Entry, WorkDue


class StoreUnavailable(Exception):
    """Raised when the store did not answer.

    Whether a commit was stored is then unknown. The same commit may be sent again under the same key:
    the store answers `Duplicate` if it had arrived the first time.
    """


class StreamId(msgspec.Struct, frozen=True, gc=False):
    """Names one stream, such as the events of a table.

    Attributes:
        category: `table`, `player`, …; holds no colon.
        id: unique within the category.
    """

    category: str
    id: str


class IdempotencyKey(msgspec.Struct, frozen=True, gc=False):
    """Tells a request that arrives twice from a new one.

    Attributes:
        id: unique within the stream; the events that follow from the request bear it as `cmd`.
        fingerprint: stands for what was asked, to notice one id used for two requests.
    """

    id: str
    fingerprint: str


class Commit(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Events that are stored together or not at all.

    Attributes:
        expected_version: the version of the stream that the events were decided on.
        expected_head: the hash of the event at that version; empty before the first one. A store may come
            back older and go on otherwise, so that the number of events alone proves nothing.
        entries: at least one.
        due: what the workers owe the stream after it, for the readers of the feed.
        is_quiet: it concerns no group that reads the feed, only those who watch what happens now.
    """

    stream: StreamId
    expected_version: int
    expected_head: str = ""
    entries: tuple[Entry, ...]
    key: IdempotencyKey
    due: WorkDue = NOTHING_DUE
    is_quiet: bool = False


class Appended(msgspec.Struct, frozen=True, gc=False):
    """The commit is stored; `version` is that of its last event."""

    version: int


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Nothing is stored: others have appended since the expected version.

    Attributes:
        version: the version of the stream.
        tail: all events after the expected version.
    """

    version: int
    tail: tuple[Entry, ...]


class Diverged(msgspec.Struct, frozen=True, gc=False):
    """Nothing is stored: the stream does not hold the event that the writer believes to be its latest.

    The store came back older than the writer remembers, and may have gone on otherwise since.

    Attributes:
        version: the version of the stream.
    """

    version: int


class Duplicate(msgspec.Struct, frozen=True, gc=False):
    """The key is known; this is what it led to the first time.

    Attributes:
        version: of the last event it led to.
        fingerprint: what was asked then.
        first_version: of the first event it led to.
    """

    version: int
    fingerprint: str
    first_version: int


AppendResult: TypeAlias = Appended | Conflict | Diverged | Duplicate


class EventStore(Protocol):
    """Streams of events that only grow. Every call may raise `StoreUnavailable`."""

    def append(self, commit: Commit) -> AppendResult:
        """Stores a commit in one round trip and is never the one to send it again.

        A known key is answered first, then a position that is not the end of the stream.
        """
        ...

    def read(self, stream: StreamId, *, after: int = 0, count: int | None = None) -> tuple[Entry, ...]:
        """Returns up to `count` events behind version `after`, oldest first."""
        ...

    def version(self, stream: StreamId) -> int:
        """Returns the number of events on the stream."""
        ...

    def known(self, stream: StreamId, key_id: str) -> Duplicate | None:
        """Returns what the key of that id led to, or `None` if the stream does not know it."""
        ...

    def streams(self, category: str) -> Iterator[StreamId]:
        """Yields every stream of a category once, in no order; one begun meanwhile may be missing."""
        ...


class FeedEntry(msgspec.Struct, frozen=True, gc=False):
    """A pointer to one commit.

    Attributes:
        partition: the feed it stands in; entries of one stream share it and keep their order.
        entry_id: its place in that feed; begins with the millisecond it was stored in.
        first_version, version: of the commit's first and last event.
        types: the wire names of its events.
        due: as in the commit.
        head: the hash of its last event; empty in entries stored before it was noted.
    """

    partition: int
    entry_id: str
    stream: StreamId
    first_version: int
    version: int
    types: tuple[str, ...]
    due: WorkDue
    head: str = ""


class Lag(msgspec.Struct, frozen=True, gc=False):
    """How far a group is behind.

    Attributes:
        entries: not yet acknowledged, delivered or not.
        age_ms: of the oldest of them; 0 if there is none.
    """

    entries: int
    age_ms: int


class Feed(Protocol):
    """What was stored and is not quiet, in order within a partition, delivered to every group at least once.

    Every call may raise `StoreUnavailable`.
    """

    @property
    def partitions(self) -> tuple[int, ...]:
        """Every partition there is."""
        ...

    def read(
        self, *, group: str, consumer: str, partitions: Sequence[int], count: int, block_ms: int
    ) -> list[FeedEntry]:
        """Returns up to `count` entries a partition, waiting up to `block_ms` for the first.

        A group that is not there begins with the oldest entry. A consumer's first call returns
        what an earlier process of that name took and did not acknowledge; so do the calls after `rewind`.
        """
        ...

    def rewind(self, *, group: str, consumer: str) -> None:
        """Lets the following reads begin with what the consumer did not acknowledge."""
        ...

    def claim(
        self, *, group: str, consumer: str, partitions: Sequence[int], count: int, idle_ms: int
    ) -> list[FeedEntry]:
        """Takes over up to `count` entries a partition that nobody acknowledged for `idle_ms`."""
        ...

    def ack(self, group: str, entries: Sequence[FeedEntry]) -> None:
        """Marks entries as done; doing so twice does no harm."""
        ...

    def lag(self, group: str) -> Lag:
        """Returns how far the group is behind over all partitions."""
        ...

    def keep(self, groups: Collection[str]) -> None:
        """Drops all other groups; one that nobody reads any more would hold `trim` back for ever."""
        ...

    def trim(self) -> int:
        """Drops old entries that every group has acknowledged; returns how many."""
        ...


class Rollbacks(Protocol):
    """Where a process reports that the store came back older than what the process remembers."""

    def noticed(self, stream: StreamId, *, first: int, last: int) -> None:
        """Reports the versions that the process remembers and the store no longer holds. Never raises."""
        ...


class Clock(Protocol):
    """The service's clock. It never goes back and never stands still, so seats get the time that is theirs."""

    def now_ms(self) -> int:
        """Returns milliseconds since the epoch: when something is, or is due."""
        ...

    def elapsed_ms(self) -> int:
        """Returns milliseconds since some moment that stays the same for this process: how long something takes."""
        ...

    def wait(self, seconds: float) -> None:
        """Returns when so much time has passed."""
        ...


class Entropy(Protocol):
    """Where secrets and fresh names come from."""

    def server_seed(self) -> str:
        """Returns 64 hex digits that nobody can guess."""
        ...

    def command_id(self) -> str:
        """Returns a short id that no other command has."""
        ...
