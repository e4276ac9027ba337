"""The events of a Coconut table. Per-seat tuples are in seat order, unless stated otherwise."""

from typing import ClassVar, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.games.coconut.actions import ChooseFaceUp, FlipCard, PickUpPile, PlayCards, SneakCards
from hoodwink.domain.kernel import Cause, EachOwn, Event, Hidden, Own, Public


class RoundDealt(Event, frozen=True):
    """The deal: three face-down cards in slots 0 to 2, six cards taken up, and the deck."""

    wire: ClassVar[str] = "coconut.round_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    dealer: Public[int]
    hands: EachOwn[tuple[tuple[Card, ...], ...]]
    face_down: Hidden[tuple[tuple[Card, ...], ...]]
    stock: Hidden[tuple[Card, ...]]


class FaceUpChosen(Event, frozen=True):
    """A seat committed its choice of face-up cards."""

    wire: ClassVar[str] = "coconut.face_up_chosen"
    is_final: ClassVar[bool] = True
    seat: Public[int]
    cards: Own[tuple[Card, ...]]

    def cause(self) -> Cause:
        return self.seat, ChooseFaceUp(self.cards)


class FaceUpRevealed(Event, frozen=True):
    """All seats have committed; the chosen cards were laid face up."""

    wire: ClassVar[str] = "coconut.face_up_revealed"
    face_up: Public[tuple[tuple[Card, ...], ...]]


class CardsPlayed(Event, frozen=True):
    """Cards laid in turn, the last one on top, and those drawn afterwards.

    Attributes:
        at: when the play was accepted, in ms; the grace period for a sneak starts then (CO-37).
    """

    wire: ClassVar[str] = "coconut.cards_played"
    seat: Public[int]
    cards: Public[tuple[Card, ...]]
    drawn: Own[tuple[Card, ...]]
    at: Public[int]

    def cause(self) -> Cause:
        return self.seat, PlayCards(self.cards)


class CardFlipped(Event, frozen=True):
    """A face-down card was turned up and played; `at` as in `CardsPlayed`."""

    wire: ClassVar[str] = "coconut.card_flipped"
    seat: Public[int]
    slot: Public[int]
    card: Public[Card]
    at: Public[int]

    def cause(self) -> Cause:
        return self.seat, FlipCard(self.slot)


class FlipFailed(Event, frozen=True):
    """A face-down card was turned up, could not be played, and went to the hand with the pile."""

    wire: ClassVar[str] = "coconut.flip_failed"
    seat: Public[int]
    slot: Public[int]
    card: Public[Card]

    def cause(self) -> Cause:
        return self.seat, FlipCard(self.slot)


class PilePickedUp(Event, frozen=True):
    """The whole pile went to a hand."""

    wire: ClassVar[str] = "coconut.pile_picked_up"
    seat: Public[int]

    def cause(self) -> Cause:
        return self.seat, PickUpPile()


class CardsSneaked(Event, frozen=True):
    """Cards laid out of turn that completed four of a kind, and those drawn afterwards."""

    wire: ClassVar[str] = "coconut.cards_sneaked"
    opens_turn: ClassVar[bool] = True
    seat: Public[int]
    cards: Public[tuple[Card, ...]]
    drawn: Own[tuple[Card, ...]]

    def cause(self) -> Cause:
        return self.seat, SneakCards(self.cards)


class RoundScored(Event, frozen=True):
    """The order in which seats went out (a seat left with cards comes last) and the points of the round."""

    wire: ClassVar[str] = "coconut.round_scored"
    order: Public[tuple[int, ...]]
    points: Public[tuple[int, ...]]


CoconutEvent: TypeAlias = (
    RoundDealt
    | FaceUpChosen
    | FaceUpRevealed
    | CardsPlayed
    | CardFlipped
    | FlipFailed
    | PilePickedUp
    | CardsSneaked
    | RoundScored
)
