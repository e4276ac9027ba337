"""The base of all games' views: the facts that all games share, under the same names."""

from typing import Final, Literal, TypeAlias

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel.seats import BySeat

Direction: TypeAlias = Literal[1, -1]

CLOCKWISE: Final = 1
COUNTER_CLOCKWISE: Final = -1


class Completed(msgspec.Struct, frozen=True, gc=False):
    """A trick, hat or contest that was decided, or a pile that was cleared away. All its cards are face up.

    Attributes:
        kind: `trick`, `hat`, `contest` or `pile`.
        winner: the seat that won it or cleared the pile away; `None` if nobody won.
        cards: its cards in the order played; those of a contest by seat.
        seats: the seat that each card counted for; empty for a pile.
    """

    kind: str
    winner: int | None
    cards: tuple[Card, ...]
    seats: tuple[int, ...]


class GameView(msgspec.Struct, frozen=True, gc=False):
    """The facts in every game's view, the same for all viewers. Each game adds its own zones.

    Attributes:
        round: the number of rounds dealt so far; 0 before the first deal.
        rounds: the number of rounds in the game, if it is known yet; `None` if the game is played to a score.
        dealer: the seat that dealt the round; `None` before the first deal.
        leader: the seat that leads to the trick or hat in play; `None` at other times, and in games without them.
        to_move: the seat whose turn it is; `None` while several seats choose together, and between rounds.
        step: the kind of action that is owed, under the game's own name; `None` between rounds.
        direction: the direction of play: 1 clockwise, to the next higher seat, or -1 counter-clockwise.
        stock_count: the number of cards left in the stock; `None` in a game without a stock.
        scores: each seat's running score, as shown to the players.
        last: the trick, hat, contest or pile completed last in this round; `None` if there is none yet.
    """

    round: int
    rounds: int | None
    dealer: int | None
    leader: int | None
    to_move: int | None
    step: str | None
    direction: Direction
    stock_count: int | None
    scores: BySeat[int]
    last: Completed | None
