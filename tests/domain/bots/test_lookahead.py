"""Quick play and the value of positions, where random tables seldom lead (G-19)."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots.search import thinking
from hoodwink.domain.games import GAMES
from hoodwink.domain.games.coconut.actions import ChooseFaceUp, PlayCards
from hoodwink.domain.games.double_blind.bot import merits, options
from hoodwink.domain.games.double_blind.events import HalfInterestPaid
from hoodwink.domain.games.double_blind.lookahead import LOOKAHEAD as DOUBLE_BLIND
from hoodwink.domain.games.shithead import lookahead
from hoodwink.domain.games.shithead.state import Step
from hoodwink.domain.kernel import Observation, Stage, know_nothing, redact, see
from tests.domain.games import coconut_table, double_blind_table, shithead_table
from tests.domain.games.coconut_table import Stacked, cards
from tests.domain.games.test_knowledge import Watch
from tests.domain.laws.playout import play

_FOREVER = 1 << 62
PICKED_UP = {"joker_fate": "picked_up"}


def played_on(state: Any) -> list[Any]:
    """Returns the states to which quick play leads with different luck."""
    return [lookahead.play_on(state, Random(seed)) for seed in range(40)]


def test_sh_53_a_joker_turned_up_names_somebody():
    state = shithead_table.table("", "KD", "QD", blind=["- JK -", "2C - -", "2D - -"], pile="AS")
    state = shithead_table.after(state, (0, shithead_table.flip(1)))
    assert state.step is Step.NAME_TARGET
    assert {after.to_move for after in played_on(state)} == {1, 2}


def test_sh_39_a_joker_is_countered_if_there_is_a_pile():
    state = shithead_table.table("JK KD", "KH 2C", "4C", pile="4S 9S", step=Step.ANSWER)
    assert {(after.step, after.to_move) for after in played_on(state)} == {(Step.ANSWER, 2)}


def test_sh_37_a_joker_is_played_when_nothing_else_can_be():
    state = shithead_table.table("JK 4C", "KD 2C", pile="AS")
    assert all(after.jokers for after in played_on(state))


def test_sh_37_a_joker_sends_a_large_pile_to_the_player_with_the_fewest_cards():
    pile = "4S 4H 5C 5D 6S 6H 7C 4D 9S 9H JC JD QS QH"
    state = shithead_table.table("JK KD", "KH 2C", "4C", pile=pile)
    assert {(after.jokers != (), after.to_move) for after in played_on(state)} == {(True, 2)}
    state = shithead_table.table("JK KD", "KH 2C", "4C", pile="QH")
    assert not any(after.jokers for after in played_on(state)), "a small pile is not worth it"


def test_of_two_fours_every_process_lays_the_same_one():
    script = (
        "from random import Random\n"
        "from hoodwink.domain.games.shithead.lookahead import play_on\n"
        "from tests.domain.games.shithead_table import table\n"
        "print(play_on(table('4C 4D 4H 4S 9C 9D 9H 9S QC QD QH QS', 'KD'), Random(0)).removed)"
    )
    laid = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in "123456"
    }
    assert len(laid) == 1


def test_sh_33_the_lowest_face_up_card_is_picked_up():
    state = shithead_table.table("", "KD", face_up=["7C 4C 6C", ""], pile="9S")
    assert all(after.face_up[0] == cards("7C 6C") for after in played_on(state))


def test_sh_44_the_value_of_a_round_is_the_order_of_finishing():
    state = shithead_table.table("9C", "KD QH", pile="4S")
    ended = shithead_table.after(state, (0, shithead_table.play("9C")))
    assert lookahead.value(ended) == (1, 0)
    assert lookahead.value(state)[0] > lookahead.value(state)[1]


def test_co_17_quick_play_completes_four_of_a_kind_out_of_turn():
    play_on = GAMES["coconut"].lookahead.play_on  # type: ignore[union-attr]
    state = coconut_table.table("5C", "5H 5S 6D", "4H", pile="5C 5D", laid_by=2)
    after = play_on(state, Random(0))
    assert (after.hands[1], after.pile, after.to_move) == (cards("6D"), (), 1)
    state = coconut_table.table("5C", "5H 6D", "4H", pile="5C 5D", laid_by=2)
    assert play_on(state, Random(0)).pile == cards("5C 5D 5C"), "three are too few"


class NoVariety(Random):
    def random(self) -> float:
        return 0.5


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", [GAMES["coconut"], GAMES["shithead"]], ids=lambda game: game.name)
def test_g_19_quick_play_lays_what_steady_lays(game, seed):
    looked: Any = game.lookahead
    compared = 0
    for entry in play(game, seed, max_rounds=1).entries:
        state, seat = entry.state, entry.state.to_move
        if state.stage is not Stage.IN_PLAY or state.step in {"choose", "swap"}:
            continue
        if not (state.hands[seat] or state.face_up[seat]):
            continue
        if any(game.legal_actions(state, other, _FOREVER) for other in range(state.seats) if other != seat):
            continue  # somebody completes four of a kind first
        seen = Observation(
            seat, state.options, game.view(state, seat), game.legal_actions(state, seat, _FOREVER)
        )
        steady = looked.apply(state, seat, game.rank(game, seen, NoVariety())[0])
        # Equal piles: two ways to clear one are as good as each other.
        quick = looked.play_on(state, NoVariety())
        assert (ranks(quick.pile), quick.to_move) == (ranks(steady.pile), steady.to_move)
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("seed", range(4))
def test_g_19_quick_play_in_the_double_blind_plays_what_steady_plays(seed):
    game, looked = GAMES["double_blind"], DOUBLE_BLIND
    compared = 0
    for entry in play(game, seed, max_rounds=1).entries:
        state = entry.state
        if state.stage is not Stage.IN_PLAY or not state.waiting:
            continue
        seat = state.waiting[0]
        view: Any = game.view(state, seat)
        rated = merits(view, seat, has_bank=view.stock_count > 0)
        assert merits(state, seat, has_bank=bool(state.bank)) == rated
        best = [
            option for option, merit in zip(options(view, seat), rated, strict=True) if merit == max(rated)
        ]
        assert looked.guess(state, seat) in options(view, seat)
        assert looked.guess(state, (seat + 1) % state.seats) is None
        assert looked.play_on(state, Random(0)) in [looked.apply(state, seat, option) for option in best]
        compared += 1
    assert compared > 20


def ranks(pile: tuple[str, ...]) -> list[str]:
    return [card[0] for card in pile]


def test_co_39_the_value_of_an_unfinished_round_counts_places():
    value = GAMES["coconut"].lookahead.value  # type: ignore[union-attr]
    state = coconut_table.table("9C", "8D 7H", "3C 4C 5C", play_for_places=True)
    first, second, third = value(state)
    assert 1 >= first > second > third >= 0
    assert abs(first + second + third - 1.5) < 1e-9


def test_db_21_g_19_half_interest_comes_from_the_known_bank():
    game = GAMES["double_blind"]
    state = double_blind_table.situation(("9C", "9D", "9H"), ("", "", ""), "2S 3S", hatter=2)
    known: Any = know_nothing(game, state.options, 3, 0)
    known = known.__class__(0, state)
    events = []
    for seat in (2, 1, 0):
        for event in game.decide(state, seat, game.legal_actions(state, seat, 0)[0], 0):
            state = game.evolve(state, event)
            seen: Any = redact(event, 0)
            known = see(game, known, seen)
            events.append(event)
    assert any(isinstance(event, HalfInterestPaid) for event in events)
    assert known.state == state


def test_g_19_a_bot_that_thinks_finds_the_move_that_wins():
    dealt = "3C 3D 3H 3S 4C 4D 9C 4H TC 4S 2C 5C KC 5D QC 5H JC 5S"
    watch = Watch("coconut", 2, 1, Stacked(dealt))
    watch.act((1, ChooseFaceUp(cards("TC 2C KC"))), (0, ChooseFaceUp(cards("5D 5H 5S"))))
    state = watch.state
    legal = watch.game.legal_actions(state, 1, 0)
    observation = Observation(1, state.options, watch.game.view(state, 1), legal, watch.known)
    assert thinking(20)(watch.game, observation, Random(0)) == PlayCards(cards("9C"))
