"""What the bots of all games share: choosing from compact lists, and play at random."""

from random import Random
from typing import Any

from domain.kernel import Action, CardChoice, Game, LegalAction, Observation, Policy

_PASSED_UP = 0.5
"""How often play at random lets the chance of an action out of turn pass."""


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


def interrupt_by(policy: Policy, game: Game[Any], observation: Observation, chance: Random) -> Action | None:
    """Returns the action that a bot takes out of turn, or `None` if it lets the chance pass."""
    # Losing cards and moving next is always worth it, so the steady policies of the games need not weigh it.
    if policy is play_random and chance.random() < _PASSED_UP:
        return None
    return policy(game, observation, chance)
