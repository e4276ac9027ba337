"""The actions of a Coconut player."""

from typing import ClassVar, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.games.shedding import NAMED_CARDS_REFUSALS, SheddingCode, Slot
from hoodwink.domain.kernel import Action, Refusals, RuleCode, SharedCode


class CoconutCode(RuleCode):
    """The error codes that only Coconut has."""

    SNEAK_GRACE = ("sneak_grace", "Wait a moment: the other players may still sneak.")
    NOT_THREE_CARDS = ("not_three_cards", "Choose exactly three of your six cards.")
    NOT_LOWEST = (
        "not_lowest",
        "The round opens with the lowest rank in your hand; play cards of that rank.",
    )
    TOO_LOW = ("too_low", "Match the top card or beat it, or play a 2 or a 10.")
    SNEAK_OFF = ("sneak_off", "This table is played without sneaking.")
    YOUR_TURN = ("your_turn", "It is your turn: complete the four by playing.")
    OWN_CARDS = ("own_cards", "You laid the last cards, and nobody sneaks on their own.")
    ALREADY_OUT = ("already_out", "You are out: you have no cards left.")
    NOT_TOP_RANK = ("not_top_rank", "A sneak must be of the rank on top of the pile.")
    NOT_FOUR = ("not_four", "These cards do not complete four of a kind with those on top of the pile.")


_ANY_ACTION = (SharedCode.ROUND_NOT_IN_PLAY, CoconutCode.SNEAK_GRACE, SharedCode.WRONG_PHASE)
_IN_TURN = (*_ANY_ACTION, SharedCode.NOT_YOUR_TURN)


class ChooseFaceUp(Action, frozen=True, tag="choose_face_up"):
    """Choose the three of the six cards that will lie face up."""

    refusals: ClassVar[Refusals] = (
        *_ANY_ACTION,
        SharedCode.ALREADY_COMMITTED,
        CoconutCode.NOT_THREE_CARDS,
        SharedCode.CARD_NOT_HELD,
    )

    cards: tuple[Card, ...]


class PlayCards(Action, frozen=True, tag="play"):
    """Lay cards of one rank on the pile, in the order named (CO-32)."""

    refusals: ClassVar[Refusals] = (
        *_IN_TURN,
        *NAMED_CARDS_REFUSALS,
        CoconutCode.NOT_LOWEST,
        CoconutCode.TOO_LOW,
    )

    cards: tuple[Card, ...]


class FlipCard(Action, frozen=True, tag="flip"):
    """Turn up the face-down card of a slot and play it, if it can be played."""

    refusals: ClassVar[Refusals] = (*_IN_TURN, SheddingCode.WRONG_ZONE, SharedCode.SLOT_EMPTY)

    slot: Slot


class PickUpPile(Action, frozen=True, tag="pick_up"):
    """Take the whole pile into the hand."""

    refusals: ClassVar[Refusals] = (
        *_IN_TURN,
        SheddingCode.WRONG_ZONE,
        SheddingCode.PILE_EMPTY,
        SheddingCode.MUST_PLAY,
    )


class SneakCards(Action, frozen=True, tag="sneak"):
    """Complete four of a kind on the pile out of turn."""

    refusals: ClassVar[Refusals] = (
        *_ANY_ACTION,
        CoconutCode.SNEAK_OFF,
        SheddingCode.PILE_EMPTY,
        CoconutCode.YOUR_TURN,
        CoconutCode.OWN_CARDS,
        CoconutCode.ALREADY_OUT,
        *NAMED_CARDS_REFUSALS,
        CoconutCode.NOT_TOP_RANK,
        CoconutCode.NOT_FOUR,
    )

    cards: tuple[Card, ...]


CoconutAction: TypeAlias = ChooseFaceUp | PlayCards | FlipCard | PickUpPile | SneakCards
