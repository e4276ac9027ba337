"""The view of a Double Blind table for one viewer. It takes over what may be seen; everything else is left out."""

from typing import Literal

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.state import IN_PLAY, Play, Pocket, State
from hoodwink.domain.kernel import (
    COUNTER_CLOCKWISE,
    BySeat,
    GameView,
    Stage,
    Viewer,
    each_others,
    each_own,
)


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Tuples over seats run from seat 0.

    Attributes:
        dealer: the Mastermind.
        leader: the Madd Hatter.
        step: `hat`, or `trick` for those who play again after a tie; `None` between capers.
        stock_count: how many cards the bank has.
        scores: the totals as of the last caper scored.
        contenders: the seats that play in this go of the hat, in its order.
        pockets: by slot, `None` where empty; every player but the owner looks at a pocket, and no
            spectator (G-1). After the scoring pockets and sleeves show what was left, until the next deal (DB-24).
        middle: the cards of the hat, with who played them and which were bribes.
        bonus: the points that ties have added to the hat.
        lost: the cards of hats that nobody won.
        exposures: how many cards each seat has exposed in this caper.
        capers, joker_counts: how many capers have been scored, and how often each seat was Joker.
        end_reached: extra capers are played until one total is highest.
        bank, loot: the cards, for `everybody` only (DB-38).
    """

    step: Literal["hat", "trick"] | None
    contenders: tuple[int, ...]
    pockets: BySeat[Pocket]
    sleeves: BySeat[tuple[Card, ...]]
    middle: tuple[Play, ...]
    bonus: int
    loot_counts: BySeat[int]
    lost: tuple[Card, ...]
    exposures: BySeat[int]
    capers: int
    joker_counts: BySeat[int]
    end_reached: bool
    bank: tuple[Card, ...] | None
    loot: BySeat[tuple[Card, ...]] | None


def view(state: State, viewer: Viewer) -> View:
    """Returns the view; the cards that are left are turned up with the scoring (G-2)."""
    in_play = state.stage is IN_PLAY
    everything = viewer == "everybody"
    revealed = state.stage in (Stage.TO_DEAL, Stage.OVER)
    return View(  # first the facts of every game, in the order of `GameView`
        state.round,
        None,  # played to a score
        state.mastermind if state.round else None,
        state.madd_hatter if in_play else None,
        state.waiting[0] if in_play and state.waiting else None,
        ("trick" if state.bonus else "hat") if in_play else None,
        COUNTER_CLOCKWISE,
        len(state.bank),
        state.totals,
        state.last,
        contenders=state.contenders if in_play else (),
        pockets=state.pockets if revealed else each_others(state.pockets, viewer),
        sleeves=state.sleeves if revealed else each_own(state.sleeves, viewer),
        middle=state.middle,
        bonus=state.bonus,
        loot_counts=tuple(map(len, state.loot)),
        lost=state.lost,
        exposures=state.exposures,
        capers=state.capers,
        joker_counts=state.joker_counts,
        end_reached=state.end_reached,
        bank=state.bank if everything else None,
        loot=state.loot if everything else None,
    )
