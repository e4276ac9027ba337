"""Subscriptions: the requests of handlers that the server continue with a stream of events."""

from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.players import Player
from hoodwink.service.application.jobs.jobs import Job
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.reading.my_tables import TableNow, Told, Update
from hoodwink.service.application.streams.history import Loaded, Position
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.application.streams.tournaments import LoadedTournament

STREAMS: Final = "hoodwink.streams"
SUBSCRIPTION: Final = "hoodwink.subscription"
"""The keys of the WSGI environment under which the server offers streams, and Flask's view leaves a subscription."""

STREAM_HEADERS: Final = {"X-Accel-Buffering": "no"}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a stream of events.

    Attributes:
        actor: the player whose token came with it, as the player was then; `None` without a token.
        place: its place among the streams of the server.
    """

    actor: Player | None = None
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
        standings: the standings at the position of `loaded`, as JSON; `None` if a job has to find them.
    """

    loaded: LoadedTournament
    standings: bytes | None

    @property
    def stream(self) -> StreamId:
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


class JobSubscription(Asked, frozen=True):
    """A request to follow the progress of a job.

    Attributes:
        job: as it was when the request was read.
    """

    job: Job


AnySubscription: TypeAlias = Subscription | StandingsSubscription | PersonalSubscription | JobSubscription
