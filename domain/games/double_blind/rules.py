"""The rulebook of The Double Blind: turns, hats, interest and scores.

Play is counter-clockwise: the target of a seat is the seat on its right.
"""

from functools import cache
from typing import TypeAlias

from hoodwink.domain.cards import JOKER, RANKS, Card, build_pack, rank_of
from hoodwink.domain.games.double_blind.options import POCKET_SIZE, SLEEVE_SIZE, Options
from hoodwink.domain.games.double_blind.state import EMPTY_POCKET, Pocket, State
from hoodwink.domain.kernel import left, right

Piles: TypeAlias = tuple[tuple[Card, ...], ...]

TIE_BONUS = 10
JOKER_BONUS = 15
EXPOSURE_PENALTY = 15
QUEENS_FOOL_BONUS = 15

VALUES = {card: 15 if card == JOKER else RANKS.index(rank_of(card)) + 2 for card in build_pack(jokers=1)}
MAX_VALUE = max(VALUES.values())


def value_of(card: Card) -> int:
    """Returns the value of the card: 2-10 their number, J 11, Q 12, K 13, A 14, joker 15."""
    return VALUES[card]


@cache
def order_from(seat: int, seats: int) -> tuple[int, ...]:
    """Returns all seats in the order of play, beginning with this one.

    >>> order_from(1, 4)
    (1, 0, 3, 2)
    """
    return tuple((seat - step) % seats for step in range(seats))


def interest_order(state: State) -> tuple[int, ...]:
    """Returns the seats in the order of interest: from the Madd Hatter's target to the Madd Hatter (DB-16)."""
    return order_from(right(state.madd_hatter, state.seats), state.seats)


def next_mastermind(state: State) -> int:
    """Returns the seat that deals the next caper (DB-5)."""
    if state.options.dealer_rotation == "fixed":
        return state.mastermind
    turn_to = left if state.options.dealer_rotation == "left" else right
    return turn_to(state.mastermind, state.seats)


def is_to_play(state: State, seat: int) -> bool:
    """Returns whether it is the seat's turn to put a card into the middle."""
    return bool(state.waiting) and state.waiting[0] == seat


def can_expose(state: State, seat: int) -> bool:
    """Returns whether the seat has exposures left, in turn or not (DB-34, DB-43)."""
    return state.exposures[seat] < state.exposure_limit


def exposers(state: State) -> tuple[int, ...]:
    """Returns the seats with exposures left and a card that they could expose (G-9).

    This reveals nothing, because the positions of cards are public.
    """
    if not state.exposure_limit:
        return ()
    has_pocket_card = any(map(any, state.pockets))
    return tuple(
        [
            seat
            for seat, sleeve in enumerate(state.sleeves)
            if can_expose(state, seat) and (has_pocket_card or sleeve)
        ]
    )


def credit(state: State, seat: int) -> int:
    """Returns the number of cards that the seat may play: its sleeve and its target's pocket."""
    return len(state.sleeves[seat]) + POCKET_SIZE - state.pockets[seat - 1].count(None)


def tied_for_highest(state: State) -> tuple[int, ...]:
    """Returns the contenders whose last cards have the highest value; lower ties do not matter (DB-10, DB-12)."""
    values = [VALUES[play.card] for play in state.middle[-len(state.contenders) :]]
    best = max(values)
    if values.count(best) == 1:  # most often, and quicker
        return (state.contenders[values.index(best)],)
    return tuple([state.contenders[index] for index, value in enumerate(values) if value == best])


def out_of_credit(state: State) -> tuple[int, ...]:
    """Returns the contenders without a card to play, in the order of the hat."""
    return tuple(seat for seat in state.contenders if not credit(state, seat))


def interest(state: State) -> tuple[Piles, Piles]:
    """Returns the payments of the bank into pockets and sleeves, each seat in full before the next (DB-16)."""
    pockets: list[tuple[Card, ...]] = [()] * state.seats
    sleeves = pockets[:]
    bank, start = state.bank, 0
    for seat in interest_order(state):
        end = start + state.pockets[seat].count(None)
        pockets[seat] = bank[start:end]
        start = end + SLEEVE_SIZE - len(state.sleeves[seat])
        sleeves[seat] = bank[end:start]
    return tuple(pockets), tuple(sleeves)


def half_interest(state: State) -> Piles:
    """Returns the payments of the bank into the pockets of the contenders' targets (DB-21)."""
    pockets: list[tuple[Card, ...]] = [()] * state.seats
    start = 0
    for seat in interest_order(state):
        if left(seat, state.seats) in state.contenders:
            end = start + state.pockets[seat].count(None)
            pockets[seat] = state.bank[start:end]
            start = end
    return tuple(pockets)


def refilled(pocket: Pocket, cards: tuple[Card, ...]) -> Pocket:
    """Returns the pocket with the cards in its lowest empty slots (DB-40).

    >>> refilled(("9C", None, "7C", None, None), ("2H", "3H"))
    ('9C', '2H', '7C', '3H', None)
    """
    if not cards:
        return pocket
    slots = list(pocket)
    for card in cards:
        slots[slots.index(None)] = card
    return tuple(slots)


def is_caper_over(bank: tuple[Card, ...], pockets: tuple[Pocket, ...]) -> bool:
    """Returns whether the bank and a pocket are empty; this counts only between hats (DB-17, DB-18)."""
    return not bank and EMPTY_POCKET in pockets


def caper_points(state: State) -> tuple[int, ...]:
    """Returns each seat's loot bag, bonuses and sleeve; pockets count for nobody (DB-24)."""
    return tuple(
        sum(map(value_of, loot)) + bonus + sum(map(value_of, sleeve))
        for loot, bonus, sleeve in zip(state.loot, state.loot_bonus, state.sleeves, strict=True)
    )


def added(amounts: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the sums seat by seat."""
    return tuple(map(int.__add__, amounts, more))


def paid_to(seats: tuple[int, ...], points: int, count: int) -> tuple[int, ...]:
    """Returns the points for each of these seats, and 0 for the rest of `count` seats."""
    return tuple(points if seat in seats else 0 for seat in range(count))


def jokers(options: Options, totals: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the lowest seats, unless all tie; bonuses and penalties do not count (DB-25 … DB-27).

    Args:
        totals: the running totals before this caper.
        points: the scores of this caper.
    """
    scores = added(totals, points) if options.joker_basis == "total" else points  # DB-45
    lowest = tuple(seat for seat, score in enumerate(scores) if score == min(scores))
    return () if len(lowest) == len(scores) else lowest


def queens_fools(joker_counts: tuple[int, ...], capers: int) -> tuple[int, ...]:
    """Returns the seats that were Joker, alone or tied, in every caper (DB-30)."""
    return tuple(seat for seat, count in enumerate(joker_counts) if count == capers)


def is_target_reached(options: Options, totals: tuple[int, ...]) -> bool:
    """Returns whether a total ends the game (DB-28)."""
    return max(totals) >= options.target_score


def is_top_unique(totals: tuple[int, ...]) -> bool:
    """Returns whether one seat alone has the highest total; otherwise another caper is played (DB-32)."""
    return totals.count(max(totals)) == 1
