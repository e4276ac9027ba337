"""The view of a Coconut table for one viewer. It copies what the viewer may see and leaves out the rest."""

from hoodwink.domain.cards import Card
from hoodwink.domain.games.coconut.rules import waits_until
from hoodwink.domain.games.coconut.state import CHOOSE, IN_PLAY, State, Step
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.kernel import CLOCKWISE, BySeat, GameView, Viewer, covered, each_own


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.

    Attributes:
        step: the action that is owed; `None` between rounds.
        committed: whether each seat has chosen, while the face-up cards are chosen.
        chosen: the cards that the viewer committed, which are still in the hand.
        face_down: slots 0 to 2; `None` for an emptied slot.
        pile: the last card is the top; all its cards were played face up (G-16).
        laid_by: the seat that laid the last cards, while there is a pile.
        waits_until: the time, in ms, before which the player to move may not act (CO-37).
        finished: the seats that are out, in order.
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
    return View(  # first the fields of `GameView`, in order
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
