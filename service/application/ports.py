"""The ports: protocols that the use cases need and the adapters implement."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from hoodwink.domain.due_times import NOTHING_DUE, WorkDue
from hoodwink.domain.tables.entries import Entry

T = TypeVar("T")


class StoreUnavailable(Exception):
    """Raised when the store does not answer.

    The commit may or may not be stored. It may be sent again with the same key: if it was stored the first time,
    the store answers `Duplicate`.
    """


class NotReplicated(StoreUnavailable):
    """Raised when a commit is stored, but too few replicas have confirmed it in time.

    It stays stored. If it is sent again with the same key, it waits for the replicas again.
    """

    def __init__(self) -> None:
        super().__init__("too few replicas confirmed the write in time")


class StorageFull(StoreUnavailable):
    """Raised when the data disk has no room for more events. Nothing was stored."""

    def __init__(self) -> None:
        super().__init__("the disk with the data is full")


class CannotReplay(Exception):
    """Raised for a log that cannot be replayed, because it breaks the rules."""


class DamagedArchive(CannotReplay, StoreUnavailable):
    """Raised for an archived log whose file is lost or damaged; the message names the file."""

    # Both, so that projections leave the log out as one that cannot be replayed, and requests answer 503.


def is_outage(error: Exception) -> bool:
    """Returns whether the store does not answer, and not only a file of the archive is lost or damaged."""
    return isinstance(error, StoreUnavailable) and not isinstance(error, DamagedArchive)


class StreamId(msgspec.Struct, frozen=True, gc=False):
    """The name of a stream, such as that of a table's events.

    Attributes:
        category: `table`, `player`, …; without a colon, which separates it from the id.
        id: unique within the category.
    """

    category: str
    id: str


class IdempotencyKey(msgspec.Struct, frozen=True, gc=False):
    """Distinguishes a repeated request from a new one.

    Attributes:
        id: unique within the stream; the events of the request have it as `cmd`.
        fingerprint: a hash of the request, which shows that one id was used for two requests.
    """

    id: str
    fingerprint: str


def own_command_id(version: int) -> str:
    """Returns the id of a command without an idempotency key, from the version of its first event.

    It is unique in its stream, and shorter than any key that a client may choose.
    """
    return f"~{version}"


class Commit(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Events that are stored together or not at all.

    Attributes:
        expected_version: the version of the stream that the events were decided on.
        expected_head: the hash of the event at that version; empty before the first one. A store may come back
            older and then grow to the same version, so the version alone proves nothing.
        entries: at least one.
        key: `None` for a command that nobody can repeat, whose id is `own_command_id`.
        due: when the workers have to act after it, for the readers of the feed.
        is_quiet: whether it concerns only live event streams, and none of the groups that read the feed.
        name: a text to store with the stream, such as a player's name. An empty text erases it, `None` keeps it.
        people: the ids of players who register or join with these events.
    """

    stream: StreamId
    expected_version: int
    expected_head: str = ""
    entries: tuple[Entry, ...]
    key: IdempotencyKey | None = None
    due: WorkDue = NOTHING_DUE
    is_quiet: bool = False
    name: str | None = None
    people: tuple[str, ...] = ()


