"""Subscriptions: the requests of handlers that the server continue with a stream of events."""

from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from domain.kernel import Names, Viewer
from domain.players import Player
from service.application.history import Loaded, Position
from service.application.my_tables import TableNow, Told, Update
from service.application.ports import StreamId
from service.application.tables import LoadedTable
from service.application.tournaments import LoadedTournament
from service.http.messages.standings_answers import StandingsAnswer

STREAMS: Final = "hoodwink.streams"
SUBSCRIPTION: Final = "hoodwink.subscription"
"""The keys of the WSGI environment under which the server offers streams, and Flask's view leaves a subscription."""

STREAM_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "Vary": "Authorization, Accept",
}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a stream of events.

    Attributes:
        asker: the player whose token came with it, as the player was then; `None` without a token.
        place: its place among the streams of the server.
    """

    asker: Player | None = None
    place: Any = None


class Subscription(Asked, frozen=True, kw_only=True):
    """A request to follow a stream of the store.

    Attributes:
        loaded: the table or tournament, at its present version or shortly before it.
        names: of its people.
        after: the position after which to resume; `None` begins with a snapshot.
        words: whether each event comes with its sentence.
    """

    category: ClassVar[str]

    loaded: Loaded[Any]
    names: Names
    after: Position | None = None
    words: bool = False

    @property
    def stream(self) -> StreamId:
        """The stream that is followed."""
        return StreamId(self.category, self.loaded.state.id)


class TableSubscription(Subscription, frozen=True, kw_only=True):
    """A request to follow a table.

    Attributes:
        player: who watches, if known; who takes or leaves a seat sees on with other eyes.
        is_invited: whether the watcher sent the table's invitation code.
        with_view: whether each commit comes with the table right after it and the viewer's legal actions.
    """

    category: ClassVar[str] = "table"

    loaded: LoadedTable
    viewer: Viewer = "spectator"
    player: str | None = None
    is_invited: bool = False
    with_view: bool = False


class TournamentSubscription(Subscription, frozen=True, kw_only=True):
    """A request to follow the events of a tournament."""

    category: ClassVar[str] = "tournament"

    loaded: LoadedTournament


class StandingsSubscription(Asked, frozen=True):
    """A request to follow the standings of a tournament.

    Attributes:
        standings: the standings at the position of `loaded`.
    """

    loaded: LoadedTournament
    standings: StandingsAnswer

    @property
    def stream(self) -> StreamId:
        """The stream from which the standings follow."""
        return StreamId("tournament", self.loaded.state.id)


class PersonalSubscription(Asked, frozen=True):
    """A request to follow the tables of a player.

    Attributes:
        now: the time at which the tables were loaded, in ms.
        told: what the client was told of them before.
        updates: what happened since at the tables; `None` begins with a snapshot.
        tables: the tables of that snapshot, in their order, and those that have just ended.
    """

    player: str
    now: int
    told: Told
    updates: tuple[Update, ...] | None
    tables: tuple[TableNow, ...] = ()


AnySubscription: TypeAlias = Subscription | StandingsSubscription | PersonalSubscription
