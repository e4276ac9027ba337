"""The parts of the search for good tables, each compared with a slow and simple implementation."""

from itertools import combinations, permutations
from random import Random

import pytest

from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.seating import local
from hoodwink.domain.tournaments.pairing.seating.exact import best_tables
from hoodwink.domain.tournaments.pairing.seating.history import history_of
from hoodwink.domain.tournaments.pairing.seating.local import good_tables
from hoodwink.domain.tournaments.pairing.seating.objective import objective
from hoodwink.domain.tournaments.pairing.seating.orders import best_order
from hoodwink.domain.tournaments.pairing.seating.plan import SeatingPlan
from hoodwink.domain.tournaments.pairing.seating.problem import problem_of
from hoodwink.domain.tournaments.pairing.seating.settle import settled
from hoodwink.domain.tournaments.pairing.seating.start import tables_by_score
from hoodwink.domain.tournaments.terms import Compare, Format, Terms
from tests.tournaments.seating_histories import random_history


def terms_of(seats, format_=Format.SWISS, **changed):
    return Terms(format=format_, seats=seats, table_min=2, table_max=10, rounds=9, **changed)


def problem(entrants, seats, *, seed=1, rounds=5, forbidden=0, **changed):
    """Returns the problem after a random history, with the history and the terms."""
    terms = terms_of(seats, **changed)
    crosstable = random_history(Random(seed), terms, entrants, rounds, forbidden=forbidden)
    history = history_of(crosstable, round_=rounds + 1)
    sizes = table_sizes(entrants, crosstable.terms)
    made = problem_of(list(crosstable.numbers()), sizes, history, crosstable.terms)
    return made, history, crosstable.terms


def whole_cost(made, tables):
    return sum(made.upper(table) + made.lower(table) for table in tables)


def order_cost(made, order):
    """Returns the cost of an order of the seats, counted seat by seat."""
    nexts = zip(order, (*order[1:], order[0]), strict=True)
    cost = sum(made.nexts[one][other] for one, other in nexts if None not in {one, other})
    return (cost if len(order) > 2 else 0) + sum(
        made.places[index][seat] for seat, index in enumerate(order) if index is not None
    )


@pytest.mark.parametrize(
    ("entrants", "seats", "bots"),
    [
        (2, 2, False),
        (3, 3, False),
        (4, 4, False),
        (5, 5, False),
        (6, 6, False),
        (7, 7, False),
        (3, 5, True),
        (4, 6, True),
    ],
)
def test_p_4_the_order_of_seats_is_the_best_of_all(entrants, seats, bots):
    for seed in range(4):
        format_ = Format.LEAGUE
        made, _, _ = problem(entrants, seats, seed=seed, rounds=7, format_=format_, fills_with_bots=bots)
        members = tuple(range(entrants))
        cost, order = best_order(made, members, is_exact=True)
        everybody = [*members, *[None] * (seats - entrants)]
        assert sorted(order, key=str) == sorted(everybody, key=str)
        assert (
            cost
            == order_cost(made, order)
            == min(order_cost(made, other) for other in set(permutations(everybody)))
        )


def test_p_4_the_order_of_a_large_table_costs_little_more_than_the_best():
    costs = []
    for seed in range(3):
        made, _, _ = problem(9, 9, seed=seed, rounds=8, format_=Format.LEAGUE)
        quick, order = best_order(made, tuple(range(9)), is_exact=False)
        best, _ = best_order(made, tuple(range(9)), is_exact=True)
        assert quick == order_cost(made, order)
        costs.append(best <= quick)
    assert all(costs)


def spans_of(made, tables):
    groups = [[made.groups[index] for index in table] for table in tables]
    return sum(made.spans[min(table)][max(table)] for table in groups)


@pytest.mark.parametrize(("entrants", "seats"), [(8, 4), (9, 3), (7, 3), (10, 4), (11, 4)])
def test_p_4_tables_by_score_span_the_least_possible(entrants, seats):
    for seed in range(4):
        made, _, _ = problem(entrants, seats, seed=seed, float_window=seed % 3)
        started = tables_by_score(made)
        assert sorted(index for table in started for index in table) == list(range(entrants))
        assert sorted(map(len, started), reverse=True) == list(made.sizes)
        assert spans_of(made, started) == min(
            spans_of(made, tables) for tables in partitions(range(entrants), made.sizes)
        )


def partitions(entrants, sizes):
    """Yields every division of the entrants over tables of these sizes."""
    if not sizes:
        yield []
        return
    first, *others = entrants
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for companions in combinations(others, size - 1):
            rest = [index for index in others if index not in companions]
            for tables in partitions(rest, left):
                yield [(first, *companions), *tables]


