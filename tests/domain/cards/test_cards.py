"""One notation for every card, and the packs that shuffles start from."""

from collections import Counter

import pytest

from hoodwink.domain.cards import (
    HIDDEN,
    JOKER,
    RANKS,
    SUITS,
    InvalidCard,
    build_pack,
    parse_card,
    rank_of,
    suit_of,
)


@pytest.mark.parametrize("card", [*build_pack(), JOKER])
def test_a_card_is_its_written_face(card):
    assert parse_card(str(card)) == card
    assert rank_of(card) + suit_of(card) == card


@pytest.mark.parametrize("suit", SUITS)
def test_a_ten_may_be_written_with_two_digits(suit):
    assert parse_card("10" + suit) == "T" + suit


@pytest.mark.parametrize("text", ["", "1S", "11S", "10", "TX", "as", "AS ", HIDDEN, "JKS", "🂡"])
def test_other_text_is_not_a_card(text):
    with pytest.raises(InvalidCard, match=r"^" + text.replace("?", r"\?") + r"$"):
        parse_card(text)


def test_a_joker_has_its_own_rank_and_no_suit():
    assert (rank_of(JOKER), suit_of(JOKER)) == ("JK", "")


def test_a_pack_runs_from_clubs_to_spades_and_from_2_to_ace():
    assert build_pack() == tuple(rank + suit for suit in SUITS for rank in RANKS)


def test_packs_follow_each_other_and_jokers_come_last():
    assert build_pack(packs=2, jokers=3) == (*build_pack(), *build_pack(), JOKER, JOKER, JOKER)
    assert Counter(build_pack(packs=3)).most_common(1) == [("2C", 3)]
    assert len(build_pack()) == len(set(build_pack())) == 52
