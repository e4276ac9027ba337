"""The function from ratings and places to new ratings (R-2), with the formulas of openskill to the last stored digit."""

import hashlib
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart

from hoodwink.domain.ratings import DAY_MS, MILLION, NEWCOMER, Rating, aged, rated
from hoodwink.domain.ratings.arithmetic import logistic
from hoodwink.domain.ratings.model import BETA, TAU

RATINGS = st.builds(
    Rating, st.integers(-40 * MILLION, 90 * MILLION), st.integers(MILLION // 10, NEWCOMER.sigma)
)
TABLES = st.integers(2, 10).flatmap(
    lambda seats: st.tuples(
        st.lists(RATINGS, min_size=seats, max_size=seats),
        st.lists(st.integers(1, seats), min_size=seats, max_size=seats),
    )
)


def by_openskill(before, places):
    """Returns openskill's ratings, with the weight of as many comparisons as the table is worth for their mean."""
    weight = 3 * (len(before) - 1) / (len(before) + 1)
    model = BradleyTerryPart(
        beta=BETA / MILLION, tau=TAU / MILLION, gamma=lambda *_: weight, window_size=len(before)
    )
    teams = [[model.create_rating([rating.mu / MILLION, rating.sigma / MILLION])] for rating in before]
    found = [player for (player,) in model.rate(teams, ranks=[float(place) for place in places])]
    return [
        (rating.mu + weight * (after.mu * MILLION - rating.mu), after.sigma * MILLION)
        for rating, after in zip(before, found, strict=True)
    ]


@given(TABLES)
def test_r_2_equals_openskill_to_a_millionth_apart_from_seat_weights(table):
    before, places = table
    for ours, (mu, sigma) in zip(rated(before, places), by_openskill(before, places), strict=True):
        assert abs(ours.mu - mu) <= 0.51
        assert abs(ours.sigma - sigma) <= 0.51


@given(TABLES, st.data())
def test_r_6_an_omitted_comparison_equals_a_smaller_table_for_that_seat(table, data):
    before, places = table
    seat = data.draw(st.integers(0, len(before) - 1))
    opponent = data.draw(st.integers(0, len(before) - 1).filter(lambda other: other != seat))
    after = rated(before, places, {(seat, opponent)})
    others = [other for other in range(len(before)) if other != opponent]
    smaller = rated([before[other] for other in others], [places[other] for other in others])
    assert [after[other] == rating for other, rating in enumerate(rated(before, places))].count(False) <= 1
    if len(before) > 2:
        assert abs(after[seat].mu - smaller[others.index(seat)].mu) <= 1
        assert abs(after[seat].sigma - smaller[others.index(seat)].sigma) <= 1


@given(RATINGS, st.integers(0, 10**14))
def test_r_2_sigma_grows_with_each_idle_day_up_to_that_of_a_newcomer(rating, idle_ms):
    days = idle_ms // DAY_MS
    grown = aged(rating, idle_ms)
    assert grown.mu == rating.mu
    assert rating.sigma <= grown.sigma <= NEWCOMER.sigma
    if grown.sigma < NEWCOMER.sigma:
        assert abs(grown.sigma - math.sqrt(rating.sigma**2 + days * TAU**2)) <= 0.51
    assert aged(rating, days * DAY_MS) == grown


def test_r_2_a_clock_set_back_does_not_lower_sigma():
    assert aged(Rating(MILLION, MILLION), -5 * DAY_MS) == Rating(MILLION, MILLION)


def test_r_2_the_digits_of_a_long_season_are_the_same_everywhere():
    chance = Random(2)
    players = [NEWCOMER] * 20
    for _ in range(2_000):
        seats = chance.sample(range(20), chance.randint(2, 10))
        places = [chance.randint(1, len(seats)) for _ in seats]
        for player, after in zip(seats, rated([players[seat] for seat in seats], places), strict=True):
            players[player] = after
    digits = " ".join(f"{rating.mu} {rating.sigma}" for rating in players)
    assert hashlib.sha256(digits.encode()).hexdigest()[:16] == "575b365dfaef55dc"


@given(TABLES, st.randoms())
def test_r_2_the_order_of_the_seats_changes_no_rating(table, chance):
    before, places = table
    order = list(range(len(before)))
    chance.shuffle(order)
    after = rated(before, places)
    shuffled = rated([before[seat] for seat in order], [places[seat] for seat in order])
    for seat, rating in zip(order, shuffled, strict=True):
        assert abs(rating.mu - after[seat].mu) <= 1
        assert abs(rating.sigma - after[seat].sigma) <= 1


def test_r_2_equal_players_are_separated_by_their_places_alone():
    first, second, third, last = rated([NEWCOMER] * 4, [1, 2, 2, 4])
    assert first.mu > second.mu == third.mu == NEWCOMER.mu > last.mu
    assert first.mu - NEWCOMER.mu == NEWCOMER.mu - last.mu
    assert {first.sigma, second.sigma, third.sigma, last.sigma} == {first.sigma}
    assert first.sigma < NEWCOMER.sigma


def test_r_2_a_surprise_moves_more_than_an_expected_result():
    strong, weak = Rating(30 * MILLION, 2 * MILLION), Rating(20 * MILLION, 2 * MILLION)
    expected, _ = rated([strong, weak], [1, 2])
    surprised, _ = rated([strong, weak], [2, 1])
    assert strong.mu - surprised.mu > 4 * (expected.mu - strong.mu) > 0


def test_r_5_the_ordinal_is_mu_minus_three_sigma():
    assert NEWCOMER.ordinal == 1
    assert Rating(30 * MILLION, 2 * MILLION).ordinal == 24 * MILLION


def test_r_2_one_table_never_removes_all_uncertainty():
    after, _ = rated([Rating(0, 900 * MILLION), Rating(0, 1)], [1, 2])
    assert after.sigma >= 9 * MILLION


@given(st.floats(-45, 45))
def test_r_2_the_logistic_function_is_accurate_to_twelve_digits(x):
    assert logistic(x) == pytest.approx(1 / (1 + math.exp(-x)), abs=1e-12)
    assert logistic(x) + logistic(-x) == pytest.approx(1, abs=1e-15)
