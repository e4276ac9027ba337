"""Past balances from counters of spans of time, compared with plain sums."""

from collections import Counter
from random import Random

import pytest

from hoodwink.domain.projections.tallies import SPAN_BITS, counters_before, span_start, tally_counters
from tests.domain.tables.sitting import START

BALANCE = "player:ada|coconut"


@pytest.mark.parametrize("reach_ms", [1, 1_000, 1 << 18, 1 << 24, 1 << 31, 1 << 40])
@pytest.mark.parametrize("seed", range(5))
def test_spans_add_up_to_the_whole_past(reach_ms, seed):
    chance = Random(seed)
    gained = [(START + chance.randint(0, reach_ms), chance.randint(-9, 9)) for _ in range(300)]
    counters = Counter[str]()
    for at, amount in gained:
        for counter in tally_counters(BALANCE, at):
            counters[counter] += amount
    for moment in (START, START + reach_ms, *(chance.choice(gained)[0] for _ in range(20))):
        expected = sum(amount for at, amount in gained if at < span_start(moment))
        assert sum(counters[counter] for counter in counters_before(BALANCE, moment)) == expected


@pytest.mark.parametrize("at", [0, START, START + (1 << 36), (1 << 41) - 1])
def test_few_counters_hold_any_history(at):
    counters = counters_before(BALANCE, at)
    assert len(counters) == len(set(counters)) <= (at >> SPAN_BITS[0]) + 15 * (len(SPAN_BITS) - 1)


@pytest.mark.parametrize("at", [START, START + 1, START + (1 << 18)])
def test_the_remainder_is_below_the_shortest_span(at):
    assert 0 <= at - span_start(at) < 1 << SPAN_BITS[-1]
