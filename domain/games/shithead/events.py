"""What happens at a Shithead table. Sequences over seats run from seat 0 unless said otherwise."""

from typing import ClassVar, TypeAlias

from domain.cards import Card
from domain.kernel import Event


class RoundDealt(Event, frozen=True):
    """The deal: blind cards by slot, face-up cards, hands and the stock."""

    wire: ClassVar[str] = "shithead.round_dealt"
    round: int
    dealer: int
    blind: tuple[tuple[Card, ...], ...]
    face_up: tuple[tuple[Card, ...], ...]
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]


class CardsSwapped(Event, frozen=True):
    """A seat exchanged two of its cards; `secretly` with the option `hidden_swap`."""

    wire: ClassVar[str] = "shithead.cards_swapped"
    restarts_clock: ClassVar[bool] = False
    seat: int
    hand_card: Card
    face_up_card: Card
    secretly: bool


class SeatReady(Event, frozen=True):
    wire: ClassVar[str] = "shithead.seat_ready"
    seat: int


class PlayStarted(Event, frozen=True):
    """All are ready: who starts, and everybody's face-up cards.

    Attributes:
        card: what the first play must contain, if any card; told to the starter alone (SH-49).
    """

    wire: ClassVar[str] = "shithead.play_started"
    seat: int
    card: Card | None
    face_up: tuple[tuple[Card, ...], ...]


class CardsPlayed(Event, frozen=True):
    wire: ClassVar[str] = "shithead.cards_played"
    seat: int
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...]


class PileBurned(Event, frozen=True):
    """A seat completed four of a kind out of turn."""

    wire: ClassVar[str] = "shithead.pile_burned"
    opens_turn: ClassVar[bool] = True
    seat: int
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...]


class BlindCardPlayed(Event, frozen=True):
    wire: ClassVar[str] = "shithead.blind_card_played"
    seat: int
    slot: int
    card: Card


class BlindCardFailed(Event, frozen=True):
    """A blind card was turned up, could not be played and was picked up with the pile."""

    wire: ClassVar[str] = "shithead.blind_card_failed"
    seat: int
    slot: int
    card: Card


class BlindJokerTurned(Event, frozen=True):
    """A blind card turned out to be a Joker; its player must now name somebody."""

    wire: ClassVar[str] = "shithead.blind_joker_turned"
    seat: int
    slot: int


class PilePickedUp(Event, frozen=True):
    """A seat took the pile, with the face-up card it chose if it plays from those."""

    wire: ClassVar[str] = "shithead.pile_picked_up"
    seat: int
    face_up_card: Card | None


class JokerPlayed(Event, frozen=True):
    wire: ClassVar[str] = "shithead.joker_played"
    seat: int
    target: int
    drawn: tuple[Card, ...]


class JokerCountered(Event, frozen=True):
    wire: ClassVar[str] = "shithead.joker_countered"
    seat: int
    target: int
    drawn: tuple[Card, ...]


class PileAccepted(Event, frozen=True):
    """The seat a Joker named did not counter it."""

    wire: ClassVar[str] = "shithead.pile_accepted"
    seat: int


class ShitheadNamed(Event, frozen=True):
    """The round is scored: all seats in finishing order, the shithead last, and the points of each seat."""

    wire: ClassVar[str] = "shithead.shithead_named"
    order: tuple[int, ...]
    points: tuple[int, ...]


ShitheadEvent: TypeAlias = (
    RoundDealt
    | CardsSwapped
    | SeatReady
    | PlayStarted
    | CardsPlayed
    | PileBurned
    | BlindCardPlayed
    | BlindCardFailed
    | BlindJokerTurned
    | PilePickedUp
    | JokerPlayed
    | JokerCountered
    | PileAccepted
    | ShitheadNamed
)
