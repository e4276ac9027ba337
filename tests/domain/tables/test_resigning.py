"""G-13: a stand-in plays the seat on, and the last seat that did not resign wins."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables.commands import (
    Resign,
    Return,
    ScoreRound,
)
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import RoundScored, SeatResigned, SeedRevealed, TableEnded
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    Phase,
    Result,
    is_played_by_bot,
    policy_of,
)
from hoodwink.domain.tables.view import legal_actions_of
from tests.domain.tables.forger import rechained
from tests.domain.tables.sitting import SEED, Sitting, playing


def test_g_13_a_stand_in_plays_a_resigned_seat():
    sitting = playing("ada", "bo", "cy")
    assert sitting.resign(0) == (SeatResigned(0),)
    assert is_played_by_bot(sitting.table, 0)
    assert policy_of(sitting.table, 0) == "steady"
    assert legal_actions_of(sitting.table, 0, sitting.now) == ()
    assert work_due(sitting.table) == WorkDue(IMMEDIATELY)


def test_g_13_resigning_is_legal_at_any_time_and_final():
    sitting = playing("ada", "bo", "cy", "dee")
    sitting.resign(1)
    sitting.play_to(Stage.TO_SCORE)
    sitting.resign(3)
    assert sitting.refusal(Resign(1)) == "already_resigned"
    assert sitting.refusal(Return(1)) == "not_away"
    assert sitting.table.resigned == (1, 3)


def test_g_13_a_bot_does_not_resign_and_does_not_return():
    sitting = playing("ada", "bot", "bot")
    assert sitting.refusal(Resign(1)) == sitting.refusal(Return(1)) == "not_a_person"


def test_g_13_a_resigned_player_ranks_below_all_others_with_the_score_as_played():
    sitting = playing("ada", "bo", "cy", "dee", rounds=3)
    for seat in (2, 0):
        sitting.play_to(Stage.TO_DEAL).deal().resign(seat)
    result = sitting.play_out().table.result
    assert result is not None
    assert result.outcome == "played_out"
    assert result.places is not None
    assert (result.places[2], result.places[0]) == (4, 3)
    assert max(result.places[1], result.places[3]) <= 2
    assert result.scores == sitting.table.rulebook.scores(sitting.table.state)


def last_resigns(sitting: Sitting) -> tuple[int, ...]:
    """Lets all but seat 0 resign and returns the final scores."""
    last = len(sitting.table.seats) - 1
    for seat in range(1, last):
        sitting.resign(seat)
    *_, ended, revealed = sitting.resign(last)
    assert isinstance(ended, TableEnded)
    assert revealed == SeedRevealed(SEED)
    assert (ended.outcome, ended.places) == ("last_seat", (1, *range(last + 1, 1, -1)))
    assert sitting.table.phase is Phase.ENDED
    assert sitting.table.result == Result("last_seat", ended.places, ended.scores)
    assert verify_log(sitting.log()).valid
    assert ended.scores is not None
    return ended.scores


def test_g_13_before_the_first_deal_the_last_seat_wins_with_nothing():
    assert last_resigns(Sitting(seats=3).sit("ada", "bo", "cy").start()) == (0, 0, 0)


def test_g_13_the_unfinished_round_is_not_scored():
    sitting = playing("ada", "bo", "cy", rounds=3).play_to(Stage.TO_DEAL)
    scores = sitting.table.rulebook.scores(sitting.table.state)
    assert any(scores)
    sitting.deal().act(sitting.owing())
    assert last_resigns(sitting) == scores


def test_g_13_between_rounds_every_finished_round_counts():
    sitting = playing("ada", "bo", "cy", rounds=3).play_to(Stage.TO_DEAL)
    scores = sitting.table.rulebook.scores(sitting.table.state)
    assert any(scores)
    assert last_resigns(sitting) == scores


def to_score_with_one_left(rounds: int = 1) -> Sitting:
    """Returns a table whose round waits for its score, and at which all but seat 0 have resigned."""
    sitting = playing("ada", "bo", "cy", rounds=rounds).play_to(Stage.TO_SCORE)
    sitting.resign(1)
    assert sitting.resign(2) == (SeatResigned(2),)
    return sitting


@pytest.mark.parametrize("rounds", [1, 3])
def test_g_2_g_13_a_round_that_was_over_is_scored_by_the_worker_and_then_the_table_ends(rounds):
    sitting = to_score_with_one_left(rounds)
    assert (sitting.table.phase, work_due(sitting.table)) == (Phase.PLAYING, WorkDue(IMMEDIATELY))

    *_, scored, ended, revealed = sitting.do(ScoreRound())

    assert isinstance(scored, RoundScored)
    assert any(scored.totals)
    assert ended == TableEnded("last_seat", (1, 3, 2), scored.totals)
    assert revealed == SeedRevealed(SEED)
    assert sitting.table.rounds_scored == 1
    assert verify_log(sitting.log()).valid


def test_g_13_the_last_seat_left_does_not_resign_while_the_round_waits_for_its_score():
    assert to_score_with_one_left().refusal(Resign(0)) == "table_over"


def test_g_2_a_log_in_which_a_resignation_scores_the_round_is_refused():
    sitting = to_score_with_one_left()
    resigned = sitting.entries[-1]
    sitting.do(ScoreRound())
    scored = sitting.entries[resigned.version :]
    joined = [replace(entry, cmd=resigned.cmd, by=resigned.by) for entry in scored]
    finding = verify_log(rechained([*sitting.entries[: resigned.version], *joined])).finding
    assert finding is not None
    assert (finding.code, finding.version) == ("altered", resigned.version + 1)
