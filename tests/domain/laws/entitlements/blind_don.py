"""The cards of Blind Don that each viewer may see, from its rules."""

from tests.domain.laws.entitlement import Entitlement, by_seat, nobody, public, together

ENTITLEMENT = Entitlement(
    zones={
        "face_up": by_seat(public),
        "face_down": by_seat(nobody),
        "lead": together(public),
        "captured": by_seat(public),  # BD-24
        "aside": together(nobody),  # BD-20
    },
    marks={"last": together(public)},
    events={
        "blind_don.dealer_cut": {"cards": together(public)},  # BD-21
        "blind_don.round_dealt": {
            "face_down": by_seat(nobody),
            "face_up": by_seat(public),
            "aside": together(nobody),
        },
        "blind_don.card_led": {"card": together(public), "uncovered": together(public)},
        "blind_don.trick_taken": {"cards": together(public), "uncovered": together(public)},
    },
)
