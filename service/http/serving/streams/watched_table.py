"""A watched table, and the viewer of each of its streams."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.tables.deciding.rematches import can_have_rematch
from hoodwink.domain.tables.deciding.rooms import may_watch
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import NoShow, RoomEvent, SeatLeft, SeatResigned, SeatTaken, SeedRevealed
from hoodwink.domain.tables.state import (
    Phase,
    people_at,
    seat_of,
    seats_of,
    waits_until,
)
from hoodwink.domain.words import seating_of
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.history import Loaded, position_of
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.http.serving.streams.frames import event_frame, reset_frame, snapshot_frame, view_frame
from hoodwink.service.http.serving.streams.watcher import Stream

NowMs: TypeAlias = Callable[[], int]
"""Returns the service's clock, in ms since the epoch."""


class Kind(NamedTuple):
    """The form of a stream: its viewer, with or without words, and with or without the table after each commit."""

    viewer: Viewer
    words: bool
    with_view: bool


class TableWatcher:
    """A watcher of a table.

    Attributes:
        player: the id of the watching player, if known.
        since: the version up to which `kind` already reflects the player's seat.
        is_invited: whether the watcher sent the invitation code.
        with_company: whether the watcher wants to know who is connected.
        connected: the connected seats that the watcher was last told; `None` before that.
    """

    __slots__ = ("_now_ms", "connected", "is_invited", "kind", "player", "since", "stream", "with_company")

    def __init__(  # noqa: PLR0913 - what the subscription says
        self,
        stream: Stream,
        kind: Kind,
        player: str | None,
        since: int,
        now_ms: NowMs,
        *,
        is_invited: bool = False,
        with_company: bool = False,
    ) -> None:
        self.stream = stream
        self.kind = kind
        self.player = player
        self.since = since
        self.is_invited = is_invited
        self.with_company = with_company
        self.connected: tuple[int, ...] | None = None
        self._now_ms = now_ms

    def adjust(self, recorded: Recorded) -> bool:
        """Changes the viewer if the event seats or unseats the player; returns whether it does."""
        # A watcher who catches up reads events from before its viewer was found; they would give it a former seat.
        if recorded.entry.version <= self.since:
            return False
        event = recorded.event
        if isinstance(event, SeatTaken) and event.policy is None and event.player == self.player:
            self._look_as(event.seat)
        elif isinstance(event, SeatLeft) and event.seat == self.kind.viewer:
            self._look_as("spectator")
        else:
            return False
        return True

    def _look_as(self, viewer: Viewer) -> None:
        self.kind = self.kind._replace(viewer=viewer)

    def snapshot(self, loaded: LoadedTable, names: Names) -> None:
        self.stream.write(self._snapshot(loaded, names))

    def restart(self, loaded: LoadedTable, names: Names) -> None:
        """Writes that events have vanished from the store, and a snapshot for the player's current seat, if any."""
        # The seat may have vanished with the events; its cards now belong to nobody, or to somebody else.
        if self.kind.viewer != "spectator":
            seat = None if self.player is None else seat_of(loaded.state, self.player)
            self._look_as("spectator" if seat is None else seat)
        self.since = loaded.state.version
        self.stream.write(reset_frame(loaded.state.version) + self._snapshot(loaded, names))

    def _snapshot(self, loaded: LoadedTable, names: Names) -> bytes:
        viewer, _, with_view = self.kind
        return snapshot_frame(loaded, viewer, names, now=self._now_ms(), with_legal=with_view)


class WatchedTable:
    """The table at the position that its watchers have reached."""

    __slots__ = ("_loaded", "_names", "_now_ms", "is_over")

    def __init__(self, loaded: LoadedTable, names: Names, now_ms: NowMs) -> None:
        self._loaded = loaded
        self._names = names
        self._now_ms = now_ms
        self.is_over = loaded.state.phase is Phase.ENDED and not loaded.state.is_embargoed

    @property
    def may_go_on(self) -> bool:
        table = self._loaded.state
        return table.rematch is None and can_have_rematch(table)

    def player_of(self, watcher: TableWatcher) -> str | None:
        player = watcher.player
        return None if player is None or seat_of(self._loaded.state, player) is None else player

    def seats_of(self, players: Iterable[str]) -> tuple[int, ...]:
        """Returns the seats of those players who have one."""
        return seats_of(self._loaded.state, players)

    def admits(self, watcher: TableWatcher) -> bool:
        return may_watch(self._loaded.state, watcher.player, is_invited=watcher.is_invited)

    @property
    def changes_at(self) -> int | None:
        """The time from which another action is legal without an event (CO-37)."""
        return waits_until(self._loaded.state)

    @property
    def people(self) -> tuple[str, ...]:
        return people_at(self._loaded.state)

    def rename(self, names: Names) -> None:
        self._names = names

    def apply(self, recorded: Recorded) -> bool:
        entry = recorded.entry
        self._loaded = Loaded(TABLE.evolve(self._loaded.state, recorded), entry.hash, entry.at)
        # Not `TableEnded`: the seed follows it, and streams that end there would miss the table's last event.
        self.is_over = self.is_over or isinstance(recorded.event, SeedRevealed)
        if self._loaded.state.is_embargoed and isinstance(recorded.event, SeatResigned | NoShow):
            return True  # the player may no longer watch (D-7)
        return isinstance(recorded.event, RoomEvent)

    def has_views(self, kinds: Iterable[Kind]) -> bool:
        return any(kind.with_view for kind in kinds)

    def frames(self, records: Sequence[Recorded], kind: Kind) -> bytes:
        viewer, words, with_view = kind
        now, table = self._now_ms(), self._loaded.state
        if with_view:
            # Without events the id is the last one again, so that a client that resumes here misses nothing.
            position = position_of(records[-1].entry) if records else self._loaded.position
            return view_frame(position, self._loaded, records, viewer, self._names, now=now, words=words)
        seating = seating_of(table, self._names) if words else None
        return b"".join([event_frame(table.game, recorded, viewer, seating, now) for recorded in records])
