"""What happens at a Coconut table. Sequences over seats run from seat 0 unless said otherwise."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel import Event


class RoundDealt(Event, frozen=True):
    """The deal: three face-down cards in slots 0 to 2, six cards taken up, and the deck."""

    wire: ClassVar[str] = "coconut.round_dealt"
    round: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    face_down: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


class FaceUpChosen(Event, frozen=True):
    """A seat committed the cards that will lie face up."""

    wire: ClassVar[str] = "coconut.face_up_chosen"
    seat: int
    cards: tuple[Card, ...]


class FaceUpRevealed(Event, frozen=True):
    """All have committed; the chosen cards of every seat lie face up."""

    wire: ClassVar[str] = "coconut.face_up_revealed"
    face_up: tuple[tuple[Card, ...], ...]


class CardsPlayed(Event, frozen=True):
    """Cards laid in turn, the last one on top, and those drawn afterwards.

    Attributes:
        at: when it was accepted, in ms; the grace for a sneak runs from here (CO-37).
    """

    wire: ClassVar[str] = "coconut.cards_played"
    seat: int
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    at: int


class CardFlipped(Event, frozen=True):
    """A face-down card was turned up and played; `at` as in `CardsPlayed`."""

    wire: ClassVar[str] = "coconut.card_flipped"
    seat: int
    slot: int
    card: Card
    at: int


class FlipFailed(Event, frozen=True):
    """A face-down card was turned up, could not be played, and went to the hand with the pile."""

    wire: ClassVar[str] = "coconut.flip_failed"
    seat: int
    slot: int
    card: Card


class PilePickedUp(Event, frozen=True):
    """The whole pile went to a hand."""

    wire: ClassVar[str] = "coconut.pile_picked_up"
    seat: int


class CardsSneaked(Event, frozen=True):
    """Cards laid out of turn that completed four of a kind, and those drawn afterwards."""

    wire: ClassVar[str] = "coconut.cards_sneaked"
    opens_turn: ClassVar[bool] = True
    seat: int
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...]


class RoundScored(Event, frozen=True):
    """The order in which seats went out (whoever was left stands last) and the points of the round."""

    wire: ClassVar[str] = "coconut.round_scored"
    order: tuple[int, ...]
    points: tuple[int, ...]


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
