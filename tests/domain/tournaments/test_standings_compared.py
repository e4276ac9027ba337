"""Standings compared with FIDE's own tie-break checker (K-3) and with a slow referee (K-4).

`python -m tests.domain.tournaments.compare` compares as many tournaments as one likes.
"""

import random

import pytest

from tests.domain.tournaments.compare import differences_from_fide, differences_from_referee
from tests.domain.tournaments.random_crosstables import (
    league_of_few,
    of_many,
    round_robin_of_two,
    swiss_of_two,
)
from tests.seeds import chunks


@pytest.mark.parametrize("seeds", chunks(40, 20, first=20))
def test_k_3_a_swiss_of_two_equals_fides_checker_after_every_round(seeds):
    for seed in seeds:
        assert differences_from_fide(swiss_of_two(random.Random(seed))) == [], seed


@pytest.mark.parametrize("seeds", chunks(20, 10, first=10))
def test_k_3_a_round_robin_of_two_equals_fides_checker_after_every_round(seeds):
    for seed in seeds:
        assert differences_from_fide(round_robin_of_two(random.Random(seed))) == [], seed


@pytest.mark.parametrize("seeds", chunks(40, 20, first=20))
def test_k_2_k_4_t_20_tables_of_many_equal_the_slow_referee(seeds):
    for seed in seeds:
        assert differences_from_referee(of_many(random.Random(seed))) == [], seed


@pytest.mark.parametrize("seeds", chunks(20, 10, first=10))
def test_k_2_direct_encounters_of_many_equal_the_slow_referee(seeds):
    for seed in seeds:
        assert differences_from_referee(league_of_few(random.Random(seed))) == [], seed
