"""The division of a round's entrants into tables (T-1)."""

from collections.abc import Collection

from hoodwink.domain.tournaments.terms import Terms

MIN_ENTRANTS = 2  # entrants at a table


def table_sizes(entrants: int, terms: Terms) -> tuple[int, ...]:
    """Returns the number of entrants at each table, the largest first; remaining entrants get a pairing bye.

    There are as few tables as possible with at most `terms.seats` seats each, and their sizes differ by at most one. If
    the game needs more seats at the smallest table, and no bots fill it, there are fewer and larger tables, up to the
    game's maximum. If that is impossible, too, as many entrants as possible are seated. Tables of two never become
    larger, so one of an odd number of entrants gets the bye.
    """
    for seated in range(entrants, MIN_ENTRANTS - 1, -1):
        if sizes := _division(seated, terms):
            return sizes
    return ()


def seats_at(size: int, terms: Terms, sizes: Collection[int] = ()) -> int:
    """Returns the number of seats at a table with `size` entrants, including seats filled by bots (T-5).

    Args:
        sizes: of all tables of the round; if they share a deal, bots fill either all of them alike or none (D-6).
    """
    is_filled = _fills(terms) and (terms.compare is None or _are_equal(sizes))
    return max(size, terms.seats) if is_filled else size


def _are_equal(sizes: Collection[int]) -> bool:
    return len(set(sizes)) <= 1


def _fills(terms: Terms) -> bool:
    return terms.fills_with_bots and terms.seats > MIN_ENTRANTS


def _division(entrants: int, terms: Terms) -> tuple[int, ...]:
    """Returns the sizes of tables that seat all entrants, or nothing if the game does not allow such tables."""
    if _fills(terms):
        sizes = _divided(entrants, MIN_ENTRANTS, terms)
        if terms.compare is None or _are_equal(sizes):
            return sizes
    return _divided(entrants, max(MIN_ENTRANTS, terms.table_min), terms)


def _divided(entrants: int, fewest: int, terms: Terms) -> tuple[int, ...]:
    most = MIN_ENTRANTS if terms.seats == MIN_ENTRANTS else terms.table_max
    tables = min(-(-entrants // terms.seats), entrants // fewest)
    if not tables or entrants > tables * most:
        return ()
    size, larger = divmod(entrants, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)
