"""Somebody who watches a table: whose eyes the stream is for, and what it is written to."""

from typing import Protocol, TypeAlias

from domain.kernel import Event, Viewer
from domain.tables import seat_of
from domain.tables.events import SeatLeft, SeatTaken
from service.application.tables import LoadedTable
from service.http.serving.frames import reset_frame, snapshot_frame

Kind: TypeAlias = tuple[Viewer, bool]
"""Whose eyes a stream is for, and whether it has words."""


class Stream(Protocol):
    """Where a watcher's bytes go."""

    def write(self, chunk: bytes) -> None:
        """Sends the bytes, without waiting."""
        ...

    def end(self) -> None:
        """Ends the stream."""
        ...


class Watcher:
    """A stream, and whose eyes it is for.

    Attributes:
        player: who watches, if known.
        since: seats taken or left up to this version are in `viewer` already.
        words: whether each event comes with its sentence.
    """

    __slots__ = ("player", "since", "stream", "viewer", "words")

    def __init__(
        self, stream: Stream, viewer: Viewer, player: str | None, since: int, *, words: bool = False
    ) -> None:
        self.stream = stream
        self.viewer = viewer
        self.player = player
        self.since = since
        self.words = words

    @property
    def kind(self) -> Kind:
        """What all watchers have in common who are sent the same bytes."""
        return self.viewer, self.words

    def note(self, version: int, event: Event) -> bool:
        """Sees on with other eyes if the event seats or unseats the player; tells whether it does."""
        if version <= self.since:
            return False
        match event:
            case SeatTaken() if event.policy is None and event.player == self.player:
                self.viewer = event.seat
                return True
            case SeatLeft() if event.seat == self.viewer:
                self.viewer = "spectator"
                return True
            case _:
                return False

    def restart(self, loaded: LoadedTable) -> None:
        """Writes that the table went back, and what it is now; a seat that was not taken yet is nobody's eyes."""
        if self.viewer != "spectator":
            seat = None if self.player is None else seat_of(loaded.state, self.player)
            self.viewer = "spectator" if seat is None else seat
        self.since = loaded.state.version
        self.stream.write(reset_frame(loaded.state.version) + snapshot_frame(loaded, self.viewer))
