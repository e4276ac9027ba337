"""G-15: a round without progress ends without result; the constant is shortened, the rules are not."""

from importlib import import_module

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.domain.games.coconut.actions import PickUpPile, PlayCards
from hoodwink.domain.kernel import Action, Event, Stage
from hoodwink.domain.tables.commands import ExpireClock, ScoreRound
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import ClockRanOut, RoundScored, RoundVoided, SeedRevealed, TableEnded
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    MAX_ACTIONS_PER_ROUND,
    Phase,
    Result,
    Table,
    stage_of,
)
from tests.domain.tables.sitting import SEED, Sitting, playing


@pytest.fixture
def guard(monkeypatch):
    """Lets the guard stop a round after this many actions."""

    def set_to(actions: int) -> None:
        monkeypatch.setattr(
            import_module("hoodwink.domain.tables.deciding.decide"), "MAX_ACTIONS_PER_ROUND", actions
        )

    return set_to


def near_the_end(sitting: Sitting, actions_left: int) -> Sitting:
    """Sets the table's counter so that only this many actions of the round are left."""
    sitting.table = replace(sitting.table, round_actions=MAX_ACTIONS_PER_ROUND - actions_left)
    return sitting


def voided(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, RoundVoided) for event in events)


def test_g_15_the_twenty_thousandth_action_voids_the_round():
    sitting = near_the_end(playing("ada", "bo", "cy"), 2)
    assert not voided(sitting.act(sitting.owing()))
    *_, last = sitting.act(sitting.owing())
    assert last == RoundVoided(1)
    assert MAX_ACTIONS_PER_ROUND == 20_000


def test_g_15_a_void_round_has_no_score_and_the_next_one_is_dealt():
    sitting = near_the_end(playing("ada", "bo", "cy", rounds=2), 1)
    sitting.act(sitting.owing())
    assert (stage_of(sitting.table), work_due(sitting.table)) == (Stage.TO_DEAL, WorkDue(IMMEDIATELY))
    assert (sitting.table.round_scores, sitting.table.rounds_scored) == ((0, 0, 0), 0)
    assert sitting.deal().table.round == 2


def test_g_15_an_action_that_ends_the_round_is_scored():
    sitting = playing("ada", "bo", "cy", rounds=1)
    left = actions_in_round(sitting)
    sitting = near_the_end(playing("ada", "bo", "cy", rounds=1), left).play_to(Stage.TO_SCORE)
    assert sitting.table.round_actions == MAX_ACTIONS_PER_ROUND
    assert any(isinstance(event, RoundScored) for event in sitting.do(ScoreRound()))


def actions_in_round(sitting: Sitting) -> int:
    return sitting.play_to(Stage.TO_SCORE).table.round_actions


def test_g_15_a_table_of_void_rounds_ends_without_result(guard):
    guard(3)
    sitting = playing("ada", "bo", "cy", rounds=2).play_out()
    assert sitting.table.result == Result("no_result", None, None)
    assert [entry.type for entry in sitting.entries[-3:]] == [
        RoundVoided.wire,
        TableEnded.wire,
        SeedRevealed.wire,
    ]
    assert verify_log(sitting.log()).valid


def test_g_15_scored_rounds_decide(guard):
    sitting = playing("ada", "bo", "cy", rounds=2).play_to(Stage.TO_DEAL)
    scores = sitting.table.round_scores
    assert any(scores)
    near_the_end(sitting.deal(), 1)
    _, void, ended, seed = sitting.act(sitting.owing())
    assert (void, seed) == (RoundVoided(2), SeedRevealed(SEED))
    assert isinstance(ended, TableEnded)
    assert (ended.outcome, ended.scores) == ("played_out", scores)
    assert sitting.table.phase is Phase.ENDED


def test_g_15_an_expired_clock_counts_as_an_action():
    sitting = near_the_end(playing("ada", "bo", "cy", turn_seconds=5), 1)
    seat = sitting.owing()
    ran_out, _, void = sitting.do(ExpireClock(seat, sitting.choice(seat)), by=f"bot:{seat}", after_ms=5_000)
    assert (ran_out, void) == (ClockRanOut(seat), RoundVoided(1))


def for_ever(table: Table, seat: int) -> Action | None:
    """Returns an action that lets two players of Coconut play forever: the one with fewer cards takes the pile."""
    hands = table.state.hands
    legal = table.rulebook.legal_actions(table.state, seat, 0)
    taking = [action for action in legal if isinstance(action, PickUpPile)]
    laying = [action for action in legal if isinstance(action, PlayCards) and action.cards[0][0] != "T"]
    wanted = (*taking, *laying) if len(hands[seat]) <= len(hands[1 - seat]) else (*laying, *taking)
    return next(iter(wanted), None)


@pytest.mark.campaign
def test_g_15_twenty_thousand_real_actions():
    sitting = playing("ada", "bo", game="coconut", voluntary_pickup=True)
    while sitting.table.phase is Phase.PLAYING:
        if stage_of(sitting.table) is not Stage.IN_PLAY:
            sitting.step()
        else:
            seat = sitting.owing()
            sitting.act(seat, for_ever(sitting.table, seat), after_ms=1)
    assert sitting.table.result == Result("no_result", None, None)
    assert sitting.table.round_actions == MAX_ACTIONS_PER_ROUND
    assert verify_log(sitting.log()).valid
