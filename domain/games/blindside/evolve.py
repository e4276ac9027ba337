"""Evolves the state from event to event."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.events import (
    BlindsideEvent,
    BlindsidePassed,
    BlindsidesRevealed,
    CardDiscarded,
    CardKept,
    DiscardDrawn,
    KeepersRevealed,
    RoundDealt,
    StockDrawn,
)
from hoodwink.domain.games.blindside.rules import blindsides, tokens_after
from hoodwink.domain.games.blindside.state import (
    DISCARD,
    DRAW,
    IN_PLAY,
    KEEP,
    PASS,
    TO_SCORE,
    State,
    initial,
    stage_after_round,
)
from hoodwink.domain.kernel import Completed, left, replace_at, right


def evolve(state: State, event: BlindsideEvent) -> State:
    match event:
        case CardKept():
            return _card_kept(state, event)
        case CardDiscarded():
            return _card_discarded(state, event)
        case StockDrawn():
            return _stock_drawn(state, event)
        case DiscardDrawn():
            return _discard_drawn(state, event)
        case BlindsidePassed():
            return _blindside_passed(state, event)
        case RoundDealt():
            return _round_dealt(state, event)
        case BlindsidesRevealed():
            return replace(_contested(state, event.winner, event.cards, 1), are_blindsides_up=True)
        case KeepersRevealed():
            return _keepers_revealed(state, event)
        case _:
            assert_never(event)


def void_round(state: State) -> State:
    """Returns the state after the no-progress guard ended the round: nothing is scored or revealed (G-15)."""
    return replace(
        initial(state.options, state.seats),
        stage=stage_after_round(state),
        round=state.round,
        dealer=state.dealer,
        tokens=state.tokens,
    )


def _round_dealt(state: State, event: RoundDealt) -> State:
    seats = state.seats
    return replace(
        state,
        stage=IN_PLAY,
        round=event.round,
        dealer=event.dealer,
        step=DRAW if event.blindsides else PASS,
        to_move=left(event.dealer, seats),
        hands=event.hands,
        blindsides=event.blindsides or (None,) * seats,
        are_blindsides_up=False,
        keepers=((),) * seats,
        stock=event.stock,
        discard_pile=(event.turn_up,),
        last=None,
    )


def _blindside_passed(state: State, event: BlindsidePassed) -> State:
    passed = replace_at(state.passed, event.seat, event.card)
    cards = tuple(card for card in passed if card is not None)
    if len(cards) < state.seats:
        return replace(state, passed=passed)
    # BS-5, BS-6: the last commitment lays every card in front of its receiver together.
    return replace(
        state,
        step=DRAW,
        passed=(None,) * state.seats,
        hands=tuple(map(_without, state.hands, cards)),
        blindsides=tuple(cards[right(seat, state.seats)] for seat in range(state.seats)),
    )


def _stock_drawn(state: State, event: StockDrawn) -> State:
    seat = event.seat
    return replace(
        state,
        step=KEEP,
        hands=replace_at(state.hands, seat, (*state.hands[seat], event.card)),
        stock=state.stock[1:],
    )


def _discard_drawn(state: State, event: DiscardDrawn) -> State:
    seat = event.seat
    return replace(
        state,
        step=KEEP,
        hands=replace_at(state.hands, seat, (*state.hands[seat], event.card)),
        discard_pile=state.discard_pile[:-1],
    )


def _card_kept(state: State, event: CardKept) -> State:
    seat = event.seat
    return replace(
        state,
        step=DISCARD,
        hands=replace_at(state.hands, seat, _without(state.hands[seat], event.card)),
        keepers=replace_at(state.keepers, seat, (*state.keepers[seat], event.card)),
    )


def _card_discarded(state: State, event: CardDiscarded) -> State:
    seat, following = event.seat, left(event.seat, state.seats)
    hands = replace_at(state.hands, seat, _without(state.hands[seat], event.card))
    # BS-14: if the next seat has no hand, it has had all its turns, and so has every other seat.
    return replace(
        state,
        stage=IN_PLAY if hands[following] else TO_SCORE,
        step=DRAW,
        to_move=following,
        hands=hands,
        discard_pile=(*state.discard_pile, event.card),
    )


def _keepers_revealed(state: State, event: KeepersRevealed) -> State:
    laid = zip(blindsides(state), event.keepers, strict=True)
    cards = tuple([card for blindside, pile in laid for card in (blindside, *pile)])
    contested = _contested(state, event.winner, cards, len(cards) // state.seats)
    return replace(contested, stage=stage_after_round(state))


def _contested(state: State, winner: int | None, cards: tuple[Card, ...], count: int) -> State:
    """Returns the state after a contest; `cards` has `count` cards per seat, in seat order."""
    seats = tuple([seat for seat in range(state.seats) for _ in range(count)])
    return replace(
        state,
        tokens=tokens_after(state.tokens, winner),
        last=Completed("contest", winner, cards, seats),
    )


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    rest = list(hand)
    rest.remove(card)
    return tuple(rest)
