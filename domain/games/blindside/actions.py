"""The actions of a Blindside player."""

from typing import ClassVar, Literal, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Action, Refusals, SharedCode

_IN_TURN = (
    SharedCode.ROUND_NOT_IN_PLAY,
    SharedCode.WRONG_PHASE,
    SharedCode.NOT_YOUR_TURN,
    SharedCode.WRONG_STEP,
)


class PassBlindside(Action, frozen=True, tag="pass_blindside"):
    """Lay a hand card face down in front of the player on the left."""

    refusals: ClassVar[Refusals] = (
        SharedCode.ROUND_NOT_IN_PLAY,
        SharedCode.WRONG_PHASE,
        SharedCode.ALREADY_COMMITTED,
        SharedCode.CARD_NOT_HELD,
    )

    card: Card


class DrawCard(Action, frozen=True, tag="draw"):
    """Take the top card of the stock or of the discard pile."""

    refusals: ClassVar[Refusals] = _IN_TURN

    source: Literal["stock", "discard"]


class KeepCard(Action, frozen=True, tag="keep"):
    """Lay a hand card face down on your own Keeper Pile."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SharedCode.CARD_NOT_HELD)

    card: Card


class DiscardCard(Action, frozen=True, tag="discard"):
    """Lay a hand card face up on the discard pile, which ends the turn."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SharedCode.CARD_NOT_HELD)

    card: Card


BlindsideAction: TypeAlias = PassBlindside | DrawCard | KeepCard | DiscardCard
