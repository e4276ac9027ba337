"""The actions of a Double Blind player."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.options import MAX_SEATS, POCKET_SIZE
from hoodwink.domain.kernel import Action, Refusals, RuleCode, SharedCode

Slot: TypeAlias = Annotated[int, Meta(ge=0, lt=POCKET_SIZE, description="A slot of a pocket, 0 … 4.")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SEATS, description="A seat of the table.")]


class DoubleBlindCode(RuleCode):
    """The error codes that only The Double Blind has."""

    EXPOSURES_OFF = ("exposures_off", "This table is played without exposures.")
    EXPOSURE_LIMIT_REACHED = (
        "exposure_limit_reached",
        "No further card may be exposed from this seat in this caper.",
    )


_IN_TURN = (SharedCode.ROUND_NOT_IN_PLAY, SharedCode.NOT_YOUR_TURN)
_EXPOSING = (
    SharedCode.ROUND_NOT_IN_PLAY,
    DoubleBlindCode.EXPOSURES_OFF,
    DoubleBlindCode.EXPOSURE_LIMIT_REACHED,
)


class PlayPocket(Action, frozen=True, tag="play_pocket"):
    """Play the card in a slot of the target's pocket."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SharedCode.SLOT_EMPTY)

    slot: Slot


class Bribe(Action, frozen=True, tag="bribe"):
    """Play a card of your own sleeve and announce it."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SharedCode.CARD_NOT_HELD)

    card: Card


class ExposePocket(Action, frozen=True, tag="expose_pocket"):
    """Peek at a card of your own pocket, or name another's pocket card to its owner; costs 15 points."""

    refusals: ClassVar[Refusals] = (*_EXPOSING, SharedCode.NO_SUCH_SEAT, SharedCode.SLOT_EMPTY)

    owner: Seat
    slot: Slot


class ExposeSleeve(Action, frozen=True, tag="expose_sleeve"):
    """Show a card of your own sleeve; costs 15 points."""

    refusals: ClassVar[Refusals] = (*_EXPOSING, SharedCode.CARD_NOT_HELD)

    card: Card


DoubleBlindAction: TypeAlias = PlayPocket | Bribe | ExposePocket | ExposeSleeve
