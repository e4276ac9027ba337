"""The Shithead bot: it sheds low cards together, keeps power cards, burns, and sends Jokers to the leader.

It goes out when it can, and if it plays 3s, it skips everybody if it has enough of them. Once the next player plays
face-up cards, which everybody sees, it lays a card that they cannot beat, if it costs little.
"""

from random import Random
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.bots import choose_cards
from hoodwink.domain.cards import JOKER, Card
from hoodwink.domain.games.shedding import FOUR_OF_A_KIND, RANK, is_cleared
from hoodwink.domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    PickUp,
    PlayCards,
    PlayJoker,
    SwapCards,
)
from hoodwink.domain.games.shithead.rules import POWER, leaves_stuck
from hoodwink.domain.games.shithead.state import initial
from hoodwink.domain.games.shithead.view import View
from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, Observation

# Without some randomness, two bots that always lay their lowest card could pass a 7 back and forth forever (G-15).
_OTHER_MOVE_RATE = 0.03
_WORTH = {rank: worth for worth, rank in enumerate((*"45679JQKA382T", JOKER))}
_GOES_OUT = 1_000
_MAX_LOSS = 4
_BURNS = 100
_LAST_RESORT = -100
STUCK = 3.1
"""How much more a card may be worth if the next player cannot beat it. Not a whole number, so that no two plays tie."""


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the actions by how little they give away; occasionally puts another one first, but no last resort."""
    actions = [_best_of(game, legal, observation) for legal in observation.legal_actions]
    rated = [(_merit(action, observation), chance.random(), action) for action in actions]
    rated.sort(key=lambda entry: entry[:2], reverse=True)
    best, *others = [entry for entry in rated if entry[0] > _LAST_RESORT] or rated
    if best[0] >= _BURNS:
        return (best[2],)
    if others and chance.random() < _OTHER_MOVE_RATE:
        return (chance.choice(others)[2],)
    return tuple([action for merit, _, action in (best, *others) if merit >= best[0] - _MAX_LOSS])


def worth_of(card: Card) -> int:
    """Returns the value of keeping a card: 0 for a 4, highest for a Joker."""
    return _WORTH[RANK[card]]


def _best_of(game: Game[Any], legal: LegalAction, observation: Observation) -> Action:
    """Returns the action, or all cards of a choice, but no more power cards than necessary."""
    if not isinstance(legal, CardChoice):
        return legal
    cards = sorted([Card(face) for face in legal.cards], key=lambda card: card != legal.including)
    count = legal.at_most
    if cards[0][0] in POWER and not _empties(cards, observation):
        others = _others_in(observation)
        skips_all = (
            cards[0][0] == "3" and legal.at_least <= others <= count and _can_skip(others, observation)
        )
        count = others if skips_all else legal.at_least
    return choose_cards(game, legal, tuple(cards[:count]))


def _empties(cards: list[Card], observation: Observation) -> bool:
    """Returns whether the cards are all that the seat can play, and nothing would be drawn: sparing one gains nothing."""
    view: View = observation.view
    held = view.hands[observation.seat] or view.face_up[observation.seat]
    return len(cards) == len(held) and not view.stock_count


def _others_in(observation: Observation) -> int:
    view: View = observation.view
    return len(view.hands) - len(view.finished) - 1


def _can_skip(count: int, observation: Observation) -> bool:
    """Returns whether this many 3s skip as many players (SH-14)."""
    options: Any = observation.options
    return count == 1 or bool(options.stack_threes)


def _merit(action: Action, observation: Observation) -> float:
    match action:
        case BurnPile():
            return _BURNS
        case PlayCards():
            return _play_merit(action.cards, observation)
        case PlayJoker():
            return (
                len(observation.view.pile) / 2 - worth_of(JOKER) + _target_merit(action.target, observation)
            )
        case CounterJoker():
            return _counter_merit(action.target, observation)
        case SwapCards():
            return worth_of(action.hand_card) - worth_of(action.face_up_card)
        case DeclareReady() | AcceptPile():
            return 0.5
        case PickUp():
            return _LAST_RESORT - (worth_of(action.face_up_card) if action.face_up_card else 0)
        case _:
            return 0


def _play_merit(cards: tuple[Card, ...], observation: Observation) -> float:
    view: View = observation.view
    if _card_count(view, observation.seat) == len(cards):
        return _GOES_OUT
    if RANK[cards[0]] != "T" and is_cleared(view.pile + cards):
        return _BURNS
    merit = len(cards) / FOUR_OF_A_KIND - worth_of(cards[0])
    return merit + STUCK if _leaves_stuck(cards, observation) else merit


def _leaves_stuck(cards: tuple[Card, ...], observation: Observation) -> bool:
    """Returns whether the next player after this play can lay none of the face-up cards, and has no others to lay."""
    view: View = observation.view
    if view.stock_count:
        return False  # nobody plays face-up cards yet
    options: Any = observation.options
    state = replace(
        initial(options, len(view.hands)),
        direction=view.direction,
        hands=view.hands,
        face_up=view.face_up,
        pile=view.pile,
        finished=view.finished,
    )
    return leaves_stuck(state, observation.seat, cards)


def _counter_merit(target: int, observation: Observation) -> float:
    """Values a counter, which avoids the pile but only passes the Joker on.

    Rounds would hardly ever end if bots always countered. A counter with the last card has the highest value, so that
    rounds between players with nothing but Jokers end (SH-59).
    """
    if _card_count(observation.view, observation.seat) == 1:
        return _BURNS
    return (
        len(observation.view.pile) + _target_merit(target, observation)
        if _are_jokers_removed(observation)
        else 0
    )


def _target_merit(target: int, observation: Observation) -> float:
    """Values a target: highest for the seat with the fewest cards, or with the most if the target also gets the Joker."""
    lead = 1 / (1 + _card_count(observation.view, target))
    return lead if _are_jokers_removed(observation) else -lead


def _card_count(view: View, seat: int) -> int:
    blind_count = sum(card is not None for card in view.blind[seat])
    return len(view.hands[seat]) + len(view.face_up[seat]) + blind_count


def _are_jokers_removed(observation: Observation) -> bool:
    options: Any = observation.options
    return bool(options.joker_fate == "removed")
