"""Shithead: legal plays and their effects."""

import pytest

from hoodwink.domain.cards import Card
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.actions import PickUp
from hoodwink.domain.games.shithead.events import BlindCardFailed, BlindCardPlayed
from hoodwink.domain.kernel import CardChoice, RuleViolation
from tests.domain.games.shithead_table import (
    PICK_UP,
    after,
    can,
    cards,
    events_of,
    flip,
    joker,
    pick_up,
    play,
    redact,
    refusal,
    table,
)

SEQUENTIAL = list("45679JQKA")
POWER = list("238T")


def playable(pile, **options):
    """Returns the ranks that may be played as a single card from a hand on the pile."""
    hand = " ".join(f"{rank}H" for rank in (*POWER, *SEQUENTIAL))
    state = table(hand, "KD", pile=pile, options=options)
    return {rank for rank in (*POWER, *SEQUENTIAL) if can(state, 0, play(f"{rank}H"))}


def upwards(rank):
    return {*POWER, *SEQUENTIAL[SEQUENTIAL.index(rank) :]}


ALL = {*POWER, *SEQUENTIAL}
BELOW_SEVEN = {*POWER, "4", "5", "6"}


@pytest.mark.parametrize("rank", [rank for rank in SEQUENTIAL if rank != "7"])
def test_sh_8_equal_or_higher_or_a_power_card(rank):
    assert playable(f"{rank}S") == upwards(rank)


def test_sh_8_sh_20_a_six_needs_no_higher_card_and_may_follow_an_equal_one():
    assert can(table("6C", "KD", pile="6S"), 0, play("6C"))


@pytest.mark.parametrize("zone", [{"face_up": ["9C 9D"]}, {"blind": ["9C - -"]}])
def test_sh_9_face_up_and_blind_cards_may_be_equal(zone):
    state = table("", "KD", pile="9S", **zone)
    action = play("9C") if "face_up" in zone else flip(0)
    assert after(state, (0, action)).pile == cards("9S 9C")


def test_sh_9_sh_51_face_up_strict_asks_for_a_higher_face_up_card():
    strict = {"face_up_strict": True}
    state = table("", "KD", face_up=["9C JC 2D"], pile="9S", options=strict)
    assert refusal(state, 0, play("9C")) == "not_playable"
    assert can(state, 0, play("JC"))
    assert can(state, 0, play("2D"))
    assert can(table("9C", "KD", pile="9S", options=strict), 0, play("9C"))
    assert events_of(table("", "KD", blind=["9C"], pile="9S", options=strict), 0, flip(0)) == (
        BlindCardPlayed(0, 0, Card("9C")),
    )


def test_sh_51_completing_four_stays_allowed_under_face_up_strict():
    strict = {"face_up_strict": True}
    state = table("", "KD", face_up=["9C 9D JC"], pile="4C 9S 9H", options=strict)
    assert refusal(state, 0, play("9C")) == "not_playable"
    assert after(state, (0, play("9C 9D"))).pile == ()


def test_sh_51_seven_allows_seven_also_for_strict_face_up_cards():
    both = {"face_up_strict": True, "seven_allows_seven": True}
    assert can(table("", "KD", face_up=["7C"], pile="7S", options=both), 0, play("7C"))
    assert not can(
        table("", "KD", face_up=["7C 4C"], pile="7S", options={"face_up_strict": True}), 0, play("7C")
    )


def test_sh_10_the_ace_is_highest():
    assert playable("AS") == {*POWER, "A"}


def test_sh_11_one_or_more_cards_of_one_rank():
    state = table("5H 5D 5S 6C", "KD", pile="4S")
    assert GAME.legal_actions(state, 0, 0) == (
        CardChoice(type="play", cards=cards("5H 5D 5S"), at_least=1, at_most=3),
        play("6C"),
    )
    assert refusal(state, 0, play("5H 6C")) == "mixed_ranks"
    assert refusal(state, 0, play("")) == "no_cards"
    assert refusal(state, 0, play("5H 5H")) == "card_not_held"


