"""The function from ratings and places to new ratings (R-2), equal to that of openskill to the last stored digit."""

import hashlib
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart

from domain.ratings import MILLION, NEWCOMER, Rating, rated
from domain.ratings.arithmetic import logistic
from domain.ratings.model import BETA, TAU

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
    model = BradleyTerryPart(
        beta=BETA / MILLION, tau=TAU / MILLION, gamma=lambda *_: 1.0, window_size=len(before)
    )
    teams = [[model.create_rating([rating.mu / MILLION, rating.sigma / MILLION])] for rating in before]
    return [player for (player,) in model.rate(teams, ranks=[float(place) for place in places])]


@given(TABLES)
def test_r_2_equals_openskill_to_a_millionth(table):
    before, places = table
    for ours, theirs in zip(rated(before, places), by_openskill(before, places), strict=True):
        assert abs(ours.mu - theirs.mu * MILLION) <= 0.51
        assert abs(ours.sigma - theirs.sigma * MILLION) <= 0.51


def test_r_2_the_digits_of_a_long_season_are_the_same_everywhere():
    chance = Random(2)
    players = [NEWCOMER] * 20
    for _ in range(2_000):
        seats = chance.sample(range(20), chance.randint(2, 10))
        places = [chance.randint(1, len(seats)) for _ in seats]
        for player, after in zip(seats, rated([players[seat] for seat in seats], places), strict=True):
            players[player] = after
    digits = " ".join(f"{rating.mu} {rating.sigma}" for rating in players)
    assert hashlib.sha256(digits.encode()).hexdigest()[:16] == "f55166c01b31e6c2"


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


def test_r_2_a_surprise_moves_more_than_what_was_expected():
    strong, weak = Rating(30 * MILLION, 2 * MILLION), Rating(20 * MILLION, 2 * MILLION)
    expected, _ = rated([strong, weak], [1, 2])
    surprised, _ = rated([strong, weak], [2, 1])
    assert strong.mu - surprised.mu > 4 * (expected.mu - strong.mu) > 0


def test_r_5_the_ordinal_is_what_a_player_is_very_likely_worth():
    assert NEWCOMER.ordinal == 1
    assert Rating(30 * MILLION, 2 * MILLION).ordinal == 24 * MILLION


def test_r_2_no_table_makes_anybody_certain():
    after, _ = rated([Rating(0, 900 * MILLION), Rating(0, 1)], [1, 2])
    assert after.sigma >= 9 * MILLION


@given(st.floats(-45, 45))
def test_r_2_the_logistic_function_is_true_to_twelve_digits(x):
    assert logistic(x) == pytest.approx(1 / (1 + math.exp(-x)), abs=1e-12)
    assert logistic(x) + logistic(-x) == pytest.approx(1, abs=1e-15)
