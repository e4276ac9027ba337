"""The knowledge that a viewer gains from the events of a Double Blind table."""

from typing import TypeAlias

from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.events import (
    BribePlayed,
    CaperDealt,
    DoubleBlindEvent,
    HalfInterestPaid,
    InterestPaid,
    PocketExposed,
    PocketPlayed,
    SleeveExposed,
    StashesRevealed,
)
from hoodwink.domain.games.double_blind.options import pack_for
from hoodwink.domain.games.double_blind.rules import Piles, half_interest, interest
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.kernel import Knowledge, begin_round, left, show, show_all, show_held

Known: TypeAlias = Knowledge[State]


def learn(known: Known, event: DoubleBlindEvent) -> tuple[Known, DoubleBlindEvent]:
    """Returns what the viewer knows once it has seen the event, and the event with the known cards or their marks."""
    state = known.state
    match event:
        case PocketPlayed():
            return show(known, state.pockets[event.seat - 1][event.slot], event.card), event
        case BribePlayed():
            return show_held(known, state.sleeves[event.seat], (event.card,)), event
        case InterestPaid():
            known = show_all(known, _interest_after_hat(state), (event.pockets, event.sleeves))
            return known, InterestPaid(*_interest_after_hat(known.state))
        case HalfInterestPaid():
            known = show_all(known, half_interest(state), event.pockets)
            return known, HalfInterestPaid(half_interest(known.state))
        case PocketExposed():
            return _learn_pocket_exposed(known, event)
        case SleeveExposed():
            known = show_held(known, state.sleeves[event.seat], (event.card,))
            known, replacement = _learn_replacement(known, event.replacement)
            return known, replace(event, replacement=replacement)
        case StashesRevealed():
            return _learn_stashes(known, event), event
        case CaperDealt():
            return begin_round(known, event, pack_for(state.options, state.seats))
        case _:
            return known, event


def _interest_after_hat(state: State) -> tuple[Piles, Piles]:
    """Returns the interest for the hat just taken. It is in the order of that hat, whose Madd Hatter was on the left."""
    return interest(replace(state, madd_hatter=left(state.madd_hatter, state.seats)))


def _learn_pocket_exposed(known: Known, event: PocketExposed) -> tuple[Known, DoubleBlindEvent]:
    known = show(known, known.state.pockets[event.owner][event.slot], event.card)
    known, replacement = _learn_replacement(known, event.replacement)
    card = known.state.pockets[event.owner][event.slot]
    assert card is not None, "an empty slot has no card to expose"
    return known, replace(event, card=card, replacement=replacement)


def _learn_replacement(known: Known, shown: Card | None) -> tuple[Known, Card | None]:
    """Returns the card at the top of the bank, which replaces an exposed one; `None` if the bank is empty (DB-35)."""
    if shown is None:
        return known, None
    known = show(known, known.state.bank[0], shown)
    return known, known.state.bank[0]


def _learn_stashes(known: Known, event: StashesRevealed) -> Known:
    known = show_all(known, known.state.pockets, event.pockets)
    for seat, sleeve in enumerate(event.sleeves):
        known = show_held(known, known.state.sleeves[seat], sleeve)
    # From now on everybody sees the sleeves, in their order.
    return replace(known, state=replace(known.state, sleeves=event.sleeves))
