"""The contract of a policy: from the observation of a seat to an action. No policy can reach the state."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import msgspec

from domain.kernel import Action, CardChoice, Game, GameOptions, LegalAction


class Observation(msgspec.Struct, frozen=True, gc=False):
    """Everything a bot knows: its seat, the public options, the view of its seat and its legal actions.

    Attributes:
        view: the return value of `Game.view(state, seat)`.
        legal_actions: the legal actions of the seat without offences; never empty.
    """

    seat: int
    options: GameOptions
    view: Any
    legal_actions: tuple[LegalAction, ...]


Policy: TypeAlias = Callable[[Game[Any], Observation, Random], Action]
"""Chooses one legal action; all chance comes from the given generator."""


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
    """Returns the action of the choice's type with these cards."""
    kind = next(kind for kind in game.actions if kind.__struct_config__.tag == choice.type)
    return kind(cards=cards)


def play_random(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses uniformly among the legal actions."""
    return pick_action(game, chance.choice(observation.legal_actions), chance)
