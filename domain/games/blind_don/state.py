"""The state of a Blind Don table. Per-seat tuples are in seat order; positions count from 0."""

from typing import TypeAlias

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blind_don.options import Options
from hoodwink.domain.kernel import Completed, Stage

SEATS = 2  # BD-19
ROW = 9  # BD-1: stacks of two in front of each player

Rows: TypeAlias = tuple[tuple[Card | None, ...], ...]
NO_ROWS: Rows = ((None,) * ROW,) * SEATS

# CPython 3.11 looks up an enum member slowly, and every move compares one.
IN_PLAY, TO_SCORE = Stage.IN_PLAY, Stage.TO_SCORE


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card in the centre, and the stack that it came from."""

    seat: int
    position: int
    card: Card


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of the game at one version.

    Attributes:
        round: 0 before the first deal, then 1, 2, …
        trump: the suit of the first lead of the round; empty until then (BD-5).
        face_up, face_down: the two layers of each seat's row; `None` where a stack has no such card.
        lead: the card in the centre that the follower has to answer.
        captured: the cards of each seat's tricks, in the order of the tricks, the leader's first.
        aside: the cards that were not dealt.
        scores: each seat's points, including the tricks of this round.
        scores_at_deal: each seat's points when this round was dealt.
        last: the last trick of the round.
    """

    options: Options
    stage: Stage
    round: int
    dealer: int
    to_move: int
    trump: str
    face_up: Rows
    face_down: Rows
    lead: Laid | None
    captured: tuple[tuple[Card, ...], ...]
    aside: tuple[Card, ...]
    scores: tuple[int, ...]
    scores_at_deal: tuple[int, ...]
    last: Completed | None


def initial(options: Options, seats: int) -> State:
    """Returns the state before the first deal."""
    return State(
        options=options,
        stage=Stage.TO_DEAL,
        round=0,
        dealer=0,
        to_move=0,
        trump="",
        face_up=NO_ROWS,
        face_down=NO_ROWS,
        lead=None,
        captured=((),) * seats,
        aside=(),
        scores=(0,) * seats,
        scores_at_deal=(0,) * seats,
        last=None,
    )


def round_count(state: State) -> int:
    """Returns the number of rounds known so far, including the two that each tie at the end adds (BD-22)."""
    if state.round < state.options.rounds:
        return state.options.rounds
    # After an even round only a tie leads to another deal.
    is_tied = state.stage is Stage.TO_DEAL and state.round % 2 == 0
    return state.round + (2 if is_tied else state.round % 2)


def stage_after_round(state: State) -> Stage:
    """Returns the stage after a scored round. Rounds come in pairs, and a tie may add a pair (BD-16, BD-22)."""
    if is_pair_unfinished(state):
        return Stage.TO_DEAL
    plays_on = state.options.final_tie == "two_more_rounds" and len(set(state.scores)) == 1
    return Stage.TO_DEAL if plays_on else Stage.OVER


def is_pair_unfinished(state: State) -> bool:
    """Returns whether further rounds are certain: of the agreed ones, or of the pair that a tie added."""
    return state.round < state.options.rounds or state.round % 2 == 1
