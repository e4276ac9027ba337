"""Round robins (P-1)."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, islice, pairwise, permutations, product

import pytest
from gacrux.berger import bergertables

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.round_robin import (
    Shape,
    arranging,
    pair,
    remember,
    rounds_of,
    schedule,
    schedule_of,
    shape_of,
)
from hoodwink.domain.tournaments.pairing.round_robin.arrangement import (
    Costs,
    Grouping,
    Seating,
    lower_bounds,
    parts,
    total,
    weights_of,
)
from hoodwink.domain.tournaments.pairing.round_robin.designs import design
from hoodwink.domain.tournaments.pairing.round_robin.layout import Layout
from hoodwink.domain.tournaments.terms import Format, Terms
from tests.domain.tournaments.knockouts import draw_of
from tests.domain.tournaments.tables import crosstable
from tests.tournaments.schedules import hasty_schedules

SHIPPED = [(9, 3, 4), (15, 3, 7), (16, 4, 5), (25, 5, 6), (28, 4, 9)]


def terms_of(seats, rounds=1, **changed):
    given = {"format": Format.ROUND_ROBIN, "seats": seats, "table_min": 2, "table_max": 10, "rounds": rounds}
    return Terms(**(given | changed))


def scheduled(entrants, seats, rounds=1, seed="ab", **changed):
    return schedule_of(terms_of(seats, rounds, **changed), entrants, draw_of(1, seed))


def shaped(entrants, seats, rounds) -> Shape:
    shape = shape_of(terms_of(seats, rounds), entrants)
    assert shape is not None
    return shape


def relabelled(tables, names):
    return tuple(tuple(tuple(names[entrant] for entrant in table) for table in round_) for round_ in tables)


def meetings(tables):
    return Counter(frozenset(two) for round_ in tables for table in round_ for two in combinations(table, 2))


def naive_costs(tables):
    """Returns the values of P-1, counted as the rule words them."""
    nexts: Counter[tuple[int, int]] = Counter()
    sizes: Counter[tuple[int, int]] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    # By the seats to the left; below 0 to the right, 0 across.
    apart: Counter[tuple[int, int, int]] = Counter()
    for table in (table for round_ in tables for table in round_):
        size = len(table)
        for seat, entrant in enumerate(table):
            sizes[entrant, size] += 1
            seats[entrant, seat] += 1
            nexts[entrant, table[(seat + 1) % size]] += size > 2
            for other in range(seat):
                steps = (seat - other) % size
                signed = 0 if 2 * steps == size else steps if 2 * steps < size else steps - size
                one, neighbour = table[other], entrant
                apart[min(one, neighbour), max(one, neighbour), signed if one < neighbour else -signed] += 1
    return (
        sum(times * (times - 1) // 2 for times in nexts.values()),
        sum(times**2 for times in meetings(tables).values()),
        sum(times**2 for times in sizes.values()),
        sum(times**2 for times in seats.values()),
        sum(times * (times - 1) // 2 for times in apart.values()),
    )


def named(costs):
    return costs.neighbours, costs.meetings, costs.sizes, costs.seats, costs.distances


def layout_of(entrants, seats, rounds):
    return Layout(table_sizes(entrants, terms_of(seats)), rounds)


@pytest.fixture
def _short_search():
    with hasty_schedules():
        yield


# ---------------------------------------------------------------------------------- tables of two


def test_p_1_berger_tables_are_those_of_the_handbook():
    """C.05 Annex 1, the table for 5 or 6 players."""
    assert scheduled(6, 2) == (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    )
    assert scheduled(5, 2)[1] == ((5, 3), (1, 2))


def test_p_1_berger_tables_equal_those_of_fides_tool():
    for entrants in range(2, 61):
        rounds = bergertables(entrants)["pairing"]
        expected = [
            [(pair["white"], pair["black"]) for pair in rounds[number].values()]
            for number in range(1, len(rounds) + 1)
        ]
        assert [list(round_) for round_ in scheduled(entrants, 2)] == [
            [pair for pair in pairs if max(pair) <= entrants] for pairs in expected
        ]


def test_p_1_everybody_meets_everybody_once_with_colours_balanced():
    for entrants in range(2, 61):
        tables = scheduled(entrants, 2)
        assert meetings(tables) == {frozenset(two): 1 for two in combinations(range(1, entrants + 1), 2)}, (
            entrants
        )
        whites = Counter(white for round_ in tables for white, _ in round_)
        blacks = Counter(black for round_ in tables for _, black in round_)
        assert all(abs(whites[entrant] - blacks[entrant]) <= 1 for entrant in range(1, entrants + 1)), (
            entrants
        )


@pytest.mark.usefixtures("_short_search")
def test_t_1_p_1_the_number_of_rounds_follows_at_tables_of_two():
    for entrants in range(2, 40):
        assert rounds_of(terms_of(2, 99), entrants) == len(scheduled(entrants, 2))
    assert rounds_of(terms_of(2), 0) == 0
    assert rounds_of(terms_of(4, 7), 20) == 7 == len(scheduled(20, 4, 7))


# ------------------------------------------------------------------------------ shipped schedules


@pytest.mark.parametrize(("entrants", "seats", "rounds"), SHIPPED)
def test_p_1_in_shipped_schedules_every_pair_meets_exactly_once(entrants, seats, rounds):
    tables = design(entrants, seats)
    assert len(tables) == rounds
    assert all(
        sorted(entrant for table in round_ for entrant in table) == [*range(entrants)] for round_ in tables
    )
    assert {len(table) for round_ in tables for table in round_} == {seats}
    assert meetings(tables) == {frozenset(two): 1 for two in combinations(range(entrants), 2)}


@pytest.mark.parametrize(("entrants", "seats", "rounds"), SHIPPED)
def test_p_1_shipped_schedules_are_relabelled_by_lot_and_their_seats_balanced(entrants, seats, rounds):
    tables = scheduled(entrants, seats, rounds)
    assert meetings(tables) == {frozenset(two): 1 for two in combinations(range(1, entrants + 1), 2)}
    taken = Counter(
        (entrant, seat) for round_ in tables for table in round_ for seat, entrant in enumerate(table)
    )
    assert {taken[entrant, seat] for entrant in range(1, entrants + 1) for seat in range(seats)} <= {
        rounds // seats,
        -(-rounds // seats),
    }
    if entrants < 16:
        assert tables != scheduled(entrants, seats, rounds, seed="cd")


@pytest.mark.parametrize("rounds", range(1, 5))
def test_p_1_fewer_rounds_are_the_first_of_a_shipped_schedule(rounds):
    tables = scheduled(9, 3, rounds)
    assert set(meetings(tables).values()) == {1}
    assert [len(round_) for round_ in tables] == [3] * rounds


def test_p_1_a_shipped_schedule_is_played_again_before_anybody_meets_a_third_time():
    tables = scheduled(9, 3, 8)
    assert set(meetings(tables).values()) == {2}
    assert naive_costs(tables)[0] == 0


def test_p_1_a_shipped_schedule_serves_only_tables_of_its_size():
    assert {len(table) for round_ in scheduled(9, 3, 1, table_min=4) for table in round_} == {4, 5}


# ------------------------------------------------------------------------------------- the search


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"), [(7, 3, 3), (11, 4, 4), (14, 5, 3), (12, 6, 4), (10, 10, 2)]
)
@pytest.mark.parametrize("kind", [Grouping, Seating])
def test_p_1_the_cost_after_a_swap_equals_a_new_count(kind, entrants, seats, rounds):
    layout, rng = layout_of(entrants, seats, rounds), random.Random(entrants)
    occupants = [entrant for _ in range(rounds) for entrant in rng.sample(range(entrants), entrants)]
    weights = weights_of(layout)
    arrangement = kind(layout, occupants, weights)
    for one, other in islice(arrangement.proposals(entrants), 300):
        if one != other:
            assert one // entrants == other // entrants
            arrangement.swap(one, other)
            assert arrangement.cost == kind(layout, arrangement.occupants, weights).cost


def test_p_1_only_swaps_within_tables_are_proposed_for_seats():
    layout = layout_of(11, 4, 3)
    seating = Seating(layout, [*range(11)] * 3, weights_of(layout))
    seating.within_tables = True
    proposed = islice(seating.proposals(1), 500)
    assert all(layout.table[one] == layout.table[other] for one, other in proposed)


@pytest.mark.parametrize(("entrants", "seats", "rounds"), [(7, 4, 3), (9, 3, 4), (14, 5, 3), (12, 6, 4)])
def test_p_1_the_cost_is_that_of_the_rule(entrants, seats, rounds):
    rng = random.Random(entrants)
    occupants = [entrant for _ in range(rounds) for entrant in rng.sample(range(entrants), entrants)]
    tables = schedule._rounds(shaped(entrants, seats, rounds), occupants)
    assert named(schedule.costs_of(tables)) == naive_costs(tables)


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "sizes"),
    [(7, 4, 3, (2, 10)), (9, 3, 4, (2, 10)), (16, 5, 4, (5, 5)), (12, 6, 4, (2, 10))],
)
def test_p_1_the_search_and_the_values_of_a_schedule_count_alike(entrants, seats, rounds, sizes):
    shape = shape_of(terms_of(seats, rounds, table_min=sizes[0], table_max=sizes[1]), entrants)
    assert shape is not None
    rng, layout = random.Random(entrants), shape.layout()
    occupants = [entrant for _ in range(rounds) for entrant in rng.sample(range(entrants), entrants)]
    searched = parts(Seating(layout, occupants, weights_of(layout)).cost, weights_of(layout))
    assert schedule.costs_of(schedule._rounds(shape, occupants)) == searched


@pytest.mark.parametrize(
    "costs", [Costs(0, 0, 0, 0, 0, 0), Costs(3, 600, 200, 40, 77, 5), Costs(0, 1, 0, 0, 0, 30)]
)
def test_p_1_an_earlier_criterion_outweighs_all_later_ones(costs):
    weights = weights_of(layout_of(9, 3, 5))
    assert parts(total(costs, weights), weights) == costs


def one_round(entrants, seats):
    sizes = table_sizes(entrants, terms_of(seats))
    bounds = [0, *(sum(sizes[: number + 1]) for number in range(len(sizes)))]
    for order in permutations(range(1, entrants + 1)):
        yield tuple(order[first:last] for first, last in pairwise(bounds))


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [
        *((4, 3, 3), (5, 5, 2), (6, 3, 2), (6, 4, 2)),
        *(pytest.param(*shape, marks=pytest.mark.campaign) for shape in ((5, 3, 3), (7, 3, 2), (7, 4, 2))),
    ],
)
def test_p_1_p_5_the_search_equals_trying_all_schedules(entrants, seats, rounds):
    everything = [*one_round(entrants, seats)]
    best = min(naive_costs((everything[0], *others)) for others in product(everything, repeat=rounds - 1))
    assert naive_costs(scheduled(entrants, seats, rounds)) == best


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"), [(12, 5, 3), (20, 5, 3), (30, 5, 3), (32, 4, 5), (64, 4, 9)]
)
def test_p_1_the_search_reaches_the_lower_bound(entrants, seats, rounds):
    tables = scheduled(entrants, seats, rounds)
    assert naive_costs(tables) == named(lower_bounds(layout_of(entrants, seats, rounds)))


def test_p_5_the_same_lots_give_the_same_schedule():
    one, again = (scheduled(12, 5, 3) for _ in range(2))
    assert one == again != scheduled(12, 5, 3, seed="cd")


@pytest.fixture
def searched(monkeypatch):
    """The shapes that are searched for, in a process that remembers none."""
    shapes = []

    def search(shape):
        shapes.append(shape)
        return found(shape)

    found = arranging.search
    with hasty_schedules():
        monkeypatch.setattr(arranging, "search", search)
        yield shapes


@pytest.mark.parametrize(("entrants", "seats"), [(7, 4), (9, 3), (23, 5)])
def test_p_1_schedules_of_the_same_sizes_differ_by_their_labels_alone(entrants, seats, searched):
    one, other = (scheduled(entrants, seats, 3, seed=seed) for seed in ("ab", "cd"))
    names = {
        mine: theirs
        for tables in zip(one, other, strict=True)
        for pair_ in zip(*tables, strict=True)
        for mine, theirs in zip(*pair_, strict=True)
    }
    assert one != other == relabelled(one, names)
    assert searched == [shaped(entrants, seats, 3)]


def test_p_1_an_arrangement_depends_on_the_sizes_of_the_tables_not_on_the_seats_wanted(searched):
    assert scheduled(9, 4, 4) == scheduled(9, 3, 4)
    assert set(meetings(scheduled(9, 4, 4)).values()) == {1}
    assert len(searched) == 1


def test_p_1_a_stored_arrangement_is_used_instead_of_a_search(searched):
    shape = shaped(7, 4, 2)
    remember(shape, [*range(7), *reversed(range(7))])
    (first, second), (third, fourth) = scheduled(7, 4, 2)
    assert (*first, *second) == (*third, *fourth)[::-1]
    assert searched == []


@pytest.mark.parametrize("wrong", [[*range(7)], [*range(6), 0, *range(7)], [*range(7)] * 3, []])
def test_p_1_an_arrangement_that_does_not_seat_everybody_once_is_refused(wrong, searched):
    shape = shaped(7, 4, 2)
    with pytest.raises(ValueError, match="not an arrangement of the shape 7:2:0:2"):
        remember(shape, wrong)
    scheduled(7, 4, 2)
    assert searched == [shape]


def test_p_1_a_process_remembers_the_last_arrangements_only(searched):
    for rounds in range(1, 67):
        remember(Shape(entrants=3, tables=1, waiting=0, rounds=rounds), [0, 1, 2] * rounds)
    for rounds in (3, 2):
        scheduled(3, 3, rounds)
    assert [shape.rounds for shape in searched] == [2]


@pytest.mark.usefixtures("_short_search")
@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize(
    "fields", [(2, 3, 5, 7), pytest.param((4, 6, *range(8, 23), 28, 40), marks=pytest.mark.campaign)]
)
def test_p_1_t_1_every_round_of_every_schedule_seats_everybody_once(seats, fields):
    for entrants in fields:
        tables = scheduled(entrants, seats, 2)
        assert len(tables) == 2
        for round_ in tables:
            assert sorted(entrant for table in round_ for entrant in table) == [*range(1, entrants + 1)]
            assert tuple(map(len, round_)) == table_sizes(entrants, terms_of(seats))


def test_t_9_p_1_byes_forced_by_the_game_are_spread():
    tables = scheduled(6, 4, 3, table_min=4, table_max=4)
    byes = Counter(entrant for round_ in tables for entrant in range(1, 7) if entrant not in round_[0])
    assert set(byes.values()) == {1}
    assert schedule.costs_of(tables).sizes == 6 * (1**2 + 2**2)


def test_t_1_p_1_one_entrant_or_too_few_for_the_game_are_at_no_table():
    assert scheduled(1, 4, 2) == ((), ())
    assert scheduled(3, 4, 2, table_min=4) == ((), ())


# ------------------------------------------------------------------------------ rounds as they come


def paired(entrants, seats, round_, rounds=3, present=None, **changed):
    table = crosstable(entrants=entrants, format="round_robin", seats=seats, **changed)
    plan = scheduled(entrants, seats, rounds, **changed)
    return plan, pair(
        Case(
            crosstable=table,
            round=round_,
            present=present or tuple(range(1, entrants + 1)),
            draw=draw_of(round_),
            schedule=plan,
        )
    )


def test_t_4_p_1_the_schedule_stays_the_same_with_absent_entrants():
    plan, pairing = paired(6, 2, 2, present=(1, 2, 3))
    assert pairing.tables == plan[1]
    assert pairing.objective == ()


def test_t_9_p_1_the_odd_one_out_has_a_bye():
    plan, pairing = paired(5, 2, 1)
    assert pairing.tables == plan[0] == ((2, 5), (3, 4))
    assert pairing.byes == (1,)
    texts = [explanation.text for explanation in pairing.explanations]
    assert texts[:2] == [
        "Round 1 of the schedule that was fixed before the first: a bye.",
        "Round 1 of the schedule that was fixed before the first: meets 5.",
    ]


@pytest.mark.usefixtures("_short_search")
def test_p_1_a_round_states_the_values_of_its_schedule_and_its_rematches():
    plan, pairing = paired(4, 4, 2)
    assert pairing.tables == plan[1]
    assert pairing.objective == tuple(map(Fraction, naive_costs(plan)))
    assert [explanation.entrant for explanation in pairing.explanations] == [1, 2, 3, 4]
    assert all(explanation.text.count("again") == 3 for explanation in pairing.explanations)


@pytest.mark.usefixtures("_short_search")
def test_t_5_p_1_bots_fill_the_tables_up():
    plan, pairing = paired(5, 3, 1, fills_with_bots=True)
    assert pairing.tables == (plan[0][0], (*plan[0][1], None))


def test_t_1_p_1_a_round_without_tables_is_paired_all_the_same():
    _, pairing = paired(1, 4, 1)
    assert pairing.byes == (1,)
    assert (pairing.tables, pairing.objective) == ((), ())


def test_t_14_p_1_the_schedule_is_drawn_for_its_own_purpose():
    purposes = []

    def draw(purpose):
        purposes.append(purpose)
        return Lots("ab", (), purpose=purpose, round_=1)

    schedule_of(terms_of(3, 2), 9, draw)
    assert purposes == ["schedule"]
