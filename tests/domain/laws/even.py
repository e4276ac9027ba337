"""Counts the states that a viewer can imagine, and tests whether it imagines all of them equally often."""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Game, Knowledge
from hoodwink.domain.kernel.knowledge import renamed

MAX_MARKS = 5
_DRAWS_PER_STATE = 12


def states_of(known: Knowledge[Any]) -> Counter[Any]:
    """Returns every state that the knowledge allows, with the number of deals that lead to it; tries all of them."""
    assert len(known.marks) <= MAX_MARKS
    deals = [dict(zip(known.marks, faces, strict=True)) for faces in permutations(known.unseen)]
    return Counter(renamed(known.state, faces) for faces in deals if is_allowed(known, faces))


def is_allowed(known: Knowledge[Any], faces: dict[Card, Card]) -> bool:
    """Returns whether the faces keep all limits, and whether each face known to be among some marks is one of them."""
    within = all(faces[mark] not in excluded for excluded, marks in known.limits for mark in marks)
    groups = {marks for _, marks in known.among}
    return within and all(
        Counter(face for face, others in known.among if set(others) <= set(marks))
        <= Counter(faces[mark] for mark in marks)
        for marks in groups
    )


def is_even(game: Game[Any], known: Knowledge[Any], chance: Random) -> bool:
    """Returns whether the imagined states are those that are possible, as often as they should be."""
    expected = states_of(known)
    draws = _DRAWS_PER_STATE * len(expected)
    drawn = Counter(game.imagine(known, chance) for _ in range(draws))
    if not drawn.keys() <= expected.keys():
        return False
    return is_like(drawn, {state: draws * count / expected.total() for state, count in expected.items()})


def is_like(drawn: Counter[Any], expected: dict[Any, float]) -> bool:
    """Returns whether the counts fit, by the χ² test at four standard deviations (Wilson and Hilferty)."""
    degrees = len(expected) - 1
    if not degrees:
        return True
    statistic = sum((drawn[key] - mean) ** 2 / mean for key, mean in expected.items())
    spread = 2 / (9 * degrees)
    return bool(statistic <= degrees * (1 - spread + 4 * spread**0.5) ** 3)
