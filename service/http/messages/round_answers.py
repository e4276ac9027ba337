"""The API's answers about rounds of tournaments and their pairings."""

from collections.abc import Callable
from fractions import Fraction

import msgspec

from hoodwink.domain.kernel import Event, Names
from hoodwink.domain.tournaments.life import DealResults, RoundView, Tournament, deal_results, view_round
from hoodwink.domain.tournaments.life.events import PairingChanged, RoundOpened, Seats
from hoodwink.domain.tournaments.pairing.case import Explanation as PairingExplanation
from hoodwink.domain.words import entrant_names
from hoodwink.service.application.errors import NotFound, NotFoundCode


class PairingExplained(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of an entrant's table and seat.

    Attributes:
        entrant: the starting rank.
        score: the score before the round; each unfinished table counts as half of a first place.
        floated: steps from the entrant's score group to the table's; above 0 the entrant floats up.
        text: one or two plain sentences; if the organiser changed the pairing, they explain the engine's proposal.
    """

    entrant: int
    score: Fraction
    floated: int
    text: str


class PairingChangeExplained(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The organiser's reason for changing a pairing, and the engine's own proposal.

    Attributes:
        proposed_tables: the starting ranks at each table in seat order; `None` for a bot that fills the table.
        proposed_byes: the starting ranks of the entrants with a pairing bye.
    """

    reason: str
    proposed_tables: tuple[Seats, ...]
    proposed_byes: tuple[int, ...]


class RoundAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A round, with the explanation of its pairing.

    Attributes:
        changed: the organiser's change; `None` if the pairing is the engine's.
        relaxed: the rules that the engine's pairing could not obey, in words; usually empty.
        explanations: the explanations of the engine's pairing, by starting rank.
    """

    round: RoundView
    changed: PairingChangeExplained | None
    relaxed: tuple[str, ...]
    explanations: tuple[PairingExplained, ...]


class DealAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A deal that all tables of a round play.

    Attributes:
        tournament, version: the tournament's id, and the version from which the results were computed.
        deal: the tables that play it and, once all of them have ended, the results of each seat.
        names: the names of the entrants at these tables, by starting rank.
    """

    tournament: str
    version: int
    deal: DealResults
    names: dict[int, str]


def deal_answer(tournament: Tournament, number: int, names: Names) -> DealAnswer:
    """Returns a deal; raises `NotFound` if the tournament has no such deal or has not reached it."""
    found = deal_results(tournament, number)
    if found is None:
        raise NotFound(NotFoundCode.DEAL_NOT_FOUND)
    seated = {entrant for table in found.tables for entrant in table.entrants}
    by_rank = entrant_names(tournament, names)
    return DealAnswer(
        tournament=tournament.id,
        version=tournament.version,
        deal=found,
        names={number: name for number, name in by_rank.items() if number in seated},
    )


def round_answer(tournament: Tournament, number: int, event_at: Callable[[int], Event]) -> RoundAnswer:
    """Returns a round with the explanations of its pairing, which are in the events only.

    `event_at` returns the tournament's event with a version.
    """
    round_ = tournament.rounds[number - 1]
    made = event_at(round_.opened_at)
    changed = event_at(round_.changed_at) if round_.changed_at else None
    assert isinstance(made, RoundOpened), "the event opened the round"
    assert changed is None or isinstance(changed, PairingChanged), "the event changed the pairing"
    return RoundAnswer(
        round=view_round(tournament, round_),
        changed=None if changed is None else _change(changed),
        relaxed=made.relaxed,
        explanations=tuple([_explained(explanation, changed) for explanation in made.explanations]),
    )


def _change(changed: PairingChanged) -> PairingChangeExplained:
    return PairingChangeExplained(
        reason=changed.reason,
        proposed_tables=changed.proposed_tables,
        proposed_byes=changed.proposed_byes,
    )


def _explained(explanation: PairingExplanation, changed: PairingChanged | None) -> PairingExplained:
    text = explanation.text
    if changed is not None:
        reason = changed.reason.removesuffix(".")
        text = f"The organiser changed this pairing ({reason}). The engine had proposed: {text}"
    return PairingExplained(
        entrant=explanation.entrant, score=explanation.score, floated=explanation.floated, text=text
    )
