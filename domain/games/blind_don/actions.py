"""The actions of a Blind Don player."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from hoodwink.domain.games.blind_don.state import ROW
from hoodwink.domain.kernel import Action, Refusals, RuleCode, SharedCode


class BlindDonCode(RuleCode):
    """The error codes that only Blind Don has."""

    MUST_FOLLOW_SUIT = (
        "must_follow_suit",
        "You must follow suit: play one of your face-up cards of the suit that was led.",
    )


class PlayCard(Action, frozen=True, tag="play"):
    """Play the face-up card of one stack in the player's own row; positions count from 0 (G-6)."""

    refusals: ClassVar[Refusals] = (
        SharedCode.ROUND_NOT_IN_PLAY,
        SharedCode.NOT_YOUR_TURN,
        SharedCode.CARD_NOT_HELD,
        BlindDonCode.MUST_FOLLOW_SUIT,
    )

    position: Annotated[int, Meta(ge=0, lt=ROW)]


BlindDonAction: TypeAlias = PlayCard
