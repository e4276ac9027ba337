"""What a Blindside player may ask for."""

from typing import Literal, TypeAlias

from domain.cards import Card
from domain.kernel import Action


class PassBlindside(Action, frozen=True, tag="pass_blindside"):
    """Lay a hand card face down in front of the player on the left."""

    card: Card


class DrawCard(Action, frozen=True, tag="draw"):
    """Take the top card of the stock or of the discard pile."""

    source: Literal["stock", "discard"]


class KeepCard(Action, frozen=True, tag="keep"):
    """Lay a hand card face down on your own Keeper Pile."""

    card: Card


class DiscardCard(Action, frozen=True, tag="discard"):
    """Lay a hand card face up on the discard pile, which ends the turn."""

    card: Card


BlindsideAction: TypeAlias = PassBlindside | DrawCard | KeepCard | DiscardCard
