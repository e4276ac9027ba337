"""The view of a Blindside table for one viewer. It copies what the viewer may see and leaves out the rest."""

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.state import IN_PLAY, PASS, State, Step, round_count
from hoodwink.domain.kernel import CLOCKWISE, BySeat, GameView, Stage, Viewer, each_own, left


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.

    Attributes:
        step: the action that the player to move owes; `None` between rounds.
        scores: balances of tokens, including `start_tokens` (BS-23).
        committed: whether each seat has passed, during the pass phase.
        passed: the card that the viewer committed, which is still in the hand (BS-26).
        stock: the cards of the stock, top first, for `everybody` only.
    """

    step: Step | None
    hands: BySeat[tuple[Card, ...]]
    committed: BySeat[bool]
    passed: Card | None
    blindsides: BySeat[Card | None]
    keepers: BySeat[tuple[Card, ...]]
    discard_top: Card | None
    discard_count: int
    stock: tuple[Card, ...] | None


def view(state: State, viewer: Viewer) -> View:
    """Returns the view; Keeper Piles and Blindside Cards are turned up by the scoring (G-2)."""
    in_play = state.stage is IN_PLAY
    is_scored = state.stage in (Stage.TO_DEAL, Stage.OVER)
    return View(  # first the fields of `GameView`, in order
        state.round,
        round_count(state),
        state.dealer if state.round else None,
        None,  # nobody leads
        state.to_move if in_play and state.step is not PASS else None,
        state.step if in_play else None,
        CLOCKWISE,
        len(state.stock),
        tuple([balance + state.options.start_tokens for balance in state.tokens]),
        state.last,
        hands=each_own(state.hands, viewer),
        committed=tuple([card is not None for card in state.passed]),
        passed=state.passed[viewer] if isinstance(viewer, int) else None,
        blindsides=state.blindsides
        if state.are_blindsides_up
        else each_own(state.blindsides, _receiver(state, viewer)),
        keepers=state.keepers if is_scored else each_own(state.keepers, viewer),  # BS-19
        discard_top=state.discard_pile[-1] if state.discard_pile else None,  # BS-27
        discard_count=len(state.discard_pile),
        stock=state.stock if viewer == "everybody" else None,
    )


def _receiver(state: State, viewer: Viewer) -> Viewer:
    """Returns the seat that received the viewer's Blindside Card, because the viewer knows that card (BS-16)."""
    if not isinstance(viewer, int):
        return viewer
    return "spectator" if state.options.five_card else left(viewer, state.seats)
