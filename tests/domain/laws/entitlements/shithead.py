"""The cards of Shithead that each viewer may see, from its rules."""

from typing import Any

from hoodwink.domain.kernel import Stage
from tests.domain.laws.entitlement import Entitlement, Look, by_seat, nobody, owner, public, together


def _until_swaps_end(look: Look, seat: int) -> bool:
    """During hidden swaps a seat sees only its own face-up cards, until all are ready (SH-50)."""
    state = look.record
    is_hidden = state.options.hidden_swap and state.stage is Stage.IN_PLAY and state.step == "swap"
    return not is_hidden or look.viewer == seat


def _unless_secret(look: Look, seat: int) -> bool:
    return not look.record.secretly or look.viewer == seat


def _starter(look: Look, seat: int) -> bool:
    """The card that must be played is shown to the starter alone (SH-49)."""
    state = look.record
    return bool(look.viewer == state.to_move)


def _joker_turned_up(state: Any) -> Any:
    """A blind Joker turned up lies open, waiting for a target (SH-53)."""
    return state.blind[state.to_move][state.turned]


def _starting_seat(state: Any) -> int:
    """The holder of the 4♣, or else of the 4♥, 4♠, 4♦, 5♣ and so on, leads; all see who it is (SH-4 … SH-6, SH-49)."""
    from_dealers_left: list[int] = [(state.dealer + step) % state.seats for step in range(1, state.seats + 1)]
    for card in (rank + suit for rank in "456789TJQKA" for suit in "CHSD"):
        for seat in from_dealers_left:
            if card in state.hands[seat]:
                return seat
    return from_dealers_left[0]


ENTITLEMENT = Entitlement(
    zones={
        "hands": by_seat(owner),
        "face_up": by_seat(_until_swaps_end),
        "blind": by_seat(nobody),
        "stock": together(nobody),
        "pile": together(public),
        "jokers": together(public),
        "removed": together(public),
    },
    marks={
        "dealt_face_up": together(public),
        "starting_card": together(_starter),
        "last": together(public),
    },
    log_only=frozenset({"pile", "removed"}),
    events={
        "shithead.round_dealt": {
            "blind": by_seat(nobody),
            "face_up": together(public),
            "hands": by_seat(owner),
            "stock": together(nobody),
        },
        "shithead.cards_swapped": {
            "hand_card": together(_unless_secret),
            "face_up_card": together(_unless_secret),
        },
        "shithead.play_started": {"card": together(owner), "face_up": together(public)},
        "shithead.cards_played": {"cards": together(public), "drawn": together(owner)},
        "shithead.pile_burned": {"cards": together(public), "drawn": together(owner)},
        "shithead.blind_card_played": {"card": together(public)},
        "shithead.blind_card_failed": {"card": together(public)},
        "shithead.pile_picked_up": {"face_up_card": together(public)},
        "shithead.joker_played": {"drawn": together(owner)},
        "shithead.joker_countered": {"drawn": together(owner)},
    },
    facts={
        "shithead.play_started": _starting_seat,
        "shithead.blind_joker_turned": _joker_turned_up,
    },
)
