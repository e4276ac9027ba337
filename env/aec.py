"""PettingZoo environments, registered as `hoodwink/blindside-v0` and so on when this module is imported.

env = make("aec", "hoodwink/blindside-v0", seats=4, five_card=True)
"""

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.env_registry.registration import register
from pettingzoo.utils import AECEnv, wrappers

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import options_of
from hoodwink.env.encodings import encoding_of
from hoodwink.env.layout import HIGHEST, LOWEST
from hoodwink.env.table import Shuffles, Table

ILLEGAL_REWARD = -1.0
"""The reward of an agent that chooses an illegal action, which ends the episode."""


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table from its first deal to its end. Rewards are changes of the seats' scores."""

    render_mode = None  # PettingZoo's conversions warn about environments without this attribute

    def __init__(self, *, game: str, seats: int | None = None, **options: Any) -> None:
        """Takes the number of seats, by default the fewest, and options of the game.

        Raises:
            InvalidOptions: such a table cannot be played.
        """
        super().__init__()
        rulebook = GAMES[game]
        self._game, self._seats = game, rulebook.seats[0] if seats is None else seats
        self._options = options_of(rulebook, options)
        self._encoding = encoding_of(game, self._seats)
        rulebook.check_options(self._options, self._seats)
        self.metadata = {"name": f"{game}_v0", "is_parallelizable": False, "render_modes": []}
        self.possible_agents = [f"seat_{seat}" for seat in range(self._seats)]
        size, actions = self._encoding.layout.size, len(self._encoding.labels)
        self._observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(LOWEST, HIGHEST, (size,), np.int16),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self._chance = Random()  # noqa: S311 - play must be repeatable, not secret

    def observation_space(self, agent: str) -> Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._chance = Random(seed)  # noqa: S311
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._table = Table(self._game, self._seats, self._options)
        self._draws = Shuffles(self._seats, self._chance)
        self._deal()

    def observe(self, agent: str) -> dict[str, Any]:
        seat, table = self.possible_agents.index(agent), self._table
        row, mask = self._encoding.layout.empty_row(), np.zeros(len(self._encoding.labels), np.int8)
        table.observe(row, seat)
        if seat == table.seat:
            mask[table.choices()] = 1
        return {"observation": np.array(row, np.int16), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "only an agent that has finished has no action"
        self._cumulative_rewards[self.agent_selection] = 0.0
        before = self._table.scores
        self._table.step(int(action))
        self._deal()
        after = self._table.scores
        self.rewards = {
            agent: float(score - earlier)
            for agent, score, earlier in zip(self.agents, after, before, strict=True)
        }
        self._accumulate_rewards()

    def close(self) -> None:
        """Does nothing: an environment holds no resources."""

    def _deal(self) -> None:
        while self._table.is_to_deal:
            self._table.deal(self._draws)
        seat = self._table.seat
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[seat or 0]


def env(*, game: str, seats: int | None = None, **options: Any) -> AECEnv:
    """Returns the environment with PettingZoo's usual checks: an illegal action ends the episode."""
    bare = GameEnv(game=game, seats=seats, **options)
    checked = wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


for _name in GAMES:
    register("aec", f"hoodwink/{_name}-v0", entry_point=env, kwargs={"game": _name})
