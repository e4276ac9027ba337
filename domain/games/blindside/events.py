"""What happens at a Blindside table. Sequences over seats run from seat 0 unless said otherwise."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel import Event


class RoundDealt(Event, frozen=True):
    """The deal: hands, the dealt Blindside Cards (five-card variation only), turn-up and stock."""

    wire: ClassVar[str] = "blindside.round_dealt"
    round: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    blindsides: tuple[Card, ...]
    turn_up: Card
    stock: tuple[Card, ...]


class BlindsidePassed(Event, frozen=True):
    """A seat committed the card that will lie in front of its left neighbour."""

    wire: ClassVar[str] = "blindside.blindside_passed"
    seat: int
    card: Card


class StockDrawn(Event, frozen=True):
    wire: ClassVar[str] = "blindside.stock_drawn"
    seat: int
    card: Card


class DiscardDrawn(Event, frozen=True):
    wire: ClassVar[str] = "blindside.discard_drawn"
    seat: int
    card: Card


class CardKept(Event, frozen=True):
    wire: ClassVar[str] = "blindside.card_kept"
    seat: int
    card: Card


class CardDiscarded(Event, frozen=True):
    wire: ClassVar[str] = "blindside.card_discarded"
    seat: int
    card: Card


class BlindsidesRevealed(Event, frozen=True):
    """Contest 1: the Blindside Cards, what each counts, who won and who was BLINDSIDED."""

    wire: ClassVar[str] = "blindside.blindsides_revealed"
    cards: tuple[Card, ...]
    values: tuple[int, ...]
    winner: int | None
    blindsided: tuple[int, ...]


class KeepersRevealed(Event, frozen=True):
    """Contest 2: the Keeper Piles, the totals, who won and who was BLINDSIDED."""

    wire: ClassVar[str] = "blindside.keepers_revealed"
    keepers: tuple[tuple[Card, ...], ...]
    totals: tuple[int, ...]
    winner: int | None
    blindsided: tuple[int, ...]


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
