"""Shithead before the first card is laid: options, deal, swaps and the search for the starter."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import JOKER, build_pack
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.actions import DeclareReady
from hoodwink.domain.games.shithead.events import PlayStarted, RoundDealt
from hoodwink.domain.games.shithead.options import Options, pack_for
from hoodwink.domain.games.shithead.state import initial
from hoodwink.domain.kernel import CardChoice, InvalidOptions, Stage, Turn
from tests.domain.games.shithead_table import (
    READY,
    StackedDraws,
    after,
    all_ready,
    can,
    cards,
    dealt,
    deck_for,
    events_of,
    joker,
    play,
    redact,
    refusal,
    scored,
    swap,
    table,
    view,
)


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (6, {}), (5, {"jokers": 0}), (10, {"decks": 2}), (10, {"decks": 2, "jokers": 0}), (10, {})],
)
def test_sh_1_nine_cards_a_seat_can_be_dealt(seats, options):
    GAME.check_options(Options(**options), seats)


@pytest.mark.parametrize(
    ("seats", "options", "packs"),
    [
        (2, {}, 1),
        (6, {}, 1),
        (7, {}, 2),
        (10, {}, 2),
        (5, {"jokers": 0}, 1),
        (6, {"jokers": 0}, 2),
        (6, {"jokers": 1}, 2),
        (6, {"jokers": 4}, 1),
        (7, {"jokers": 4}, 2),
        (2, {"decks": 2}, 2),
    ],
)
def test_sh_1_sh_2_by_default_there_are_as_many_packs_as_the_seats_need(seats, options, packs):
    pack = pack_for(Options(**options), seats)
    assert pack.count("AS") == packs
    assert pack.count(JOKER) == options.get("jokers", 2 * packs)


@pytest.mark.parametrize(
    ("seats", "options"), [(7, {}), (7, {"jokers": 4}), (6, {"jokers": 0}), (6, {"jokers": 1})]
)
def test_sh_1_sh_48_one_pack_with_too_few_cards_refuses_the_table(seats, options):
    with pytest.raises(InvalidOptions) as refused:
        GAME.check_options(Options(decks=1, **options), seats)
    assert refused.value.code == "invalid_options"
    assert f"need {9 * seats} cards" in refused.value.detail


def test_sh_1_two_to_ten_seats():
    assert GAME.seats == (2, 10)


def test_sh_1_of_equal_starting_cards_the_first_from_the_dealers_left_starts():
    hands = ("4C KD KH", "QD QH QS", "4C JD JH")
    for dealer, starter in ((0, 2), (1, 2), (2, 0)):
        deck = deck_for(hands, dealer=dealer, packs=2, jokers=4)
        assert all_ready(dealt(deck, seats=3, dealer=dealer, decks=2)).to_move == starter


@pytest.mark.parametrize(("options", "jokers"), [({}, 2), ({"decks": 2}, 4), ({"decks": 2, "jokers": 1}, 1)])
def test_sh_2_sh_48_there_are_two_jokers_a_pack_by_default(options, jokers):
    pack = pack_for(Options(**options), 2)
    assert pack.count(JOKER) == jokers
    assert len(pack) == 52 * options.get("decks", 1) + jokers


def test_sh_48_cards_are_dealt_singly_from_the_dealers_left_blind_then_face_up_then_hands():
    deck = build_pack(jokers=2)
    (event,) = GAME.deal(initial(Options(), 3), StackedDraws(deck, dealer=0))
    assert isinstance(event, RoundDealt)
    assert event.blind[1] == (deck[0], deck[3], deck[6])
    assert event.blind[0] == (deck[2], deck[5], deck[8])
    assert event.face_up[2] == (deck[10], deck[13], deck[16])
    assert event.hands[1] == (deck[18], deck[21], deck[24])
    assert event.stock == deck[27:]
    state = dealt(deck, seats=3)
    assert (state.blind, state.face_up, state.hands) == (event.blind, event.face_up, event.hands)
    assert (state.stock, state.round) == (event.stock, 1)


def test_sh_3_everybody_swaps_any_number_of_times_in_any_order_until_ready():
    state = dealt(deck_for(["5C 6C 7C", "5D 6D 7D"], face_up=["AC KC QC", "AD KD QD"]), seats=2)
    state = after(state, (1, swap("5D", "AD")), (0, swap("6C", "KC")), (1, swap("AD", "KD")), (0, READY))
    assert state.hands == (cards("5C KC 7C"), cards("KD 6D 7D"))
    assert state.face_up == (cards("AC 6C QC"), cards("5D AD QD"))
    assert GAME.turn(state) == Turn((1,))


def test_sh_3_ready_is_final():
    state = after(dealt(build_pack(jokers=2), seats=2), (0, READY))
    assert refusal(state, 0, READY) == "already_committed"
    assert refusal(state, 0, swap(state.hands[0][0], state.face_up[0][0])) == "already_committed"


def test_sh_3_only_own_cards_are_swapped_hand_for_face_up():
    state = dealt(build_pack(jokers=2), seats=2)
    mine, shown, theirs = state.hands[0][0], state.face_up[0][0], state.face_up[1][0]
    assert can(state, 0, swap(mine, shown))
    assert refusal(state, 0, swap(shown, mine)) == "card_not_held"
    assert refusal(state, 0, swap(mine, theirs)) == "card_not_held"
    assert refusal(state, 0, swap(state.hands[1][0], shown)) == "card_not_held"


def test_sh_3_nothing_is_played_before_all_are_ready():
    state = after(dealt(deck_for(["4C 4H 4S", "5C 5H 5S"]), seats=2), (0, READY))
    assert refusal(state, 0, play("4C")) == "wrong_phase"
    assert can(after(state, (1, READY)), 0, play("4C"))


def test_sh_3_nothing_is_swapped_once_play_began():
    state = all_ready(dealt(deck_for(["4C 4H 4S", "5C 5H 5S"]), seats=2))
    assert refusal(state, 1, swap("5C", state.face_up[1][0])) == "wrong_phase"
    assert refusal(state, 1, READY) == "wrong_phase"


def test_g_15_an_expired_clock_makes_the_player_ready():
    state = dealt(build_pack(jokers=2), seats=2)
    assert GAME.overdue(state, 1) == DeclareReady()
    assert GAME.overdue(all_ready(state), 1) is None
    assert not events_of(state, 0, swap(state.hands[0][0], state.face_up[0][0]))[0].restarts_clock


def test_sh_4_the_hand_decides_after_swapping():
    deck = deck_for(["4C KD KH", "4D QH QS"], face_up=["JC JD JH", "9C 9D 9H"])
    state = after(dealt(deck, seats=2), (0, swap("4C", "JC")))
    assert all_ready(state).to_move == 1
    assert all_ready(state).starting_card == "4D"


@pytest.mark.parametrize(
    ("hands", "starter", "card"),
    [
        (("4H 4S 4D", "4C KD KH"), 1, "4C"),
        (("4S 4D KD", "4H KH KS"), 1, "4H"),
        (("4D KD KC", "4S KH KS"), 1, "4S"),
        (("5C KD KC", "4D KH KS"), 1, "4D"),
        (("6C 5D KC", "5S KH KS"), 1, "5S"),
    ],
)
def test_sh_5_suits_count_clubs_hearts_spades_diamonds(hands, starter, card):
    state = all_ready(dealt(deck_for(hands), seats=2))
    assert (state.to_move, state.starting_card) == (starter, card)


@pytest.mark.parametrize(
    ("hands", "card"),
    [
        (("6C KC KH", "6H 7C KS"), "6C"),
        (("8D 9C KH", "9H JC KS"), "8D"),
        (("TS JC KH", "JH QC KS"), "TS"),
        (("AD AS AH", "2C 3C JK"), "AH"),
    ],
)
def test_sh_6_the_search_goes_upwards_including_eights_and_tens(hands, card):
    assert all_ready(dealt(deck_for(hands), seats=2)).starting_card == card


def test_sh_6_without_a_card_from_four_to_ace_the_dealers_left_starts_freely():
    deck = deck_for(["2C 2D 3C", "2H 3D JK", "2S 3H JK"], dealer=1)
    state = all_ready(dealt(deck, seats=3, dealer=1))
    assert (state.to_move, state.starting_card) == (2, None)
    assert can(state, 2, play("3H"))


def test_sh_7_the_first_play_contains_the_starting_card_and_may_add_its_rank():
    state = all_ready(dealt(deck_for(["4C 4D JK", "5C 5H 5S"]), seats=2))
    assert GAME.legal_actions(state, 0, 0) == (
        CardChoice(type="play", cards=cards("4C 4D"), at_least=1, at_most=2, including="4C"),
    )
    assert can(state, 0, play("4D 4C"))
    assert refusal(state, 0, play("4D")) == "starting_card_missing"


def test_sh_7_no_joker_goes_before_the_starting_card():
    state = all_ready(dealt(deck_for(["4C 4D JK", "5C 5H 5S"]), seats=2))
    assert refusal(state, 0, joker(1)) == "starting_card_missing"


def test_sh_7_the_next_play_is_free():
    state = all_ready(dealt(deck_for(["4C 4D KD", "5C 6H 7S"]), seats=2))
    state = after(state, (0, play("4C")))
    assert state.starting_card is None
    assert can(state, 1, play("6H"))


def test_sh_49_one_copy_of_the_starting_card_is_enough():
    state = all_ready(dealt(deck_for(["4C 4C KD", "5C 6H 7S"], packs=2, jokers=4), seats=2, decks=2))
    assert can(state, 0, play("4C"))
    assert can(state, 0, play("4C 4C"))


def test_sh_49_everybody_sees_the_starter_and_only_the_starter_the_card():
    state = after(dealt(deck_for(["4C 4D KD", "5C 6H 7S"]), seats=2), (0, READY))
    event = events_of(state, 1, READY)[1]
    assert isinstance(event, PlayStarted)
    assert redact(event, 0) == event
    for other in (1, "spectator"):
        hidden = redact(event, other)
        assert isinstance(hidden, PlayStarted)
        assert (hidden.seat, hidden.card) == (0, "??")
    state = GAME.evolve(GAME.evolve(state, events_of(state, 1, READY)[0]), event)
    assert [view(state, viewer).starting_card for viewer in (0, 1, "spectator", "everybody")] == [
        "4C",
        None,
        None,
        "4C",
    ]


def test_sh_49_only_the_starter_sees_that_nobody_holds_a_starting_card():
    deck = deck_for(["2C 2D 3C", "2H 3D JK", "2S 3H JK"], dealer=1)
    state = after(dealt(deck, seats=3, dealer=1), (0, READY), (1, READY))
    _, started = events_of(state, 2, READY)
    assert [redact(started, viewer).card for viewer in (2, 0, 1, "spectator")] == [None, "??", "??", "??"]


def test_sh_50_a_hidden_swap_shows_others_the_cards_as_dealt_until_all_are_ready():
    deck = deck_for(["4C KD KH", "5D QH QS"], face_up=["JC JD JH", "9C 9D 9H"])
    state = after(dealt(deck, seats=2, hidden_swap=True), (0, swap("KD", "JC")), (0, READY))
    assert view(state, 0).face_up[0] == cards("KD JD JH")
    assert view(state, 1).face_up[0] == cards("JC JD JH")
    assert view(state, "spectator").face_up[0] == cards("JC JD JH")
    assert view(state, "everybody").face_up[0] == cards("KD JD JH")
    started = events_of(state, 1, READY)[1]
    assert redact(started, 1).face_up[0] == cards("KD JD JH")
    assert view(all_ready(state), 1).face_up[0] == cards("KD JD JH")


def test_sh_50_only_its_owner_sees_a_hidden_swap():
    deck = deck_for(["4C KD KH", "5D QH QS"], face_up=["JC JD JH", "9C 9D 9H"])
    (event,) = events_of(dealt(deck, seats=2, hidden_swap=True), 0, swap("KD", "JC"))
    assert [redact(event, viewer) for viewer in (0, 1, "spectator")] == [event, None, None]


def test_sh_3_everybody_sees_an_open_swap():
    deck = deck_for(["4C KD KH", "5D QH QS"], face_up=["JC JD JH", "9C 9D 9H"])
    state = dealt(deck, seats=2)
    (event,) = events_of(state, 0, swap("KD", "JC"))
    assert redact(event, "spectator") == event
    assert view(GAME.evolve(state, event), "spectator").face_up[0] == cards("KD JD JH")


def test_sh_45_the_shithead_deals_the_next_round():
    state = table("4C", "5C 5D", "", finished=(2,), options={"rounds": 2})
    state = scored(after(state, (0, play("4C"))))
    (event,) = GAME.deal(state, StackedDraws(build_pack(jokers=2), build_pack(jokers=2)))
    assert isinstance(event, RoundDealt)
    assert (event.round, event.dealer) == (2, 1)


def test_sh_45_sh_61_a_new_deal_begins_afresh_and_clockwise():
    pack = build_pack(jokers=2)
    given = table(
        "4C", "5C", face_up=["", "6C"], blind=["", "7C"], pile="4S", direction=-1, ready=(0, 1),
        removed=cards("TC"), options={"rounds": 2},
    )  # fmt: skip
    ended = scored(after(given, (0, play("4C"))))
    fresh = replace(initial(ended.options, 2), round=1, next_dealer=1, points=(1, 0))
    assert after_deal(ended, pack) == after_deal(fresh, pack)
    state = after_deal(ended, pack)
    assert (state.round, state.direction, state.points) == (2, 1, (1, 0))


def after_deal(state, pack):
    (event,) = GAME.deal(state, StackedDraws(pack, pack))
    return GAME.evolve(state, event)


def test_g_12_the_first_dealer_is_drawn():
    (event,) = GAME.deal(initial(Options(), 4), StackedDraws(dealer=3))
    assert isinstance(event, RoundDealt)
    assert event.dealer == 3


def test_g_9_everybody_not_ready_owes_and_nobody_owes_before_the_deal():
    state = initial(Options(), 3)
    assert (GAME.stage(state), GAME.turn(state)) == (Stage.TO_DEAL, Turn())
    assert refusal(state, 0, READY) == "round_not_in_play"
    assert GAME.turn(dealt(build_pack(jokers=2), seats=3)) == Turn((0, 1, 2))
