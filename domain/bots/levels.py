"""The levels of bots, from a beginner to one that thinks ahead as well as it can."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

import msgspec

from hoodwink.domain.bots.policy import Choose, play_random
from hoodwink.domain.bots.search import thinking
from hoodwink.domain.kernel import Action, Game, Observation, Policy


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A way in which bots play.

    Attributes:
        meaning: a sentence for people.
        version: a change to its play in any game needs a new one, because it is another player for ratings (R-1).
        play: takes the actions that a seat owes.
        interrupt: decides about actions out of turn.
        thinks: whether it plays ahead in imagined deals, which takes time and needs what the seat saw.
    """

    meaning: str
    version: int
    play: Policy
    interrupt: Choose
    thinks: bool = False


def play_steady(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses the best action by the rules of thumb of the game."""
    return game.rank(game, observation, chance)[0]


def play_novice(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses one of the best two actions, if the second is sensible, too."""
    return chance.choice(game.rank(game, observation, chance)[:2])


def pass_up(_game: Game[Any], _observation: Observation, _chance: Random) -> None:
    """Declines every action out of turn."""


def interrupt_randomly(game: Game[Any], observation: Observation, chance: Random) -> Action | None:
    """Passes up half of the actions out of turn."""
    return None if chance.random() < _DECLINE_PROBABILITY else play_random(game, observation, chance)


_DECLINE_PROBABILITY: Final = 0.5

EXPERT_POSITIONS: Final = 2_000
"""*Expert* plays exactly once the rest of the round has no more positions than this."""

# Getting rid of cards and moving next is always worth it, so all but the weakest act out of turn whenever they can.
LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {
        "novice": Level(
            meaning="Knows the rules, but often settles for its second idea, and misses every chance out of turn.",
            version=3,
            play=play_novice,
            interrupt=pass_up,
        ),
        "steady": Level(
            meaning="Plays like a sensible person, by rules of thumb and from the cards it sees.",
            version=5,
            play=play_steady,
            interrupt=play_steady,
        ),
        "sharp": Level(
            meaning="Remembers every card that it saw, and thinks a little ahead.",
            version=8,
            play=thinking(100),
            interrupt=play_steady,
            thinks=True,
        ),
        "expert": Level(
            meaning="Remembers every card that it saw, and thinks ahead as far as it can.",
            version=10,
            play=thinking(600, positions=EXPERT_POSITIONS),
            interrupt=play_steady,
            thinks=True,
        ),
        "random": Level(
            meaning="Chooses a random legal action.",
            version=2,
            play=play_random,
            interrupt=interrupt_randomly,
        ),
    }
)
"""The levels by name, from the weakest to the strongest, and random play."""

POLICIES: Final = tuple(LEVELS)
"""Their names. A bot's policy in the API and in logs is the name of its level."""

VERSIONS: Final[Mapping[str, int]] = MappingProxyType({name: level.version for name, level in LEVELS.items()})


def levels_of(game: Game[Any]) -> Mapping[str, Level]:
    """Returns the levels that differ in a game. Where nobody can think ahead, the best one is Steady."""
    return {name: level for name, level in LEVELS.items() if game.lookahead or not level.thinks}


def level_of(name: str, game: Game[Any]) -> Level:
    """Returns how bots of a level play a game; raises `KeyError` if there is no such level."""
    level = LEVELS[name]
    return level if game.lookahead or not level.thinks else LEVELS["steady"]
