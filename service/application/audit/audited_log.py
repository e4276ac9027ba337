"""Streams as the audits read them: each log is read and replayed once for all audits."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.event_reader import Batch


class StreamEnd(NamedTuple):
    """The last event of a stream.

    Attributes:
        version, head: its version and hash; 0 and empty if only the stream's index of commands is left.
        is_archived: whether all events are in the archive.
    """

    stream: StreamId
    version: int
    head: str
    is_archived: bool = False


class StoredStream(NamedTuple):
    """A stream and the data stored with it.

    Attributes:
        entries: the events, oldest first.
        archived: the version of the last event in the archive; the entries follow on it.
        is_in_form: whether each event has its version as its id, and the right fields.
        commands: the first and last version of each command by its id; `None` for one whose record is damaged.
        head: the recorded version and hash of the last event; `None` if an earlier release recorded none.
        is_named: whether a name is stored for it.
        newcomer_since: the time since which a player counts as a newcomer, in ms, or `None`.
    """

    entries: tuple[Entry, ...]
    is_in_form: bool
    commands: Mapping[str, tuple[int, int] | None]
    head: tuple[int, str] | None
    is_named: bool = False
    newcomer_since: int | None = None
    archived: int = 0


class Claim(NamedTuple):
    """A table's result as the log of its tournament has it.

    Attributes:
        version: that of the event in the tournament's log.
        digest: of the event's data.
    """

    tournament: StreamId
    version: int
    table: str
    digest: bytes


class AuditedLog(NamedTuple):
    """A log as the audit has read it.

    Attributes:
        entries: all events of a table or tournament; empty for other streams, which each audit reads itself.
        batch: the events that projections follow, and the state after the last event; `None` if the entries are empty
            or cannot be replayed.
        stored: the stream as it is in Redis; `None` if all of it is in the archive.
        claims: the results of tables in the log of a tournament.
        end: the digest that a claim about this table should have; empty if it has not ended, or belongs to no tournament.
        is_lost: whether its events cannot be read from the archive, so that nothing can be compared with them.
    """

    stream: StreamId
    entries: Sequence[Entry] = ()
    batch: Batch | None = None
    stored: StoredStream | None = None
    claims: Sequence[Claim] = ()
    end: bytes = b""
    is_lost: bool = False


class PartitionAudit(Protocol):
    """The audit of one kind of data in one partition.

    Attributes:
        awaited: missing data that may still arrive, because the projector is behind.
    """

    @property
    def awaited(self) -> Sequence[Any]: ...

    def add(self, log: AuditedLog) -> Iterable[Difference]:
        """Audits one stream, and returns the differences that are certain already."""
        ...

    def finish(self) -> Iterable[Difference]:
        """Returns all other differences, once every stream of the partition was added."""
        ...


class Auditor(Protocol):
    """Audits one kind of data."""

    def of(self, partition: int, *, is_whole: bool) -> PartitionAudit:
        """Begins the audit of a partition.

        Args:
            partition: its number.
            is_whole: whether all streams of the partition will be added. Otherwise data of other streams, and data
                that does not belong to one stream, are not audited.
        """
        ...


class AwaitingAuditor(Auditor, Protocol):
    """Audits data that may be stored later than the events."""

    def is_missing(self, awaited: Any) -> bool: ...

    def difference(self, awaited: Any) -> Difference:
        """Returns the difference if something awaited does not arrive."""
        ...
