"""The games pass OpenSpiel's own tests for Python games."""

import pickle
import unittest
import warnings
from copy import deepcopy
from importlib import import_module
from random import Random

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import InvalidOptions

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")

import hoodwink.env.openspiel  # noqa: E402, F401 - registers the games

TABLES = [
    pytest.param(
        name,
        seats,
        marks=[] if seats == min(3, game.seats[1]) else [pytest.mark.campaign],
        id=f"{name}-{seats}",
    )
    for name, game in GAMES.items()
    for seats in range(game.seats[0], game.seats[1] + 1)
]
SHORT = {"double_blind": {"target_score": 100}, "blindside": {"rounds": 1}, "coconut": {"rounds": 1}}
"""Options with which a game ends soon."""

every_game = pytest.mark.parametrize("name", GAMES)
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


@pytest.fixture(scope="module")
def api_test():
    """The module of OpenSpiel's own tests. Its import takes a second, which only the process of this module should spend."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("open_spiel.integration_tests.api_test")


def load(name, seats, **options):
    return pyspiel.load_game(f"hoodwink_{name}", {"players": seats, **SHORT.get(name, {}), **options})


def step(state, chance):
    """Applies a random action of the player to move, or of chance."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])
    else:
        state.apply_action(chance.choice(state.legal_actions()))


@every_table
def test_random_simulation_of_openspiel(name, seats):
    pyspiel.random_sim_test(load(name, seats), num_sims=1, serialize=False, verbose=False)


@every_table
def test_api_of_openspiel(api_test, name, seats):
    case = type(
        "Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": load(name, seats), "game_name": name}
    )
    result = unittest.TestResult()

    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)

    assert result.testsRun >= 5
    assert result.errors + result.failures == []


@every_game
def test_states_survive_serialization(name):
    state, chance = load(name, GAMES[name].seats[0]).new_initial_state(), Random(1)
    for _ in range(150):
        if not state.is_terminal():
            step(state, chance)

    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]

    assert str(again) == str(state)
    assert again.history() == state.history()


@every_game
def test_a_resampled_state_looks_the_same_to_its_player(name):
    state, chance = load(name, min(3, GAMES[name].seats[1])).new_initial_state(), Random(2)
    others = 0
    for number in range(400):
        if state.is_terminal():
            break
        if not state.is_chance_node() and number % 10 == 0:
            player = state.current_player()
            imagined = state.resample_from_infostate(player, chance.random)
            others += str(imagined) != str(state)
            assert imagined.history() == []
            assert imagined.current_player() == player
            assert imagined.legal_actions() == state.legal_actions()
            for look in ("information_state_string", "information_state_tensor", "observation_string"):
                assert getattr(imagined, look)(player) == getattr(state, look)(player)
            for _ in range(5):
                if not imagined.is_terminal() and not imagined.is_chance_node():
                    step(imagined, chance)
        step(state, chance)
    assert others


def test_a_resampled_state_is_resampled_again_for_the_same_player_alone():
    state, chance = load("blindside", 3).new_initial_state(), Random(3)
    while state.is_chance_node():
        step(state, chance)
    imagined = state.resample_from_infostate(0, chance.random)

    again = imagined.resample_from_infostate(0, chance.random)

    assert again.information_state_string(0) == state.information_state_string(0)
    with pytest.raises(ValueError, match="resampled for player 0"):
        imagined.resample_from_infostate(1, chance.random)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.interrupts])
def test_a_resampled_state_does_not_depend_on_who_declined(name):
    options = {"out_of_turn_burn": True} if name == "shithead" else {}
    state, chance, compared = load(name, 3, **options).new_initial_state(), Random(1), 0
    decline = state.table.encoding.decline
    while not state.is_terminal() and compared < 20:
        if not state.is_chance_node() and decline in state.legal_actions():
            after = state.clone()
            after.apply_action(decline)
            for player in {0, 1, 2} - {state.current_player(), after.current_player()}:
                imagined = [
                    str(each.resample_from_infostate(player, Random(9).random)) for each in (state, after)
                ]
                assert imagined[0] == imagined[1]
                compared += 1
        step(state, chance)
    assert compared


def test_a_copied_game_is_the_same_game():
    game = load("blindside", 3, five_card=True)

    for copy in (deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert str(copy) == str(game)
        assert copy.new_initial_state().table.options == game.options


def test_an_illegal_action_changes_nothing():
    state, chance = load("coconut", 2).new_initial_state(), Random(1)
    while state.is_chance_node():
        step(state, chance)
    player, illegal = state.current_player(), state.table.encoding.decline
    before = state.information_state_string(player)

    with pytest.raises(ValueError, match="not a legal choice"):
        state.apply_action(illegal)

    assert state.information_state_string(player) == before


def test_invalid_options_are_rejected():
    with pytest.raises(InvalidOptions):
        load("shithead", 10, decks=1)
