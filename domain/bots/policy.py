"""What a bot is given and what it gives back. It cannot reach the state."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import msgspec

from domain.kernel import Action, CardChoice, Game, GameOptions, LegalAction


class Sight(msgspec.Struct, frozen=True, gc=False):
    """All that a bot knows: its seat, the public options, its own view and what it may do.

    Attributes:
        view: what `Game.view(state, seat)` returned.
        legal_actions: the seat's legal actions without offences; never empty.
    """

    seat: int
    options: GameOptions
    view: Any
    legal_actions: tuple[LegalAction, ...]


Policy: TypeAlias = Callable[[Game[Any], Sight, Random], Action]
"""Chooses one legal action; all chance comes from the generator handed in."""


def pick_action(game: Game[Any], legal: LegalAction, chance: Random) -> Action:
    """Returns the action itself, or a uniform sample of what a `CardChoice` stands for."""
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
    """Returns the action of the choice's type that names these cards."""
    kind = next(kind for kind in game.actions if kind.__struct_config__.tag == choice.type)
    return kind(cards=cards)


def play_random(game: Game[Any], sight: Sight, chance: Random) -> Action:
    """Chooses uniformly among the legal actions."""
    return pick_action(game, chance.choice(sight.legal_actions), chance)
