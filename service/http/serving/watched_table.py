"""A watched table, and whose eyes each stream of its events is for."""

from collections.abc import Sequence
from typing import TypeAlias

from domain.kernel import Viewer
from domain.tables import Phase, Recorded, seat_of
from domain.tables.events import SeatLeft, SeatTaken, SeedRevealed, TableVoided
from domain.words import seating_after, seating_of
from service.application.tables import LoadedTable
from service.http.serving.frames import event_frame, reset_frame, snapshot_frame
from service.http.serving.watcher import Stream

Kind: TypeAlias = tuple[Viewer, bool]
"""Whose eyes a stream is for, and whether it has words."""


class TableWatcher:
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
        return self.viewer, self.words

    def note(self, one: Recorded) -> bool:
        """Sees on with other eyes if the event seats or unseats the player; tells whether it does."""
        if one.entry.version <= self.since:
            return False
        event = one.event
        if isinstance(event, SeatTaken) and event.policy is None and event.player == self.player:
            self.viewer = event.seat
        elif isinstance(event, SeatLeft) and event.seat == self.viewer:
            self.viewer = "spectator"
        else:
            return False
        return True

    def snapshot(self, loaded: LoadedTable) -> None:
        self.stream.write(snapshot_frame(loaded, self.viewer))

    def restart(self, loaded: LoadedTable) -> None:
        """Writes that the table went back, and what it is now; a seat that was not taken yet is nobody's eyes."""
        if self.viewer != "spectator":
            seat = None if self.player is None else seat_of(loaded.state, self.player)
            self.viewer = "spectator" if seat is None else seat
        self.since = loaded.state.version
        self.stream.write(reset_frame(loaded.state.version) + snapshot_frame(loaded, self.viewer))


class WatchedTable:
    """A table as its watchers have seen it: who sits there, and whether it is over."""

    __slots__ = ("_game", "_seating", "is_over")

    def __init__(self, loaded: LoadedTable) -> None:
        self._game = loaded.state.game
        self._seating = seating_of(loaded.state)
        self.is_over = loaded.state.phase is Phase.ENDED

    def apply(self, one: Recorded) -> bool:
        self.is_over = isinstance(one.event, SeedRevealed | TableVoided)
        if not isinstance(one.event, SeatTaken | SeatLeft):
            return False
        self._seating = seating_after(self._seating, one.event)
        return True

    def frames(self, records: Sequence[Recorded], kind: Kind) -> bytes:
        viewer, words = kind
        game, seating = self._game, self._seating if words else None
        return b"".join([event_frame(game, one, viewer, seating) for one in records])