def test_sh_11_two_packs_allow_more_than_four():
    state = table("5H 5D 5S 5C 5C 6D", "KD", pile="4S", options={"decks": 2})
    assert after(state, (0, play("5H 5D 5S 5C 5C"))).hands[0] == cards("6D")


def test_sh_11_sh_35_zones_are_never_mixed():
    state = table("5H", "KD", face_up=["5D"], blind=["5S"], pile="4S")
    assert refusal(state, 0, play("5H 5D")) == "card_not_held"
    assert refusal(state, 0, play("5D")) == "card_not_held"
    assert refusal(state, 0, flip(0)) == "wrong_zone"
    assert refusal(table("", "KD", blind=["5S"]), 0, play("5S")) == "wrong_zone"


def test_sh_48_cards_lie_in_the_order_named():
    assert after(table("5H 5D 6C", "KD"), (0, play("5D 5H"))).pile == cards("5D 5H")


def test_sh_12_anything_follows_a_two_and_the_next_player_plays_it():
    assert playable("KS 2S") == ALL
    assert after(table("2C 4C", "KD", "KH", pile="KS"), (0, play("2C"))).to_move == 1


def test_sh_13_anything_follows_a_three_which_is_not_seen_through():
    assert playable("KS 3S") == ALL


@pytest.mark.parametrize(("threes", "mover"), [("3C", 2), ("3C 3D", 3), ("3C 3D 3H", 0)])
def test_sh_14_each_three_skips_one(threes, mover):
    state = table("3C 3D 3H 9C", "KD", "KH", "KS", pile="AS")
    assert after(state, (0, play(threes))).to_move == mover


def test_sh_14_sh_60_no_more_than_all_others_still_in_are_skipped():
    assert after(table("3C 3D 3H 9C", "KD", "KH"), (0, play("3C 3D 3H"))).to_move == 0
    assert after(table("3C 3D 3H 9C", "", "KH", "KS"), (0, play("3C 3D 3H"))).to_move == 0


def test_sh_14_sh_60_one_skip_a_play_without_stack_threes():
    state = table("3C 3D 9C", "KD", "KH", "KS", options={"stack_threes": False})
    assert after(state, (0, play("3C 3D"))).to_move == 2


def test_sh_14_skips_count_in_the_current_direction():
    state = table("3C 9C", "KD", "KH", "KS", direction=-1)
    assert after(state, (0, play("3C"))).to_move == 2


def test_sh_14_players_who_are_out_are_not_counted():
    state = table("3C 9C", "", "KH", "KS", finished=(1,))
    assert after(state, (0, play("3C"))).to_move == 3


def test_sh_15_with_two_players_a_three_gives_another_go():
    assert after(table("3C 3D 9C", "KD"), (0, play("3C"))).to_move == 0
    assert after(table("3C 3D 9C", "KD"), (0, play("3C 3D"))).to_move == 0


@pytest.mark.parametrize(("fives", "once", "mover"), [("5C", 3, 3), ("5C 5D", 3, 1), ("5C 5D 5H", 3, 3)])
def test_sh_16_each_five_reverses_or_each_play_does(fives, once, mover):
    hands = ("5C 5D 5H 9C", "KD", "KH", "KS")
    assert after(table(*hands), (0, play(fives))).to_move == mover
    state = after(table(*hands, options={"stack_fives": "once"}), (0, play(fives)))
    assert (state.to_move, state.direction) == (once, -1)


def test_sh_16_the_direction_stays_reversed_until_the_next_five():
    state = after(table("5C 9C", "6D KD", "6H 5H", pile=""), (0, play("5C")), (2, play("6H")))
    assert state.to_move == 1
    state = after(
        table("9C KC", "KD 6D", "5H 6H", direction=-1), (0, play("9C")), (2, PICK_UP), (2, play("5H"))
    )
    assert (state.direction, state.to_move) == (1, 0)


def test_sh_16_a_five_changes_nothing_with_two_players_left():
    state = after(table("5C 9C", "", "KH"), (0, play("5C")))
    assert (state.direction, state.to_move) == (1, 2)


