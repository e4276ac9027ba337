"""The cards that each viewer is entitled to see, declared from the rules and independently of the games' own views.

For every game: where the state keeps cards, which fields of which events name cards, and who may see
each of them. A field that is not declared here may not hold a card at all.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import msgspec

from domain.kernel import Event, Stage, Viewer
from tests.domain.laws.cards import cards_in, covered


class Look(NamedTuple):
    """A state or an event, and the viewer that looks at it.

    Attributes:
        is_revealed: the round is being scored, and what scoring turns up lies open (G-2).
    """

    record: Any
    viewer: Viewer
    is_revealed: bool = False


Rule: TypeAlias = Callable[[Look, int], bool]
"""Returns whether the viewer sees the cards of that seat; for cards that are nobody's, the seat is -1."""

Mask: TypeAlias = Callable[[Look, Any], Any]
"""Covers the cards that the viewer does not see."""


@dataclass(frozen=True, kw_only=True)
class Entitlement:
    """The entitlements of viewers to the cards of one game.

    Attributes:
        zones: the fields of the state in which the cards lie, each card in exactly one.
        marks: fields of the state that repeat cards of the zones.
        log_only: zones whose cards a viewer may look up in the log and need not find in the view (G-16).
        events: by wire name, the fields that name cards.
        facts: by wire name, what the rules make public with the event although it follows from hidden cards;
            computed here from the cards in the state after it, never read from what the game computed.
        dealer: the field of the dealing event that names the dealer (G-12), or `None` in a game without one.
    """

    zones: Mapping[str, Mask]
    marks: Mapping[str, Mask] = field(default_factory=dict)
    log_only: frozenset[str] = frozenset()
    events: Mapping[str, Mapping[str, Mask]]
    facts: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    dealer: str | None = "dealer"


def together(rule: Rule) -> Mask:
    """Returns the mask of cards that lie together; in an event they belong to its seat."""

    def mask(look: Look, value: Any) -> Any:
        return value if rule(look, getattr(look.record, "seat", -1)) else covered(value)

    return mask


def by_seat(rule: Rule) -> Mask:
    """Returns the mask of a tuple over seats."""

    def mask(look: Look, value: Any) -> Any:
        return tuple(cards if rule(look, seat) else covered(cards) for seat, cards in enumerate(value))

    return mask


def public(look: Look, seat: int) -> bool:
    return True


def nobody(look: Look, seat: int) -> bool:
    return False


def owner(look: Look, seat: int) -> bool:
    return look.viewer == seat


def others(look: Look, seat: int) -> bool:
    """All other players; a spectator is never among them (G-1)."""
    return isinstance(look.viewer, int) and look.viewer != seat


def then_all(rule: Rule) -> Rule:
    """Returns the rule of cards that the scoring turns up for everybody."""
    return lambda look, seat: look.is_revealed or rule(look, seat)


def picture(entitlement: Entitlement, look: Look) -> dict[str, Any]:
    """Returns all zones and marks of a state, with every card covered that the viewer does not see."""
    masks = {**entitlement.zones, **entitlement.marks}
    return {name: mask(look, getattr(look.record, name)) for name, mask in masks.items()}


def cards_of(entitlement: Entitlement, event: Event, viewer: Viewer) -> dict[str, Any]:
    """Returns the fields of the event that name cards, with every card covered that the viewer may not see."""
    look = Look(event, viewer)
    masks = entitlement.events.get(event.wire, {})
    return {name: mask(look, getattr(event, name)) for name, mask in masks.items()}


def shown(entitlement: Entitlement, event: Event, viewer: Viewer) -> Event:
    """Returns the event with every card covered that the viewer may not see in it."""
    return msgspec.structs.replace(event, **cards_of(entitlement, event, viewer))


def undeclared_fields(record: msgspec.Struct, declared: Collection[str]) -> set[str]:
    """Returns the fields that hold a card without being declared."""
    fields = set(record.__struct_fields__) - set(declared)
    return {name for name in fields if cards_in(getattr(record, name))}


def _by_option(option: str, then: Rule, otherwise: Rule) -> Rule:
    """Returns a rule on states that depends on an option of the table."""
    return lambda look, seat: (then if getattr(look.record.options, option) else otherwise)(look, seat)


def _giver(look: Look, seat: int) -> bool:
    seats: int = look.record.seats
    return look.viewer == (seat - 1) % seats


def _not_its_owner(look: Look, seat: int) -> bool:
    """The card that replaces an exposed pocket card is hidden from the pocket's owner."""
    return others(look, look.record.owner)


def _all_players_at_a_peek(look: Look, seat: int) -> bool:
    """A peek shows the card to all players, a reveal to all (DB-42)."""
    return look.record.seat != look.record.owner or isinstance(look.viewer, int)


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


ENTITLEMENTS: Mapping[str, Entitlement] = {
    "blindside": Entitlement(
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
    ),
    "double_blind": Entitlement(
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
    ),
    "coconut": Entitlement(
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
    ),
    "blind_don": Entitlement(
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
    ),
    "shithead": Entitlement(
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
    ),
}
