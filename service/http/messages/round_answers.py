"""The API's answers about rounds of tournaments and their pairings."""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import RoundView, Tournament, view_round
from hoodwink.domain.tournaments.life.events import PairingChanged, RoundOpened, Seats
from hoodwink.domain.tournaments.pairing.case import Explanation as PairingExplanation


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


def round_answer(tournament: Tournament, number: int, history: Iterable[Recorded]) -> RoundAnswer:
    """Returns a round with the explanations of its pairing, which are in the events only."""
    made: RoundOpened | None = None
    changed: PairingChanged | None = None
    for recorded in history:
        event = recorded.event
        if isinstance(event, RoundOpened) and event.round == number:
            made, changed = event, None
        elif isinstance(event, PairingChanged) and event.round == number:
            changed = event
    assert made is not None, "a round of the tournament has been opened"
    return RoundAnswer(
        round=view_round(tournament.rounds[number - 1]),
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
