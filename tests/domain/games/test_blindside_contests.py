"""Blindside: the two contests, the tokens, and the end of the game."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import RANKS, Card
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.events import BlindsidesRevealed, KeepersRevealed
from hoodwink.domain.games.blindside.options import Options
from hoodwink.domain.games.blindside.rules import Contest, compared_value, contest, tokens_after
from hoodwink.domain.games.blindside.view import view
from hoodwink.domain.kernel import Stage, places
from tests.domain.games.blindside_table import (
    Stacked,
    cards,
    dealt,
    pass_all,
    piles,
    score,
    take_turn,
    to_score,
)


def revealed(state):
    first, second = GAME.score_round(state)
    assert isinstance(first, BlindsidesRevealed)
    assert isinstance(second, KeepersRevealed)
    return first, second


def test_bs_6_the_contests_count_the_card_in_front_of_a_player():
    state = pass_all(dealt(3, Stacked(2, "2C AC 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D")), "2C AC 3C")
    for _ in range(9):
        state = take_turn(state, "stock", state.hands[state.to_move][0], state.stock[0])
    first, second = revealed(state)
    assert (first.cards, first.values, first.winner) == (cards("3C 2C AC"), (3, 2, 11), 2)
    assert second.totals[2] == 11 + sum((6, 9, 4))


@pytest.mark.parametrize("pair", ["KS QS", "KS TS", "QS JS", "JS TH", "KS KH"])
def test_bs_7_ten_jack_queen_and_king_tie_by_value(pair):
    first, _ = revealed(to_score(f"{pair} 9C"))
    assert (first.winner, first.blindsided) == (2, (0, 1))


def test_bs_7_bs_25_by_rank_the_king_is_highest_below_the_ace():
    ranks = [compared_value(Card(rank + "S"), Options(blindside_compare="rank")) for rank in RANKS]
    assert ranks == list(range(2, 15))
    first, _ = revealed(to_score("KS QS TC", blindside_compare="rank"))
    assert (first.values, first.winner, first.blindsided) == ((13, 12, 10), 0, ())


def test_bs_25_totals_always_add_values():
    by_rank = to_score("KS AS 9C", "2C", "2D", "KD", blindside_compare="rank")
    _, second = revealed(by_rank)
    assert (second.totals, second.winner) == ((12, 13, 19), 2)


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ((10, 11, 10, 8), Contest(1, ())),
        ((11, 11, 10, 8), Contest(2, (0, 1))),
        ((11, 11, 10, 10, 3), Contest(4, (0, 1, 2, 3))),  # the next highest is tied too
        ((3, 11, 10, 11, 10), Contest(0, (1, 2, 3, 4))),
        ((2, 2), Contest(None, (0, 1))),
        ((7, 7, 7), Contest(None, (0, 1, 2))),
    ],
)
def test_bs_8_bs_9_tied_heights_are_skipped_down_to_one_held_alone(values, result):
    assert contest(values) == result


def test_bs_8_bs_24_if_every_height_is_tied_nobody_wins_and_all_are_blindsided():
    state = to_score("5S 5H 3S 3H 3D", "2C", "2D", "2H", "2S", "2C", tokens=(3, -1, -1, -1, 0))
    first, second = revealed(state)
    assert (first.winner, first.blindsided) == (None, (0, 1, 2, 3, 4))
    assert (second.winner, second.blindsided) == (None, (0, 1, 2, 3, 4))
    assert score(state).tokens == (3, -1, -1, -1, 0)


def test_bs_9_the_second_contest_skips_ties_of_totals():
    state = to_score("AS 2C 9D", "2C 3C", "AD 3H", "4S")
    first, second = revealed(state)
    assert first.winner == 0
    assert (second.totals, second.winner, second.blindsided) == ((16, 16, 13), 2, (0, 1))


def test_bs_9_blindsided_players_still_compete_in_contest_2():
    state = to_score("AS AH 9D", "KC", "2C", "2D")
    first, second = revealed(state)
    assert (first.winner, first.blindsided) == (2, (0, 1))
    assert (second.winner, second.totals) == (0, (21, 13, 11))


def test_bs_10_every_other_player_pays_one_the_blindsided_included():
    assert tokens_after((0, 0, 0, 0), 2) == (-1, -1, 3, -1)
    state = to_score("AS AH 9D 2C", "2C", "3C", "4D", "5S")
    first = GAME.evolve(state, revealed(state)[0])
    assert first.tokens == (-1, -1, 3, -1)
    assert score(state).tokens == (-2, 2, 2, -2)


def test_bs_10_the_keepers_and_the_blindside_card_are_added():
    _, second = revealed(to_score("AS KH", "9C TD 2S", "2H JC QD"))
    assert (second.keepers, second.totals) == (piles("9C TD 2S", "2H JC QD"), (32, 32))


def test_bs_11_balances_start_at_0_may_be_negative_and_sum_to_0():
    assert GAME.scores(dealt(4)) == (0, 0, 0, 0)
    state = score(to_score("AS KH 2D", "AC", "2C", "3C", tokens=(-5, 1, 4)))
    assert state.tokens == (-1, -1, 2)
    assert sum(state.tokens) == 0


def test_bs_12_g_11_the_highest_balance_wins_and_equal_ones_share_the_place():
    state = score(to_score("AS KH 9D 2D", "2C", "TC", "2D", "3C", round=4, tokens=(1, 1, -1, -1)))
    assert (state.stage, state.tokens) == (Stage.OVER, (3, 3, -3, -3))
    assert places(GAME.scores(state)) == (1, 1, 3, 3)


@pytest.mark.parametrize(("options", "last"), [({}, 3), ({"rounds": 1}, 1), ({"rounds": 7}, 7)])
def test_bs_12_the_table_is_over_after_its_last_round(options, last):
    for number in range(1, last + 1):
        state = score(to_score("AS KH 2D", "AC", "2C", "3C", round=number, **options))
        assert state.stage is (Stage.OVER if number == last else Stage.TO_DEAL)


def test_bs_15_five_cards_make_a_total_in_the_variation():
    _, second = revealed(to_score("AS KH", "9C TD 2S 3S", "2H JC QD 4D", five_card=True))
    assert second.totals == (11 + 9 + 10 + 2 + 3, 10 + 2 + 10 + 10 + 4)


def test_bs_23_start_tokens_raise_the_balance_shown_and_nothing_else():
    plain, raised = (score(to_score("AS KH", "2C", "2D", start_tokens=start)) for start in (0, 50))
    assert raised.tokens == plain.tokens == GAME.scores(raised) == (2, -2)
    assert view(raised, 0).scores == (52, 48)
    assert view(plain, 0).scores == (2, -2)
    assert view(replace(raised, tokens=(0, 0)), "spectator").scores == (50, 50)


def test_bs_27_the_scoring_records_the_reveal_contest_by_contest():
    state = to_score("AS KH 2D", "AC", "2C", "3C")
    first, second = revealed(state)
    assert first == BlindsidesRevealed(cards("AS KH 2D"), (11, 10, 2), 0, ())
    assert second == KeepersRevealed(piles("AC", "2C", "3C"), (22, 12, 5), 0, ())
    assert GAME.evolve(state, first).stage is Stage.TO_SCORE
