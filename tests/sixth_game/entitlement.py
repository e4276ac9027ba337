"""The cards of Lantern that each viewer may see, from its rules."""

from tests.domain.laws.entitlement import Entitlement, by_seat, nobody, owner, public, together

ENTITLEMENT = Entitlement(
    zones={"hands": by_seat(owner), "rest": together(nobody)},
    marks={"chosen": by_seat(owner), "last": together(public)},
    events={
        "lantern.hands_dealt": {"hands": by_seat(owner), "rest": together(nobody)},
        "lantern.card_chosen": {"card": together(owner)},
        "lantern.cards_revealed": {"cards": together(public)},
    },
)
