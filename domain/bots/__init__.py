"""Bots: policies that choose from what their seat may see."""

from collections.abc import Mapping
from types import MappingProxyType

from domain.bots import blind_don, blindside, coconut, double_blind, shithead
from domain.bots.policy import Policy, Sight, choose_cards, pick_action, play_random

STEADY: Mapping[str, Policy] = MappingProxyType(
    {
        "blind_don": blind_don.play_steady,
        "blindside": blindside.play_steady,
        "coconut": coconut.play_steady,
        "double_blind": double_blind.play_steady,
        "shithead": shithead.play_steady,
    }
)
"""The sensible policy of each game, by the game's wire name."""

POLICIES = ("random", "steady")

VERSIONS: Mapping[str, int] = MappingProxyType({"random": 1, "steady": 1})
"""The version of each policy, raised whenever it plays otherwise in any game: another player for the ratings (R-1)."""


def policy_for(name: str, game: str) -> Policy:
    """Returns the policy `random` or `steady` for a game; raises `KeyError` for another name."""
    return {"random": play_random, "steady": STEADY[game]}[name]


__all__ = [
    "POLICIES",
    "STEADY",
    "VERSIONS",
    "Policy",
    "Sight",
    "choose_cards",
    "pick_action",
    "play_random",
    "policy_for",
]
