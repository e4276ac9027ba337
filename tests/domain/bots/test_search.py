"""Thinking ahead: flat Monte Carlo over imagined deals (G-19)."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.domain.bots.search import Search, thinking
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Lookahead, Observation, Stage

GAME: Any = SimpleNamespace(stage=lambda state: Stage.IN_PLAY if state["moves"] < 3 else Stage.TO_SCORE)


def search(*, max_moves: int = 10, max_effort: int = 16_000) -> tuple[Search, list[Any]]:
    """Returns a search in a game whose result is the move plus luck, and the states that were valued."""
    seen: list[Any] = []

    def value(state: Any) -> tuple[float, ...]:
        seen.append(state)
        return 0.0, state["worth"] + state["luck"]

    lookahead: Lookahead[Any] = Lookahead(
        moves=lambda state, seat: (),
        apply=lambda state, seat, move: {**state, "worth": move, "moves": 0, "luck": 0.0},
        play_on=lambda state, chance: {
            **state,
            "moves": state["moves"] + 1,
            "luck": state["luck"] + chance.random(),
        },
        value=value,
        scale="",
        max_moves=lambda _state: max_moves,
        max_effort=max_effort,
    )
    return Search(GAME, lookahead, 1, Random(0)), seen


@pytest.mark.parametrize("playouts", [1, 40])
def test_g_19_the_same_luck_for_all_candidates_shows_the_least_difference(playouts):
    searching, seen = search()
    deals = iter(range(1_000))
    best = searching.best((0.1, 0.3, 0.300001, 0.2), 0.2, playouts, lambda: {"deal": next(deals)})
    assert best == (0.300001, 0.2)
    by_deal: dict[int, set[float]] = {}
    for state in seen:
        by_deal.setdefault(state["deal"], set()).add(state["luck"])
    assert all(len(lucks) == 1 for lucks in by_deal.values())


def best_of(*rivals: str, imagine: Callable[[], Any]) -> Any:
    """Returns the best moves next to a habit, where an imagined deal says what each is worth."""
    lookahead: Lookahead[Any] = Lookahead(
        moves=lambda state, seat: (),
        apply=lambda state, seat, move: {"moves": 3, "worth": state[move]},
        play_on=lambda state, chance: state,
        value=lambda state: (0.0, state["worth"]),
        scale="",
    )
    return Search(GAME, lookahead, 1, Random(0)).best(rivals, "habit", 40, imagine)


@pytest.mark.parametrize(("gain", "best"), [(0.05, ("habit", "rival")), (0.5, ("rival", "habit"))])
def test_g_19_the_habit_is_the_best_move_unless_another_is_clearly_better(gain, best):
    chance = Random(1)

    def imagine() -> Any:
        return {"habit": chance.random(), "rival": chance.random() + gain}

    assert best_of("rival", imagine=imagine) == best


def test_g_19_a_move_with_always_the_same_result_is_no_rival():
    chance, deals = Random(1), list[float]()

    def imagine() -> Any:
        deals.append(chance.random())
        return dict.fromkeys(("habit", "twin", "other twin", "third twin"), deals[-1]) | {
            "worse": deals[-1] / 2
        }

    assert best_of("twin", "other twin", "third twin", imagine=imagine) == ("habit",)
    assert len(deals) == 5, "the rest of the deals shows nothing more"
    assert best_of("twin", "worse", imagine=imagine) == ("habit", "worse")


def test_g_19_the_seat_plays_on_by_its_own_guesses():
    # Seat 1 moves second, too. Only its guess goes on with what the feint began.
    game: Any = SimpleNamespace(stage=lambda state: Stage.IN_PLAY if len(state) < 3 else Stage.TO_SCORE)
    results = {("feint", "rest", "strike"): 1.0, ("wait", "rest", "strike"): 0.4}
    lookahead: Lookahead[Any] = Lookahead(
        moves=lambda state, seat: (),
        apply=lambda state, seat, move: (*state, move),
        play_on=lambda state, chance: (*state, "rest"),
        guess=lambda state, seat: "strike" if len(state) == 2 and seat == 1 else None,
        value=lambda state: (0.0, results.get(state, 0.2)),
        scale="",
    )
    assert Search(game, lookahead, 1, Random(0)).best(("feint", "wait"), "wait", 20, tuple)[0] == "feint"


def choices(*, guess: str | None, worth: dict[str, float], actions: int = 0) -> set[Any]:
    """Returns what a bot that thinks chooses with different chances between "guess" and "habit" at a table of three."""
    lookahead: Lookahead[Any] = Lookahead(
        moves=lambda state, seat: ("guess", "habit"),
        apply=lambda state, seat, move: move,
        play_on=lambda state, chance: state,
        guess=lambda state, seat: guess,
        value=lambda state: (worth[state],),
        scale="",
    )
    game: Any = SimpleNamespace(
        lookahead=lookahead,
        rank=lambda *_: ("habit",),
        imagine=lambda known, chance: known.state,
        stage=lambda state: Stage.TO_SCORE,
        scores=lambda state: (0, 0, 0),
    )
    known: Any = SimpleNamespace(state="dealt")
    observation = Observation(0, GAMES["coconut"].options(), None, (), known, actions)
    return {thinking(10)(game, observation, Random(seed)) for seed in range(100)}


def test_g_19_a_guess_is_the_habit_before_the_rules_of_thumb():
    assert choices(guess="guess", worth={"guess": 0.5, "habit": 0.5}) == {"guess"}


@pytest.mark.parametrize(("actions", "chosen"), [(200, {"guess"}), (400, {"guess", "habit"})])
def test_g_15_only_a_very_long_round_has_second_best_moves(actions, chosen):
    assert choices(guess=None, worth={"guess": 0.9, "habit": 0.1}, actions=actions) == chosen


def test_g_15_playing_on_is_cut_off():
    searching, seen = search(max_moves=2)
    searching.best((1, 2), 1, 4, dict)
    assert {state["moves"] for state in seen} == {2}


def test_g_19_a_decision_has_fewer_trials_if_rounds_take_long_to_play_on():
    searching, seen = search(max_effort=30)
    searching.best((1, 2), 1, 40, dict)
    assert len(seen) == 10, "each trial plays on for three moves"


def test_g_19_a_bot_that_thinks_needs_knowledge():
    observation = Observation(0, GAMES["coconut"].options(), None, ())
    with pytest.raises(AssertionError, match="needs to know"):
        thinking(10)(GAMES["coconut"], observation, Random(0))
