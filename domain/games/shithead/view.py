"""The view of a Shithead table for one viewer. It copies what the viewer may see and leaves out the rest."""

from hoodwink.domain.cards import JOKER, Card
from hoodwink.domain.games.shedding import Slots
from hoodwink.domain.games.shithead.state import IN_PLAY, SWAP, State, Step
from hoodwink.domain.kernel import BySeat, GameView, Viewer, covered, each_own, replace_at


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.

    Attributes:
        step: the action that is owed; `None` between rounds.
        ready: the seats that have finished swapping.
        starting_card: the card that the viewer's first play must contain.
        blind: by slot; `None` if empty. Everyone sees a Joker that was turned up.
        pile: the last card is the top.
        jokers, jokers_laid: the Jokers that wait for an answer, and the seats that laid them, in order.
        finished: the seats that are out, in order.
        stock, removed: the cards, top first and in the order in which they were removed, for `everybody` only.
    """

    step: Step | None
    ready: tuple[int, ...]
    starting_card: Card | None
    hands: BySeat[tuple[Card, ...]]
    face_up: BySeat[tuple[Card, ...]]
    blind: BySeat[Slots]
    pile: tuple[Card, ...]
    removed_count: int
    jokers: tuple[Card, ...]
    jokers_laid: tuple[int, ...]
    finished: tuple[int, ...]
    stock: tuple[Card, ...] | None
    removed: tuple[Card, ...] | None


def view(state: State, viewer: Viewer) -> View:
    """Returns the view; hands, blind cards and stock stay hidden even after the round."""
    in_play, sees_all = state.stage is IN_PLAY, viewer == "everybody"
    return View(  # first the fields of `GameView`, in order
        state.round,
        state.options.rounds,
        state.dealer if state.round else None,
        None,  # nobody leads
        state.to_move if in_play and state.step is not SWAP else None,
        state.step if in_play else None,
        state.direction,
        len(state.stock),
        state.points,
        state.last,
        ready=state.ready,
        starting_card=state.starting_card if viewer in (state.to_move, "everybody") else None,  # SH-49
        hands=each_own(state.hands, viewer),
        face_up=_face_up(state, viewer),
        blind=state.blind if sees_all else _blind(state),
        pile=state.pile,
        removed_count=len(state.removed),
        jokers=state.jokers,
        jokers_laid=state.jokers_laid,
        finished=state.finished,
        stock=state.stock if sees_all else None,
        removed=state.removed if sees_all else None,
    )


def _face_up(state: State, viewer: Viewer) -> tuple[tuple[Card, ...], ...]:
    if viewer == "everybody" or state.step is not SWAP or not state.options.hidden_swap:
        return state.face_up
    # SH-50: until all are ready, the others' cards are shown as dealt.
    if isinstance(viewer, int):
        return replace_at(state.dealt_face_up, viewer, state.face_up[viewer])
    return state.dealt_face_up


def _blind(state: State) -> tuple[Slots, ...]:
    blind: tuple[Slots, ...] = covered(state.blind)
    if state.turned is None:
        return blind
    mover = state.to_move
    return replace_at(blind, mover, replace_at(blind[mover], state.turned, JOKER))  # SH-53
