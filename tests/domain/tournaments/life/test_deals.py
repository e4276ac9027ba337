"""The results of the deals of a duplicate tournament: tables at once, seats once all of them have ended."""

from fractions import Fraction

from hoodwink.domain.tournaments.life import deal_results
from hoodwink.domain.tournaments.life.scoring.deals import DealStatus
from hoodwink.domain.tournaments.scoring import Exclusion
from hoodwink.domain.tournaments.terms import Compare
from tests.domain.tournaments.life.test_duplicate import duplicate_setup, world_of
from tests.tournaments.world import World, setup


def test_d_7_the_results_of_a_deal_follow_once_all_its_tables_have_ended():
    world = world_of(6)
    first, second, third = tuple(world.open)
    world.end(first, points=(9, 0))
    world.end(second, points=(5, 0))

    sealed = deal_results(world.tournament, 1)
    assert sealed is not None
    assert (sealed.round, sealed.status, sealed.seats) == (1, DealStatus.EMBARGOED, ())
    assert [table.table for table in sealed.tables] == [first, second, third]
    assert [table.has_ended for table in sealed.tables] == [True, True, False]

    world.end(third, points=(1, 0))
    released = deal_results(world.tournament, 1)
    assert released is not None
    assert (released.status, released.seats) == (DealStatus.RELEASED, ())
    assert all(table.has_ended for table in released.tables)

    world.settle()
    found = deal_results(world.tournament, 1)
    assert found is not None
    assert found.status is DealStatus.COMPARED
    assert [(seat.size, seat.seat) for seat in found.seats] == [(2, 0), (2, 1)]
    dealers, others = [seat.results for seat in found.seats]
    half = Fraction(1, 2)
    assert [(one.board, one.table, one.place, one.points, one.score) for one in dealers] == [
        (1, first, 1, 9, 1),
        (2, second, 1, 5, half),
        (3, third, 1, 1, 0),
    ]
    assert [(one.board, one.score) for one in others] == [(1, half), (2, half), (3, half)]
    assert {one.entrant for one in dealers} == {table.entrants[0] for table in found.tables}


def test_d_5_a_seat_that_is_not_compared_comes_last_although_others_score_less():
    world = World(duplicate_setup(), compare=Compare.DIFFERENCE)
    world.begin(*[f"p{number}" for number in range(1, 9)])
    world.settle()
    first, *others = tuple(world.open)
    world.end(first, outcome="no_result")
    for table, points in zip(others, (2, 3, 7), strict=True):
        world.end(table, points=(points, 0))
    world.settle()

    found = deal_results(world.tournament, 1)
    assert found is not None
    assert [(one.board, one.score, one.exclusion) for one in found.seats[0].results] == [
        (4, Fraction(9, 2), None),
        (3, Fraction(-3, 2), None),
        (2, Fraction(-3), None),
        (1, 0, Exclusion.NO_RESULT),
    ]


def test_d_6_the_seats_of_bots_have_no_results():
    world = world_of(9, seats=4, fill_with_bots=True)
    for table in tuple(world.open):
        world.end(table, points=(2, 1, 1, 0))
    world.settle()

    found = deal_results(world.tournament, 1)
    assert found is not None
    assert [table.entrants[3] for table in found.tables] == [None] * 3
    assert [(seat.size, seat.seat) for seat in found.seats] == [(4, 0), (4, 1), (4, 2)]


def test_d_1_there_are_no_results_of_a_deal_that_nobody_has_been_dealt():
    world = world_of(6)
    assert deal_results(world.tournament, 0) is deal_results(world.tournament, 2) is None
    without = World(setup())
    without.begin("ada", "bob", "cy", "dee")
    without.settle()
    assert deal_results(without.tournament, 1) is None
