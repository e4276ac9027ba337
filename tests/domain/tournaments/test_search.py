"""Local search by swaps."""

from itertools import islice

from hoodwink.domain.tournaments.pairing.search import improve, words


class Row:
    """Numbers in a row; the cost is how far each of them is from its place."""

    def __init__(self, numbers):
        self.numbers = list(numbers)
        self.cost = self._cost(self.numbers)
        self.swaps = 0
        self.best = list(self.numbers)

    @staticmethod
    def _cost(numbers):
        return sum(abs(number - position) for position, number in enumerate(numbers))

    def propose(self, word):
        return word % len(self.numbers), (word >> 8) % len(self.numbers)

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


def test_words_follow_from_the_seed_and_cover_their_range():
    drawn = list(islice(words(5), 1000))
    assert drawn == list(islice(words(5), 1000))
    assert all(0 <= word < 1 << 31 for word in drawn)
    assert {word % 8 for word in drawn} == set(range(8))
