"""Local search by swaps."""

from collections import Counter
from itertools import combinations, islice
from random import Random

from hoodwink.domain.tournaments.pairing.search import Plateau, improve, words


class Row:
    """Numbers in a row; the cost is how far each of them is from its place."""

    def __init__(self, numbers):
        self.numbers = list(numbers)
        self.cost = self._cost(self.numbers)
        self.swaps = 0
        self.best = list(self.numbers)

    def _cost(self, numbers):
        return sum(abs(number - position) for position, number in enumerate(numbers))

    def proposals(self, seed):
        for word in words(seed):
            yield word % len(self.numbers), (word >> 8) % len(self.numbers)

    def _swapped(self, one, other):
        numbers = list(self.numbers)
        numbers[one], numbers[other] = numbers[other], numbers[one]
        return numbers

    def delta(self, one, other):
        return self._cost(self._swapped(one, other)) - self.cost

    def swap(self, one, other):
        self.numbers = self._swapped(one, other)
        self.cost = self._cost(self.numbers)
        self.swaps += 1

    def remember(self):
        self.best = list(self.numbers)


def reversed_row():
    return Row(range(19, -1, -1))


def test_p_5_search_finds_the_arrangement_of_least_cost_and_stops_there():
    row = reversed_row()
    improve(row, steps=200_000, memory=10, seed=1, target=0)
    assert row.best == list(range(20))
    assert row.cost == 0


def test_p_5_search_takes_the_same_steps_for_the_same_seed():
    once, again, otherwise = (reversed_row() for _ in range(3))
    for row, seed in ((once, 7), (again, 7), (otherwise, 8)):
        improve(row, steps=60, memory=5, seed=seed, target=-1)
    assert once.numbers == again.numbers
    assert once.numbers != otherwise.numbers


def test_p_5_search_is_bounded_by_its_steps():
    row = reversed_row()
    improve(row, steps=0, memory=5, seed=1, target=0)
    assert row.swaps == 0
    row = Row([0, 0])  # no swap costs anything, so that every swap is made
    improve(row, steps=130, memory=5, seed=1, target=-1)
    assert row.swaps <= 10


def test_p_5_search_remembers_the_best_and_not_the_last_arrangement():
    row = reversed_row()
    improve(row, steps=3_000, memory=400, seed=3, target=-1)
    assert Row(row.best).cost <= row.cost


class Boxes(Row):
    """Nine numbers in boxes of three, and a price for each two that share a box."""

    def __init__(self, prices):
        self.prices = prices
        self.evaluated = 0
        super().__init__(range(9))
        self.swaps = 9 * 6

    def proposals(self, seed):
        for one, other in super().proposals(seed):
            yield (one, one) if one // 3 == other // 3 else (one, other)

    def _cost(self, numbers):
        pairs = (
            pair for box in (numbers[:3], numbers[3:6], numbers[6:]) for pair in combinations(sorted(box), 2)
        )
        return sum(self.prices[pair] for pair in pairs)

    def delta(self, one, other):
        self.evaluated += 1
        return super().delta(one, other)

    def swap(self, one, other):
        self.numbers = self._swapped(one, other)
        self.cost = self._cost(self.numbers)

    def occupancy(self):
        return tuple(self.numbers)


def test_p_5_search_of_a_plateau_ends_early_with_the_same_result():
    chance, evaluated = Random(1), Counter[str]()
    for seed in range(20):
        prices = {pair: chance.randrange(5) for pair in combinations(range(9), 2)}
        whole, short = Boxes(prices), Boxes(prices)
        # No arrangement reaches the target.
        improve(whole, steps=4_000, memory=3, seed=seed, target=-1)
        improve(short, steps=4_000, memory=3, seed=seed, target=-1, plateau=Plateau(short))
        assert short.best == whole.best
        evaluated.update(whole=whole.evaluated, short=short.evaluated)
    assert evaluated["short"] < evaluated["whole"] / 2


def test_words_follow_from_the_seed_and_cover_their_range():
    drawn = list(islice(words(5), 1000))
    assert drawn == list(islice(words(5), 1000))
    assert all(0 <= word < 1 << 31 for word in drawn)
    assert {word % 8 for word in drawn} == set(range(8))