@pytest.mark.parametrize(("entrants", "seats"), [(16, 4), (17, 4), (14, 5)])
def test_p_5_the_cost_of_a_swap_is_the_difference_of_the_totals(entrants, seats):
    made, _, _ = problem(entrants, seats, forbidden=6)
    chance = Random(1)
    plan = SeatingPlan(made, tables_by_score(made))
    for _ in range(300):
        one, other = (chance.randrange(plan.count) for _ in range(2))
        if other in plan.table_of(one):
            continue
        before, delta = plan.cost, plan.delta(one, other)
        if delta >= plan.beyond // 2:
            continue  # two empty chairs at one table
        plan.swap(one, other)
        assert plan.cost == before + delta == sum(map(made.upper, plan.tables()))


@pytest.mark.parametrize(("entrants", "seats"), [(16, 4), (17, 4)])
def test_p_5_the_best_swap_of_an_entrant_is_the_cheapest_allowed_one_after_any_swaps(entrants, seats):
    made, _, _ = problem(entrants, seats, forbidden=6)
    plan, chance = SeatingPlan(made, tables_by_score(made)), Random(1)
    allowed = [index % 3 > 0 for index in range(plan.count)]
    for _ in range(300):
        entrant = chance.randrange(plan.entrants)
        others = [
            index for index in range(plan.count) if allowed[index] and index not in plan.table_of(entrant)
        ]
        found, cost = plan.best_swap(entrant, below=plan.beyond, allowed=allowed)
        assert cost == min(plan.delta(entrant, other) for other in others)
        assert found == min(other for other in others if plan.delta(entrant, other) == cost)
        assert plan.best_swap(entrant, below=cost, allowed=allowed) == (entrant, cost)
        one, another = chance.choice(others), chance.choice(others)
        if another not in plan.table_of(one) and plan.delta(one, another) < plan.beyond // 2:
            plan.swap(one, another)


def test_p_5_two_empty_chairs_never_share_a_table():
    made, _, _ = problem(18, 5, forbidden=20)
    assert made.sizes == (5, 5, 4, 4)
    assert [len(table) for table in sorted(good_tables(made, seed=1), key=len)] == [4, 4, 5, 5]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.campaign)])
@pytest.mark.parametrize(("entrants", "seats"), [(12, 4), (11, 4), (12, 3), (10, 5), (10, 2)])
def test_p_5_for_few_entrants_the_search_by_swaps_comes_close_to_the_best(entrants, seats, seed):
    format_ = Format.LEAGUE if seats == 2 else Format.SWISS
    made, _, _ = problem(entrants, seats, seed=seed, format_=format_)
    found = sum(map(made.upper, good_tables(made, seed=1)))
    assert found == sum(map(made.upper, best_tables(made)))


def test_p_5_the_search_takes_the_same_steps_for_the_same_seed():
    made, _, _ = problem(24, 4, rounds=6)
    assert good_tables(made, seed=5) == good_tables(made, seed=5)


def test_p_5_the_search_against_rematches_ends_without_improvement(monkeypatch):
    made, _, _ = problem(24, 4, rounds=8)
    patient = sum(map(made.upper, good_tables(made, seed=5)))
    monkeypatch.setattr(local, "_PATIENCE", 1)
    monkeypatch.setattr(local, "_POLISHING", 0)
    assert sum(map(made.upper, good_tables(made, seed=5))) >= patient


@pytest.fixture
def unsettled(monkeypatch):
    """Returns a problem with tables that are good by the first criteria only."""
    made, _, _ = problem(30, 4, rounds=1)
    monkeypatch.setattr(local, "settled", lambda _, tables, **_given: tables)
    return made, good_tables(made, seed=1)


def test_p_4_last_swaps_keep_the_first_criteria_and_improve_the_others(unsettled):
    made, tables = unsettled
    after = settled(made, tables, seed=1, least=0)
    assert sum(map(made.upper, after)) == sum(map(made.upper, tables))
    costs = [
        whole_cost(made, seated) + sum(best_order(made, table, is_exact=True)[0] for table in seated)
        for seated in (tables, after)
    ]
    assert costs[1] < costs[0]


def test_p_5_the_orders_tried_for_the_last_swaps_are_counted(unsettled, monkeypatch):
    made, tables = unsettled
    monkeypatch.setattr("hoodwink.domain.tournaments.pairing.seating.settle._ORDERS", 0)
    assert settled(made, tables, seed=1, least=0) == tables


@pytest.mark.parametrize("compare", [None, Compare.MATCHPOINTS])
def test_p_4_d_4_costs_compare_as_the_values_of_the_criteria_do(compare):
    made, history, terms = problem(12, 4, rounds=4, seed=3, forbidden=0, compare=compare)
    chance = Random(1)
    seatings = []
    for _ in range(60):
        order = chance.sample(range(12), 12)
        tables = [tuple(order[start : start + 4]) for start in (0, 4, 8)]
        cost = whole_cost(made, map(sorted, tables)) + sum(order_cost(made, table) for table in tables)
        named = [tuple(made.entrants[index] for index in table) for table in tables]
        seatings.append((cost, objective(named, history, terms)))
    assert [values for _, values in sorted(seatings)] == sorted(values for _, values in seatings)
