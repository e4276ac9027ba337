"""Bots: their levels by name, and code shared by the bots of all games."""

from hoodwink.domain.bots.adviser import advise, compare
from hoodwink.domain.bots.levels import LEVELS, POLICIES, VERSIONS, Level, level_of, levels_of, play_steady
from hoodwink.domain.bots.policy import Choose, choose_cards, pick_action, play_random, ranked

__all__ = [
    "LEVELS",
    "POLICIES",
    "VERSIONS",
    "Choose",
    "Level",
    "advise",
    "choose_cards",
    "compare",
    "level_of",
    "levels_of",
    "pick_action",
    "play_random",
    "play_steady",
    "ranked",
]
