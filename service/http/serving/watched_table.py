"""A watched table, and the viewer of each of its streams."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from domain.kernel import Names, Viewer
from domain.tables import Phase, Recorded, seat_of
from domain.tables.events import SeatLeft, SeatTaken, SeedRevealed, TableVoided
from domain.words import seating_after, seating_of
from service.application.tables import LoadedTable
from service.http.serving.frames import event_frame, reset_frame, snapshot_frame
from service.http.serving.watcher import Stream

Kind: TypeAlias = tuple[Viewer, bool]
"""The viewer of a stream, and whether its events have words."""


class TableWatcher:
    """A watcher of a table.

    Attributes:
        player: the id of the player who watches, if known.
        since: the version up to which `viewer` reflects the seats that the player took or left.
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

    def adjust(self, recorded: Recorded) -> bool:
        """Changes the viewer if the event seats or unseats the player; returns whether it does."""
        if recorded.entry.version <= self.since:
            return False
        event = recorded.event
        if isinstance(event, SeatTaken) and event.policy is None and event.player == self.player:
            self.viewer = event.seat
        elif isinstance(event, SeatLeft) and event.seat == self.viewer:
            self.viewer = "spectator"
        else:
            return False
        return True

    def snapshot(self, loaded: LoadedTable, names: Names) -> None:
        self.stream.write(snapshot_frame(loaded, self.viewer, names))

    def restart(self, loaded: LoadedTable, names: Names) -> None:
        """Writes that events have vanished from the store, and a snapshot for the player's present seat, if any."""
        if self.viewer != "spectator":
            seat = None if self.player is None else seat_of(loaded.state, self.player)
            self.viewer = "spectator" if seat is None else seat
        self.since = loaded.state.version
        self.stream.write(reset_frame(loaded.state.version) + snapshot_frame(loaded, self.viewer, names))


class WatchedTable:
    """The part of a table's state that its frames need: its seating, and whether it is over."""

    __slots__ = ("_game", "_seating", "is_over")

    def __init__(self, loaded: LoadedTable, names: Names) -> None:
        self._game = loaded.state.game
        self._seating = seating_of(loaded.state, names)
        self.is_over = loaded.state.phase is Phase.ENDED

    @property
    def people(self) -> tuple[str, ...]:
        return self._seating.people

    def rename(self, names: Names) -> None:
        self._seating = replace(self._seating, named=names)

    def apply(self, recorded: Recorded) -> bool:
        self.is_over = isinstance(recorded.event, SeedRevealed | TableVoided)
        if not isinstance(recorded.event, SeatTaken | SeatLeft):
            return False
        self._seating = seating_after(self._seating, recorded.event)
        return True

    def frames(self, records: Sequence[Recorded], kind: Kind) -> bytes:
        viewer, words = kind
        game, seating = self._game, self._seating if words else None
        return b"".join([event_frame(game, recorded, viewer, seating) for recorded in records])
