"""The matching behind two-seat Swiss pairings, compared with all possible matchings."""

import random
from functools import cache

import pytest

from hoodwink.domain.tournaments.pairing.dutch.matching import heaviest_matching


def heaviest_by_trying(weights):
    """Returns the greatest total weight, by trying every matching."""

    @cache
    def heaviest(left):
        if not left:
            return 0
        first = left & -left
        i, rest = first.bit_length() - 1, left ^ first
        pairs = (weight + heaviest(rest ^ 1 << j) for j, weight in weights[i].items() if rest >> j & 1)
        return max([heaviest(rest), *pairs])

    return heaviest((1 << len(weights)) - 1)


def random_graph(chance, most):
    size, density = chance.randint(0, most), chance.choice([0.2, 0.4, 0.7, 1])
    heaviest = chance.choice([1, 2, 3, 6, 30, 10**40])
    weights: list[dict[int, int]] = [{} for _ in range(size)]
    for i in range(size):
        for j in range(i):
            if chance.random() < density:
                weights[i][j] = weights[j][i] = chance.randint(1, heaviest)
    return weights


def total(weights, mates):
    assert all(mate < 0 or (mates[mate] == i and mate in weights[i]) for i, mate in enumerate(mates))
    return sum(weights[i][mate] for i, mate in enumerate(mates) if mate > i)


def highest(weights):
    return [max(row.values(), default=0) for row in weights]


@pytest.mark.parametrize("seed", range(20))
def test_a_matching_has_maximum_weight(seed):
    chance = random.Random(seed)
    for _ in range(60):
        weights = random_graph(chance, 11)
        found = heaviest_matching(weights, highest(weights))
        assert total(weights, found) == heaviest_by_trying(weights)


@pytest.mark.parametrize("seed", range(10))
def test_a_matching_has_maximum_weight_from_any_start(seed):
    chance = random.Random(seed)
    for _ in range(60):
        weights = random_graph(chance, 11)
        start = [number + chance.randint(0, 2 * number + 5) for number in highest(weights)]
        assert total(weights, heaviest_matching(weights, start)) == heaviest_by_trying(weights)


def test_a_sparse_graph_with_equal_weights_has_a_maximum_matching():
    """Long odd cycles on stems: blossoms within blossoms; some must be taken apart again."""
    chance = random.Random(1)
    for _ in range(150):
        size = chance.randint(12, 18)
        weights: list[dict[int, int]] = [{} for _ in range(size)]
        for i in range(size):
            for j in {(i + 1) % size, (i + 2) % size, chance.randrange(size)} - {i}:
                weights[i][j] = weights[j][i] = chance.choice([5, 5, 6, 8])
        found = heaviest_matching(weights, highest(weights))
        assert total(weights, found) == heaviest_by_trying(weights)
