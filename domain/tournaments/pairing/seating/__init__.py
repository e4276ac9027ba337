"""Pairing of tables of any size by the criteria of P-4: Swiss tournaments at tables of three or more, and leagues."""

from hoodwink.domain.tournaments.pairing.case import MIN_EXACT_ENTRANTS, Case, Pairing
from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.pairing.seating.exact import best_tables
from hoodwink.domain.tournaments.pairing.seating.explain import explanations, relaxations
from hoodwink.domain.tournaments.pairing.seating.history import History, history_of
from hoodwink.domain.tournaments.pairing.seating.local import good_tables
from hoodwink.domain.tournaments.pairing.seating.objective import objective
from hoodwink.domain.tournaments.pairing.seating.orders import Order, best_order
from hoodwink.domain.tournaments.pairing.seating.problem import Problem, problem_of
from hoodwink.domain.tournaments.terms import Format, Terms

# An exact search for 16 entrants takes up to two seconds at tables of seven seats, and much longer at larger ones.
_MAX_EXACT_SEATS = 7


def pair(case: Case) -> Pairing:
    """Returns the tables of a round by P-3 and P-4, or by P-7 in a league.

    They are optimal for up to 12 entrants, and for up to 16 at tables of at most seven seats (not in edition 2). For more
    they are the result of a search of fixed length.
    """
    terms = case.crosstable.terms
    history = history_of(case.crosstable, round_=case.round)
    lots = case.draw("pairing")
    by_lot = lots.shuffled(case.present)
    sizes = table_sizes(len(by_lot), terms)
    byes = _byes(by_lot, len(by_lot) - sum(sizes), history, terms)
    seated = [entrant for entrant in by_lot if entrant not in byes]
    problem = problem_of(seated, sizes, history, terms) if sizes else None
    tables = [] if problem is None else _tables(problem, lots.below(1 << 32), case.max_exact)
    bots = {size: (None,) * (seats_at(size, terms, sizes) - size) for size in sizes if terms.compare}
    boards = _by_score([(*table, *bots.get(len(table), ())) for table in tables], history, terms)
    return Pairing(
        tables=boards,
        byes=byes,
        objective=objective(boards, history, terms),
        relaxed=relaxations(boards, byes, history, terms),
        explanations=explanations(boards, byes, history, terms),
    )


def _byes(by_lot: tuple[int, ...], count: int, history: History, terms: Terms) -> tuple[int, ...]:
    """Returns the entrants with a pairing bye: those with the fewest byes, then the lowest scores, then by lot (T-9)."""
    in_order = sorted(
        by_lot,
        key=lambda entrant: (
            history.byes.get(entrant, 0),
            0 if terms.format is Format.LEAGUE else history.scores[entrant],
        ),
    )
    return tuple(sorted(in_order[:count]))


def _tables(problem: Problem, seed: int, max_exact: int) -> list[Order]:
    entrants, seats = sum(problem.sizes), max(problem.seats.values())
    is_exact = entrants <= MIN_EXACT_ENTRANTS or (entrants <= max_exact and seats <= _MAX_EXACT_SEATS)
    tables = best_tables(problem) if is_exact else good_tables(problem, seed=seed)
    orders = [best_order(problem, sorted_table, is_exact=is_exact)[1] for sorted_table in sorted(tables)]
    return [tuple(None if index is None else problem.entrants[index] for index in order) for order in orders]


def _by_score(tables: list[Order], history: History, terms: Terms) -> tuple[Order, ...]:
    """Returns the tables of a Swiss tournament from the highest scores down; those of a league keep their drawn order."""
    if terms.format is Format.LEAGUE:
        return tuple(tables)
    return tuple(
        sorted(
            tables,
            key=lambda table: sorted(
                (history.scores[entrant] for entrant in table if entrant is not None), reverse=True
            ),
            reverse=True,
        )
    )
