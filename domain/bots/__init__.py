"""Bots: the policies by name, and what the steady bots of all games share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from domain.bots.policy import choose_cards, interrupt_by, pick_action, play_random
from domain.kernel import Game, Policy

POLICIES = ("random", "steady")

VERSIONS: Mapping[str, int] = MappingProxyType({"random": 2, "steady": 2})
"""The version of each policy. A change to its play in any game needs a new one: it is another player for ratings (R-1)."""


def policy_for(name: str, game: Game[Any]) -> Policy:
    """Returns the policy `random` or `steady` of a game; raises `KeyError` for other names."""
    return {"random": play_random, "steady": game.steady}[name]


__all__ = [
    "POLICIES",
    "VERSIONS",
    "choose_cards",
    "interrupt_by",
    "pick_action",
    "play_random",
    "policy_for",
]
