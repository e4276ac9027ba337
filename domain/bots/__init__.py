"""Bots: the policies by name, and code shared by the steady bots of all games."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hoodwink.domain.bots.policy import Choose, choose_cards, out_of_turn, pick_action, play_random
from hoodwink.domain.kernel import Game, Policy

MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "random": "Chooses a random legal action.",
        "steady": "Plays like a sensible person, using only what its seat may see.",
    }
)
"""A description of each policy for people."""

POLICIES = tuple(MEANINGS)

VERSIONS: Mapping[str, int] = MappingProxyType({"random": 2, "steady": 2})
"""The version of each policy. A change to its play in any game needs a new one: it is another player for ratings (R-1)."""


def policy_for(name: str, game: Game[Any]) -> Policy:
    """Returns the policy `random` or `steady` of a game; raises `KeyError` for other names."""
    return {"random": play_random, "steady": game.steady}[name]


__all__ = [
    "MEANINGS",
    "POLICIES",
    "VERSIONS",
    "Choose",
    "choose_cards",
    "out_of_turn",
    "pick_action",
    "play_random",
    "policy_for",
]
