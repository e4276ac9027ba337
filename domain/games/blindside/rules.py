"""The rulebook of Blindside: card values and the two contests."""

from typing import NamedTuple

from hoodwink.domain.cards import RANKS, Card, build_pack, rank_of
from hoodwink.domain.games.blindside.options import Options
from hoodwink.domain.games.blindside.state import State

# 2-9 their number; 10, J, Q, K ten; A eleven.
_VALUE_OF_RANK = {rank: min(number, 10) for number, rank in enumerate(RANKS, start=2)} | {"A": 11}
_VALUES = {card: _VALUE_OF_RANK[rank_of(card)] for card in build_pack()}


class Contest(NamedTuple):
    """The outcome of a contest: the seat that wins the tokens, and the seats BLINDSIDED by a tie above it."""

    winner: int | None
    blindsided: tuple[int, ...]


def value_of(card: Card) -> int:
    return _VALUES[card]


def compared_value(card: Card, options: Options) -> int:
    """Returns the value of a Blindside Card in contest 1, or its rank, 2 … 14 (BS-7, BS-25)."""
    if options.blindside_compare == "rank":
        return RANKS.index(rank_of(card)) + 2
    return value_of(card)


def contest(values: tuple[int, ...]) -> Contest:
    """Returns the winner: the seat with the highest value that no other seat has (BS-8, BS-9).

    If there is no such seat, nobody wins and everybody is BLINDSIDED (BS-24).

    >>> contest((5, 5, 3, 3, 3))
    Contest(winner=None, blindsided=(0, 1, 2, 3, 4))
    >>> contest((10, 11, 10, 8))
    Contest(winner=1, blindsided=())
    """
    alone = [value for value in values if values.count(value) == 1]
    if not alone:
        return Contest(None, tuple(range(len(values))))
    best = max(alone)
    return Contest(values.index(best), tuple([seat for seat, value in enumerate(values) if value > best]))


def tokens_after(tokens: tuple[int, ...], winner: int | None) -> tuple[int, ...]:
    """Returns the balances after every other seat, blindsided or not, paid the winner one token (BS-10)."""
    if winner is None:
        return tokens
    others = len(tokens) - 1
    return tuple([balance + (others if seat == winner else -1) for seat, balance in enumerate(tokens)])


def totals(state: State) -> tuple[int, ...]:
    """Returns each seat's total of Blindside Card and Keeper Pile; contest 2 always adds values (BS-25)."""
    laid = zip(blindsides(state), state.keepers, strict=True)
    return tuple([sum([_VALUES[card] for card in (blindside, *pile)]) for blindside, pile in laid])


def blindsides(state: State) -> tuple[Card, ...]:
    """Returns the Blindside Cards, after all have been laid."""
    return tuple([card for card in state.blindsides if card is not None])


def has_passed(state: State, seat: int) -> bool:
    """Returns whether the seat has committed its Blindside Card."""
    return state.passed[seat] is not None
