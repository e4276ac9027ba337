"""The shuffle against fixed vectors and against a second, plainer reading of its specification."""

import hashlib
import hmac
from collections import Counter

import pytest

from domain.cards import SeededDraws, build_pack, commitment, draw_below, shuffled

ZEROES = "00" * 32
SEEDS = [
    (ZEROES, ("", "")),
    ("0123456789abcdef" * 4, ("ann", "", "höö")),
    ("f" * 64, ("1:a,", "2", ",", ":")),
]

# fmt: off
FIRST_DECK = (
    "QH JC KH 8D TD 7S 2D 6C 6S 5D 9H QS AH 4H QC 5S JS 7H 5C 3C 8H TS KD KC JH 7D "
    "3D 2H 6D 9D 8C JD 8S 3H 3S 4S AS 2S 9S 7C QD KS AC 6H TC 4C 4D 9C AD 5H 2C TH"
)
CUT_DECK = (
    "2H KS 6S 8C 5H 9C 5D TS AS JH AC 7H 2D 6C QS 9D KD 3C 5C QC 8S TH JD 7S 4C AH "
    "9S 7C 2S 4H 3D 4S TC 3S 7D QD 9H AD 8D JS TD 6H 2C 8H KC JC 5S QH KH 3H 6D 4D"
)
# fmt: on


class PlainDraws:
    """The specification read step by step: key, blocks, words, rejection, Fisher-Yates."""

    def __init__(self, server_seed, player_seeds, *, edition):
        self.edition = edition
        message = b"".join(b"%d:%s," % (len(seed.encode()), seed.encode()) for seed in player_seeds)
        self.key = hmac.new(server_seed.encode("ascii"), message, hashlib.sha256).digest()

    def words(self, label):
        block = 0
        while True:
            digest = hmac.new(self.key, f"{label}:{block}".encode(), hashlib.sha256).digest()
            for start in (0, 4, 8, 12, 16, 20, 24, 28):
                yield int.from_bytes(digest[start : start + 4], "big")
            block += 1

    def below(self, words, bound):
        while True:
            word = next(words)
            if word < 2**32 // bound * bound:
                return word % bound

    def seat(self, seats):
        return self.below(self.words(f"v{self.edition}:seat:0"), seats)

    def deck(self, pack, number):
        words, cards = self.words(f"v{self.edition}:deck:{number}"), list(pack)
        for last in reversed(range(1, len(cards))):
            other = self.below(words, last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)


def test_the_fixed_vectors_of_edition_1():
    nobody = SeededDraws(ZEROES, ("", ""), edition=1)
    assert [nobody.seat(seats) for seats in (2, 3, 4, 10)] == [1, 1, 3, 9]
    assert nobody.deck(build_pack(), 1) == tuple(FIRST_DECK.split())
    salted = SeededDraws("0123456789abcdef" * 4, ("ann", "", "höö"), edition=1)
    assert [salted.seat(seats) for seats in (2, 3, 4, 10)] == [1, 0, 1, 5]
    assert salted.deck(build_pack(), 0) == tuple(CUT_DECK.split())


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("seeds", SEEDS)
def test_g_12_seats_and_decks_follow_the_specification(seeds, edition):
    draws, plain = SeededDraws(*seeds, edition=edition), PlainDraws(*seeds, edition=edition)
    assert [draws.seat(seats) for seats in range(2, 11)] == [plain.seat(seats) for seats in range(2, 11)]
    for packs, jokers, number in ((1, 0, 0), (1, 2, 1), (2, 0, 2), (4, 8, 20)):
        pack = build_pack(packs=packs, jokers=jokers)
        assert draws.deck(pack, number) == plain.deck(pack, number)


def test_g_6_every_deck_has_a_number_and_is_the_same_each_time_it_is_asked_for():
    draws = SeededDraws(ZEROES, ("", ""), edition=2)
    decks = [draws.deck(build_pack(), number) for number in range(5)]
    assert len(set(decks)) == 5
    assert decks == [draws.deck(build_pack(), number) for number in range(5)]


def test_every_seed_and_its_seat_change_the_deck():
    seeds = [("", ""), ("a", ""), ("", "a"), ("a",), ("a,",), ("1:a",), ("aa", "")]
    assert len({SeededDraws(ZEROES, pair, edition=2).deck(build_pack(), 1) for pair in seeds}) == len(seeds)
    other, own = (SeededDraws(seed, ("", ""), edition=2) for seed in ("11" * 32, ZEROES))
    assert other.deck(build_pack(), 1) != own.deck(build_pack(), 1)


def test_each_edition_has_its_own_decks_and_dealers():
    first, second = (SeededDraws(ZEROES, ("", ""), edition=edition) for edition in (1, 2))
    assert first.deck(build_pack(), 1) != second.deck(build_pack(), 1)
    assert [first.seat(seats) for seats in range(2, 11)] != [second.seat(seats) for seats in range(2, 11)]


def test_a_commitment_is_the_hash_of_the_seed_as_text():
    assert commitment(ZEROES) == "60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55"


def test_a_word_past_the_last_whole_multiple_is_skipped():
    assert draw_below(iter([2**32 - 1, 5]), 3) == 2
    assert draw_below(iter([2**32 - 2]), 3) == 2
    assert draw_below(iter([2**32 - 1]), 2) == 1


def test_a_stream_of_words_that_ends_raises_an_error():
    with pytest.raises(AssertionError):
        draw_below(iter([2**32 - 1]), 3)


def test_a_shuffle_swaps_from_the_last_index_down_to_1():
    assert shuffled("abcd", iter([0, 0, 0])) == ("b", "c", "d", "a")
    assert shuffled("abcd", iter([3, 2, 1])) == ("a", "b", "c", "d")
    assert shuffled("a", iter([])) == ("a",)


def test_every_order_of_a_few_cards_comes_up_about_equally_often():
    draws = SeededDraws(ZEROES, (), edition=2)
    orders = Counter(draws.deck(build_pack()[:3], number) for number in range(6000))
    assert len(orders) == 6
    assert all(850 < times < 1150 for times in orders.values())
