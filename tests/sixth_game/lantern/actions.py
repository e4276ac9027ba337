"""The actions of a Lantern player."""

from typing import ClassVar

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Action, Refusals, RuleCode, SharedCode


class LanternCode(RuleCode):
    """The error codes that only Lantern has."""

    CARD_NOT_IN_HAND = ("lantern_card_not_in_hand", "Choose one of your five cards.")


class ChooseCard(Action, frozen=True, tag="choose"):
    """Secretly choose one of your five cards to be turned up."""

    refusals: ClassVar[Refusals] = (
        SharedCode.ROUND_NOT_IN_PLAY,
        SharedCode.ALREADY_COMMITTED,
        LanternCode.CARD_NOT_IN_HAND,
    )

    card: Card
