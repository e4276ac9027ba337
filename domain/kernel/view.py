"""The base of all games' views: the facts that every game has, under the same names."""

from typing import Final, Literal, TypeAlias

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel.seats import BySeat

Direction: TypeAlias = Literal[1, -1]

CLOCKWISE: Final = 1
COUNTER_CLOCKWISE: Final = -1


class Completed(msgspec.Struct, frozen=True, gc=False):
    """A trick, hat or contest that was decided, or a pile that was cleared away. All of it lies open.

    Attributes:
        kind: what it was: `trick`, `hat`, `contest` or `pile`.
        winner: the seat that won it, or cleared the pile away; `None` where nobody won.
        cards: its cards, in the order in which they were laid; those of a contest by seat.
        seats: the seat that each of the cards counted for; empty for a pile.
    """

    kind: str
    winner: int | None
    cards: tuple[Card, ...]
    seats: tuple[int, ...]


class GameView(msgspec.Struct, frozen=True, gc=False):
    """What every game's view shows, the same to all viewers; each game adds its own zones.

    Attributes:
        round: rounds dealt so far: the number of the round in play or, between rounds, of the last one; 0 before
            the first deal.
        rounds: how many rounds the game has, as far as that is settled; `None` if it is played to a score.
        dealer: the seat that dealt the round; `None` before the first deal.
        leader: the seat that leads to the trick or hat in play; `None` at other times, and in games without them.
        to_move: the seat whose turn it is; `None` while several seats choose together, and between rounds.
        step: the kind of action that is owed, by the name that the game gives it; `None` between rounds.
        direction: of play: 1 clockwise, to the next higher seat, or -1 counter-clockwise.
        stock_count: how many cards can still be drawn; `None` in a game without a stock.
        scores: each seat's running score, as shown to the players.
        last: what was completed last in the round; `None` if nothing was so far.
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
