"""The shape of a knockout: the order of its seeds, and its number of rounds."""

from collections.abc import Sequence

from hoodwink.domain.tournaments.bracket import advancing_of
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.terms import Terms


def seeded(entrants: int) -> tuple[int | None, ...]:
    """Returns the bracket of tables of two: neighbours meet, and the best seeds have no opponent in the first round.

    >>> seeded(6)
    (1, None, 4, 5, 2, None, 3, 6)
    """
    order = [1]
    while len(order) < entrants:
        order = [seed for best in order for seed in (best, 2 * len(order) + 1 - best)]
    return tuple(seed if seed <= entrants else None for seed in order)


def serpentine(seeds: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Distributes the seeds, the best first, over tables of these sizes in serpentine order, skipping full tables.

    >>> serpentine(range(1, 8), (4, 3))
    ((1, 4, 5, 7), (2, 3, 6))
    """
    tables: list[list[int]] = [[] for _ in sizes]
    remaining = iter(seeds)
    for row in range(max(sizes, default=0)):
        turn = [table for table, size in zip(tables, sizes, strict=True) if row < size]
        for table in reversed(turn) if row % 2 else turn:
            table.append(next(remaining))
    return tuple(map(tuple, tables))


def rounds_of(terms: Terms, entrants: int) -> int:
    """Returns the number of rounds of a knockout if all entrants appear; at tables of two it is fixed."""
    if terms.seats == 2:
        return max(0, entrants - 1).bit_length()
    rounds, sizes = 0, table_sizes(entrants, terms)
    while sizes:
        rounds += 1
        waiting = entrants - sum(sizes)
        is_last = len(sizes) == 1 and not waiting
        entrants = 1 if is_last else waiting + sum(advancing_of(size, terms) for size in sizes)
        sizes = table_sizes(entrants, terms)
    return rounds
