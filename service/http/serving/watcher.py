"""Somebody who watches: what a channel has to know of them, and what it writes to."""

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from domain.tables import Recorded
from service.application.history import Loaded


class Stream(Protocol):
    """Where a watcher's bytes go."""

    def write(self, chunk: bytes) -> None:
        """Sends the bytes, without waiting."""
        ...

    def end(self) -> None:
        """Ends the stream."""
        ...


class Watcher(Protocol):
    """A stream, and what it is to be sent.

    Attributes:
        kind: what all watchers have in common who are sent the same bytes.
    """

    stream: Stream

    @property
    def kind(self) -> Hashable: ...

    def note(self, one: Recorded) -> bool:
        """Sees on with other eyes if the event changes whose they are; tells whether it does."""
        ...

    def snapshot(self, loaded: Loaded[Any]) -> None:
        """Writes what is watched, as it is now."""
        ...

    def restart(self, loaded: Loaded[Any]) -> None:
        """Writes that what is watched went back, and what it is now."""
        ...


class Watched(Protocol):
    """What is watched on a channel, as far as it decides what each kind of watcher is sent."""

    @property
    def is_over(self) -> bool:
        """Whether nothing follows."""
        ...

    def apply(self, one: Recorded) -> bool:
        """Takes in the next event; tells whether watchers may see on with other eyes after it."""
        ...

    def frames(self, records: Sequence[Recorded], kind: Any) -> bytes:
        """Returns events that were taken in, as that kind of watcher may know them, without those it may not."""
        ...
