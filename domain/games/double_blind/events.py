"""The events of a Double Blind table. Per-seat tuples are in seat order, unless stated otherwise."""

from typing import Annotated, ClassVar, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.actions import Bribe, ExposePocket, ExposeSleeve, PlayPocket
from hoodwink.domain.kernel import (
    Cause,
    EachOthers,
    EachOwn,
    Event,
    Hidden,
    Own,
    Public,
    PublicKnown,
    shown_if,
)

PEEKED = shown_if(lambda event, viewer: isinstance(viewer, int) or event.seat != event.owner)
"""A peek shows the card to the players only; a reveal shows it to everybody (DB-42)."""

TO_THE_OTHERS = shown_if(lambda event, viewer: isinstance(viewer, int) and viewer != event.owner)
"""Every player but the owner sees it, like any pocket card (G-1)."""


class CaperDealt(Event, frozen=True):
    """The deal: the Mastermind, sleeves, pockets by slot, and the bank, top first."""

    wire: ClassVar[str] = "double_blind.caper_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    mastermind: Public[int]
    sleeves: EachOwn[tuple[tuple[Card, ...], ...]]
    pockets: EachOthers[tuple[tuple[Card, ...], ...]]
    bank: Hidden[tuple[Card, ...]]


class PocketPlayed(Event, frozen=True):
    """A seat played a card of its target's pocket."""

    wire: ClassVar[str] = "double_blind.pocket_played"
    seat: Public[int]
    slot: Public[int]
    card: PublicKnown[Card]

    def cause(self) -> Cause:
        return self.seat, PlayPocket(self.slot)


class BribePlayed(Event, frozen=True):
    """A seat played a card of its own sleeve."""

    wire: ClassVar[str] = "double_blind.bribe_played"
    seat: Public[int]
    card: Public[Card]

    def cause(self) -> Cause:
        return self.seat, Bribe(self.card)


class TrickCalled(Event, frozen=True):
    """The highest cards tie: ten points join the hat and these seats, in its order, play again."""

    wire: ClassVar[str] = "double_blind.trick_called"
    contenders: Public[tuple[int, ...]]


class HalfInterestPaid(Event, frozen=True):
    """The cards that went from the bank into each pocket, lowest empty slot first."""

    wire: ClassVar[str] = "double_blind.half_interest_paid"
    pockets: EachOthers[tuple[tuple[Card, ...], ...]]


class ContendersDropped(Event, frozen=True):
    """These seats, in the order of the hat, are out of credit and lose the trick."""

    wire: ClassVar[str] = "double_blind.contenders_dropped"
    seats: Public[tuple[int, ...]]


class HatTaken(Event, frozen=True):
    """A seat won the hat: its cards in the order played, and its bonus points."""

    wire: ClassVar[str] = "double_blind.hat_taken"
    seat: Public[int]
    cards: PublicKnown[tuple[Card, ...]]
    bonus: Public[int]


class HatLost(Event, frozen=True):
    """Every contender was out of credit, so nobody gets the hat's cards and bonus."""

    wire: ClassVar[str] = "double_blind.hat_lost"
    cards: PublicKnown[tuple[Card, ...]]
    bonus: Public[int]


class InterestPaid(Event, frozen=True):
    """The cards that went from the bank into each pocket, lowest empty slot first, and each sleeve."""

    wire: ClassVar[str] = "double_blind.interest_paid"
    pockets: EachOthers[tuple[tuple[Card, ...], ...]]
    sleeves: EachOwn[tuple[tuple[Card, ...], ...]]


class PocketExposed(Event, frozen=True):
    """A seat peeked at its own pocket card or named another's to its owner.

    Attributes:
        replacement: the card that took its place; `None` if the bank was empty, so that the exposed card stayed.
    """

    wire: ClassVar[str] = "double_blind.pocket_exposed"
    restarts_clock: ClassVar[bool] = False
    seat: Public[int]
    owner: Public[int]
    slot: Public[int]
    card: Annotated[Card, PEEKED]
    replacement: Annotated[Card | None, TO_THE_OTHERS]

    def cause(self) -> Cause:
        return self.seat, ExposePocket(self.owner, self.slot)


class SleeveExposed(Event, frozen=True):
    """A seat showed a card of its own sleeve; `replacement` as in `PocketExposed`."""

    wire: ClassVar[str] = "double_blind.sleeve_exposed"
    restarts_clock: ClassVar[bool] = False
    seat: Public[int]
    card: Public[Card]
    replacement: Own[Card | None]

    def cause(self) -> Cause:
        return self.seat, ExposeSleeve(self.card)


class StashesRevealed(Event, frozen=True):
    """The caper is over: the cards left in the pockets, by slot, and in the sleeves."""

    wire: ClassVar[str] = "double_blind.stashes_revealed"
    pockets: Public[tuple[tuple[Card | None, ...], ...]]
    sleeves: Public[tuple[tuple[Card, ...], ...]]


class CaperScored(Event, frozen=True):
    """The score of the caper.

    Attributes:
        points: loot bag, bonuses and sleeve of each seat.
        jokers: the seats that got the Joker's 15 points.
        penalties: the points each seat lost for its exposures.
        queens_fools: the seats that became Queen's Fool in this caper.
        queens_fool_points: the points for each of them.
        totals: each seat's running total, including all of the above.
    """

    wire: ClassVar[str] = "double_blind.caper_scored"
    points: Public[tuple[int, ...]]
    jokers: Public[tuple[int, ...]]
    penalties: Public[tuple[int, ...]]
    queens_fools: Public[tuple[int, ...]]
    queens_fool_points: Public[int]
    totals: Public[tuple[int, ...]]


DoubleBlindEvent: TypeAlias = (
    CaperDealt
    | PocketPlayed
    | BribePlayed
    | TrickCalled
    | HalfInterestPaid
    | ContendersDropped
    | HatTaken
    | HatLost
    | InterestPaid
    | PocketExposed
    | SleeveExposed
    | StashesRevealed
    | CaperScored
)
