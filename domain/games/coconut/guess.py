"""How a seat that thinks ahead expects to play on itself, with two players."""

from math import inf
from typing import Final

from hoodwink.domain.cards import Card
from hoodwink.domain.games.coconut.actions import PlayCards
from hoodwink.domain.games.coconut.rules import PLAYABLE_ON, opening_ranks, playable_ranks
from hoodwink.domain.games.coconut.state import CHOOSE, OPEN, State
from hoodwink.domain.games.shedding import FOUR_OF_A_KIND, run_on_top

# Learnt by playing millions of rounds against Steady (decision 0094). A seat that plays by these rules alone wins 57%.
_MERITS: Final = {
    "3": 0.55,
    "4": 0.5,
    "5": 0.45,
    "6": 0.4,
    "7": 0.3,
    "8": 0.2,
    "9": 0.0,
    "J": -0.2,
    "Q": -0.5,
    "2": -1.0,
    "K": -1.4,
    "A": -2.2,
    "T": -2.7,
}
_HEIGHTS: Final = {rank: height / 10 for height, rank in enumerate("3456789JQKA2")}
_EXTRA_CARD, _THREE, _FOUR, _UNANSWERED = -0.15, 0.7, 2.3, 1.1
_HIGH_BEFORE_FLIP, _HIGH_BEFORE_MANY, _MANY = 1.1, -1.0, 6
_MIN_RUN: Final = 3
_MARK: Final = "?"


def guess(state: State, seat: int) -> PlayCards | None:
    """Returns the seat's play, or `None` if it is not its move, or quick play does as well."""
    if state.to_move != seat or state.seats != 2 or state.step is CHOOSE:
        return None
    held = state.hands[seat] or state.face_up[seat]
    allowed = opening_ranks(held, state.options.opening) if state.step is OPEN else playable_ranks(state.pile)
    cards = _best_of(state, seat, held, allowed)
    return PlayCards(cards) if cards else None


def _best_of(state: State, seat: int, held: tuple[Card, ...], allowed: frozenset[str]) -> tuple[Card, ...]:
    """Returns the best cards of one of these ranks.

    While there is a stock, equal cards are laid one by one, unless they make three or four of a kind. After that, a play
    is worth more if the other player is known to have no answer.
    """
    pile, is_late = state.pile, not state.stock
    top, run = (pile[-1][0], run_on_top(pile)) if pile else ("", 0)
    high, answers = _outlook(state, 1 - seat) if is_late else (0.0, None)
    ranks = [card[0] for card in held]
    best, laid, most = "", 0, -inf
    for rank in dict.fromkeys(ranks):  # in an order that a run repeats
        if rank not in allowed:
            continue
        count = ranks.count(rank)
        length = count + run if rank == top else count
        is_laid_alone = not is_late and (length < _MIN_RUN or rank == "T")
        merit = _MERITS[rank]
        if rank != "T":
            merit += high * _HEIGHTS[rank]
            if length >= FOUR_OF_A_KIND:
                merit += _FOUR
            elif answers and PLAYABLE_ON[rank].isdisjoint(answers):
                merit += _UNANSWERED
            elif length == _MIN_RUN and not is_late:
                merit += _THREE + _EXTRA_CARD * (count - 1)
        if merit > most:
            best, laid, most = rank, 1 if is_laid_alone else count, merit
    return tuple([card for card in held if card[0] == best])[:laid]


def _outlook(state: State, other: int) -> tuple[float, set[str] | None]:
    """Returns what the height of a rank is worth before the other player's move, and its ranks if they are known."""
    hand = state.hands[other]
    answers = {card[0] for card in hand or state.face_up[other]}
    if not answers:
        return _HIGH_BEFORE_FLIP, None
    return _HIGH_BEFORE_MANY if len(hand) >= _MANY else 0.0, None if _MARK in answers else answers
