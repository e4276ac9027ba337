"""The pairing of a round of a round robin, from its schedule (P-1).

Logs record the explanations, and `verify` compares them byte for byte, so their words never change.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain

from hoodwink.domain.tournaments.pairing.case import Case, Explanation, Pairing
from hoodwink.domain.tournaments.pairing.division import seats_at
from hoodwink.domain.tournaments.pairing.round_robin.arrangement import Costs
from hoodwink.domain.tournaments.pairing.round_robin.berger import Tables
from hoodwink.domain.tournaments.pairing.round_robin.schedule import costs_of
from hoodwink.domain.tournaments.scoring import scores_after


def pair(case: Case) -> Pairing:
    """Returns the scheduled tables of the round, including absent entrants; entrants without a table have a bye.

    The objective is that of the whole schedule. It is empty at tables of two.
    """
    tables, terms = case.schedule[case.round - 1], case.crosstable.terms
    seated = {entrant for table in tables for entrant in table}
    sizes = [len(table) for table in tables]
    is_searched = terms.seats > 2 and seated
    return Pairing(
        tables=tuple(
            (*table, *(None,) * (seats_at(len(table), terms, sizes) - len(table))) for table in tables
        ),
        byes=tuple(entrant for entrant in case.present if entrant not in seated),
        objective=_objective(costs_of(case.schedule)) if is_searched else (),
        explanations=tuple(_explained(case, tables)),
    )


def _objective(costs: Costs) -> tuple[Fraction, ...]:
    """Returns the values of P-1, in order."""
    named = (costs.neighbours, costs.meetings, costs.sizes, costs.seats, costs.distances)
    return tuple(map(Fraction, named))


def _explained(case: Case, tables: Tables) -> Iterator[Explanation]:
    scores = scores_after(case.crosstable, len(case.crosstable.rounds))
    met = _met(case)
    others = {
        entrant: [other for other in table if other != entrant] for table in tables for entrant in table
    }
    for entrant in case.present:
        reason = _reason(others[entrant], met[entrant]) if entrant in others else "a bye"
        text = f"Round {case.round} of the schedule that was fixed before the first: {reason}."
        yield Explanation(entrant=entrant, score=scores[entrant], floated=0, text=text)


def _met(case: Case) -> Mapping[int, set[int]]:
    """Returns the entrants whom each entrant has met in earlier rounds; empty at tables of two, where nobody meets again."""
    met = defaultdict[int, set[int]](set)
    if case.crosstable.terms.seats > 2:
        for table in chain.from_iterable(case.schedule[: case.round - 1]):
            for entrant in table:
                met[entrant].update(table)
    return met


def _reason(others: Sequence[int], met: Container[int]) -> str:
    names = [f"{other} again" if other in met else f"{other}" for other in others]
    return f"meets {', '.join(names)}"
