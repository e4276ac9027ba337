"""The values of a seating by the criteria of P-4, computed from the history alone, independently of the search."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias, TypeVar

from hoodwink.domain.tournaments.pairing.seating.groups import home_of
from hoodwink.domain.tournaments.pairing.seating.history import History
from hoodwink.domain.tournaments.pairing.seating.orders import Order
from hoodwink.domain.tournaments.terms import Format, Terms

Entrants: TypeAlias = Sequence[int]
K = TypeVar("K")

_LEAGUE = (1, 3, 5, 6)  # criteria 2, 4, 6 and 7, counted from 0 (P-7)
_SEATS, _NEIGHBOURS = 5, 3  # criteria 6 and 4


def objective(tables: Sequence[Order], history: History, terms: Terms) -> tuple[Fraction, ...]:
    """Returns the values of criteria 1 to 7 of P-4; in a league, those of 2, 4, 6 and 7. With D-4, 6 comes before 4."""
    entrants = [[entrant for entrant in table if entrant is not None] for table in tables]
    values = (
        spans(entrants, history, terms),
        _squares(history.meetings, (pair for table in entrants for pair in combinations(sorted(table), 2))),
        _score_spans(entrants, history),
        sum(history.neighbours.get(pair, 0) for table in tables for pair in neighbours(table)),
        sum(
            step * history.floats.get(entrant, 0) > 0
            for table in entrants
            for entrant, step in floats(table, history).items()
        ),
        _squares(history.seats, (key for table in tables for key in _seats(table))),
        _squares(history.sizes, ((entrant, len(table)) for table in tables for entrant, _ in _seats(table))),
    )
    counted = list(_LEAGUE if terms.format is Format.LEAGUE else range(len(values)))
    if terms.compare is not None:
        counted.remove(_SEATS)
        counted.insert(counted.index(_NEIGHBOURS), _SEATS)
    return tuple(Fraction(values[criterion]) for criterion in counted)


def groups_of(tables: Iterable[Entrants], history: History) -> dict[Fraction, int]:
    """Returns the number of the group of each score, from 0 for the lowest."""
    scores = {history.scores[entrant] for table in tables for entrant in table}
    return {score: group for group, score in enumerate(sorted(scores))}


def floats(table: Entrants, history: History) -> dict[int, int]:
    """Returns each entrant's direction: 1 from a score below the table's home, -1 from above it, 0 otherwise."""
    home = home_of([history.scores[entrant] for entrant in table])
    return {entrant: (home > history.scores[entrant]) - (home < history.scores[entrant]) for entrant in table}


def neighbours(table: Order) -> Iterator[tuple[int, int]]:
    """Yields the pairs of entrants whose second sits in the seat after the first, at a table of three or more."""
    if len(table) > 2:
        for entrant, following in zip(table, (*table[1:], table[0]), strict=True):
            if entrant is not None and following is not None:
                yield entrant, following


def spans(tables: Sequence[Entrants], history: History, terms: Terms) -> int:
    """Returns the sum of the squared numbers of steps by which tables exceed the window of score groups."""
    if terms.float_window == "all":
        return 0
    group = groups_of(tables, history)
    steps = [
        max(group[history.scores[entrant]] for entrant in table)
        - min(group[history.scores[entrant]] for entrant in table)
        for table in tables
    ]
    return sum(max(0, step - terms.float_window) ** 2 for step in steps)


def _score_spans(tables: Sequence[Entrants], history: History) -> Fraction:
    scores = [[history.scores[entrant] for entrant in table] for table in tables]
    return sum(((max(table) - min(table)) ** 2 for table in scores), Fraction(0))


def _seats(table: Order) -> list[tuple[int, int]]:
    return [(entrant, seat) for seat, entrant in enumerate(table) if entrant is not None]


def _squares(times: Mapping[K, int], again: Iterable[K]) -> int:
    """Returns the sum of the squared counts, including this round."""
    return sum(count**2 for count in (Counter(times) + Counter(again)).values())
