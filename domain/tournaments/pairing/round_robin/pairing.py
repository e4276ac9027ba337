"""The pairing of a round of a round robin, from its schedule (P-1)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from domain.tournaments.pairing.case import Case, Explanation, Pairing
from domain.tournaments.pairing.division import seats_at
from domain.tournaments.pairing.round_robin.arrangement import Costs
from domain.tournaments.pairing.round_robin.berger import Tables
from domain.tournaments.pairing.round_robin.schedule import costs_of
from domain.tournaments.scoring import scores_after


def pair(case: Case) -> Pairing:
    """Returns the scheduled tables of the round, absent entrants included; entrants at no table have a bye.

    The objective is that of the whole schedule, and empty at tables of two.
    """
    tables, terms = case.schedule[case.round - 1], case.crosstable.terms
    seated = {entrant for table in tables for entrant in table}
    is_searched = terms.seats > 2 and seated
    return Pairing(
        tables=tuple((*table, *(None,) * (seats_at(len(table), terms) - len(table))) for table in tables),
        byes=tuple(entrant for entrant in case.present if entrant not in seated),
        objective=_objective(costs_of(case.schedule)) if is_searched else (),
        explanations=tuple(_explained(case, tables)),
    )


def _objective(costs: Costs) -> tuple[Fraction, ...]:
    """Returns the values of P-1, in its order."""
    named = (costs.neighbours, costs.meetings, costs.sizes, costs.seats, costs.distances)
    return tuple(map(Fraction, named))


def _explained(case: Case, tables: Tables) -> Iterator[Explanation]:
    scores = scores_after(case.crosstable, len(case.crosstable.rounds))
    others = {
        entrant: [other for other in table if other != entrant] for table in tables for entrant in table
    }
    for entrant in case.present:
        reason = _reason(case, entrant, others[entrant]) if entrant in others else "a bye"
        text = f"Round {case.round} of the schedule that was fixed before the first: {reason}."
        yield Explanation(entrant=entrant, score=scores[entrant], floated=0, text=text)


def _reason(case: Case, entrant: int, others: Sequence[int]) -> str:
    before = [table for tables in case.schedule[: case.round - 1] for table in tables if entrant in table]
    names = [f"{other} again" if any(other in table for table in before) else f"{other}" for other in others]
    return f"meets {', '.join(names)}"
