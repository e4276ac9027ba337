"""Seats, places and other small functions that every game uses."""

import msgspec
import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import (
    BySeat,
    CardChoice,
    InvalidOptions,
    RuleViolation,
    SharedCode,
    Turn,
    fields_by_seat,
    left,
    places,
    replace_at,
    right,
)


@pytest.mark.parametrize(
    ("seat", "seats", "clockwise"), [(0, 2, 1), (1, 2, 0), (0, 4, 1), (3, 4, 0), (9, 10, 0)]
)
def test_left_is_clockwise_and_right_is_back(seat, seats, clockwise):
    assert left(seat, seats) == clockwise
    assert right(clockwise, seats) == seat


def test_one_item_is_replaced_and_the_rest_stay():
    assert [replace_at(("a", "b", "c"), index, "x") for index in range(3)] == [
        ("x", "b", "c"),
        ("a", "x", "c"),
        ("a", "b", "x"),
    ]
    with pytest.raises(IndexError):
        replace_at(("a", "b"), 2, "x")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((7, 9, 7, 1), (2, 1, 2, 4)),
        ((3, 3), (1, 1)),
        ((-2, -1, 0), (3, 2, 1)),
        ((5, 5, 5, 6, 4), (2, 2, 2, 1, 5)),
    ],
)
def test_g_11_equal_scores_share_the_better_place(scores, expected):
    assert places(scores) == expected


def test_a_violation_has_a_code_for_programs_and_a_sentence_for_people():
    violation = RuleViolation(SharedCode.NOT_YOUR_TURN)
    assert (violation.code, violation.detail) == ("not_your_turn", SharedCode.NOT_YOUR_TURN.meaning)
    assert str(violation) == f"not_your_turn: {SharedCode.NOT_YOUR_TURN.meaning}"
    assert InvalidOptions("Too many.").code == "invalid_options"


def test_a_choice_of_cards_omits_fields_with_default_values():
    choice = CardChoice(type="play", cards=("AS", "AH"), at_least=1, at_most=2)
    assert msgspec.to_builtins(choice) == {"type": "play", "cards": ("AS", "AH"), "at_least": 1, "at_most": 2}
    assert Turn() == Turn(owes=(), may=())


@pytest.mark.parametrize("name", GAMES)
def test_a_game_and_its_events_are_named_by_the_games_wire_name(name):
    game = GAMES[name]
    assert game.name == name
    assert all(kind.wire.startswith(f"{name}.") for kind in game.events)


@pytest.mark.parametrize("name", GAMES)
def test_an_action_takes_no_unknown_field(name):
    for kind in GAMES[name].actions:
        with pytest.raises(msgspec.ValidationError, match="unknown field `cheat`"):
            msgspec.convert({"type": kind.__struct_config__.tag, "cheat": 1}, kind)


def test_g_15_a_bot_moves_on_an_expired_clock_unless_the_game_decides():
    for name in ("blindside", "blind_don"):
        game = GAMES[name]
        assert game.overdue(game.initial(game.options(), 2), 0) is None


class Seen(msgspec.Struct):
    round: int
    hands: BySeat[tuple[str, ...]]
    pile: tuple[str, ...]
    loot: BySeat[int] | None


def test_a_view_says_which_fields_have_a_part_for_each_seat():
    assert fields_by_seat(Seen) == ("hands", "loot")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_field_by_seat_has_as_many_parts_as_there_are_seats(game):
    seats = game.seats[1]
    view = game.view(game.initial(game.options(), seats), "everybody")
    zones = [getattr(view, name) for name in fields_by_seat(type(view))]
    assert zones
    assert all(zone is None or len(zone) == seats for zone in zones)
