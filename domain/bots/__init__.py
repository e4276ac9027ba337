"""Bots: the policies by name, and what the steady bots of all games share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from domain.bots.policy import choose_cards, pick_action, play_random
from domain.kernel import Game, Policy

POLICIES = ("random", "steady")

VERSIONS: Mapping[str, int] = MappingProxyType({"random": 1, "steady": 1})
"""The version of each policy, raised whenever it plays otherwise in any game: another player for the ratings (R-1)."""


def policy_for(name: str, game: Game[Any]) -> Policy:
    """Returns the policy `random` or `steady` for a game; raises `KeyError` for another name."""
    return {"random": play_random, "steady": game.steady}[name]


__all__ = [
    "POLICIES",
    "VERSIONS",
    "choose_cards",
    "pick_action",
    "play_random",
    "policy_for",
]
