"""What a Double Blind player may ask for."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.cards import Card
from domain.games.double_blind.options import MOST_SEATS, POCKET_SIZE
from domain.kernel import Action

Slot: TypeAlias = Annotated[int, Meta(ge=0, lt=POCKET_SIZE, description="A slot of a pocket, 0 … 4.")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS, description="A seat of the table.")]


class PlayPocket(Action, frozen=True, tag="play_pocket"):
    """Play the card in a slot of the target's pocket."""

    slot: Slot


class Bribe(Action, frozen=True, tag="bribe"):
    """Play a card of your own sleeve and announce it."""

    card: Card


class ExposePocket(Action, frozen=True, tag="expose_pocket"):
    """Peek at a card of your own pocket, or name another's pocket card to its owner; costs 15 points."""

    owner: Seat
    slot: Slot


class ExposeSleeve(Action, frozen=True, tag="expose_sleeve"):
    """Show a card of your own sleeve; costs 15 points."""

    card: Card


DoubleBlindAction: TypeAlias = PlayPocket | Bribe | ExposePocket | ExposeSleeve