class Appended(msgspec.Struct, frozen=True, gc=False):
    """The commit is stored; `version` is that of its last event."""

    version: int


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Nothing is stored: others have appended events after the expected version.

    Attributes:
        version: the version of the stream.
        tail: all events after the expected version.
    """

    version: int
    tail: tuple[Entry, ...]


class Diverged(msgspec.Struct, frozen=True, gc=False):
    """Nothing is stored: the stream does not hold the event that the writer remembers as its latest.

    The store came back older than the writer remembers, and other events may have been appended since.

    Attributes:
        version: the version of the stream.
    """

    version: int


class Duplicate(msgspec.Struct, frozen=True, gc=False):
    """Nothing is stored: an earlier commit has the same key.

    Attributes:
        version: of the last event of that commit.
        fingerprint: of the request that led to it.
        first_version: of the first event of that commit.
    """

    version: int
    fingerprint: str
    first_version: int


AppendResult: TypeAlias = Appended | Conflict | Diverged | Duplicate


class WholeLog(msgspec.Struct, frozen=True, gc=False):
    """A log with all that its stream keeps, so that the stream can be deleted.

    Attributes:
        entries: all events, from the first one.
        fingerprints: of the requests with an idempotency key, by command id.
    """

    entries: tuple[Entry, ...]
    fingerprints: Mapping[str, str]

    @property
    def head(self) -> str:
        return self.entries[-1].hash


class EventStore(Protocol):
    """Streams of events that only grow. Every call may raise `StoreUnavailable`."""

    def append(self, commit: Commit) -> AppendResult:
        """Stores a commit in one round trip, and never sends it again itself.

        The key is checked before the version, because a repeated request still names the version of its first
        attempt. Returns once enough replicas have the commit, new or known; otherwise raises `NotReplicated`.
        """
        ...

    def confirm(self, stream: StreamId) -> None:
        """Returns once enough replicas have all events of the stream; raises `NotReplicated`.

        A command that finds its effect already stored appends nothing. It calls this before it is acknowledged,
        because the attempt that stored the effect may not have been confirmed.
        """
        ...

    def confirm_all(self) -> None:
        """Returns once enough replicas have all events of all streams; raises `NotReplicated`."""
        ...

    def read(self, stream: StreamId, *, after: int = 0, count: int | None = None) -> tuple[Entry, ...]:
        """Returns up to `count` events after version `after`, oldest first."""
        ...

    def version(self, stream: StreamId) -> int: ...

    def known(self, stream: StreamId, key_id: str) -> Duplicate | None:
        """Returns the commit with that key once enough replicas have it, or `None` if the stream has none."""
        ...

    def streams(self, category: str, partition: int | None = None) -> Iterator[StreamId]:
        """Yields every stream of a category, or of one partition of it, once, in no order.

        A stream that begins meanwhile may be missing.
        """
        ...


class FeedEntry(msgspec.Struct, frozen=True, gc=False):
    """A pointer to one commit.

    Attributes:
        partition: the number of its feed. The entries of one stream are in the same feed, in order.
        entry_id: its id in that feed, which begins with the time at which it was stored, in ms.
        first_version, version: of the commit's first and last event.
        types: the wire names of its events.
        due: as in the commit.
        head: the hash of the last event; empty in entries of an earlier release.
        request: the id of the request that caused the commit, if known.
        said: a message to the watchers of a table; such an entry points to no commit.
    """

    partition: int
    entry_id: str
    stream: StreamId
    first_version: int
    version: int
    types: tuple[str, ...]
    due: WorkDue
    head: str = ""
    request: str = ""
    said: bytes = b""


class Lag(msgspec.Struct, frozen=True, gc=False):
    """The backlog of a group.

    Attributes:
        entries: the number of unacknowledged entries, delivered or not.
        age_ms: the age of the oldest one; 0 if there is none.
    """

    entries: int
    age_ms: int


class Feed(Protocol):
    """Pointers to all commits that are not quiet, in order within a partition, delivered at least once to every group.

    Every call may raise `StoreUnavailable`.
    """

    @property
    def partitions(self) -> tuple[int, ...]: ...

    def read(
        self, *, group: str, consumer: str, partitions: Sequence[int], count: int, block_ms: int
    ) -> list[FeedEntry]:
        """Returns up to `count` entries per partition; waits up to `block_ms`, 4,000 at most, for the first.

        A new group begins with the oldest entry. A consumer's first call, and its calls after `rewind`, return the
        entries that a process of that name has received and not acknowledged.
        """
        ...

    def rewind(self, *, group: str, consumer: str) -> None:
        """Makes the next reads begin with the consumer's unacknowledged entries."""
        ...

    def claim(
        self, *, group: str, consumer: str, partitions: Sequence[int], count: int, idle_ms: int
    ) -> list[FeedEntry]:
        """Takes over up to `count` entries per partition that were delivered `idle_ms` ago and not acknowledged."""
        ...

    def ack(self, group: str, entries: Sequence[FeedEntry]) -> None:
        """Acknowledges entries. A second call does nothing."""
        ...

    def lag(self, group: str) -> Lag:
        """Returns the backlog of the group over all partitions."""
        ...

    def keep(self, groups: Collection[str]) -> None:
        """Drops all other groups. A group that no process reads any more would keep `trim` from dropping anything."""
        ...

    def forget_consumers(self, *, idle_ms: int) -> int:
        """Drops consumers that have been idle for this long and have no unacknowledged entries; returns their number.

        Other consumers claim the entries of one that is gone first.
        """
        ...

    def trim(self) -> int:
        """Drops old entries that every group has acknowledged; returns their number."""
        ...


class Rollbacks(Protocol):
    """Reports that the store came back older than a process remembers."""

    def notice(self, stream: StreamId, *, first: int, last: int) -> None:
        """Reports the versions that the process remembers and the store no longer holds. Never raises."""
        ...


class Clock(Protocol):
    """The clock of the service. It never goes back or stops, so that every seat gets its full time."""

    def now_ms(self) -> int:
        """Returns milliseconds since the epoch, for times of events and due times."""
        ...

    def elapsed_ms(self) -> int:
        """Returns milliseconds since a fixed moment, for durations in this process; setting the wall clock has no effect."""
        ...

    def wait(self, seconds: float) -> None: ...


class Gather(Protocol):
    """Runs functions so that their simultaneous requests to the store share a round trip."""

    def __call__(self, functions: Sequence[Callable[[], T]]) -> list[T]:
        """Returns all results. If some functions raise, the others still finish before the first error is raised."""
        ...


class Entropy(Protocol):
    """Draws secrets and unique names."""

    def server_seed(self) -> str:
        """Returns 64 hex digits that cannot be guessed."""
        ...

    def command_id(self) -> str:
        """Returns a short id that no other command has."""
        ...


class Blocks(Protocol):
    """Whom players have blocked. Every call may raise `StoreUnavailable`."""

    def has(self, player: str, blocked: str) -> bool: ...

    def erase(self, player: str) -> None:
        """Deletes the list of a player who was erased."""
        ...


Owners: TypeAlias = Callable[[Collection[str]], Mapping[str, str]]
"""Returns the owners of those of the players who are bots, by id."""


class PlayerRecords(Protocol[T]):
    """Records of each player by id. They are in no event, so that they can be erased. Every call may raise `StoreUnavailable`."""

    def put(self, player: str, id_: str, record: T, *, most: int) -> bool:
        """Stores a record; returns False if the player already has that many others."""
        ...

    def update(self, player: str, id_: str, record: T) -> None:
        """Replaces a record, unless it has been removed meanwhile."""
        ...

    def of(self, player: str) -> dict[str, T]: ...

    def find_each(self, ids: Sequence[tuple[str, str]]) -> list[T | None]:
        """Returns records, given as pairs of player and id, in one round trip."""
        ...

    def remove(self, player: str, *ids: str) -> int:
        """Removes records; returns how many there were."""
        ...

    def erase(self, player: str) -> None:
        """Deletes the records of a player who was erased."""
        ...


class OnlineBots(Protocol):
    """The bots that follow their own stream. Every call may raise `StoreUnavailable`."""

    def online_bots(self, *, now: int) -> list[str]: ...
    def is_online(self, bot: str, *, now: int) -> bool: ...
