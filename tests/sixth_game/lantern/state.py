"""The state of a Lantern table. Per-seat tuples are in seat order."""

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Completed, Stage
from tests.sixth_game.lantern.options import Options


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of the game at one version.

    Attributes:
        round: 0 before the first deal, then 1, 2, …
        chosen: each seat's committed card, which stays in its hand.
        rest: the cards out of play.
        tokens: each seat's balance, summing to zero.
        last: the contest of the round, once it is decided.
    """

    options: Options
    seats: int
    stage: Stage
    round: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    chosen: tuple[Card | None, ...]
    rest: tuple[Card, ...]
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
        hands=((),) * seats,
        chosen=(None,) * seats,
        rest=(),
        tokens=(0,) * seats,
        last=None,
    )


def stage_after_round(state: State) -> Stage:
    """Returns what follows the round just ended."""
    return Stage.OVER if state.round >= state.options.rounds else Stage.TO_DEAL
