"""The view of a Double Blind table for one viewer. It copies what the viewer may see and leaves out the rest."""

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
    """The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.

    Attributes:
        dealer: the Mastermind.
        leader: the Madd Hatter.
        step: `hat`, or `trick` for those who play again after a tie; `None` between capers.
        stock_count: the number of cards in the bank.
        scores: the totals after the last scored caper.
        contenders: the seats that play in this go of the hat, in order.
        pockets: by slot, `None` if empty. Every player except the owner sees a pocket, but no spectator does (G-1). From
            the scoring until the next deal, pockets and sleeves show the cards that were left (DB-24).
        middle: the cards of the hat, who played them, and which were bribes.
        bonus: the points that ties have added to the hat.
        lost: the cards of hats that nobody won.
        exposures: how many cards each seat has exposed in this caper.
        capers, joker_counts: the number of capers scored, and how often each seat was Joker.
        end_reached: whether the target was reached, so that capers are played only until one total is highest.
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
    """Returns the view; the remaining cards are turned up by the scoring (G-2)."""
    in_play = state.stage is IN_PLAY
    everything = viewer == "everybody"
    revealed = state.stage in (Stage.TO_DEAL, Stage.OVER)
    return View(  # first the fields of `GameView`, in order
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
