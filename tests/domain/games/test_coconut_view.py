"""Coconut: what each viewer sees of the table and of events."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.games.coconut.events import (
    CardFlipped,
    CardsPlayed,
    CardsSneaked,
    FaceUpChosen,
    FaceUpRevealed,
    FlipFailed,
    PilePickedUp,
    RoundDealt,
    RoundScored,
)
from hoodwink.domain.games.coconut.options import Options
from hoodwink.domain.games.coconut.state import CHOOSE, MOVE, OPEN, initial
from hoodwink.domain.games.coconut.view import view
from hoodwink.domain.kernel import Stage, Viewer, redact
from tests.domain.games.coconut_table import (
    NOW,
    Stacked,
    after,
    cards,
    choose,
    chosen,
    dealt,
    scored,
    slots,
    table,
)

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator", "everybody")
BACK, BACKS = ("??",), ("??", "??", "??")


def in_play(**given):
    """Returns a table with cards in every zone; seat 2 laid the last ones."""
    state = table(
        "9C 4C",
        "5D",
        "6D",
        face_down=("AC -- AD", "AH AS 2C", "2D 2H 2S"),
        pile="7C 8C",
        stock="QS QH",
        laid_by=2,
        **given,
    )
    return replace(state, set_aside=cards("TC TD"))


@pytest.mark.parametrize(
    ("viewer", "hands"),
    [
        (0, (cards("9C 4C"), BACK, BACK)),
        (1, (("??", "??"), cards("5D"), BACK)),
        ("spectator", (("??", "??"), BACK, BACK)),
        ("everybody", (cards("9C 4C"), cards("5D"), cards("6D"))),
    ],
)
def test_g_1_the_owner_sees_a_hand_and_everybody_its_count(viewer, hands):
    assert view(in_play(), viewer).hands == hands


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_co_31_g_7_face_down_cards_are_hidden_from_everybody_their_owner_included(viewer):
    assert view(in_play(), viewer).face_down == (("??", None, "??"), BACKS, BACKS)


def test_g_3_everybody_sees_all_cards_after_the_end():
    seen = view(in_play(), "everybody")
    assert seen.face_down == (slots("AC -- AD"), cards("AH AS 2C"), cards("2D 2H 2S"))
    assert (seen.stock, seen.set_aside) == (cards("QS QH"), cards("TC TD"))


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_g_7_g_16_views_show_the_pile_and_only_count_deck_and_set_aside(viewer):
    seen = view(in_play(), viewer)
    assert (seen.stock, seen.stock_count) == (None, 2)
    assert (seen.set_aside, seen.set_aside_count) == (None, 2)
    assert seen.pile == cards("7C 8C")
    assert seen.face_up == (cards("JC QC KC"),) * 3


def test_co_36_the_view_shows_who_laid_the_last_cards():
    assert view(in_play(), 0).laid_by == 2
    assert view(table("4C", "4D", laid_by=1), 0).laid_by is None


@pytest.mark.parametrize("viewer", VIEWERS)
def test_co_37_everybody_sees_when_the_wait_ends(viewer):
    assert view(in_play(sneak_grace_ms=2_000), viewer).waits_until == NOW + 2_000
    assert view(in_play(), viewer).waits_until is None


def test_co_5_others_see_only_that_a_player_has_chosen():
    state = after(dealt(Stacked(), 2), (0, choose(" ".join(dealt(Stacked(), 2).hands[0][:3]))))
    own, other = view(state, 0), view(state, 1)
    assert own.chosen == state.hands[0][:3]
    assert (other.chosen, other.committed, other.hands[0]) == (None, (True, False), ("??",) * 6)
    assert other.face_up == ((), ())


def test_co_5_the_face_up_cards_are_public_from_the_reveal():
    state = chosen(dealt(Stacked(), 2))
    for viewer in VIEWERS:
        assert view(state, viewer).face_up == state.face_up


def test_the_view_shows_the_step_and_whose_turn_it_is():
    choosing = dealt(Stacked(), 2)
    assert (view(choosing, 0).step, view(choosing, 0).to_move) == (CHOOSE, None)
    opening = chosen(choosing)
    assert (view(opening, 0).step, view(opening, 0).to_move) == (OPEN, 1)
    assert (view(in_play(), 0).step, view(in_play(), 0).to_move) == (MOVE, 0)


def test_before_the_first_deal_there_is_no_dealer():
    seen = view(initial(Options(), 2), 0)
    assert (seen.round, seen.dealer, seen.step, seen.to_move) == (0, None, None, None)


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_g_3_scoring_reveals_no_card(viewer):
    ended = replace(in_play(), stage=Stage.TO_SCORE, finished=(0,))
    before, later = view(ended, viewer), view(scored(ended), viewer)
    assert later == replace(before, scores=(1, 0, 0))


def shown(event, *viewers):
    return [redact(event, viewer) for viewer in viewers]


def test_g_1_each_seat_sees_its_own_hand_in_the_deal():
    deal = RoundDealt(1, 0, (cards("9C"), cards("9D")), (cards("4C"), cards("4D")), cards("KC KD"))
    hidden = replace(deal, face_down=(BACK, BACK), stock=("??", "??"))
    assert shown(deal, 0, 1, "spectator") == [
        replace(hidden, hands=(cards("9C"), BACK)),
        replace(hidden, hands=(BACK, cards("9D"))),
        replace(hidden, hands=(BACK, BACK)),
    ]


def test_co_5_only_its_owner_sees_a_choice():
    event = FaceUpChosen(0, cards("9C 9D 9H"))
    assert shown(event, 0, 1, "spectator") == [event, *[replace(event, cards=BACKS)] * 2]


@pytest.mark.parametrize(
    "event",
    [CardsPlayed(0, cards("9C"), cards("KC KD"), NOW), CardsSneaked(0, cards("9C 9D"), cards("KC KD"))],
)
def test_co_10_only_their_owner_sees_drawn_cards(event):
    hidden = replace(event, drawn=("??", "??"))
    assert shown(event, 0, 1, "spectator") == [event, hidden, hidden]


@pytest.mark.parametrize(
    "event",
    [
        FaceUpRevealed((cards("9C 9D 9H"), cards("4C 4D 4H"))),
        CardFlipped(0, 1, cards("9C")[0], NOW),
        FlipFailed(0, 1, cards("9C")[0]),
        PilePickedUp(0),
        RoundScored((0,), (1, 0)),
    ],
)
def test_g_1_everybody_sees_open_cards(event):
    assert shown(event, 0, 1, "spectator") == [event] * 3
