"""The state of a Double Blind table. Per-seat tuples are in seat order."""

from typing import TypeAlias

import msgspec

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.options import POCKET_SIZE, Options, exposures_allowed
from hoodwink.domain.kernel import Completed, Stage

Pocket: TypeAlias = tuple[Card | None, ...]

EMPTY_POCKET: Pocket = (None,) * POCKET_SIZE

# CPython 3.11 looks up an enum member slowly, and every move compares one.
IN_PLAY, TO_SCORE = Stage.IN_PLAY, Stage.TO_SCORE


class Play(msgspec.Struct, frozen=True, gc=False):
    """A card in the middle: who played it, and whether it was a bribe (DB-8)."""

    seat: int
    card: Card
    bribed: bool = False


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The complete state of the game at one version.

    A seat plays from the pocket on its right, `pockets[seat - 1]`; index -1 is that of the last seat.

    Attributes:
        exposure_limit: how many cards each seat may expose in a caper, according to the options.
        round: 0 before the first deal, then 1, 2, …; includes void capers.
        mastermind: the dealer.
        madd_hatter: the seat that starts the hat.
        contenders: the seats that play in this go of the hat, in order: first all seats; after a tie, those that tied
            and can still play.
        waiting: the contenders that have yet to play in this go; the first of them plays next.
        pockets: five slots per seat, `None` if empty (DB-40); hidden from their owners.
        bank: index 0 is the top.
        middle: the plays of the hat, including those after ties.
        bonus: the points that ties have added to the hat.
        loot, loot_bonus: the cards and the bonus points each seat has won in this caper.
        lost: the cards of hats that nobody won in this caper.
        exposures: how many cards each seat has exposed in this caper.
        totals: the running totals after the last scored caper.
        capers: the number of capers scored.
        joker_counts: in how many of them each seat was Joker, that is, scored lowest.
        end_reached: whether a total has reached the target after any caper so far (DB-47).
        last: the last hat of the caper.
    """

    options: Options
    seats: int
    exposure_limit: int
    stage: Stage
    round: int
    mastermind: int
    madd_hatter: int
    contenders: tuple[int, ...]
    waiting: tuple[int, ...]
    pockets: tuple[Pocket, ...]
    sleeves: tuple[tuple[Card, ...], ...]
    bank: tuple[Card, ...]
    middle: tuple[Play, ...]
    bonus: int
    loot: tuple[tuple[Card, ...], ...]
    loot_bonus: tuple[int, ...]
    lost: tuple[Card, ...]
    exposures: tuple[int, ...]
    totals: tuple[int, ...]
    capers: int
    joker_counts: tuple[int, ...]
    end_reached: bool
    last: Completed | None


def initial(options: Options, seats: int) -> State:
    """Returns the state before the first deal."""
    return State(
        options=options,
        seats=seats,
        exposure_limit=exposures_allowed(options),
        stage=Stage.TO_DEAL,
        round=0,
        mastermind=0,
        madd_hatter=0,
        contenders=(),
        waiting=(),
        pockets=(EMPTY_POCKET,) * seats,
        sleeves=((),) * seats,
        bank=(),
        middle=(),
        bonus=0,
        loot=((),) * seats,
        loot_bonus=(0,) * seats,
        lost=(),
        exposures=(0,) * seats,
        totals=(0,) * seats,
        capers=0,
        joker_counts=(0,) * seats,
        end_reached=False,
        last=None,
    )
