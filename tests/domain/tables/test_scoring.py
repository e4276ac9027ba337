"""Rounds dealt, played, scored, and the end of the table."""

import pytest

from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables.commands import Act, ScoreRound
from hoodwink.domain.tables.deciding.endings import final_places
from hoodwink.domain.tables.events import RoundScored, SeedRevealed, TableEnded
from hoodwink.domain.tables.state import Phase, Result
from tests.domain.tables.sitting import SEED, Sitting, playing


def scored_round(sitting: Sitting) -> RoundScored:
    """Plays to the end of the round and returns its score."""
    sitting.play_to(Stage.TO_SCORE)
    return next(event for event in sitting.do(ScoreRound()) if isinstance(event, RoundScored))


@pytest.mark.parametrize(("game", "unit"), [("blindside", "token"), ("coconut", "point")])
def test_a_rounds_score_is_the_difference_of_the_totals(game, unit):
    sitting = playing("ada", "bo", "bot", game=game, rounds=3)
    before: tuple[int, ...] = (0, 0, 0)
    for number in (1, 2, 3):
        scored = scored_round(sitting)
        assert (scored.round, scored.unit) == (number, unit)
        assert tuple(map(sum, zip(before, scored.deltas, strict=True))) == scored.totals
        assert sitting.table.round_scores == scored.totals
        before = scored.totals
        if number < 3:
            sitting.deal()


def test_bs_23_a_head_start_is_no_score():
    sitting = playing("ada", "bo", rounds=1, start_tokens=50)
    assert sum(scored_round(sitting).totals) == 0


def test_actions_are_counted_from_zero_in_each_round():
    sitting = playing("ada", "bo", "bot", rounds=2)
    sitting.act(sitting.owing())
    assert sitting.table.round_actions == 1
    sitting.play_to(Stage.TO_DEAL)
    counted = sitting.table.round_actions
    assert counted > 1
    sitting.deal()
    assert (sitting.table.round, sitting.table.rounds_scored, sitting.table.round_actions) == (2, 1, 0)


def test_g_11_the_last_score_ends_the_table_with_places_and_the_seed():
    sitting = playing("ada", "bo", "bot", rounds=1).play_to(Stage.TO_SCORE)
    *_, scored, ended, revealed = sitting.do(ScoreRound())
    assert isinstance(scored, RoundScored)
    assert ended == TableEnded("played_out", final_places(scored.totals, ()), scored.totals)
    assert revealed == SeedRevealed(SEED)
    assert sitting.table.phase is Phase.ENDED
    assert sitting.table.result == Result("played_out", ended.places, scored.totals)


def test_the_table_refuses_actions_that_the_game_refuses():
    sitting = playing("ada", "bo", "cy")
    waiting = next(seat for seat in range(3) if seat != sitting.owing())
    assert sitting.refusal(Act(waiting, sitting.choice(sitting.owing()))) in {
        "not_your_turn",
        "wrong_phase",
    } or (sitting.refusal(Act(waiting, sitting.choice(sitting.owing()))) == "card_not_held")


@pytest.mark.parametrize(
    ("scores", "resigned", "places"),
    [
        ((3, 1, 2), (), (1, 3, 2)),
        ((2, 2, 1), (), (1, 1, 3)),
        ((2, 1, 1), (), (1, 2, 2)),
        ((9, 1, 1), (0,), (3, 1, 1)),
        ((9, 8, 0, 7), (1, 0), (3, 4, 2, 1)),
        ((0, 0), (1,), (1, 2)),
        ((0, 0), (0, 1), (2, 2 - 1)),
        ((), (), ()),
    ],
)
def test_g_11_g_13_equal_scores_share_a_place_and_resigned_seats_come_last(scores, resigned, places):
    assert final_places(scores, resigned) == places
