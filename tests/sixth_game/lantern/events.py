"""The events of a Lantern table. Per-seat tuples are in seat order."""

from typing import ClassVar, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Cause, EachOwn, Event, Hidden, Own, Public
from tests.sixth_game.lantern.actions import ChooseCard


class HandsDealt(Event, frozen=True):
    """Five cards for each seat; the rest is out of play."""

    wire: ClassVar[str] = "lantern.hands_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    dealer: Public[int]
    hands: EachOwn[tuple[tuple[Card, ...], ...]]
    rest: Hidden[tuple[Card, ...]]


class CardChosen(Event, frozen=True):
    """A seat committed a card."""

    wire: ClassVar[str] = "lantern.card_chosen"
    seat: Public[int]
    card: Own[Card]

    def cause(self) -> Cause:
        return self.seat, ChooseCard(self.card)


class CardsRevealed(Event, frozen=True):
    """The chosen cards, and the seat whose card alone is the best; it wins a token from every other seat."""

    wire: ClassVar[str] = "lantern.cards_revealed"
    cards: Public[tuple[Card, ...]]
    winner: Public[int | None]


LanternEvent: TypeAlias = HandsDealt | CardChosen | CardsRevealed
