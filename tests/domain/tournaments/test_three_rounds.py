"""The stored schedules of three rounds at tables of four and five."""

import pytest

from hoodwink.domain.tournaments.life.commands import StartTournament
from hoodwink.domain.tournaments.life.setup import Sitting
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.round_robin import Shape, arranging, is_stored, schedule_of, shape_of
from hoodwink.domain.tournaments.pairing.round_robin.three_rounds import stored
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.application.jobs.effort import is_laborious, shape_to_arrange
from tests.tournaments.krcg import PUBLISHED_VALUES, measure
from tests.tournaments.play import draw_of
from tests.tournaments.schedule_quality import TERMS
from tests.tournaments.three_rounds import ENTRANTS, is_better, is_proved, lowest, stored_for
from tests.tournaments.world import World, setup

BEHIND = {17, 22}  # by R9 alone
SEARCHED = {23}


def shape(entrants, **changed):
    given = {"entrants": entrants, "tables": -(-entrants // 5), "waiting": 0, "rounds": 3}
    return Shape(**(given | changed))


STORED = [entrants for entrants in ENTRANTS if entrants not in SEARCHED]


@pytest.mark.parametrize("entrants", STORED)
def test_p_1_a_stored_schedule_seats_everybody_once_in_each_round_at_the_sizes_of_t_1(entrants):
    for tables in stored_for(entrants):
        assert tuple(map(len, tables)) == table_sizes(entrants, TERMS)
        assert sorted(entrant for table in tables for entrant in table) == [*range(1, entrants + 1)]


@pytest.mark.parametrize("entrants", [entrants for entrants in STORED if entrants > 5])
def test_p_5_r1_r5_r6_and_r7_of_a_stored_schedule_are_0(entrants):
    found = measure(stored_for(entrants))

    assert (found.r1, found.r5, found.r6, found.r7) == (0, 0, 0, 0)


@pytest.mark.parametrize("entrants", [entrants for entrants in PUBLISHED_VALUES if entrants not in SEARCHED])
def test_p_5_a_stored_schedule_is_as_good_as_the_published_one_by_r1_to_r9(entrants):
    found, published = measure(stored_for(entrants)), PUBLISHED_VALUES[entrants]

    if entrants in BEHIND:
        found, published = found._replace(r9=0), published._replace(r9=0)
    assert not is_better(published, found._replace(r3=round(found.r3, 4), r8=round(found.r8, 4)))


@pytest.mark.parametrize("entrants", [16, 24, 25, *range(27, 61)])
def test_p_5_a_stored_schedule_that_reaches_the_bounds_of_r3_and_r8_cannot_be_better(entrants):
    assert is_proved(entrants, measure(stored_for(entrants)))


def test_p_5_a_schedule_above_the_bounds_is_not_proved():
    assert not is_proved(26, measure(stored_for(26)))  # R4
    found = measure(stored_for(28))
    assert lowest(28).sizes > 0
    for worse in (
        found._replace(r3=found.r3 + 0.01),
        found._replace(r8=found.r8 + 0.01),
        found._replace(r7=1),
    ):
        assert not is_proved(28, worse)


def test_t_14_p_1_the_lot_decides_who_has_which_number_of_a_stored_schedule(monkeypatch):
    monkeypatch.setattr(arranging, "search", lambda _: pytest.fail("searched"))
    numbers = draw_of("lots", 0)("schedule").shuffled(range(14))
    expected = [numbers[place] + 1 for place in stored(shape(14))]

    schedule = schedule_of(TERMS, 14, draw_of("lots", 0))

    assert [entrant for tables in schedule for table in tables for entrant in table] == expected


@pytest.mark.parametrize(
    "other",
    [
        shape(14, rounds=2),
        shape(14, rounds=4),
        shape(14, tables=4),
        shape(14, waiting=1),
        shape(11),
        shape(61),
    ],
)
def test_p_1_only_three_rounds_at_tables_of_four_and_five_are_stored(other):
    assert is_stored(shape(14))
    assert not is_stored(other)


def test_p_1_tables_of_four_share_the_schedule_of_tables_of_five_if_their_sizes_are_equal():
    fours = shape_of(
        TERMS.__class__(format=Format.ROUND_ROBIN, seats=4, table_min=2, table_max=10, rounds=3), 16
    )

    assert fours == shape(16)
    assert is_stored(shape(16))


def started(edition):
    world = World(setup(format=Format.ROUND_ROBIN, seats=5, sittings=(Sitting(rounds=3),)), edition=edition)
    world.register(bots=14)
    return world


def test_p_1_a_tournament_of_edition_2_keeps_the_searched_schedule():
    schedules = {}
    for edition in (2, 3):
        world = started(edition)
        assert (shape_to_arrange(world.tournament) is None) is (edition == 3)
        assert edition == 2 or not is_laborious(world.tournament, StartTournament({}))
        world.do(StartTournament({}))
        schedules[edition] = measure(world.tournament.schedule)

    assert is_better(schedules[3], schedules[2])
    assert schedules[3] == measure(stored_for(14))
