"""What a Shithead player may ask for."""

from typing import Literal, TypeAlias

from domain.cards import Card
from domain.kernel import Action


class SwapCards(Action, frozen=True, tag="swap"):
    """Exchange a hand card with a face-up card of your own, before play."""

    hand_card: Card
    face_up_card: Card


class DeclareReady(Action, frozen=True, tag="ready"):
    """Swap no more."""


class PlayCards(Action, frozen=True, tag="play"):
    """Lay cards of one rank on the pile, in the order named."""

    cards: tuple[Card, ...]


class PlayJoker(Action, frozen=True, tag="play_joker"):
    """Lay a Joker and name the player who is to pick up the pile."""

    target: int
    card: Literal["JK"] = "JK"


class FlipBlind(Action, frozen=True, tag="flip"):
    """Turn up one of your own blind cards; it is played if it can be."""

    slot: int


class PickUp(Action, frozen=True, tag="pick_up"):
    """Take the pile to hand, from the face-up cards together with one of them."""

    face_up_card: Card | None = None


class CounterJoker(Action, frozen=True, tag="counter"):
    """Answer a Joker with a Joker, naming somebody else."""

    target: int
    card: Literal["JK"] = "JK"


class AcceptPile(Action, frozen=True, tag="accept"):
    """Answer a Joker by taking the pile."""


class BurnPile(Action, frozen=True, tag="burn"):
    """Complete four of a kind on the pile out of turn (option `out_of_turn_burn`)."""

    cards: tuple[Card, ...]


ShitheadAction: TypeAlias = (
    SwapCards
    | DeclareReady
    | PlayCards
    | PlayJoker
    | FlipBlind
    | PickUp
    | CounterJoker
    | AcceptPile
    | BurnPile
)
