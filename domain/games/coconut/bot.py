"""The Coconut bot: it sheds the lowest cards together, keeps wild cards, and sneaks whenever it may.

It goes out when it can, and it plays just high enough if the next player then cannot beat it with any face-up card.
"""

from random import Random
from typing import Any

from hoodwink.domain.bots import choose_cards
from hoodwink.domain.cards import RANKS, Card
from hoodwink.domain.games.coconut.actions import PickUpPile, PlayCards, SneakCards
from hoodwink.domain.games.coconut.rules import WILD, playable_ranks
from hoodwink.domain.games.coconut.view import View
from hoodwink.domain.games.shedding import RANK, filled_slots, is_cleared, next_in
from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, Observation

# Without some randomness, two bots that always take the best action could pass the same cards back and forth forever (G-15).
_OTHER_MOVE_RATE = 0.03
_GOES_OUT = 1_000
_MAX_LOSS = 4
_CLEARS = 100
_STOPS = 50
_WILD_WORTH = {"2": len(RANKS), "T": len(RANKS) + 1}


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the actions by how little they give away; occasionally puts another one first, but no last resort."""
    actions = [_best_of(game, legal, observation) for legal in observation.legal_actions]
    rated = [(_merit(action, observation), chance.random(), action) for action in actions]
    rated.sort(key=lambda entry: entry[:2], reverse=True)
    best, *others = [entry for entry in rated if entry[0] > -_CLEARS] or rated
    if best[0] >= _CLEARS:
        return (best[2],)
    if others and chance.random() < _OTHER_MOVE_RATE:
        return (chance.choice(others)[2],)
    return tuple([action for merit, _, action in (best, *others) if merit >= best[0] - _MAX_LOSS])


def worth_of(card: Card) -> int:
    """Returns the value of keeping a card: highest for a 10, then a 2, then from the ace down."""
    rank = RANK[card]
    return _WILD_WORTH.get(rank, RANKS.index(rank))


def _best_of(game: Game[Any], legal: LegalAction, observation: Observation) -> Action:
    """Returns the action, or the best cards of a choice: high ones to lay face up, and few wild ones to play."""
    if not isinstance(legal, CardChoice):
        return legal
    cards = sorted((Card(face) for face in legal.cards), key=worth_of, reverse=True)
    is_spared = RANK[cards[0]] in WILD and legal.type == "play" and not _empties(cards, observation)
    return choose_cards(game, legal, tuple(cards[: legal.at_least if is_spared else legal.at_most]))


def _empties(cards: list[Card], observation: Observation) -> bool:
    """Returns whether the cards are all that the seat can play, and nothing would be drawn: sparing one gains nothing."""
    view: View = observation.view
    held = view.hands[observation.seat] or view.face_up[observation.seat]
    return len(cards) == len(held) and not view.stock_count


def _merit(action: Action, observation: Observation) -> float:
    match action:
        case SneakCards():
            return _CLEARS
        case PlayCards():
            return _play_merit(action.cards, observation)
        case PickUpPile():
            return -_CLEARS
        case _:
            return 0


def _play_merit(cards: tuple[Card, ...], observation: Observation) -> float:
    view: View = observation.view
    seat, rank = observation.seat, RANK[cards[0]]
    if _cards_left(view, seat) == len(cards):
        return _GOES_OUT
    pile = view.pile + cards
    if is_cleared(pile) and rank != "T":
        return _CLEARS
    worth = worth_of(cards[0])
    rival = next_in(seat, seats=len(view.hands), out=view.finished)
    if rank in WILD or view.hands[rival] or not view.face_up[rival]:
        return -worth
    playable = playable_ranks(pile)
    is_stopped = not any(RANK[card] in playable for card in view.face_up[rival])
    return _STOPS - worth if is_stopped else -worth


def _cards_left(view: View, seat: int) -> int:
    return len(view.hands[seat]) + len(view.face_up[seat]) + len(filled_slots(view.face_down[seat]))
