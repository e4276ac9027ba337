"""What players may say to each other, and when they may nudge one another."""

import pytest

from hoodwink.domain.kernel import RuleViolation, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.deciding.talking import NUDGE, NUDGE_AFTER_MS, check_saying, is_quiet
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_tournament_table import sitting_of


def refusal(sitting: Sitting, seat: int, saying: str, to: int | None = None) -> str:
    """Returns the code with which the table refuses a saying, or an empty string."""
    try:
        check_saying(sitting.table, seat, saying, to=to, now=sitting.now)
    except RuleViolation as violation:
        return violation.code
    return ""


def test_only_the_sayings_of_the_game_can_be_said_and_to_everybody():
    sitting = playing("ada", "bo", rated=False)

    assert {refusal(sitting, 0, saying.id) for saying in sitting.table.rulebook.sayings} == {""}
    assert refusal(sitting, 0, "I hold the ace") == "unknown_saying"
    assert refusal(sitting, 0, "hello", to=1) == "unknown_saying"


def test_nobody_talks_in_a_round_that_counts():
    sitting = playing("ada", "bo", rated=True, rounds=2, round_pause=8_000)
    assert is_quiet(sitting.table)
    assert refusal(sitting, 0, "hello") == refusal(sitting, 0, NUDGE, to=1) == "quiet_table"

    sitting.play_to(Stage.TO_DEAL)
    assert refusal(sitting, 0, "hello") == ""
    assert refusal(Sitting(rated=True).sit("ada"), 0, "hello") == ""
    sitting.now += 8_000
    assert refusal(sitting.deal().play_out(), 0, "hello") == ""


def test_nobody_talks_in_a_round_of_a_tournament():
    assert is_quiet(sitting_of("ada", "bo", "cy").deal().table)


def test_a_seat_can_be_nudged_once_its_turn_has_lasted():
    sitting = playing("ada", "bo", rated=False, five_card=True)
    seat = sitting.owing()
    other = 1 - seat

    assert refusal(sitting, other, NUDGE, seat) == "not_to_nudge"
    sitting.now += NUDGE_AFTER_MS - 1
    assert refusal(sitting, other, NUDGE, seat) == "not_to_nudge"
    sitting.now += 1
    assert refusal(sitting, other, NUDGE, seat) == ""
    assert refusal(sitting, seat, NUDGE, seat) == "not_to_nudge", "nobody nudges themselves"
    assert refusal(sitting, seat, NUDGE, other) == "not_to_nudge", "the other owes nothing"
    assert refusal(sitting, other, NUDGE, None) == refusal(sitting, other, NUDGE, 2) == "not_to_nudge"
    assert refusal(sitting.play_out(), other, NUDGE, seat) == "not_to_nudge"


@pytest.mark.parametrize("other", ["bot", "bo"], ids=["bot", "resigned"])
def test_a_seat_that_a_bot_plays_cannot_be_nudged(other):
    sitting = playing("ada", other, "cy", rated=False)  # everybody passes a card at the same time
    sitting.now += NUDGE_AFTER_MS
    if other != "bot":
        assert refusal(sitting, 0, NUDGE, 1) == ""
        sitting.do(commands.Resign(1), by="player:1")
        sitting.now += NUDGE_AFTER_MS

    assert sitting.table.owing_since[1] is not None
    assert refusal(sitting, 0, NUDGE, 1) == "not_to_nudge"
