"""The pairing of a round in which the same opponents play their next deal (D-1).

Logs record the explanations, and `verify` compares them byte for byte, so their words never change.
"""

from typing import TypeVar

from hoodwink.domain.tournaments.crosstable import Crosstable, Why
from hoodwink.domain.tournaments.pairing.case import Explanation, Pairing
from hoodwink.domain.tournaments.scoring import scores_after

_T = TypeVar("_T")


def rotated(seats: tuple[_T, ...], steps: int) -> tuple[_T, ...]:
    """Returns the seats after everybody has moved on by that many, and those in the last seats to the first.

    >>> rotated((7, 8, 9), 1)
    (9, 7, 8)
    """
    first = -steps % len(seats)
    return seats[first:] + seats[:first]


def repeated(crosstable: Crosstable, present: tuple[int, ...]) -> Pairing:
    """Returns the tables of the last round again, with everybody in the next seat; bots keep the last seats (D-6)."""
    last = crosstable.rounds[-1]
    scores = scores_after(crosstable, len(crosstable.rounds))
    tables = []
    for board in last.boards:
        entrants = tuple([seat.entrant for seat in board.seats if seat.entrant is not None])
        tables.append((*rotated(entrants, 1), *[None] * (len(board.seats) - len(entrants))))
    return Pairing(
        tables=tuple(tables),
        byes=tuple([each.entrant for each in last.unplayed if each.why is Why.PAIRING_BYE]),
        explanations=tuple(
            [
                Explanation(
                    entrant=entrant,
                    score=scores[entrant],
                    floated=0,
                    text=f"Round {last.number + 1} repeats the tables of round {last.number}, with everybody one seat further.",
                )
                for entrant in present
            ]
        ),
    )