@pytest.mark.parametrize("rule", ["parity", "once"])
@pytest.mark.parametrize(("direction", "following"), [(1, 2), (-1, 0)])
def test_sh_16_a_player_brought_back_finds_the_direction_unchanged(rule, direction, following):
    state = table("5C 9C", "", "JK KH", direction=direction, pile="4S", options={"stack_fives": rule})
    state = after(state, (0, play("5C")), (2, joker(1)), (1, play("4S")))
    assert (state.direction, state.finished, state.to_move) == (direction, (), following)


def test_sh_17_sh_18_lower_than_seven_or_a_power_card_on_a_seven():
    assert playable("4S 7S") == BELOW_SEVEN


def test_sh_17_seven_on_seven_as_an_option():
    assert playable("4S 7S", seven_allows_seven=True) == {*BELOW_SEVEN, "7"}


@pytest.mark.parametrize(
    ("hand", "pile", "options", "said"),
    [
        ("4C", "9S", {}, "Match or beat the 9 on the pile, or play a 2, 3, 8, 10 or Joker."),
        (
            "4C",
            "9S 8S",
            {"face_up_strict": True},
            "Match or beat the 9 on the pile, or play a 2, 3, 8, 10 or Joker.",
        ),
        ("", "4S", {"face_up_strict": True}, "Beat the 4 on the pile, or play a 2, 3, 8, 10 or Joker."),
        ("9C", "7S", {}, "Go below the 7 on the pile, or play a 2, 3, 8, 10 or Joker."),
        (
            "9C",
            "7S",
            {"seven_allows_seven": True},
            "Match the 7 on the pile or go below it, or play a 2, 3, 8, 10 or Joker.",
        ),
    ],
)
def test_sh_8_sh_17_sh_51_a_refusal_states_the_requirement_of_the_pile(hand, pile, options, said):
    state = table(hand, "KD", face_up=("4D", ""), pile=pile, options=options)

    with pytest.raises(RuleViolation) as refused:
        GAME.decide(state, 0, play(hand or "4D"), 0)

    assert (refused.value.code, refused.value.detail) == ("not_playable", said)


def test_sh_19_the_fourth_seven_may_complete_three():
    state = table("7H 4C", "KD", pile="4S 7S 7C 7D")
    assert after(state, (0, play("7H"))).pile == ()
    assert refusal(table("7H 4C", "KD", pile="7S 7C"), 0, play("7H")) == "not_playable"


def test_sh_19_only_as_many_sevens_as_complete_four():
    state = table("7H 7D 9C", "KD", pile="7S 7C")
    assert GAME.legal_actions(state, 0, 0) == (
        CardChoice(type="play", cards=cards("7H 7D"), at_least=2, at_most=2),
    )
    assert refusal(state, 0, play("7H")) == "not_playable"


def test_sh_19_sevens_playable_anyway_are_listed_once():
    state = table("9C 9D", "KD", pile="9H 9S")
    assert GAME.legal_actions(state, 0, 0) == (
        CardChoice(type="play", cards=cards("9C 9D"), at_least=1, at_most=2),
    )


def test_sh_19_a_flipped_seven_may_complete_four():
    assert after(table("", "KD", blind=["7H 4C"], pile="7S 7C 7D"), (0, flip(0))).pile == ()


def test_sh_20_a_four_and_a_five_may_follow_a_seven():
    assert {"4", "5", "6"} <= playable("7S")


def test_sh_21_after_a_six_on_a_seven_the_six_counts():
    assert playable("7S 6S") == upwards("6")


@pytest.mark.parametrize(
    ("pile", "ranks"),
    [
        ("9S 8S", upwards("9")),
        ("9S 8S 8D 8C", upwards("9")),
        ("7S 8S", BELOW_SEVEN),
        ("8S 8D", ALL),
        ("KS 3S 8S", ALL),
        ("KS 2S 8S", ALL),
        ("5S 8S", upwards("5")),
    ],
)
def test_sh_22_eights_are_seen_through(pile, ranks):
    assert playable(pile) == ranks


def test_sh_22_skips_and_reversals_under_an_eight_do_not_repeat():
    state = after(table("8C 9C", "KD", "KH", pile="5S"), (0, play("8C")))
    assert (state.to_move, state.direction) == (1, 1)
    assert after(table("8C 9C", "KD", "KH", pile="3S"), (0, play("8C"))).to_move == 1


