"""The events of a Blindside table. Per-seat tuples are in seat order, unless stated otherwise."""

from typing import ClassVar, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.kernel import Cause, EachOwn, Event, Hidden, Own, Public, PublicKnown


class RoundDealt(Event, frozen=True):
    """The deal: the hands, the turn-up, the stock and, in the five-card variation only, the Blindside Cards."""

    wire: ClassVar[str] = "blindside.round_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    dealer: Public[int]
    hands: EachOwn[tuple[tuple[Card, ...], ...]]
    blindsides: Hidden[tuple[Card, ...]]
    turn_up: Public[Card]
    stock: Hidden[tuple[Card, ...]]


class BlindsidePassed(Event, frozen=True):
    """A seat chose the card that its left neighbour gets as Blindside Card."""

    wire: ClassVar[str] = "blindside.blindside_passed"
    is_final: ClassVar[bool] = True
    seat: Public[int]
    card: Own[Card]

    def cause(self) -> Cause:
        return self.seat, PassBlindside(self.card)


class StockDrawn(Event, frozen=True):
    """A seat drew the top card of the stock."""

    wire: ClassVar[str] = "blindside.stock_drawn"
    is_step: ClassVar[bool] = True
    seat: Public[int]
    card: Own[Card]

    def cause(self) -> Cause:
        return self.seat, DrawCard("stock")


class DiscardDrawn(Event, frozen=True):
    """A seat drew the top card of the discard pile."""

    wire: ClassVar[str] = "blindside.discard_drawn"
    is_step: ClassVar[bool] = True
    seat: Public[int]
    card: PublicKnown[Card]

    def cause(self) -> Cause:
        return self.seat, DrawCard("discard")


class CardKept(Event, frozen=True):
    """A seat laid a card from its hand face down on its Keeper Pile."""

    wire: ClassVar[str] = "blindside.card_kept"
    is_step: ClassVar[bool] = True
    seat: Public[int]
    card: Own[Card]

    def cause(self) -> Cause:
        return self.seat, KeepCard(self.card)


class CardDiscarded(Event, frozen=True):
    """A seat laid a card from its hand on the discard pile, which ended its turn."""

    wire: ClassVar[str] = "blindside.card_discarded"
    seat: Public[int]
    card: Public[Card]

    def cause(self) -> Cause:
        return self.seat, DiscardCard(self.card)


class BlindsidesRevealed(Event, frozen=True):
    """Contest 1: the Blindside Cards, their values, the winner and the seats that were BLINDSIDED."""

    wire: ClassVar[str] = "blindside.blindsides_revealed"
    cards: Public[tuple[Card, ...]]
    values: Public[tuple[int, ...]]
    winner: Public[int | None]
    blindsided: Public[tuple[int, ...]]


class KeepersRevealed(Event, frozen=True):
    """Contest 2: the Keeper Piles, the totals, the winner and the seats that were BLINDSIDED."""

    wire: ClassVar[str] = "blindside.keepers_revealed"
    keepers: Public[tuple[tuple[Card, ...], ...]]
    totals: Public[tuple[int, ...]]
    winner: Public[int | None]
    blindsided: Public[tuple[int, ...]]


BlindsideEvent: TypeAlias = (
    RoundDealt
    | BlindsidePassed
    | StockDrawn
    | DiscardDrawn
    | CardKept
    | CardDiscarded
    | BlindsidesRevealed
    | KeepersRevealed
)
