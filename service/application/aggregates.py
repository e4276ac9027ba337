"""What is event-sourced here: how the events of each kind of stream make a state, and what commands lead to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, Protocol, TypeVar

from domain import ratings, tables
from domain.kernel import Event, Stage
from domain.ratings import Ladder, RatedTableVoided, TableRated
from domain.tables import (
    AbandonTable,
    CloseTable,
    Decode,
    Phase,
    Recorded,
    State,
    Table,
    TableCommand,
    WorkDue,
)
from domain.tables.asker import HOST, ORGANISER, WORKER, Asker
from domain.tables.events import is_of_table
from domain.tournaments import life
from domain.tournaments.life import Tournament, TournamentCommand
from domain.tournaments.life.state import is_over
from service.application.errors import BusyCode, NotFoundCode


class Versioned(Protocol):
    """What everything knows that events make."""

    @property
    def version(self) -> int: ...


V = TypeVar("V", bound=Versioned)
S = TypeVar("S", bound=State)
C = TypeVar("C")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Generic[V]):
    """A kind of stream, and how its events make a state.

    Attributes:
        category: of its streams.
        unopened: the state before the first event.
        evolve(state, recorded): the next state; trusts the event.
        decode(wire, data): the event that was stored so; raises `UnknownEvent`.
        current_wire(wire): the present name of a kind of event that may have been renamed.
    """

    category: str
    unopened: V
    evolve: Callable[[V, Recorded], V]
    decode: Decode
    current_wire: Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate(Fold[S], Generic[S, C]):
    """A kind of stream that takes commands.

    Attributes:
        not_found, busy: what is answered where there is no such stream, and where others are always faster.
        decide(state, command, now): the events that a command leads to; raises `RuleViolation`.
        work_due(state): what the workers owe it.
        is_quiet(events): whether such a commit concerns nobody but who watches what happens now.
        ending_again(remembered, stored): what ends a stream that the store put back to a time before its secret
            was published, and who asks for that; `None` where nothing has to be done.
    """

    not_found: NotFoundCode
    busy: BusyCode
    decide: Callable[[S, C, int], tuple[Event, ...]]
    work_due: Callable[[S], WorkDue]
    is_quiet: Callable[[Sequence[Recorded]], bool]
    ending_again: Callable[[S, S], tuple[C, Asker] | None]


def _is_play_alone(events: Sequence[Recorded]) -> bool:
    """Tells whether nothing happened to the table itself, from whose events projections are made."""
    return not any(is_of_table(one.event) for one in events)


def _ending_table_again(remembered: Table, stored: Table) -> tuple[TableCommand, Asker] | None:
    """Ends a table that could be played on by people who know its cards, since its seed was revealed.

    Where only the score is missing it follows from the cards again.
    """
    was_over = remembered.phase is Phase.ENDED
    if not was_over or stored.phase is Phase.ENDED or tables.stage_of(stored) is Stage.TO_SCORE:
        return None
    return (CloseTable(), HOST) if stored.phase is Phase.OPEN else (AbandonTable(), WORKER)


def _ending_tournament_again(
    remembered: Tournament, stored: Tournament
) -> tuple[TournamentCommand, Asker] | None:
    """Cancels a tournament whose seed is known, since it reveals the cards of each table to come."""
    if not remembered.is_seed_revealed or is_over(stored):
        return None
    return life.Cancel("The end of this tournament was lost, and its seed is known."), ORGANISER


TABLE: Final[Aggregate[Table, TableCommand]] = Aggregate(
    category="table",
    not_found=NotFoundCode.TABLE_NOT_FOUND,
    busy=BusyCode.TABLE_BUSY,
    unopened=tables.UNOPENED,
    decide=tables.decide,
    evolve=tables.evolve,
    decode=tables.decode_event,
    current_wire=tables.current_wire,
    work_due=tables.work_due,
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
    is_quiet=lambda _: False,
    ending_again=_ending_tournament_again,
)


def _evolve_ladder(ladder: Ladder, recorded: Recorded) -> Ladder:
    event = recorded.event
    assert isinstance(event, TableRated | RatedTableVoided), "the stream holds nothing else"
    return ratings.evolve(ladder, event, version=recorded.entry.version, at=recorded.entry.at)


def _as_it_is(wire: str) -> str:
    return wire


RATINGS: Final[Fold[Ladder]] = Fold(
    category="ratings",
    unopened=ratings.UNRATED,
    evolve=_evolve_ladder,
    decode=ratings.decode_rating_event,
    current_wire=_as_it_is,
)
"""A game's ladder. Its stream takes no commands: tables that end are entered by `Rater`."""

AGGREGATES: Final[Mapping[str, Fold[Any]]] = MappingProxyType(
    {aggregate.category: aggregate for aggregate in (TABLE, TOURNAMENT, RATINGS)}
)
"""How every kind of stream makes a state, by its category."""
