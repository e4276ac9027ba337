"""The view of a Coconut table for one viewer. It takes over what may be seen; everything else is left out."""

from hoodwink.domain.cards import Card
from hoodwink.domain.games.coconut.rules import waits_until
from hoodwink.domain.games.coconut.state import CHOOSE, IN_PLAY, State, Step
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.kernel import CLOCKWISE, BySeat, GameView, Viewer, covered, each_own


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Tuples over seats run from seat 0.

    Attributes:
        step: what is owed; `None` between rounds.
        committed: while the face-up cards are chosen, who has chosen.
        chosen: the cards the viewer committed, still counted in the hand.
        face_down: slots 0 to 2; an emptied slot is `None`.
        pile: the last card is the top; all of it lay open (G-16).
        laid_by: who laid the last cards, while a pile stands.
        waits_until: before this time, in ms, the player to move may not act (CO-37).
        finished: the seats that are out, in that order.
        stock, set_aside: for `everybody` only.
    """

    step: Step | None
    hands: BySeat[tuple[Card, ...]]
    committed: BySeat[bool]
    chosen: tuple[Card, ...] | None
    face_up: BySeat[tuple[Card, ...]]
    face_down: BySeat[Slots]
    pile: tuple[Card, ...]
    laid_by: int | None
    waits_until: int | None
    set_aside_count: int
    finished: tuple[int, ...]
    stock: tuple[Card, ...] | None
    set_aside: tuple[Card, ...] | None


def view(state: State, viewer: Viewer) -> View:
    """Returns the view; the end of a round reveals nothing more."""
    in_play, open_to_all = state.stage is IN_PLAY, viewer == "everybody"
    return View(  # first the facts of every game, in the order of `GameView`
        state.round,
        state.options.rounds,
        state.dealer if state.round else None,
        None,  # nobody leads
        state.to_move if in_play and state.step is not CHOOSE else None,
        state.step if in_play else None,
        CLOCKWISE,
        len(state.stock),
        state.points,
        state.last,
        hands=each_own(state.hands, viewer),
        committed=tuple([cards is not None for cards in state.chosen]),
        chosen=state.chosen[viewer] if isinstance(viewer, int) else None,
        face_up=state.face_up,
        face_down=state.face_down if open_to_all else covered(state.face_down),
        pile=state.pile,
        laid_by=state.laid_by if state.pile else None,
        waits_until=waits_until(state) if in_play else None,
        set_aside_count=len(state.set_aside),
        finished=state.finished,
        stock=state.stock if open_to_all else None,
        set_aside=state.set_aside if open_to_all else None,
    )
