"""The PettingZoo environments pass PettingZoo's own tests."""

import warnings
from functools import partial
from importlib import import_module

import pytest
from pettingzoo.env_registry.registration import make
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import InvalidOptions
from hoodwink.env.aec import env
from hoodwink.env.encodings import encoding_of


def imported(name):
    """Returns a test of PettingZoo; these tests import examples in a way that it deprecates."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return getattr(import_module("pettingzoo.test"), name)


TABLES = [
    pytest.param(
        name,
        seats,
        marks=[] if seats in (game.seats[0], game.seats[1]) else [pytest.mark.campaign],
        id=f"{name}-{seats}",
    )
    for name, game in GAMES.items()
    for seats in range(game.seats[0], game.seats[1] + 1)
]

every_table = pytest.mark.parametrize(("game", "seats"), TABLES)


@every_table
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_pettingzoo_api(game, seats, request):
    cycles = 1_000 if request.node.get_closest_marker("campaign") else 100

    imported("api_test")(make("aec", f"hoodwink/{game}-v0", seats=seats), num_cycles=cycles)


@every_table
def test_pettingzoo_seeds(game, seats, request):
    cycles = 500 if request.node.get_closest_marker("campaign") else 50

    imported("seed_test")(partial(make, "aec", f"hoodwink/{game}-v0", seats=seats), num_cycles=cycles)


def test_an_illegal_action_ends_the_episode_of_all():
    table = env(game="blindside", seats=3)
    table.reset(seed=1)
    agent = table.agent_selection
    mask = table.observe(agent)["action_mask"]

    table.step(int(mask.argmin()))

    assert table.terminations == dict.fromkeys(table.agents, True)
    assert table.rewards[agent] == -1


def test_options_of_the_game_are_options_of_the_environment():
    table = make("aec", "hoodwink/blindside-v0", seats=2, rounds=1, five_card=True)
    table.reset(seed=1)

    for _ in table.agent_iter():
        observation, _, is_over, _, _ = table.last()
        table.step(None if is_over else int(observation["action_mask"].argmax()))

    assert table.agents == []
    with pytest.raises(InvalidOptions):
        env(game="blindside", seats=0)
    with pytest.raises(InvalidOptions):
        env(game="blindside", seats=2, rounds=0)
    with pytest.raises(InvalidOptions):
        env(game="shithead", seats=10, decks=1)


def test_the_environment_becomes_a_parallel_one_without_a_warning():
    parallel = turn_based_aec_to_parallel(make("aec", "hoodwink/blindside-v0"))

    imported("parallel_api_test")(parallel, num_cycles=20)


def test_rewards_sum_to_the_scores_at_the_end():
    table = make("aec", "hoodwink/blind_don-v0")
    table.reset(seed=3)
    sums = dict.fromkeys(table.agents, 0)

    while not any(table.terminations.values()):
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(mask.argmax()))
        sums = {agent: sums[agent] + reward for agent, reward in table.rewards.items()}

    layout = encoding_of("blind_don", 2).layout
    start = next(field.start for field in layout.fields if field.name == "scores")
    observed = table.observe("seat_0")["observation"][start : start + 2]
    assert list(sums.values()) == observed.tolist()
    assert observed.any()
