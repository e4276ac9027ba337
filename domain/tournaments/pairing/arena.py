"""Pairing of an arena: tables for the entrants who wait at this moment (T-42, T-43)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from hoodwink.domain.tournaments.pairing.case import Case, Explanation, Pairing, Waiting
from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.scoring import scores_after
from hoodwink.domain.tournaments.terms import Terms

MAX_WAVES: Final = 500
PATIENCE_MS: Final = (20_000, 60_000)
"""How long entrants wait for a full table without recent opponents, and for one without opponents of their last table."""

MAX_RECENT: Final = 3
"""The maximum number of an entrant's last tables whose opponents count as recent."""


class _Company(msgspec.Struct, frozen=True, gc=False):
    """The entrants of a table, the one who chose first, and whether some of them have met recently."""

    entrants: tuple[Waiting, ...]
    is_fresh: bool


def recent_tables(present: int, seats: int) -> int:
    """Returns the number of an entrant's last tables whose opponents count as recent, for the number of present entrants."""
    return min(MAX_RECENT, (present - 1) // (2 * (seats - 1)))


def can_pair(waiting: Sequence[Waiting], terms: Terms) -> bool:
    """Returns whether a table can be made of entrants who wait (T-42)."""
    return any(_choice(chooser, waiting, terms) is not None for chooser in waiting)


def pair(case: Case) -> Pairing:
    """Returns the tables of a wave; entrants for whom there is none are in no table."""
    terms = case.crosstable.terms
    scores = scores_after(case.crosstable, case.round - 1)
    best_first = sorted(case.waiting, key=lambda waiting: (-scores[waiting.entrant], waiting.entrant))
    ranks = {waiting.entrant: rank for rank, waiting in enumerate(best_first)}
    companies = sorted(
        _companies(case.waiting, ranks, terms),
        key=lambda company: min(ranks[waiting.entrant] for waiting in company.entrants),
    )
    lots = case.draw("pairing")
    explanations = [
        _explained(waiting, company, scores) for company in companies for waiting in company.entrants
    ]
    return Pairing(
        tables=tuple([lots.shuffled(_seats(company, terms)) for company in companies]),
        explanations=tuple(sorted(explanations, key=lambda explained: explained.entrant)),
    )


def _companies(waiting: Collection[Waiting], ranks: Mapping[int, int], terms: Terms) -> Iterator[_Company]:
    """Yields the tables, chosen by those who have waited longest."""
    left = sorted(waiting, key=lambda entrant: (-entrant.waited_ms, ranks[entrant.entrant]))
    for chooser in tuple(left):
        choice = _choice(chooser, left, terms) if chooser in left else None
        if choice is not None:
            company = _chosen(chooser, *choice, ranks)
            yield company
            left = [entrant for entrant in left if entrant not in company.entrants]


def _choice(chooser: Waiting, waiting: Sequence[Waiting], terms: Terms) -> tuple[list[Waiting], int] | None:
    """Returns the entrants with whom an entrant may sit now, and the size of the table; `None` if they are too few."""
    patience, last_patience = PATIENCE_MS
    size, worst = next(iter(table_sizes(len(waiting), terms)), 0), MAX_RECENT
    if chooser.waited_ms < patience:
        size, worst = terms.seats, 0
    elif chooser.waited_ms < last_patience:
        worst = MAX_RECENT - 1
    allowed = [other for other in waiting if other == chooser or _recency(chooser, other) <= worst]
    return (allowed, size) if 0 < size <= len(allowed) else None


def _recency(one: Waiting, other: Waiting) -> int:
    """Returns 0 for two entrants who have not met recently, otherwise more the later they met."""
    met = [
        MAX_RECENT - ago
        for mine, others in ((one, other), (other, one))
        for ago, opponents in enumerate(mine.recent)
        if others.entrant in opponents
    ]
    return max(met, default=0)


def _chosen(
    chooser: Waiting, candidates: Collection[Waiting], size: int, ranks: Mapping[int, int]
) -> _Company:
    company, recency = [chooser], 0
    costs = {other.entrant: _recency(chooser, other) for other in candidates}
    own = ranks[chooser.entrant]
    free = [other for other in candidates if other != chooser]
    while len(company) < size:
        nearest = min(
            free,
            key=lambda other: (
                costs[other.entrant],
                abs(ranks[other.entrant] - own),
                ranks[other.entrant],
            ),
        )
        recency += costs[nearest.entrant]
        company.append(nearest)
        free.remove(nearest)
        for other in free:
            costs[other.entrant] += _recency(nearest, other)
    return _Company(tuple(company), is_fresh=not recency)


def _seats(company: _Company, terms: Terms) -> tuple[int | None, ...]:
    entrants = tuple([waiting.entrant for waiting in company.entrants])
    return (*entrants, *[None] * (seats_at(len(entrants), terms) - len(entrants)))


def _explained(waiting: Waiting, company: _Company, scores: Mapping[int, Fraction]) -> Explanation:
    nearest = "The nearest in the standings of those who were waiting"
    how = ", without opponents of the last tables." if company.is_fresh else "; nobody else was free in time."
    return Explanation(
        entrant=waiting.entrant, score=scores[waiting.entrant], floated=0, text=f"{nearest}{how}"
    )
