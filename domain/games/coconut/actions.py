"""What a Coconut player may ask for."""

from typing import TypeAlias

from domain.cards import Card
from domain.kernel import Action


class ChooseFaceUp(Action, frozen=True, tag="choose_face_up"):
    """Choose the three of the six cards that will lie face up."""

    cards: tuple[Card, ...]


class PlayCards(Action, frozen=True, tag="play"):
    """Lay cards of one rank on the pile, in the order named (CO-32)."""

    cards: tuple[Card, ...]


class FlipCard(Action, frozen=True, tag="flip"):
    """Turn up the face-down card of a slot and play it, if it can be played."""

    slot: int


class PickUpPile(Action, frozen=True, tag="pick_up"):
    """Take the whole pile into the hand."""


class SneakCards(Action, frozen=True, tag="sneak"):
    """Complete four of a kind on the pile out of turn."""

    cards: tuple[Card, ...]


CoconutAction: TypeAlias = ChooseFaceUp | PlayCards | FlipCard | PickUpPile | SneakCards
