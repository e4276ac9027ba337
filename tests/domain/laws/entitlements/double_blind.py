"""The cards of The Double Blind that each viewer may see, from its rules."""

from tests.domain.laws.entitlement import (
    Entitlement,
    Look,
    by_seat,
    nobody,
    others,
    owner,
    public,
    then_all,
    together,
)


def _not_its_owner(look: Look, seat: int) -> bool:
    """The card that replaces an exposed pocket card is hidden from the pocket's owner."""
    return others(look, look.record.owner)


def _all_players_at_a_peek(look: Look, seat: int) -> bool:
    """A peek shows the card to all players, a reveal to all (DB-42)."""
    return look.record.seat != look.record.owner or isinstance(look.viewer, int)


ENTITLEMENT = Entitlement(
    zones={
        "pockets": by_seat(then_all(others)),
        "sleeves": by_seat(then_all(owner)),
        "bank": together(nobody),
        "middle": together(public),
        "loot": together(public),
        "lost": together(public),
    },
    marks={"last": together(public)},
    log_only=frozenset({"loot", "lost"}),  # DB-48
    events={
        "double_blind.caper_dealt": {
            "sleeves": by_seat(owner),
            "pockets": by_seat(others),
            "bank": together(nobody),
        },
        "double_blind.pocket_played": {"card": together(public)},
        "double_blind.bribe_played": {"card": together(public)},
        "double_blind.half_interest_paid": {"pockets": by_seat(others)},
        "double_blind.hat_taken": {"cards": together(public)},
        "double_blind.hat_lost": {"cards": together(public)},
        "double_blind.interest_paid": {"pockets": by_seat(others), "sleeves": by_seat(owner)},
        "double_blind.pocket_exposed": {
            "card": together(_all_players_at_a_peek),
            "replacement": together(_not_its_owner),
        },
        "double_blind.sleeve_exposed": {"card": together(public), "replacement": together(owner)},
        "double_blind.stashes_revealed": {"pockets": together(public), "sleeves": together(public)},
    },
    dealer="mastermind",
)
