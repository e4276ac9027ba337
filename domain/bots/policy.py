"""Code shared by the bots of all games: choosing from compact lists, and random play."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TypeAlias, TypeVar

from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, Observation

T = TypeVar("T")

Choose: TypeAlias = Callable[[Game[Any], Observation, Random], Action | None]
"""Chooses an action like a policy, or `None` to decline an action out of turn."""


def pick_action(game: Game[Any], legal: LegalAction, chance: Random) -> Action:
    """Returns the action itself, or a random selection of cards where it is a `CardChoice`."""
    if not isinstance(legal, CardChoice):
        return legal
    rest = list(legal.cards)
    chosen = [] if legal.including is None else [legal.including]
    for card in chosen:
        rest.remove(card)
    count = chance.randint(legal.at_least, legal.at_most)
    chosen += chance.sample(rest, count - len(chosen))
    return choose_cards(game, legal, tuple(chosen))


def choose_cards(game: Game[Any], choice: CardChoice, cards: tuple[str, ...]) -> Action:
    kind = next(kind for kind in game.actions if kind.__struct_config__.tag == choice.type)
    return kind(cards=cards)


def play_random(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses uniformly among the legal actions."""
    return pick_action(game, chance.choice(observation.legal_actions), chance)


def ranked(
    actions: Iterable[T], merit: Callable[[T], Any], chance: Random, *, max_loss: float
) -> tuple[T, ...]:
    """Returns actions by merit, the best first, without those that lose more than `max_loss`; chance breaks ties."""
    rated = [(merit(action), chance.random(), action) for action in actions]
    rated.sort(key=lambda entry: entry[:2], reverse=True)
    return tuple([action for worth, _, action in rated if worth >= rated[0][0] - max_loss])
