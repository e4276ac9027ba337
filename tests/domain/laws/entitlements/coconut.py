"""The cards of Coconut that each viewer may see, from its rules."""

from tests.domain.laws.entitlement import Entitlement, by_seat, nobody, owner, public, together

ENTITLEMENT = Entitlement(
    zones={
        "hands": by_seat(owner),
        "face_up": by_seat(public),
        "face_down": by_seat(nobody),
        "stock": together(nobody),
        "pile": together(public),
        "set_aside": together(public),
    },
    marks={"chosen": by_seat(owner), "last": together(public)},
    log_only=frozenset({"pile", "set_aside"}),
    events={
        "coconut.round_dealt": {
            "hands": by_seat(owner),
            "face_down": by_seat(nobody),
            "stock": together(nobody),
        },
        "coconut.face_up_chosen": {"cards": together(owner)},
        "coconut.face_up_revealed": {"face_up": by_seat(public)},
        "coconut.cards_played": {"cards": together(public), "drawn": together(owner)},
        "coconut.card_flipped": {"card": together(public)},
        "coconut.flip_failed": {"card": together(public)},
        "coconut.cards_sneaked": {"cards": together(public), "drawn": together(owner)},
    },
)
