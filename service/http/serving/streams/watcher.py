"""Protocols of watchers, of the tables and tournaments that they watch, and of what the hub reads and records."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.history import Loaded


class Stream(Protocol):
    """A streamed answer to a watcher."""

    def write(self, chunk: bytes) -> None:
        """Sends the bytes, without waiting."""
        ...

    def end(self) -> None: ...


class StoreReader(Protocol):
    """The part of the event store that the hub needs."""

    def read_each(
        self, positions: Mapping[StreamId, int], *, count: int, archived: bool = True
    ) -> Sequence[tuple[Entry, ...]]:
        """Returns up to `count` events after each stream's version, or none if the first of them is archived."""
        ...


class Presence(Protocol):
    """The record of connected players, and of the bots that are online."""

    def note(self, players: Mapping[str, Collection[str]], *, now: int) -> None: ...
    def note_departure(self, table: str, player: str, *, now: int) -> None: ...
    def connected_each(self, tables: Collection[str], *, now: int) -> Mapping[str, frozenset[str]]: ...
    def note_bots(self, bots: Collection[str], *, now: int) -> None: ...


class Page(NamedTuple):
    """The events after a position, or `None` if that position is not stored, and the names of the people."""

    events: tuple[Recorded, ...] | None
    names: Names


class Watcher(Protocol):
    """A stream and its view of the events.

    Attributes:
        kind: equal for all watchers that receive the same bytes.
    """

    stream: Stream

    @property
    def kind(self) -> Hashable: ...

    def adjust(self, recorded: Recorded) -> bool:
        """Changes the kind if the event requires it; returns whether it does."""
        ...

    def snapshot(self, loaded: Loaded[Any], names: Names) -> None:
        """Writes the current table or tournament."""
        ...

    def restart(self, loaded: Loaded[Any], names: Names) -> None:
        """Writes that events have vanished from the store, and the current table or tournament."""
        ...


class Watched(Protocol):
    """The state of a watched table or tournament, from which frames are made."""

    @property
    def is_over(self) -> bool:
        """Whether the table or tournament has ended."""
        ...

    @property
    def may_go_on(self) -> bool:
        """Whether an event is likely soon after the end, such as a rematch."""
        ...

    @property
    def changes_at(self) -> int | None:
        """The time (ms) from which watchers with views need a new one although nothing has happened."""
        ...

    @property
    def people(self) -> Collection[str]:
        """The ids of the people whose names the frames need."""
        ...

    def player_of(self, watcher: Any) -> str | None:
        """Returns the player whose stream this is, or `None` without a seat."""
        ...

    def admits(self, watcher: Any) -> bool: ...

    def rename(self, names: Names) -> None:
        """Takes the current names of these people, and of those that the next events introduce."""
        ...

    def apply(self, recorded: Recorded) -> bool:
        """Applies the next event; returns whether it may change the kind of watchers."""
        ...

    def has_views(self, kinds: Iterable[Any]) -> bool:
        """Returns whether watchers of any of these kinds receive the state after each commit."""
        ...

    def frames(self, records: Sequence[Recorded], kind: Any) -> bytes:
        """Returns the frames of applied events for watchers of that kind, without hidden events.

        Watchers with views get one frame with the current state, even without events.
        """
        ...
