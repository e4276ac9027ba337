"""Shithead: the end of a round and of a table, and the state after a stopped round."""

from hoodwink.domain.cards import build_pack
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.events import RoundDealt, ShitheadNamed
from hoodwink.domain.kernel import Stage, Turn
from tests.domain.games.shithead_table import (
    PICK_UP,
    StackedDraws,
    after,
    joker,
    play,
    redact,
    refusal,
    scored,
    table,
    view,
)


def test_sh_44_the_round_ends_when_one_player_is_left():
    state = after(table("4C", "", "KD"), (0, play("4C")))
    assert (GAME.stage(state), state.finished, GAME.turn(state)) == (Stage.TO_SCORE, (1, 0), Turn())


def test_sh_44_the_last_player_cannot_bring_anybody_back():
    state = after(table("4C", "JK KD"), (0, play("4C")))
    assert refusal(state, 1, joker(0)) == "round_not_in_play"
    assert refusal(state, 1, PICK_UP) == "round_not_in_play"


def test_sh_61_the_kth_of_n_gets_n_minus_k_points():
    state = after(table("4C", "", "KD", "", finished=(3, 1)), (0, play("4C")))
    assert GAME.score_round(state) == (ShitheadNamed((3, 1, 0, 2), (1, 2, 0, 3)),)
    assert GAME.scores(scored(state)) == (1, 2, 0, 3)


def test_sh_61_points_add_up_over_the_rounds():
    state = after(table("4C", "KD", points=(2, 5), round=2, options={"rounds": 2}), (0, play("4C")))
    assert GAME.scores(scored(state)) == (3, 5)


def test_sh_61_the_table_is_over_after_its_rounds():
    assert GAME.stage(scored(after(table("4C", "KD"), (0, play("4C"))))) is Stage.OVER
    state = after(table("4C", "KD", options={"rounds": 2}), (0, play("4C")))
    assert GAME.stage(scored(state)) is Stage.TO_DEAL


def test_g_3_the_scoring_shows_no_cards():
    state = scored(after(table("4C", "KD", blind=["", "5C"], stock=""), (0, play("4C"))))
    seen = view(state, "spectator")
    assert (seen.hands[1], seen.blind[1]) == (("??",), ("??", None, None))
    event = ShitheadNamed((0, 1), (1, 0))
    assert redact(event, "spectator") == event


def test_g_15_a_void_round_scores_and_shows_nothing_and_uses_up_a_round():
    state = table(
        "4C", "", "KD", "KS", blind=["5C"], pile="9S", stock="6C", points=(1, 2, 3, 4), options={"rounds": 2}
    )
    void = GAME.void_round(state)
    assert (GAME.stage(void), GAME.scores(void), void.finished) == (Stage.TO_DEAL, (1, 2, 3, 4), ())
    seen = view(void, "everybody")
    assert not any((*seen.hands, *seen.face_up, seen.pile, seen.stock, seen.removed))
    assert set(seen.blind) == {(None, None, None)}
    assert GAME.stage(GAME.void_round(table("4C", "KD"))) is Stage.OVER


def test_g_15_after_a_void_round_the_deal_passes_to_the_left():
    state = GAME.void_round(table("4C", "KD", "KH", dealer=1, options={"rounds": 2}))
    assert (view(state, 0).round, view(state, 0).dealer) == (1, 1)
    (event,) = GAME.deal(state, StackedDraws(build_pack(jokers=2), build_pack(jokers=2)))
    assert isinstance(event, RoundDealt)
    assert (event.round, event.dealer) == (2, 2)


def test_g_15_a_void_round_leaves_no_joker_waiting():
    state = after(table("JK 9C", "KD", pile="4S", options={"rounds": 2}), (0, joker(1)))
    void = GAME.void_round(state)
    assert (void.jokers_laid, void.turned, void.starting_card) == ((), None, None)
