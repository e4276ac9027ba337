"""The protocols of watchers, of the tables and tournaments that they watch, and of where they are noted."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.entries import Recorded
from hoodwink.service.application.streams.history import Loaded


class Stream(Protocol):
    """A streamed answer to a watcher."""

    def write(self, chunk: bytes) -> None:
        """Sends the bytes, without waiting."""
        ...

    def end(self) -> None: ...


class Presence(Protocol):
    """Where the players are noted who are connected."""

    def note(self, players: Mapping[str, Collection[str]], *, now: int) -> None: ...


class Page(NamedTuple):
    """The events that follow on a position, `None` where that position is not stored, and the names of the people."""

    events: tuple[Recorded, ...] | None
    names: Names


class Watcher(Protocol):
    """A stream, and what it needs to be sent.

    Attributes:
        kind: equal for all watchers that are sent the same bytes.
    """

    stream: Stream

    @property
    def kind(self) -> Hashable: ...

    def adjust(self, recorded: Recorded) -> bool:
        """Changes the kind if the event requires it; returns whether it does."""
        ...

    def snapshot(self, loaded: Loaded[Any], names: Names) -> None:
        """Writes the present table or tournament."""
        ...

    def restart(self, loaded: Loaded[Any], names: Names) -> None:
        """Writes that events have vanished from the store, and the present table or tournament."""
        ...


class Watched(Protocol):
    """The state of a watched table or tournament from which the frames of its events are made."""

    @property
    def is_over(self) -> bool:
        """Whether the table or tournament has ended."""
        ...

    @property
    def may_go_on(self) -> bool:
        """Whether an event after the end is likely soon, such as a rematch."""
        ...

    @property
    def changes_at(self) -> int | None:
        """The time, in ms, from which watchers with views need another one although nothing has happened."""
        ...

    @property
    def people(self) -> Collection[str]:
        """The ids of the people whose names the frames need."""
        ...

    def player_of(self, watcher: Any) -> str | None:
        """Returns the player whose stream this is, if they have a seat; others stay unknown."""
        ...

    def admits(self, watcher: Any) -> bool: ...

    def rename(self, names: Names) -> None:
        """Takes the present names of these people, and of those that the next events introduce."""
        ...

    def apply(self, recorded: Recorded) -> bool:
        """Applies the next event; returns whether it may change the kind of watchers."""
        ...

    def has_views(self, kinds: Iterable[Any]) -> bool:
        """Returns whether watchers of any of these kinds are sent the state after each commit."""
        ...

    def frames(self, records: Sequence[Recorded], kind: Any) -> bytes:
        """Returns the frames of applied events for watchers of that kind, without hidden events.

        Watchers with views get one frame, with the present state; it may have no events.
        """
        ...
