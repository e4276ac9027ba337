"""The state of a Shithead table. Per-seat tuples are in seat order."""

from enum import StrEnum

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.games.shithead.options import Options
from hoodwink.domain.kernel import CLOCKWISE, Completed, Direction, Stage


class Step(StrEnum):
    """The action that is owed: by every seat not ready in the swap phase, afterwards by the seat to move."""

    SWAP = "swap"
    PLAY = "play"
    NAME_TARGET = "name_target"  # for the blind Joker just turned up (SH-53)
    ANSWER = "answer"  # to the Joker that named the seat to move


# CPython 3.11 looks up an enum member slowly, and every move compares several.
IN_PLAY, TO_SCORE = Stage.IN_PLAY, Stage.TO_SCORE
SWAP, PLAY, NAME_TARGET, ANSWER = Step

EMPTY_SLOTS: Slots = (None, None, None)


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of the game at one version.

    Attributes:
        round: 0 before the first deal, then 1, 2, …
        next_dealer: the seat that deals the next round; meaningless before the first.
        to_move: the seat whose turn it is; while a Joker waits for its answer, the seat that it named.
        direction: 1 clockwise, -1 counter-clockwise.
        ready: the seats that have finished swapping.
        starting_card: the card that the first play must contain, until that play.
        dealt_face_up: the face-up cards as dealt, which others see during a hidden swap (SH-50).
        blind: each seat's slots; a Joker that was turned up stays in its slot until it is played.
        turned: the slot of that Joker, while it waits for a target.
        stock: index 0 is the top.
        pile: the last card is the top; never a Joker (SH-48).
        last_layer: the seat that laid the top card.
        jokers: the Jokers that wait for an answer.
        jokers_laid: the seats that laid them, in order.
        removed: the cards that left the game, burned or used.
        finished: the seats that are out, in order.
        points: each seat's running total.
        last: the last pile that was burned in the round.
    """

    options: Options
    seats: int
    stage: Stage
    round: int
    dealer: int
    next_dealer: int
    step: Step
    to_move: int
    direction: Direction
    ready: tuple[int, ...]
    starting_card: Card | None
    hands: tuple[tuple[Card, ...], ...]
    face_up: tuple[tuple[Card, ...], ...]
    dealt_face_up: tuple[tuple[Card, ...], ...]
    blind: tuple[Slots, ...]
    turned: int | None
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    last_layer: int
    jokers: tuple[Card, ...]
    jokers_laid: tuple[int, ...]
    removed: tuple[Card, ...]
    finished: tuple[int, ...]
    points: tuple[int, ...]
    last: Completed | None


def initial(options: Options, seats: int) -> State:
    """Returns the state before the first deal."""
    return State(
        options=options,
        seats=seats,
        stage=Stage.TO_DEAL,
        round=0,
        dealer=0,
        next_dealer=0,
        step=SWAP,
        to_move=0,
        direction=CLOCKWISE,
        ready=(),
        starting_card=None,
        hands=((),) * seats,
        face_up=((),) * seats,
        dealt_face_up=((),) * seats,
        blind=(EMPTY_SLOTS,) * seats,
        turned=None,
        stock=(),
        pile=(),
        last_layer=0,
        jokers=(),
        jokers_laid=(),
        removed=(),
        finished=(),
        points=(0,) * seats,
        last=None,
    )


def stage_after_round(state: State) -> Stage:
    """Returns the stage after a finished round (SH-61)."""
    return Stage.OVER if state.round >= state.options.rounds else Stage.TO_DEAL
