"""The view of a Blind Don table for one viewer. It takes over what may be seen; everything else is left out."""

import msgspec

from domain.cards import Card
from domain.games.blind_don.state import IN_PLAY, Laid, State
from domain.kernel import BySeat, Viewer, covered


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table for one viewer; a hidden card is `??`. Tuples over seats run from seat 0.

    Attributes:
        round: 0 before the first deal.
        trump: a suit, once the first card of the round is led.
        face_up, face_down: each seat's row by position; `None` where a stack has no such card.
        lead: the card in the centre that waits for the follower's.
        captured: the cards of each seat's tricks, in the order of the tricks, the leader's first (BD-24).
        scores: points, the tricks of this round included.
    """

    round: int
    dealer: int | None
    to_move: int | None
    trump: str | None
    face_up: BySeat[tuple[Card | None, ...]]
    face_down: BySeat[tuple[Card | None, ...]]
    lead: Laid | None
    captured: BySeat[tuple[Card, ...]]
    aside: tuple[Card, ...]
    scores: BySeat[int]


def view(state: State, viewer: Viewer) -> View:
    """Returns the view, which is the same for both players and for spectators."""
    is_open = viewer == "everybody"
    return View(
        round=state.round,
        dealer=state.dealer if state.round else None,
        to_move=state.to_move if state.stage is IN_PLAY else None,
        trump=state.trump or None,
        face_up=state.face_up,
        face_down=state.face_down if is_open else covered(state.face_down),
        lead=state.lead,
        captured=state.captured,
        aside=state.aside if is_open else covered(state.aside),  # BD-20
        scores=state.scores,
    )
