"""Code shared by the bots of all games: choosing from compact lists, and random play."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, Observation, Policy

Choose: TypeAlias = Callable[[Game[Any], Observation, Random], Action | None]
"""Chooses an action like a policy, or `None` to decline an action out of turn."""

_DECLINE_PROBABILITY = 0.5
"""The probability that random play passes up an action out of turn."""


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


def out_of_turn(policy: Policy) -> Choose:
    """Returns the way in which a policy decides about actions out of turn."""
    # Getting rid of cards and moving next is always worth it, so the steady policies of the games never decline.
    return _play_random_out_of_turn if policy is play_random else policy


def _play_random_out_of_turn(game: Game[Any], observation: Observation, chance: Random) -> Action | None:
    return None if chance.random() < _DECLINE_PROBABILITY else play_random(game, observation, chance)
