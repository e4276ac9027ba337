"""The kinds of event streams: how to compute a state from events, and which commands they accept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, Generic, Protocol, TypeVar

from hoodwink.domain import ratings
from hoodwink.domain import series as of_series
from hoodwink.domain.due_times import WorkDue
from hoodwink.domain.kernel import Event, Stage
from hoodwink.domain.ratings import Ladder, RatedTableVoided, TableRated
from hoodwink.domain.series import Series, SeriesCommand
from hoodwink.domain.series.events import SeriesOpened
from hoodwink.domain.tables.actor import HOST, ORGANISER, WORKER, Actor
from hoodwink.domain.tables.codec import current_wire, decode_event
from hoodwink.domain.tables.commands import (
    AbandonTable,
    CloseTable,
    TableCommand,
)
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.entries import Decode, Recorded
from hoodwink.domain.tables.events import HostChanged, SeatOffered, SeatTaken, TableOpened, is_of_table
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.outages import pending_move
from hoodwink.domain.tables.proving.log import State
from hoodwink.domain.tables.state import UNOPENED, Phase, Table, stage_of
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Tournament, TournamentCommand
from hoodwink.domain.tournaments.life.events import (
    ArbiterNamed,
    CoOrganiserNamed,
    Entered,
    EntriesOffered,
    EntryRequested,
    PlaceOffered,
    TournamentOpened,
)
from hoodwink.domain.tournaments.life.facts import is_over
from hoodwink.service.application.errors import BusyCode, NotFoundCode


class Versioned(Protocol):
    """A state that knows the version of its last event."""

    @property
    def version(self) -> int: ...


V = TypeVar("V", bound=Versioned)
S = TypeVar("S", bound=State)
C = TypeVar("C")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Generic[V]):
    """A kind of stream from whose events a state is computed.

    Attributes:
        category: the category of its streams.
        unopened: the state before the first event.
        evolve(state, recorded): returns the next state, without checking the event.
        decode(wire, data): returns the stored event; raises `UnknownEvent`.
        current_wire(wire): returns the current name of an event type that may have been renamed.
    """

    category: str
    unopened: V
    evolve: Callable[[V, Recorded], V]
    decode: Decode
    current_wire: Callable[[str], str] = str


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(Fold[S], Generic[S, C]):
    """A kind of stream that accepts commands.

    Attributes:
        not_found: the code for a stream that does not exist.
        busy: the code for a command that lost every race.
        decide(state, command, now): returns the events of a command; raises `RuleViolation`.
        work_due(state): returns when the workers have to act.
        pending_move(state, gaps, now): returns the command that moves open deadlines after an outage, or `None`.
        people(events): returns the players who join with these events.
        is_quiet(events): returns whether a commit of these events concerns only live event streams.
        ending_again(remembered, stored): returns the command, and its actor, that ends a stream which the store put
            back to a time before its secret was published; `None` if that is not needed.
    """

    not_found: NotFoundCode
    busy: BusyCode
    decide: Callable[[S, C, int], tuple[Event, ...]]
    work_due: Callable[[S], WorkDue]
    pending_move: Callable[[S, Iterable[tuple[int, int]], int], C | None]
    people: Callable[[Sequence[Recorded]], tuple[str, ...]]
    is_quiet: Callable[[Sequence[Recorded]], bool]
    ending_again: Callable[[S, S], tuple[C, Actor] | None]


_NAMES: Final[Mapping[type[Event], Callable[[Any], tuple[str, ...]]]] = MappingProxyType(
    {
        TableOpened: lambda opened: (opened.host,),
        SeatTaken: lambda taken: () if taken.policy else (taken.player,),
        SeatOffered: lambda offered: (offered.player,),
        HostChanged: lambda changed: (changed.player,),
        TournamentOpened: lambda opened: (opened.organiser,),
        SeriesOpened: lambda opened: (opened.organiser,),
        ArbiterNamed: lambda named: (named.player,),
        CoOrganiserNamed: lambda named: (named.player,),
        PlaceOffered: lambda offered: (offered.player,),
        EntriesOffered: lambda offered: offered.players,
        Entered: lambda entered: () if entered.policy else (entered.entrant,),
        EntryRequested: lambda requested: (requested.entrant,),
    }
)
"""The players who join with an event, for each kind of event that may name them first; none for a bot."""

NAMING: Final = frozenset(kind.wire for kind in _NAMES)
"""The types of events with which a player may join."""


def people_in(events: Sequence[Recorded]) -> tuple[str, ...]:
    named = [_NAMES[kind](recorded.event) for recorded in events if (kind := type(recorded.event)) in _NAMES]
    return tuple(chain.from_iterable(named)) if named else ()


def _is_play_alone(events: Sequence[Recorded]) -> bool:
    # Deals are the only game events that projections follow. A deal was due, so its commit is not quiet anyway.
    return not any(is_of_table(recorded.event) for recorded in events)


def _ending_table_again(remembered: Table, stored: Table) -> tuple[TableCommand, Actor] | None:
    """Ends a table whose seed is known, because players could compute its hidden cards if it went on."""
    was_over = remembered.phase is Phase.ENDED
    # If only the score is missing, knowing the cards changes nothing any more, so the table may be scored.
    if not was_over or stored.phase is Phase.ENDED or stage_of(stored) is Stage.TO_SCORE:
        return None
    # By the commands that the rules allow in each phase, so the log still verifies.
    return (CloseTable(), HOST) if stored.phase is Phase.OPEN else (AbandonTable(), WORKER)


def _ending_tournament_again(
    remembered: Tournament, stored: Tournament
) -> tuple[TournamentCommand, Actor] | None:
    """Cancels a tournament whose seed is known, because the cards of all further tables follow from it."""
    if not remembered.is_seed_revealed or is_over(stored):
        return None
    return life.Cancel("The end of this tournament was lost, and its seed is known."), ORGANISER


TABLE: Final[Aggregate[Table, TableCommand]] = Aggregate(
    category="table",
    not_found=NotFoundCode.TABLE_NOT_FOUND,
    busy=BusyCode.TABLE_BUSY,
    unopened=UNOPENED,
    decide=decide,
    evolve=evolve,
    decode=decode_event,
    current_wire=current_wire,
    work_due=work_due,
    pending_move=pending_move,
    people=people_in,
    is_quiet=_is_play_alone,
    ending_again=_ending_table_again,
)

TOURNAMENT: Final[Aggregate[Tournament, TournamentCommand]] = Aggregate(
    category="tournament",
    not_found=NotFoundCode.TOURNAMENT_NOT_FOUND,
    busy=BusyCode.TOURNAMENT_BUSY,
    unopened=life.UNOPENED,
    decide=life.decide,
    evolve=life.evolve,
    decode=life.decode_event,
    current_wire=life.current_wire,
    work_due=life.work_due,
    pending_move=life.pending_move,
    people=people_in,
    is_quiet=lambda _: False,  # pushes and webhooks hear of tournaments from the groups of the feed
    ending_again=_ending_tournament_again,
)


SERIES: Final[Aggregate[Series, SeriesCommand]] = Aggregate(
    category="series",
    not_found=NotFoundCode.SERIES_NOT_FOUND,
    busy=BusyCode.SERIES_BUSY,
    unopened=of_series.UNOPENED,
    decide=of_series.decide,
    evolve=of_series.evolve,
    decode=of_series.decode_series_event,
    work_due=of_series.work_due,
    pending_move=lambda _series, _gaps, _now: None,  # nobody has a turn or a grace period that could run out
    people=people_in,
    is_quiet=lambda _: False,
    ending_again=lambda _remembered, _stored: None,  # a series has no seed that could be known
)


def _evolve_ladder(ladder: Ladder, recorded: Recorded) -> Ladder:
    event = recorded.event
    assert isinstance(event, TableRated | RatedTableVoided), "the stream has no other events"
    return ratings.evolve(ladder, event, version=recorded.entry.version, at=recorded.entry.at)


RATINGS: Final[Fold[Ladder]] = Fold(
    category="ratings",
    unopened=ratings.UNRATED,
    evolve=_evolve_ladder,
    decode=ratings.decode_rating_event,
)
"""A game's ladder. Its stream takes no commands: `Rater` appends the tables that end."""

AGGREGATES: Final[Mapping[str, Fold[Any]]] = MappingProxyType(
    {aggregate.category: aggregate for aggregate in (TABLE, TOURNAMENT, SERIES, RATINGS)}
)
"""Every kind of stream, by category."""
