"""The cards of Blindside that each viewer may see, from its rules."""

from tests.domain.laws.entitlement import (
    Entitlement,
    Look,
    Rule,
    by_seat,
    nobody,
    owner,
    public,
    then_all,
    together,
)


def _by_option(option: str, then: Rule, otherwise: Rule) -> Rule:
    """Returns a rule on states that depends on an option of the table."""
    return lambda look, seat: (then if getattr(look.record.options, option) else otherwise)(look, seat)


def _giver(look: Look, seat: int) -> bool:
    seats: int = look.record.seats
    return look.viewer == (seat - 1) % seats


ENTITLEMENT = Entitlement(
    zones={
        "hands": by_seat(owner),
        "blindsides": by_seat(then_all(_by_option("five_card", nobody, _giver))),  # BS-16
        "keepers": by_seat(then_all(owner)),  # BS-19
        "stock": together(nobody),
        "discard_pile": together(public),
    },
    marks={"passed": by_seat(owner), "last": together(public)},  # BS-26
    log_only=frozenset({"discard_pile"}),  # BS-27
    events={
        "blindside.round_dealt": {
            "hands": by_seat(owner),
            "blindsides": by_seat(nobody),
            "turn_up": together(public),
            "stock": together(nobody),
        },
        "blindside.blindside_passed": {"card": together(owner)},
        "blindside.stock_drawn": {"card": together(owner)},
        "blindside.discard_drawn": {"card": together(public)},
        "blindside.card_kept": {"card": together(owner)},
        "blindside.card_discarded": {"card": together(public)},
        "blindside.blindsides_revealed": {"cards": together(public)},
        "blindside.keepers_revealed": {"keepers": together(public)},
    },
)
