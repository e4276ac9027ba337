"""Bots: policies that choose an action from the view of their seat alone."""

from collections.abc import Mapping
from types import MappingProxyType

from domain.bots import blind_don, blindside, coconut, double_blind, shithead
from domain.bots.policy import Observation, Policy, choose_cards, pick_action, play_random
from domain.kernel import Action

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
"""The version of each policy. A change to its play in any game needs a new one: it is another player for ratings (R-1)."""


def policy_for(name: str, game: str) -> Policy:
    """Returns the policy `random` or `steady` of a game; raises `KeyError` for other names."""
    return {"random": play_random, "steady": STEADY[game]}[name]


__all__ = [
    "POLICIES",
    "STEADY",
    "VERSIONS",
    "Action",
    "Observation",
    "Policy",
    "choose_cards",
    "pick_action",
    "play_random",
    "policy_for",
]
