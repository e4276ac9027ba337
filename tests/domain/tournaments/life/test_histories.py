"""Whatever people, organisers and tables do, a tournament never gets stuck and loses nothing (T-15)."""

import pytest

from tests.tournaments.histories import History


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_t_15_random_histories_end_and_hold_what_must_always_hold(first):
    for seed in range(first, first + 20):
        History(seed).run()
