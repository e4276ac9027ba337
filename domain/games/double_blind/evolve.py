"""Evolves the state from event to event."""

from typing import Any, assert_never

from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind.events import (
    BribePlayed,
    CaperDealt,
    CaperScored,
    ContendersDropped,
    DoubleBlindEvent,
    HalfInterestPaid,
    HatLost,
    HatTaken,
    InterestPaid,
    PocketExposed,
    PocketPlayed,
    SleeveExposed,
    StashesRevealed,
    TrickCalled,
)
from hoodwink.domain.games.double_blind.rules import (
    TIE_BONUS,
    Piles,
    added,
    is_caper_over,
    is_target_reached,
    is_top_unique,
    order_from,
    paid_to,
    refilled,
)
from hoodwink.domain.games.double_blind.state import IN_PLAY, TO_SCORE, Play, State, initial
from hoodwink.domain.kernel import Completed, Stage, replace_at, right


def evolve(state: State, event: DoubleBlindEvent) -> State:
    match event:
        case PocketPlayed():
            return _pocket_played(state, event)
        case BribePlayed():
            return _bribe_played(state, event)
        case HatTaken():
            return _hat_taken(state, event)
        case InterestPaid():
            return _interest_paid(state, event)
        case PocketExposed():
            return _pocket_exposed(state, event)
        case SleeveExposed():
            return _sleeve_exposed(state, event)
        case TrickCalled():  # DB-11: ten for every tie
            return _go_again(replace(state, bonus=state.bonus + TIE_BONUS), event.contenders)
        case HalfInterestPaid():
            return _half_interest_paid(state, event)
        case ContendersDropped():
            return _go_again(state, tuple(seat for seat in state.contenders if seat not in event.seats))
        case HatLost():
            return _next_hat(state, None, event.cards, lost=state.lost + event.cards)
        case CaperDealt():
            return _caper_dealt(state, event)
        case StashesRevealed():  # DB-24: pockets and sleeves are shown without being moved
            return state
        case CaperScored():
            return _caper_scored(state, event)
        case _:
            assert_never(event)


def void_round(state: State) -> State:
    """Returns the state after the no-progress guard ended the caper: it does not count, and nothing is revealed (G-15)."""
    return replace(
        initial(state.options, state.seats),
        round=state.round,
        mastermind=state.mastermind,
        totals=state.totals,
        capers=state.capers,
        joker_counts=state.joker_counts,
        end_reached=state.end_reached,
    )


def _caper_dealt(state: State, event: CaperDealt) -> State:
    seats = state.seats
    hatter = right(event.mastermind, seats)
    order = order_from(hatter, seats)
    return replace(
        state,
        stage=IN_PLAY,
        round=event.round,
        mastermind=event.mastermind,
        madd_hatter=hatter,
        contenders=order,
        waiting=order,
        pockets=event.pockets,
        sleeves=event.sleeves,
        bank=event.bank,
        loot=((),) * seats,  # DB-37
        loot_bonus=(0,) * seats,
        lost=(),
        exposures=(0,) * seats,
        last=None,
    )


def _pocket_played(state: State, event: PocketPlayed) -> State:
    pockets = list(state.pockets)
    pocket = list(pockets[event.seat - 1])
    pocket[event.slot] = None
    pockets[event.seat - 1] = tuple(pocket)
    return replace(
        state,
        pockets=tuple(pockets),
        middle=(*state.middle, Play(event.seat, event.card)),
        waiting=state.waiting[1:],
    )


def _bribe_played(state: State, event: BribePlayed) -> State:
    sleeves = list(state.sleeves)
    sleeve = list(sleeves[event.seat])
    sleeve.remove(event.card)
    sleeves[event.seat] = tuple(sleeve)
    return replace(
        state,
        sleeves=tuple(sleeves),
        middle=(*state.middle, Play(event.seat, event.card, bribed=True)),
        waiting=state.waiting[1:],
    )


def _go_again(state: State, contenders: tuple[int, ...]) -> State:
    return replace(state, contenders=contenders, waiting=contenders)


def _half_interest_paid(state: State, event: HalfInterestPaid) -> State:
    return replace(
        state,
        pockets=tuple(map(refilled, state.pockets, event.pockets)),
        bank=state.bank[_card_count(event.pockets) :],
    )


def _hat_taken(state: State, event: HatTaken) -> State:
    seat, bonuses = event.seat, state.loot_bonus
    if event.bonus:
        bonuses = replace_at(bonuses, seat, bonuses[seat] + event.bonus)
    loot = replace_at(state.loot, seat, state.loot[seat] + event.cards)
    return _next_hat(state, seat, event.cards, loot=loot, loot_bonus=bonuses)


def _next_hat(state: State, winner: int | None, cards: tuple[Card, ...], **changes: Any) -> State:
    """Returns the state before the next hat. Unless the bank is empty, the interest decides whether the caper is over (DB-18)."""
    hatter = right(state.madd_hatter, state.seats)
    order = order_from(hatter, state.seats)
    seats = tuple([play.seat for play in state.middle])
    return replace(
        state,
        stage=TO_SCORE if is_caper_over(state.bank, state.pockets) else IN_PLAY,
        madd_hatter=hatter,
        contenders=order,
        waiting=order,
        middle=(),
        bonus=0,
        last=Completed("hat", winner, cards, seats),
        **changes,
    )


def _interest_paid(state: State, event: InterestPaid) -> State:
    bank = state.bank[_card_count(event.pockets) + _card_count(event.sleeves) :]
    pockets = tuple(map(refilled, state.pockets, event.pockets))
    return replace(
        state,
        stage=TO_SCORE if is_caper_over(bank, pockets) else IN_PLAY,
        pockets=pockets,
        sleeves=tuple(map(tuple.__add__, state.sleeves, event.sleeves)),
        bank=bank,
    )


def _card_count(piles: Piles) -> int:
    return sum(map(len, piles))


def _pocket_exposed(state: State, event: PocketExposed) -> State:
    state = _with_exposure(state, event.seat)
    if event.replacement is None:  # DB-44
        return state
    pocket = replace_at(state.pockets[event.owner], event.slot, event.replacement)
    return replace(
        state,
        pockets=replace_at(state.pockets, event.owner, pocket),
        bank=(*state.bank[1:], event.card),
    )


def _sleeve_exposed(state: State, event: SleeveExposed) -> State:
    state = _with_exposure(state, event.seat)
    if event.replacement is None:  # DB-44
        return state
    sleeve = state.sleeves[event.seat]
    sleeve = replace_at(sleeve, sleeve.index(event.card), event.replacement)
    return replace(
        state,
        sleeves=replace_at(state.sleeves, event.seat, sleeve),
        bank=(*state.bank[1:], event.card),
    )


def _with_exposure(state: State, seat: int) -> State:
    return replace(state, exposures=replace_at(state.exposures, seat, state.exposures[seat] + 1))


def _caper_scored(state: State, event: CaperScored) -> State:
    """Returns the state after the score; once the target is reached, the game ends with a unique top (DB-47)."""
    end_reached = state.end_reached or is_target_reached(state.options, event.totals)
    over = end_reached and is_top_unique(event.totals)
    return replace(
        state,
        stage=Stage.OVER if over else Stage.TO_DEAL,
        totals=event.totals,
        capers=state.capers + 1,
        joker_counts=added(state.joker_counts, paid_to(event.jokers, 1, state.seats)),
        end_reached=end_reached,
    )
