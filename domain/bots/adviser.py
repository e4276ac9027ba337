"""The bot that players ask for advice: what it would do, and how much better that is than another move."""

from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from hoodwink.domain.bots.exact import exact_results
from hoodwink.domain.bots.levels import EXPERT_POSITIONS, level_of
from hoodwink.domain.bots.search import Search
from hoodwink.domain.kernel import Action, Game, Observation

ADVISER: Final = "expert"
"""The level that gives advice."""

_DEALS: Final = 200
"""The imagined deals in which two moves are compared. With that many, chance seldom makes a difference of 5%."""


class Comparison(NamedTuple):
    """A move next to the one that the adviser would have made, with the results to expect from both.

    Attributes:
        result, best_result: between 0 and 1, as `Lookahead.scale` says; equal if the moves are the same.
    """

    best: Action
    result: float
    best_result: float


def advise(game: Game[Any], observation: Observation, moment: str) -> Action:
    """Returns what the adviser would do, which follows from what the seat knows.

    Args:
        game: of the table.
        observation: what the seat receives and knows.
        moment: seeds the generator, so it must be public. The same moment leads to the same advice.
    """
    chance = Random(moment)  # noqa: S311 - advice is no secret
    # A bot avoids endless repetitions by a worse move now and then, which would be bad advice.
    return level_of(ADVISER, game).play(game, replace(observation, actions=0), chance)


def compare(game: Game[Any], observation: Observation, played: Action, moment: str) -> Comparison:
    """Compares a legal move with the adviser's. Both are played on in the same imagined deals with the same luck.

    The deals are others than those in which the adviser chose: there, its move looks better than it is.
    """
    best, known, lookahead = advise(game, observation, moment), observation.known, game.lookahead
    assert known is not None, "the adviser needs to know what the seat saw"
    assert lookahead is not None, f"bots cannot think ahead in {game.title}"
    seat, moves = observation.seat, (played, best)
    exact = exact_results(game, known, seat, moves, positions=EXPERT_POSITIONS)
    if exact is not None:
        return Comparison(best, exact[played][0], exact[best][0])
    chance = Random(f"{moment}:compare")  # noqa: S311 - as above
    results = Search(game, lookahead, seat, chance).results(
        moves, _DEALS, lambda: game.imagine(known, chance)
    )
    return Comparison(best, results[played], results[best])
