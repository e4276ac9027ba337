"""The actions of a Shithead player."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from hoodwink.domain.cards import Card
from hoodwink.domain.games.shedding import NAMED_CARDS_REFUSALS, SheddingCode, Slot
from hoodwink.domain.games.shithead.options import MAX_SEATS
from hoodwink.domain.kernel import Action, Refusals, RuleCode, SharedCode


class ShitheadCode(RuleCode):
    """The error codes that only Shithead has."""

    NOT_PLAYABLE = (
        "not_playable",
        "These cards may not be played on the pile; choose others, or pick up the pile.",
    )
    STARTING_CARD_MISSING = ("starting_card_missing", "The first play must contain your starting card.")
    JOKER_NAMES_A_PLAYER = (
        "joker_names_a_player",
        "Play a Joker alone, and name the player who picks up the pile.",
    )
    WRONG_TARGET = (
        "wrong_target",
        "Name another player. You may name a player without cards only while there is a pile.",
    )
    NO_FACE_UP_CARD = (
        "no_face_up_card",
        "Choose the face-up card that you pick up with the pile.",
    )
    NO_BURN_NOW = ("no_burn_now", "You cannot burn the pile out of turn now.")
    MAY_NOT_BURN = (
        "may_not_burn",
        "You may not burn the pile out of turn: it is your turn, you laid the last cards, or you are out.",
    )
    COMPLETES_NO_FOUR = (
        "completes_no_four",
        "These cards do not complete four of a kind with those on top of the pile.",
    )


Target: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SEATS, description="The seat of another player.")]

_ANY_ACTION = (SharedCode.ROUND_NOT_IN_PLAY, SharedCode.WRONG_PHASE)
_SWAPPING = (*_ANY_ACTION, SharedCode.ALREADY_COMMITTED)
_IN_TURN = (*_ANY_ACTION, SharedCode.NOT_YOUR_TURN, SharedCode.WRONG_STEP)


class SwapCards(Action, frozen=True, tag="swap"):
    """Exchange a card in your hand for one of your face-up cards, before play starts."""

    refusals: ClassVar[Refusals] = (*_SWAPPING, SharedCode.CARD_NOT_HELD)

    hand_card: Card
    face_up_card: Card


class DeclareReady(Action, frozen=True, tag="ready"):
    """Declare that you have finished swapping."""

    refusals: ClassVar[Refusals] = _SWAPPING


class PlayCards(Action, frozen=True, tag="play"):
    """Lay cards of one rank on the pile, in the order named."""

    refusals: ClassVar[Refusals] = (
        *_IN_TURN,
        *NAMED_CARDS_REFUSALS,
        ShitheadCode.JOKER_NAMES_A_PLAYER,
        ShitheadCode.STARTING_CARD_MISSING,
        ShitheadCode.NOT_PLAYABLE,
    )

    cards: tuple[Card, ...]


class PlayJoker(Action, frozen=True, tag="play_joker"):
    """Lay a Joker and name the player who is to pick up the pile."""

    refusals: ClassVar[Refusals] = (
        *_IN_TURN,
        SheddingCode.WRONG_ZONE,
        SharedCode.CARD_NOT_HELD,
        ShitheadCode.STARTING_CARD_MISSING,
        ShitheadCode.WRONG_TARGET,
    )

    target: Target
    card: Literal["JK"] = "JK"


class FlipBlind(Action, frozen=True, tag="flip"):
    """Turn up one of your own blind cards; it is played if it can be."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SheddingCode.WRONG_ZONE, SharedCode.SLOT_EMPTY)

    slot: Slot


class PickUp(Action, frozen=True, tag="pick_up"):
    """Take the pile into your hand, together with one of your face-up cards if you play from those."""

    refusals: ClassVar[Refusals] = (
        *_IN_TURN,
        SheddingCode.WRONG_ZONE,
        SheddingCode.PILE_EMPTY,
        SheddingCode.MUST_PLAY,
        ShitheadCode.NO_FACE_UP_CARD,
        SharedCode.CARD_NOT_HELD,
    )

    face_up_card: Card | None = None


class CounterJoker(Action, frozen=True, tag="counter"):
    """Answer a Joker with another Joker, and name another player."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SharedCode.CARD_NOT_HELD, ShitheadCode.WRONG_TARGET)

    target: Target
    card: Literal["JK"] = "JK"


class AcceptPile(Action, frozen=True, tag="accept"):
    """Answer a Joker by taking the pile."""

    refusals: ClassVar[Refusals] = _IN_TURN


class BurnPile(Action, frozen=True, tag="burn"):
    """Complete four of a kind on the pile out of turn (option `out_of_turn_burn`)."""

    refusals: ClassVar[Refusals] = (
        *_ANY_ACTION,
        ShitheadCode.NO_BURN_NOW,
        ShitheadCode.MAY_NOT_BURN,
        *NAMED_CARDS_REFUSALS,
        ShitheadCode.COMPLETES_NO_FOUR,
    )

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
