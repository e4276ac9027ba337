"""The view of a Lantern table for one viewer. It copies what the viewer may see and leaves out the rest."""

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import CLOCKWISE, BySeat, GameView, Stage, Viewer, each_own
from tests.sixth_game.lantern.state import State


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.

    Attributes:
        has_chosen: who has committed a card.
        chosen: the card that the viewer committed.
        rest: the cards out of play, for `everybody` only.
    """

    hands: BySeat[tuple[Card, ...]]
    has_chosen: BySeat[bool]
    chosen: Card | None
    rest_count: int
    rest: tuple[Card, ...] | None


def view(state: State, viewer: Viewer) -> View:
    """Returns the view; the chosen cards are turned up as the last contest."""
    return View(  # first the fields of `GameView`, in order
        state.round,
        state.options.rounds,
        state.dealer if state.round else None,
        None,  # nobody leads
        None,  # all choose together
        "choose" if state.stage is Stage.IN_PLAY else None,
        CLOCKWISE,
        None,  # nobody draws
        state.tokens,
        state.last,
        hands=each_own(state.hands, viewer),
        has_chosen=tuple([card is not None for card in state.chosen]),
        chosen=state.chosen[viewer] if isinstance(viewer, int) else None,
        rest_count=len(state.rest),
        rest=state.rest if viewer == "everybody" else None,
    )
