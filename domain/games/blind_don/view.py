"""The view of a Blind Don table for one viewer. It copies what the viewer may see and leaves out the rest."""

from typing import Literal

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blind_don.state import IN_PLAY, Laid, State, round_count
from hoodwink.domain.kernel import CLOCKWISE, BySeat, GameView, Viewer, covered


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`. Per-seat lists are in seat order.

    Attributes:
        step: whether the player to move leads to a trick or follows; `None` between rounds.
        scores: points, including the tricks of this round.
        trump: a suit; `None` until the first card of the round is led.
        face_up, face_down: each seat's row by position; `None` where a stack has no such card.
        lead: the card in the centre that the follower has to answer.
        captured: the cards of each seat's tricks, in the order of the tricks, the leader's first (BD-24).
    """

    step: Literal["lead", "follow"] | None
    trump: str | None
    face_up: BySeat[tuple[Card | None, ...]]
    face_down: BySeat[tuple[Card | None, ...]]
    lead: Laid | None
    captured: BySeat[tuple[Card, ...]]
    aside: tuple[Card, ...]


def view(state: State, viewer: Viewer) -> View:
    """Returns the view, which is the same for both players and for spectators."""
    in_play, is_open, lead = state.stage is IN_PLAY, viewer == "everybody", state.lead
    return View(  # first the fields of `GameView`, in order
        state.round,
        round_count(state),
        state.dealer if state.round else None,
        (lead.seat if lead else state.to_move) if in_play else None,
        state.to_move if in_play else None,
        ("follow" if lead else "lead") if in_play else None,
        CLOCKWISE,
        None,  # no stock
        state.scores,
        state.last,
        trump=state.trump or None,
        face_up=state.face_up,
        face_down=state.face_down if is_open else covered(state.face_down),
        lead=lead,
        captured=state.captured,
        aside=state.aside if is_open else covered(state.aside),  # BD-20
    )
