"""The events of a Shithead table. Per-seat tuples are in seat order, unless stated otherwise."""

from typing import Annotated, ClassVar, TypeAlias

from hoodwink.domain.cards import HIDDEN, Card
from hoodwink.domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    FlipBlind,
    PickUp,
    PlayCards,
    PlayJoker,
    SwapCards,
)
from hoodwink.domain.kernel import Cause, EachOwn, Event, Hidden, Own, Public, Viewer, Visibility

SHOWN_TO_STARTER = Visibility(lambda value, event, viewer: value if event.seat == viewer else HIDDEN)
"""A back even if there is no card, because the existence of a card is also secret until the first play (SH-49)."""


class RoundDealt(Event, frozen=True):
    """The deal: blind cards by slot, face-up cards, hands and the stock."""

    wire: ClassVar[str] = "shithead.round_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    dealer: Public[int]
    blind: Hidden[tuple[tuple[Card, ...], ...]]
    face_up: Public[tuple[tuple[Card, ...], ...]]
    hands: EachOwn[tuple[tuple[Card, ...], ...]]
    stock: Hidden[tuple[Card, ...]]


class CardsSwapped(Event, frozen=True):
    """A seat exchanged two of its cards, `secretly` if the option `hidden_swap` is on."""

    wire: ClassVar[str] = "shithead.cards_swapped"
    is_final: ClassVar[bool] = True
    restarts_clock: ClassVar[bool] = False
    seat: Public[int]
    hand_card: Public[Card]
    face_up_card: Public[Card]
    secretly: Public[bool]

    def is_known_to(self, viewer: Viewer) -> bool:
        return not self.secretly or self.seat == viewer  # SH-50

    def cause(self) -> Cause:
        return self.seat, SwapCards(self.hand_card, self.face_up_card)


class SeatReady(Event, frozen=True):
    """A seat declared that it is ready to begin."""

    wire: ClassVar[str] = "shithead.seat_ready"
    is_final: ClassVar[bool] = True
    seat: Public[int]

    def cause(self) -> Cause:
        return self.seat, DeclareReady()


class PlayStarted(Event, frozen=True):
    """All seats are ready: the seat that starts, and everybody's face-up cards.

    Attributes:
        card: the card that the first play must contain, if any; only the starter sees it (SH-49).
    """

    wire: ClassVar[str] = "shithead.play_started"
    seat: Public[int]
    card: Annotated[Card | None, SHOWN_TO_STARTER]
    face_up: Public[tuple[tuple[Card, ...], ...]]


class CardsPlayed(Event, frozen=True):
    """A seat played cards and drew from the stock."""

    wire: ClassVar[str] = "shithead.cards_played"
    seat: Public[int]
    cards: Public[tuple[Card, ...]]
    drawn: Own[tuple[Card, ...]]

    def cause(self) -> Cause:
        return self.seat, PlayCards(self.cards)


class PileBurned(Event, frozen=True):
    """A seat completed four of a kind out of turn."""

    wire: ClassVar[str] = "shithead.pile_burned"
    opens_turn: ClassVar[bool] = True
    seat: Public[int]
    cards: Public[tuple[Card, ...]]
    drawn: Own[tuple[Card, ...]]

    def cause(self) -> Cause:
        return self.seat, BurnPile(self.cards)


class BlindCardPlayed(Event, frozen=True):
    """A seat turned up a blind card and played it."""

    wire: ClassVar[str] = "shithead.blind_card_played"
    seat: Public[int]
    slot: Public[int]
    card: Public[Card]

    def cause(self) -> Cause:
        return self.seat, FlipBlind(self.slot)


class BlindCardFailed(Event, frozen=True):
    """A blind card was turned up, could not be played and was picked up with the pile."""

    wire: ClassVar[str] = "shithead.blind_card_failed"
    seat: Public[int]
    slot: Public[int]
    card: Public[Card]

    def cause(self) -> Cause:
        return self.seat, FlipBlind(self.slot)


class BlindJokerTurned(Event, frozen=True):
    """A blind card turned out to be a Joker; its player must now name somebody."""

    wire: ClassVar[str] = "shithead.blind_joker_turned"
    is_final: ClassVar[bool] = True
    is_step: ClassVar[bool] = True
    seat: Public[int]
    slot: Public[int]

    def cause(self) -> Cause:
        return self.seat, FlipBlind(self.slot)


class PilePickedUp(Event, frozen=True):
    """A seat took the pile, together with a chosen face-up card if it plays from those."""

    wire: ClassVar[str] = "shithead.pile_picked_up"
    seat: Public[int]
    face_up_card: Public[Card | None]

    def cause(self) -> Cause:
        return self.seat, PickUp(self.face_up_card)


class JokerPlayed(Event, frozen=True):
    """A seat played a Joker and named the seat that must counter it or take the pile."""

    wire: ClassVar[str] = "shithead.joker_played"
    seat: Public[int]
    target: Public[int]
    drawn: Own[tuple[Card, ...]]

    def cause(self) -> Cause:
        return self.seat, PlayJoker(self.target)


class JokerCountered(Event, frozen=True):
    """The named seat countered a Joker with another Joker and named another seat."""

    wire: ClassVar[str] = "shithead.joker_countered"
    seat: Public[int]
    target: Public[int]
    drawn: Own[tuple[Card, ...]]

    def cause(self) -> Cause:
        return self.seat, CounterJoker(self.target)


class PileAccepted(Event, frozen=True):
    """The named seat did not counter a Joker."""

    wire: ClassVar[str] = "shithead.pile_accepted"
    seat: Public[int]

    def cause(self) -> Cause:
        return self.seat, AcceptPile()


class ShitheadNamed(Event, frozen=True):
    """The round is scored: all seats in finishing order, the shithead last, and the points of each seat."""

    wire: ClassVar[str] = "shithead.shithead_named"
    order: Public[tuple[int, ...]]
    points: Public[tuple[int, ...]]


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
