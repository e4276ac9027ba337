"""The measure by which schedules are compared with those of krcg."""

import pytest

from hoodwink.domain.tournaments.pairing.round_robin import schedule_of
from tests.tournaments.krcg import PUBLISHED, measure
from tests.tournaments.play import draw_of
from tests.tournaments.schedule_quality import TERMS, faults

# Three of the schedules that `PUBLISHED` was counted in.
OF_8 = (
    ((1, 2, 3, 4), (5, 6, 7, 8)),
    ((2, 4, 5, 7), (3, 8, 6, 1)),
    ((7, 1, 8, 2), (6, 5, 4, 3)),
)
OF_9 = (
    ((1, 2, 3, 4, 5), (6, 7, 8, 9)),
    ((9, 1, 5, 2, 7), (4, 3, 6, 8)),
    ((7, 4, 2, 6, 1), (8, 5, 9, 3)),
)
OF_16 = (
    ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)),
    ((4, 8, 10, 15), (12, 7, 13, 1), (2, 5, 14, 9), (3, 16, 6, 11)),
    ((14, 12, 8, 3), (6, 9, 4, 13), (10, 1, 16, 5), (11, 15, 2, 7)),
)


def test_p_5_the_measure_of_published_schedules():
    for players, schedule in ((8, OF_8), (9, OF_9), (16, OF_16)):
        found = measure(schedule)
        assert (found.r1, found.r5, found.r6, found.r7) == (0, 0, 0, 0)
        assert (found.r2, found.r4) == PUBLISHED.get(players, (0, 0))
    assert measure(OF_9).r3 == pytest.approx(0.3143, abs=1e-4)
    assert measure(OF_9).r9 == 6


def test_p_5_the_measure_of_one_round_played_three_times():
    found = measure([[(1, 2, 3, 4, 5)]] * 3)
    assert found.r1 == 5
    assert (found.r2, found.r4, found.r6, found.r9) == (10, 10, 10, 10)
    assert (found.r5, found.r7) == (1, 5)
    assert found.r3 == 0
    assert found.r8 == pytest.approx((1.36) ** 0.5)  # of 1, 2, 3, 4, 4


@pytest.mark.parametrize(
    "entrants",
    [8, 9, 60, *(pytest.param(more, marks=pytest.mark.campaign) for more in (10, 12, 14, 17, 20, 24))],
)
def test_p_5_fixed_schedules_meet_the_krcg_criteria(entrants):
    found = measure(schedule_of(TERMS, entrants, draw_of("krcg", 1), may_be_stored=False))
    assert list(faults(entrants, found)) == []


def test_p_5_a_schedule_that_misses_a_criterion_is_found():
    found = measure([*OF_9[:2], OF_9[0]])
    assert {fault.split()[0] for fault in faults(9, found)} >= {"R1", "R6", "R7"}