def test_sh_28_sh_29_hands_are_filled_to_three_after_each_lay():
    state = after(table("TC 4C 4D", "KD", pile="9S", stock="6C 6D 6H"), (0, play("TC")))
    assert (state.hands[0], state.to_move) == (cards("4C 4D 6C"), 0)
    state = after(state, (0, play("4C 4D")))
    assert (state.hands[0], state.stock) == (cards("6C 6D 6H"), ())


def test_sh_29_no_draw_with_three_or_more_and_a_short_stock_gives_all_it_has():
    state = after(table("4C 5D 6D 9D", "KD", stock="6C"), (0, play("4C")))
    assert state.hands[0] == cards("5D 6D 9D")
    assert after(table("4C 4D 9D", "KD", stock="6C"), (0, play("4C 4D"))).hands[0] == cards("9D 6C")


def test_sh_29_drawn_cards_are_for_the_owner_only():
    (event,) = events_of(table("4C 5D 6D", "KD", stock="6C 9C"), 0, play("4C"))
    assert event.drawn == cards("6C")
    assert redact(event, 0).drawn == cards("6C")
    assert redact(event, 1).drawn == redact(event, "spectator").drawn == ("??",)


def test_sh_30_a_player_who_picks_up_leads_again_without_drawing():
    state = after(table("4C", "KD", "KH", pile="9S JS", stock="6C 6D 6H"), (0, PICK_UP))
    assert (state.to_move, state.pile, state.hands[0]) == (0, (), cards("4C 9S JS"))
    assert len(state.stock) == 3
    assert after(state, (0, play("JS"))).to_move == 1


def test_sh_30_the_next_player_restarts_as_an_option():
    state = table("4C", "KD", "KH", pile="9S", direction=-1, options={"pickup_restart": "next"})
    assert after(state, (0, PICK_UP)).to_move == 2


def test_sh_30_both_options_apply_to_a_failed_flip():
    state = table("", "KD", "KH", blind=["4C 5C"], pile="9S")
    assert after(state, (0, flip(0))).to_move == 0
    state = table("", "KD", "KH", blind=["4C 5C"], pile="9S", options={"pickup_restart": "next"})
    assert after(state, (0, flip(0))).to_move == 1


@pytest.mark.parametrize("wild", ["2C", "3C", "8C", "TC", "JK", "JC"])
def test_sh_31_a_player_who_can_play_may_not_pick_up(wild):
    assert refusal(table(f"4C {wild}", "KD", pile="9S"), 0, PICK_UP) == "must_play"
    state = table("", "KD", face_up=[f"4C {wild}"], pile="9S")
    assert refusal(state, 0, pick_up("4C")) == "must_play"


def test_sh_31_nobody_picks_up_an_empty_pile():
    assert refusal(table("4C", "KD"), 0, PICK_UP) == "pile_empty"


def test_sh_31_pick_up_is_owed_even_as_the_only_action():
    assert GAME.legal_actions(table("4C", "KD", pile="9S"), 0, 0) == (PickUp(),)


def test_sh_52_voluntary_pickup_in_hand_and_face_up_only():
    freely = {"voluntary_pickup": True}
    assert after(table("JC", "KD", pile="9S", options=freely), (0, PICK_UP)).hands[0] == cards("JC 9S")
    state = after(table("", "KD", face_up=["JC 4C"], pile="9S", options=freely), (0, pick_up("JC")))
    assert (state.hands[0], state.face_up[0]) == (cards("9S JC"), cards("4C"))
    assert refusal(table("", "KD", blind=["4C"], pile="9S", options=freely), 0, PICK_UP) == "wrong_zone"
    assert refusal(table("JC", "KD", options=freely), 0, PICK_UP) == "pile_empty"


def test_sh_32_while_the_stock_lasts_a_hand_is_never_empty():
    state = after(table("4C 4D 4H", "KD", face_up=["9C"], stock="6C"), (0, play("4C 4D 4H")))
    assert state.hands[0] == cards("6C")


