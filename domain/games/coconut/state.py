"""The state of a Coconut table. Per-seat tuples are in seat order."""

from enum import StrEnum

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.games.coconut.options import Options
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.kernel import Completed, Stage


class Step(StrEnum):
    """The action that is owed: everybody's choice of face-up cards, the opening play, or a move."""

    CHOOSE = "choose"
    OPEN = "open"
    MOVE = "move"


# CPython 3.11 looks up an enum member slowly, and every move compares several.
IN_PLAY, TO_SCORE = Stage.IN_PLAY, Stage.TO_SCORE
CHOOSE, OPEN, MOVE = Step


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of the game at one version.

    Attributes:
        round: 0 before the first deal, then 1, 2, …
        to_move: the seat whose turn it is; while the face-up cards are chosen, the seat that will open.
        chosen: each seat's committed cards until all have committed.
        stock: the draw deck; index 0 is the top.
        pile: the last card is the top.
        set_aside: the cards cleared away, in the order in which they were laid.
        laid_by: the seat that laid the last cards, while there is a pile.
        laid_at: when they were laid, in ms.
        finished: the seats without cards, in the order in which they went out.
        points: each seat's total.
        last: the last pile that was cleared in the round.
    """

    options: Options
    seats: int
    stage: Stage
    round: int
    dealer: int
    step: Step
    to_move: int
    hands: tuple[tuple[Card, ...], ...]
    face_up: tuple[tuple[Card, ...], ...]
    face_down: tuple[Slots, ...]
    chosen: tuple[tuple[Card, ...] | None, ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    set_aside: tuple[Card, ...]
    laid_by: int
    laid_at: int
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
        step=CHOOSE,
        to_move=0,
        hands=((),) * seats,
        face_up=((),) * seats,
        face_down=((),) * seats,
        chosen=(None,) * seats,
        stock=(),
        pile=(),
        set_aside=(),
        laid_by=0,
        laid_at=0,
        finished=(),
        points=(0,) * seats,
        last=None,
    )


def stage_after_round(state: State) -> Stage:
    """Returns the stage after a finished round (CO-29)."""
    return Stage.OVER if state.round >= state.options.rounds else Stage.TO_DEAL
