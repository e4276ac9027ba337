"""The events of a Blind Don table. Per-seat tuples are in seat order; positions count from 0."""

from typing import ClassVar, TypeAlias

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.domain.kernel import Cause, Event, Hidden, Public, PublicKnown


class Uncovered(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A face-down card that was turned up and may be played from now on."""

    seat: int
    position: int
    card: Card


class DealerCut(Event, frozen=True):
    """The cut for the deal: the cards drawn by the seats, until the ranks differed."""

    wire: ClassVar[str] = "blind_don.dealer_cut"
    cards: Public[tuple[tuple[Card, Card], ...]]
    dealer: Public[int]


class RoundDealt(Event, frozen=True):
    """The deal: both layers of each row, and the cards set aside unseen."""

    wire: ClassVar[str] = "blind_don.round_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    dealer: Public[int]
    face_down: Hidden[tuple[tuple[Card, ...], ...]]
    face_up: Public[tuple[tuple[Card, ...], ...]]
    aside: Hidden[tuple[Card, ...]]


class CardLed(Event, frozen=True):
    """The leader's card; the first of the round fixes trump."""

    wire: ClassVar[str] = "blind_don.card_led"
    seat: Public[int]
    position: Public[int]
    card: PublicKnown[Card]
    uncovered: Public[tuple[Uncovered, ...]]

    def cause(self) -> Cause:
        return self.seat, PlayCard(self.position)


class TrickTaken(Event, frozen=True):
    """The follower's play and the result of the trick.

    Attributes:
        seat, position: the follower, and the position played.
        cards: both cards, the leader's first (G-8).
        taker: the seat that took the trick, won `points` and leads to the next trick.
        uncovered: the cards turned up after the trick, the leader's first.
    """

    wire: ClassVar[str] = "blind_don.trick_taken"
    seat: Public[int]
    position: Public[int]
    cards: PublicKnown[tuple[Card, Card]]
    taker: Public[int]
    points: Public[int]
    uncovered: Public[tuple[Uncovered, ...]]

    def cause(self) -> Cause:
        return self.seat, PlayCard(self.position)


class CardsTallied(Event, frozen=True):
    """The tally of the captured cards, and the seat that earned the 8 points for it."""

    wire: ClassVar[str] = "blind_don.cards_tallied"
    tallies: Public[tuple[int, ...]]
    winner: Public[int | None]


BlindDonEvent: TypeAlias = DealerCut | RoundDealt | CardLed | TrickTaken | CardsTallied