def test_sh_33_one_face_up_card_of_choice_goes_along():
    state = table("", "KD", face_up=["4C 5C"], blind=["6C"], pile="9S")
    assert GAME.legal_actions(state, 0, 0) == (pick_up("4C"), pick_up("5C"))
    after_it = after(state, (0, pick_up("5C")))
    assert (after_it.hands[0], after_it.face_up[0]) == (cards("9S 5C"), cards("4C"))
    assert refusal(state, 0, PICK_UP) == "no_face_up_card"
    assert refusal(state, 0, pick_up("KD")) == "card_not_held"
    assert refusal(table("4C", "KD", face_up=["5C"], pile="9S"), 0, pick_up("5C")) == "wrong_zone"


@pytest.mark.parametrize(
    ("card", "pile", "plays"), [("9C", "7S", False), ("4C", "7S", True), ("8C", "KS", True)]
)
def test_sh_34_a_blind_card_fails_if_it_is_not_playable(card, pile, plays):
    state = table("", "KD", blind=[f"- {card} 2C"], pile=pile)
    assert events_of(state, 0, flip(1)) == ((BlindCardPlayed if plays else BlindCardFailed)(0, 1, card),)
    state = after(state, (0, flip(1)))
    assert state.blind[0] == (None, None, "2C")
    assert state.hands[0] == (() if plays else cards(f"{pile} {card}"))
    assert state.pile == (cards(f"{pile} {card}") if plays else ())


def test_sh_34_on_an_empty_pile_every_blind_card_plays():
    assert after(table("", "KD", blind=["4C 5C"]), (0, flip(0))).pile == cards("4C")


def test_sh_48_slots_keep_their_numbers():
    state = table("", "KD", blind=["4C - 5C"])
    assert GAME.legal_actions(state, 0, 0) == (flip(0), flip(2))
    for slot in (-1, 1, 3):
        assert refusal(state, 0, flip(slot)) == "slot_empty"


def test_sh_35_the_hand_comes_before_the_remaining_table_cards():
    state = after(table("", "KD", face_up=["4C 9C"], blind=["6C"], pile="JS"), (0, pick_up("4C")))
    assert refusal(state, 0, play("9C")) == "card_not_held"
    state = table("", "KD KH", blind=["4C 9C"], pile="JS")
    assert refusal(after(state, (0, flip(0))), 0, flip(1)) == "wrong_zone"


@pytest.mark.parametrize(("last", "mover", "direction"), [("3C", 2, 1), ("5C", 2, -1), ("9C", 1, 1)])
def test_sh_47_the_effect_of_a_last_card_applies(last, mover, direction):
    state = after(table(last, "KD", "KH"), (0, play(last)))
    assert (state.finished, state.to_move, state.direction) == ((0,), mover, direction)


def test_sh_47_a_seven_laid_last_asks_the_next_player_for_lower():
    state = after(table("7C", "9D 4D", "KH"), (0, play("7C")))
    assert refusal(state, 1, play("9D")) == "not_playable"


@pytest.mark.parametrize(("threes", "mover"), [("3C", 2), ("3C 3D", 1)])
def test_sh_60_the_seat_of_a_player_just_out_counts_as_one_step(threes, mover):
    state = after(table(threes, "KD KC", "KH KS"), (0, play(threes)))
    assert (state.finished, state.to_move) == ((0,), mover)


@pytest.mark.parametrize("zones", [{"face_up": ["9C"]}, {"blind": ["9C"]}])
def test_sh_35_cards_on_the_table_keep_a_player_in(zones):
    assert after(table("4C", "KD", "KH", **zones), (0, play("4C"))).finished == ()


def test_g_10_checks_come_in_order():
    state = table("4C", "KD", pile="9S")
    assert refusal(state, 1, play("")) == "not_your_turn"
    assert refusal(state, 1, flip(9)) == "not_your_turn"
    assert refusal(state, 1, PICK_UP) == "not_your_turn"
    assert refusal(state, 0, play("9D")) == "card_not_held"
    assert refusal(state, 0, play("4C")) == "not_playable"
