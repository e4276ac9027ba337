"""Subscriptions: a handler returns one to have the server continue the answer as an event stream."""

from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import msgspec

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.players import Player
from hoodwink.domain.tournaments.life import Tournament, may_see
from hoodwink.service.application.jobs.jobs import Job
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.reading.my_tables import TableNow, Told, Update
from hoodwink.service.application.streams.history import Loaded, Position
from hoodwink.service.application.streams.tables import LoadedTable
from hoodwink.service.application.streams.tournaments import LoadedTournament

STREAMS: Final = "hoodwink.streams"
SUBSCRIPTION: Final = "hoodwink.subscription"
"""The keys in the WSGI environment under which the server offers streams, and Flask's view leaves a subscription."""

STREAM_HEADERS: Final = {"X-Accel-Buffering": "no"}  # nginx would collect events before it passes them on


class StreamRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a stream of events.

    Attributes:
        actor: the player who sent it, as loaded then; the stream ends when their token does.
        place: its place among the streams of the process.
    """

    actor: Player | None = None
    place: Any = None


class Subscription(StreamRequest, frozen=True, kw_only=True):
    """A request to follow a stream of the store.

    Attributes:
        loaded: the table or tournament; the stream catches up from here.
        names: the names of its people.
        after: the position after which to resume; `None` begins with a snapshot.
        words: whether each event has its sentence.
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
        player: the id of the watcher, if known; the view changes if they take or leave a seat.
        is_invited: whether the watcher sent the table's invitation code.
        with_view: whether each commit has the table right after it and the viewer's legal actions.
        with_company: whether the stream says who is connected.
    """

    category: ClassVar[str] = "table"

    loaded: LoadedTable
    viewer: Viewer = "spectator"
    player: str | None = None
    is_invited: bool = False
    with_view: bool = False
    with_company: bool = False


class Visitor(NamedTuple):
    """The sender of a request to see a tournament.

    Attributes:
        player: their id, if known.
        code: the number of the tournament's invitation code that they sent, `None` without one.
    """

    player: str | None
    code: int | None = None

    def may_see(self, tournament: Tournament) -> bool:
        # By its number, because a live stream must end when the code is replaced (T-25).
        return may_see(tournament, self.player, is_invited=self.code == tournament.invitations)


class TournamentSubscription(Subscription, frozen=True, kw_only=True):
    """A request to follow the events of a tournament."""

    category: ClassVar[str] = "tournament"

    loaded: LoadedTournament
    visitor: Visitor


class StandingsSubscription(StreamRequest, frozen=True):
    """A request to follow the standings of a tournament.

    Attributes:
        standings: the standings at the position of `loaded`, as JSON; `None` if a job has to compute them.
    """

    loaded: LoadedTournament
    visitor: Visitor
    standings: bytes | None

    @property
    def stream(self) -> StreamId:
        return StreamId("tournament", self.loaded.state.id)


class PersonalSubscription(StreamRequest, frozen=True):
    """A request to follow the tables of a player.

    Attributes:
        now: the time at which the tables were loaded, in ms.
        told: the news that the client has received already.
        updates: the news since then; `None` begins with a snapshot.
        tables: the tables of the snapshot, in order, and those that have just ended.
        is_bot: whether the player is a bot, which is online while it follows them.
    """

    player: str
    now: int
    told: Told
    updates: tuple[Update, ...] | None
    tables: tuple[TableNow, ...] = ()
    is_bot: bool = False


class JobSubscription(StreamRequest, frozen=True):
    """A request to follow the progress of a job.

    Attributes:
        job: the job as it was when the request was read.
    """

    job: Job


AnySubscription: TypeAlias = Subscription | StandingsSubscription | PersonalSubscription | JobSubscription
