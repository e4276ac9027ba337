"""A watched table, and the viewer of each of its streams."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec.structs import replace

from domain.kernel import Names, Viewer
from domain.tables import Phase, Recorded, may_watch, seat_of
from domain.tables.events import RematchOpened, RoomEvent, SeatLeft, SeatTaken, SeedRevealed, TableStarted
from domain.tables.evolve import room_after
from domain.tables.rematches import can_have_rematch
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
        is_invited: whether the watcher sent the invitation code.
    """

    __slots__ = ("is_invited", "player", "since", "stream", "viewer", "words")

    def __init__(
        self,
        stream: Stream,
        viewer: Viewer,
        player: str | None,
        since: int,
        *,
        words: bool = False,
        is_invited: bool = False,
    ) -> None:
        self.stream = stream
        self.viewer = viewer
        self.player = player
        self.since = since
        self.words = words
        self.is_invited = is_invited

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
    """The part of a table's state that its frames need: its seating, who belongs to it, and whether it is over."""

    __slots__ = ("_game", "_room", "_seating", "is_over", "may_go_on")

    def __init__(self, loaded: LoadedTable, names: Names) -> None:
        self._game = loaded.state.game
        self._room = loaded.state
        self._seating = seating_of(loaded.state, names)
        self.is_over = loaded.state.phase is Phase.ENDED
        self.may_go_on = can_have_rematch(loaded.state)

    def player_of(self, watcher: TableWatcher) -> str | None:
        player = watcher.player
        return player if player is not None and seat_of(self._room, player) is not None else None

    def admits(self, watcher: TableWatcher) -> bool:
        return may_watch(self._room, watcher.player, is_invited=watcher.is_invited)

    @property
    def people(self) -> tuple[str, ...]:
        return self._seating.people

    def rename(self, names: Names) -> None:
        self._seating = replace(self._seating, named=names)

    def apply(self, recorded: Recorded) -> bool:
        event = recorded.event
        if isinstance(event, RoomEvent):
            self._room = room_after(self._room, event)
            self._seating = seating_after(self._seating, event)
            return True
        match event:
            case TableStarted():
                self._room = replace(self._room, started_at=recorded.entry.at)
                self.may_go_on = can_have_rematch(self._room)
            case SeedRevealed():
                self.is_over = True
            case RematchOpened():
                self.may_go_on = False
        return False

    def frames(self, records: Sequence[Recorded], kind: Kind) -> bytes:
        viewer, words = kind
        game, seating = self._game, self._seating if words else None
        return b"".join([event_frame(game, recorded, viewer, seating) for recorded in records])
