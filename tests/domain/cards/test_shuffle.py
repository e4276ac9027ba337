"""The shuffle against fixed vectors and against a second, plainer reading of its specification."""

import hashlib
import hmac
from collections import Counter

import pytest

from hoodwink.domain.cards import SeededDraws, build_pack, commitment, draw_below, shuffled

ZEROES = "00" * 32
SEEDS = [
    (ZEROES, ("", "")),
    ("0123456789abcdef" * 4, ("ann", "", "höö")),
    ("f" * 64, ("1:a,", "2", ",", ":")),
]

# fmt: off
DEALERS = [0, 2, 2, 4]
FIRST_DECK = (
    "2C KS 5S TC JS AH 9C AC 5H 6H 3C 8D JC QS 2H 2D 8S TD 3D KH 3H 7S 9D 5C QC 8H "
    "AS KC 6D QH 3S 7D 4H 5D 8C JH QD 4S KD 4D 7C 6S AD 9H TS 9S 7H 6C TH JD 2S 4C"
)
SALTED_DEALERS = [0, 0, 2, 4]
CUT_DECK = (
    "2D QH 7S 2S AS JS 6S 9D 5C KH AH 2C 7C 8S 7D 5S KS 8C 8D QD JD KC 5H 7H 6D 9C "
    "6C JC 4S TH TD 8H 5D 3S TC 4D TS 9S 3H 4C 2H QS JH 3C 9H AD 6H KD 3D QC AC 4H"
)
# fmt: on


class PlainDraws:
    """The specification read step by step: key, blocks, words, rejection, Fisher-Yates."""

    def __init__(self, server_seed, player_seeds):
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
        return self.below(self.words("v2:seat:0"), seats)

    def deck(self, pack, number):
        words, cards = self.words(f"v2:deck:{number}"), list(pack)
        for last in reversed(range(1, len(cards))):
            other = self.below(words, last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)


def test_shuffles_match_the_fixed_vectors():
    nobody = SeededDraws(ZEROES, ("", ""))
    assert [nobody.seat(seats) for seats in (2, 3, 4, 10)] == DEALERS
    assert nobody.deck(build_pack(), 1) == tuple(FIRST_DECK.split())
    salted = SeededDraws("0123456789abcdef" * 4, ("ann", "", "höö"))
    assert [salted.seat(seats) for seats in (2, 3, 4, 10)] == SALTED_DEALERS
    assert salted.deck(build_pack(), 0) == tuple(CUT_DECK.split())


@pytest.mark.parametrize("seeds", SEEDS)
def test_g_12_seats_and_decks_follow_the_specification(seeds):
    draws, plain = SeededDraws(*seeds), PlainDraws(*seeds)
    assert [draws.seat(seats) for seats in range(2, 11)] == [plain.seat(seats) for seats in range(2, 11)]
    for packs, jokers, number in ((1, 0, 0), (1, 2, 1), (2, 0, 2), (4, 8, 20)):
        pack = build_pack(packs=packs, jokers=jokers)
        assert draws.deck(pack, number) == plain.deck(pack, number)


def test_g_6_a_deck_number_always_gives_the_same_deck():
    draws = SeededDraws(ZEROES, ("", ""))
    decks = [draws.deck(build_pack(), number) for number in range(5)]
    assert len(set(decks)) == 5
    assert decks == [draws.deck(build_pack(), number) for number in range(5)]


def test_every_seed_and_its_seat_change_the_deck():
    seeds = [("", ""), ("a", ""), ("", "a"), ("a",), ("a,",), ("1:a",), ("aa", "")]
    assert len({SeededDraws(ZEROES, pair).deck(build_pack(), 1) for pair in seeds}) == len(seeds)
    other, own = (SeededDraws(seed, ("", "")) for seed in ("11" * 32, ZEROES))
    assert other.deck(build_pack(), 1) != own.deck(build_pack(), 1)


def test_a_commitment_is_the_hash_of_the_seed_as_text():
    assert commitment(ZEROES) == "60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55"


def test_a_word_past_the_last_whole_multiple_is_skipped():
    assert draw_below(iter([2**32 - 1, 5]), 3) == 2
    assert draw_below(iter([2**32 - 2]), 3) == 2
    assert draw_below(iter([2**32 - 1]), 2) == 1


def test_an_exhausted_word_stream_raises():
    with pytest.raises(AssertionError):
        draw_below(iter([2**32 - 1]), 3)


def test_a_shuffle_swaps_from_the_last_index_down_to_1():
    assert shuffled("abcd", iter([0, 0, 0])) == ("b", "c", "d", "a")
    assert shuffled("abcd", iter([3, 2, 1])) == ("a", "b", "c", "d")
    assert shuffled("a", iter([])) == ("a",)


def test_orders_of_a_few_cards_are_equally_frequent():
    draws = SeededDraws(ZEROES, ())
    orders = Counter(draws.deck(build_pack()[:3], number) for number in range(6000))
    assert len(orders) == 6
    assert all(850 < times < 1150 for times in orders.values())
