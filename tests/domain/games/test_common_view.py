"""Fields that every game's view shows under one name: whose turn, dealer, leader, step, direction, stock, scores, rounds, last."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.kernel import Completed, GameView, Stage
from tests.domain.games import (
    blind_don_table,
    blindside_table,
    coconut_table,
    double_blind_table,
    shithead_table,
)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def common(state: Any, name: str) -> dict[str, Any]:
    """Returns what a client that knows no game reads from the game's view as JSON."""
    view = msgspec.json.decode(msgspec.json.encode(GAMES[name].view(state, "spectator")))
    return {field: view[field] for field in GameView.__struct_fields__}


@every_game
def test_only_scores_and_rounds_are_known_before_the_first_deal(game):
    seats = game.seats[1]
    seen = common(game.initial(game.options(), seats), game.name)
    rounds = {"blindside": 10, "coconut": 3, "blind_don": 4, "double_blind": None, "shithead": 1}
    assert seen.pop("rounds") == rounds[game.name]
    assert (seen.pop("scores"), seen.pop("round")) == ([0] * seats, 0)
    assert seen.pop("direction") == (-1 if game.name == "double_blind" else 1)
    assert seen.pop("stock_count") == (None if game.name == "blind_don" else 0)
    assert set(seen.values()) == {None}


@every_game
def test_the_facts_of_every_game_come_first_in_one_order(game):
    view = game.view(game.initial(game.options(), game.seats[0]), "spectator")
    assert [*msgspec.to_builtins(view)][: len(GameView.__struct_fields__)] == [*GameView.__struct_fields__]


def test_blindside_shows_the_step_the_stock_and_each_contest():
    table = blindside_table
    state = table.dealt(3, table.Stacked(first=1))
    assert common(state, "blindside") == {
        "round": 1,
        "rounds": 3,
        "dealer": 1,
        "leader": None,
        "to_move": None,  # all pass together
        "step": "pass",
        "direction": 1,
        "stock_count": 39,
        "scores": [0, 0, 0],
        "last": None,
    }
    state = table.to_score("AS KH", "2C 3C 4C", "2D 3D 4D")
    first, second = [table.fold(state, GAMES["blindside"].score_round(state)[:count]) for count in (1, 2)]
    assert first.last == Completed("contest", 0, table.cards("AS KH"), (0, 1))
    assert second.last == Completed(
        "contest", 0, table.cards("AS 2C 3C 4C KH 2D 3D 4D"), (0, 0, 0, 0, 1, 1, 1, 1)
    )
    assert common(second, "blindside")["scores"] == [2, -2]


def test_blind_don_shows_who_leads_and_the_last_trick():
    table = blind_don_table
    state = table.situation(("2S 3S", "9S 4D"), scores=(1, 5))
    seen = common(state, "blind_don")
    assert (seen["leader"], seen["to_move"], seen["step"], seen["scores"]) == (0, 0, "lead", [1, 5])
    seen = common(table.play(state, 0), "blind_don")
    assert (seen["leader"], seen["to_move"], seen["step"], seen["last"]) == (0, 1, "follow", None)
    taken = table.play(state, 0, 0)
    assert taken.last == Completed("trick", 1, table.cards("2S 9S"), (0, 1))
    assert (common(taken, "blind_don")["leader"], taken.scores) == (1, (1, 14))


@pytest.mark.parametrize(
    ("round_", "scores", "rounds"),
    [(3, (0, 0), 4), (4, (1, 2), 4), (4, (3, 3), 6), (6, (3, 3), 8), (6, (3, 4), 6)],
)
def test_bd_22_rounds_added_by_a_tie_are_counted_once_certain(round_, scores, rounds):
    table = blind_don_table
    state = table.to_score(("", ""), scores=scores, round=round_, final_tie="two_more_rounds")
    assert common(table.score(state), "blind_don")["rounds"] == rounds


def test_bd_22_the_first_of_two_more_rounds_is_one_of_six():
    state = blind_don_table.situation(("2S", "9S"), round=5, final_tie="two_more_rounds")
    assert common(state, "blind_don")["rounds"] == 6


def test_the_double_blind_names_mastermind_and_madd_hatter_as_dealer_and_leader():
    table = double_blind_table
    state = table.situation(["9C 3D", "9D 4D", "2D"], ["", "", ""], bank="3C 4C 5C", totals=(7, 8, 9))
    seen = common(state, "double_blind")
    assert (seen["dealer"], seen["leader"], seen["to_move"], seen["step"]) == (1, 0, 0, "hat")
    assert (seen["direction"], seen["stock_count"], seen["scores"]) == (-1, 3, [7, 8, 9])
    tied = table.after(state, (0, PlayPocket(0)), (2, PlayPocket(0)), (1, PlayPocket(0)))
    assert common(tied, "double_blind")["step"] == "trick"


def test_db_48_the_last_hat_shows_who_played_which_card_and_who_won():
    table = double_blind_table
    state = table.situation(["9C 2C", "KD 2D", "4H 2H"], ["3S", "4S", "5S"])
    taken = table.after(state, (0, PlayPocket(0)), (2, PlayPocket(0)), (1, PlayPocket(0)))
    assert taken.last == Completed("hat", 2, table.cards("4H KD 9C"), (0, 2, 1))


def test_db_46_a_lost_hat_has_no_winner():
    table = double_blind_table
    state = table.situation(["9C", "9D"], ["", ""], exhausted_trick="void")
    lost = table.after(state, (0, PlayPocket(0)), (1, PlayPocket(0)))
    assert lost.last == Completed("hat", None, table.cards("9D 9C"), (0, 1))


def test_coconut_shows_who_cleared_the_last_pile():
    table = coconut_table
    state = table.table("TS 4C 4D", "5C 6C", pile="3C 9H", stock="2C 3D")
    seen = common(state, "coconut")
    assert (seen["to_move"], seen["step"], seen["stock_count"], seen["rounds"]) == (0, "move", 2, 3)
    cleared = table.after(state, (0, table.play("TS")))
    assert cleared.last == Completed("pile", 0, table.cards("3C 9H TS"), ())
    kept = table.after(cleared, (0, table.play("4C")))
    assert kept.last == cleared.last


def test_shithead_shows_who_burned_the_last_pile_and_the_direction():
    table = shithead_table
    state = table.table("TS 4C 4D", "5C 6C 9C", "2S 2H 2D", pile="3C 9H")
    burned = table.after(state, (0, table.play("TS")))
    assert burned.last == Completed("pile", 0, table.cards("3C 9H TS"), ())
    assert common(replace(burned, direction=-1), "shithead")["direction"] == -1


@every_game
def test_a_new_deal_clears_the_last_completion(game):
    seats = game.seats[0]
    earlier = Completed("pile", 0, (), ())
    state = replace(game.initial(game.options(), seats), last=earlier)
    for event in game.deal(state, blindside_table.seeded(1, seats)):
        state = game.evolve(state, event)
    assert (game.stage(state), state.last) == (Stage.IN_PLAY, None)
