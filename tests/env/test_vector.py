"""Tables in batches play like single ones."""

import numpy as np
import pytest
from pettingzoo.env_registry.registration import make

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import InvalidOptions
from hoodwink.env.vector import Tables

every_game = pytest.mark.parametrize("game", GAMES)

MAX_STEPS = 600


def random_choice(masks, chance):
    return (masks * chance.random(masks.shape)).argmax(axis=1)


@every_game
def test_a_batch_of_one_plays_like_the_pettingzoo_environment(game):
    import hoodwink.env.aec  # noqa: F401 - registers the environments

    seats = min(3, GAMES[game].seats[1])
    tables, single = (
        Tables(game=game, tables=1, seats=seats, seed=5),
        make("aec", f"hoodwink/{game}-v0", seats=seats),
    )
    single.reset(seed=5)
    batch, chance = tables.batch(), np.random.default_rng(5)
    for _ in range(MAX_STEPS):
        seen = single.observe(single.agent_selection)
        assert single.agent_selection == f"seat_{batch.seats[0]}"
        assert (batch.observations[0] == seen["observation"]).all()
        assert (batch.masks[0] == seen["action_mask"]).all()

        actions = random_choice(batch.masks, chance)
        batch = tables.step(actions)
        single.step(int(actions[0]))

        assert batch.rewards[0].tolist() == [single.rewards[agent] for agent in single.possible_agents]
        assert batch.is_over[0] == any(single.terminations.values())
        if batch.is_over[0]:
            break


def test_a_table_that_is_over_is_followed_by_another():
    tables, chance = Tables(game="blindside", tables=5, seats=2, rounds=1, seed=1), np.random.default_rng(1)
    batch, ended = tables.batch(), 0

    for _ in range(45):
        batch = tables.step(random_choice(batch.masks, chance))
        ended += int(batch.is_over.sum())
        assert (batch.rewards.sum(axis=1) == 0).all()  # tokens change hands
        assert batch.masks.any(axis=1).all()

    assert ended == 5 * (45 // 20)


def test_a_choice_that_is_not_legal_or_missing_changes_no_table():
    tables, chance = Tables(game="coconut", tables=3, seed=1), np.random.default_rng(1)
    before = tables.batch()
    legal = random_choice(before.masks, chance)

    for wrong, error in (((*legal[:2], before.masks[2].argmin()), "at table 2"), (legal[:2], "shorter")):
        with pytest.raises(ValueError, match=error):
            tables.step(wrong)
        assert (tables.batch().observations == before.observations).all()


def test_the_arrays_of_a_batch_may_be_changed():
    batch = Tables(game="blindside", tables=2).batch()

    assert all(array.flags.writeable for array in batch)


def test_options_that_the_game_rejects_are_rejected():
    with pytest.raises(InvalidOptions):
        Tables(game="blindside", tables=1, seats=0)
    with pytest.raises(InvalidOptions):
        Tables(game="shithead", tables=1, seats=10, decks=1)
