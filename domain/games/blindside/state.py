"""The state of a Blindside table. Per-seat tuples are in seat order."""

from enum import StrEnum

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.options import Options
from hoodwink.domain.kernel import Completed, Stage


class Step(StrEnum):
    """The action that the player to move owes; in the pass phase every player owes a pass."""

    PASS = "pass"
    DRAW = "draw"
    KEEP = "keep"
    DISCARD = "discard"


# CPython 3.11 looks up an enum member slowly, and every move compares several.
IN_PLAY, TO_SCORE = Stage.IN_PLAY, Stage.TO_SCORE
PASS, DRAW, KEEP, DISCARD = Step


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of the game at one version.

    Attributes:
        round: 0 before the first deal, then 1, 2, …
        to_move: the seat whose turn it is; in the pass phase the seat that will move first.
        passed: each seat's committed card until all have committed (BS-26).
        blindsides: the card lying in front of each seat.
        are_blindsides_up: whether contest 1 has turned them up.
        stock: index 0 is the top.
        discard_pile: the last card is the top.
        tokens: each seat's balance, summing to zero.
        last: the last contest of the round.
    """

    options: Options
    seats: int
    stage: Stage
    round: int
    dealer: int
    step: Step
    to_move: int
    hands: tuple[tuple[Card, ...], ...]
    passed: tuple[Card | None, ...]
    blindsides: tuple[Card | None, ...]
    are_blindsides_up: bool
    keepers: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    discard_pile: tuple[Card, ...]
    tokens: tuple[int, ...]
    last: Completed | None


def initial(options: Options, seats: int) -> State:
    """Returns the state before the first deal."""
    return State(
        options=options,
        seats=seats,
        stage=Stage.TO_DEAL,
        round=0,
        dealer=0,
        step=Step.PASS,
        to_move=0,
        hands=((),) * seats,
        passed=(None,) * seats,
        blindsides=(None,) * seats,
        are_blindsides_up=False,
        keepers=((),) * seats,
        stock=(),
        discard_pile=(),
        tokens=(0,) * seats,
        last=None,
    )


def round_count(state: State) -> int:
    """Returns the number of rounds: one per seat unless the options say otherwise (BS-12)."""
    return state.options.rounds or state.seats


def stage_after_round(state: State) -> Stage:
    """Returns the stage after a finished round."""
    return Stage.OVER if state.round >= round_count(state) else Stage.TO_DEAL
