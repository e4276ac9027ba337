"""The rulebook of Lantern: pure functions of cards and options."""

from hoodwink.domain.cards import RANKS, Card, rank_of
from tests.sixth_game.lantern.options import Options


def merit(card: Card, options: Options) -> int:
    """Returns a number that is higher for the better card."""
    height = RANKS.index(rank_of(card))
    return height if options.best == "highest" else -height


def winner_of(cards: tuple[Card, ...], options: Options) -> int | None:
    """Returns the seat whose card alone is the best, or `None` if several are."""
    merits = [merit(card, options) for card in cards]
    best = max(merits)
    return merits.index(best) if merits.count(best) == 1 else None


def tokens_after(tokens: tuple[int, ...], winner: int | None) -> tuple[int, ...]:
    """Returns the balances after every other seat paid the winner one."""
    if winner is None:
        return tokens
    others = len(tokens) - 1
    return tuple([balance + (others if seat == winner else -1) for seat, balance in enumerate(tokens)])
