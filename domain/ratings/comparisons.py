"""The comparisons between the seats of a table that count (R-1, R-6)."""

from collections.abc import Collection, Sequence
from itertools import permutations
from typing import Final, NamedTuple

from hoodwink.domain.ratings.events import RatedSeat, is_bot
from hoodwink.domain.ratings.meetings import Pair


class Comparisons(NamedTuple):
    """The comparisons of a table that do not count.

    Attributes:
        left_out: pairs of a seat and an opponent; the comparison with that opponent does not change the seat's rating.
        uncounted: the seats of the players for whom the table does not count.
    """

    left_out: frozenset[Pair] = frozenset()
    uncounted: tuple[int, ...] = ()


ALL_COUNT: Final = Comparisons()


def comparisons_at(seats: Sequence[RatedSeat], spent: Collection[Pair]) -> Comparisons:
    """Returns the comparisons of a table that do not count.

    Args:
        seats: the rated seats.
        spent: the pairs of accounts that have been compared often enough that day.
    """
    people = [number for number, seat in enumerate(seats) if not is_bot(seat.player)]
    if not spent and len(people) != 1 and all(seat.took_part for seat in seats):
        return ALL_COUNT
    pairs = list(permutations(range(len(seats)), 2))
    counted = {pair for pair in pairs if _counts(seats, spent, pair)}
    rivals = {seat for seat, opponent in counted if seat not in people or opponent in people}
    return Comparisons(
        frozenset(pairs) - counted, tuple([seat for seat in range(len(seats)) if seat not in rivals])
    )


def _counts(seats: Sequence[RatedSeat], spent: Collection[Pair], pair: Pair) -> bool:
    """Returns whether the first seat's rating changes by the comparison with the second (R-6)."""
    seat, opponent = pair
    if (seat, opponent) in spent or (opponent, seat) in spent:
        return False
    # Nobody gains from a player who did not play, but that player may lose to everybody.
    return seats[opponent].took_part or not seats[seat].took_part
