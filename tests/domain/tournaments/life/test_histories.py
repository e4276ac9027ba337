"""In random histories, a tournament never gets stuck and loses nothing (T-15)."""

import pytest

from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.life.scoring import engine
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.round_robin import rounds_of, schedule_of
from hoodwink.domain.tournaments.terms import Terms
from tests.seeds import chunks
from tests.tournaments.histories import History


def by_lot(
    terms: Terms,
    entrants: int,
    draw: Draw,
    *,
    may_be_stored: bool,
) -> engine.Schedule:
    """Returns a schedule with all entrants at a table in each round, without a search for the best."""
    if terms.seats == 2:
        return schedule_of(terms, entrants, draw)
    lots, rounds = draw("schedule"), []
    for _ in range(rounds_of(terms, entrants)):
        order = iter(lots.shuffled(range(1, entrants + 1)))
        sizes = table_sizes(entrants, terms)
        rounds.append(tuple(tuple(next(order) for _ in range(size)) for size in sizes))
    return tuple(rounds)


@pytest.mark.parametrize("seeds", chunks(200, 20, first=20))
def test_t_15_random_histories_end_and_keep_the_invariants(seeds, monkeypatch):
    # The search for a schedule takes long, and has tests of its own.
    monkeypatch.setattr(engine, "schedule_of", by_lot)
    for seed in seeds:
        History(seed).run()
