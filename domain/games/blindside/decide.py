"""Checks actions against the rules and turns them into events."""

from typing import assert_never

from hoodwink.domain.cards import Card, Draws, build_pack
from hoodwink.domain.games.blindside.actions import (
    BlindsideAction,
    DiscardCard,
    DrawCard,
    KeepCard,
    PassBlindside,
)
from hoodwink.domain.games.blindside.events import (
    BlindsidePassed,
    BlindsidesRevealed,
    CardDiscarded,
    CardKept,
    DiscardDrawn,
    KeepersRevealed,
    RoundDealt,
    StockDrawn,
)
from hoodwink.domain.games.blindside.options import MAX_SEATS, SEATS_PER_PACK, pack_for
from hoodwink.domain.games.blindside.rules import blindsides, compared_value, contest, has_passed, totals
from hoodwink.domain.games.blindside.state import DISCARD, DRAW, IN_PLAY, KEEP, PASS, State, Step
from hoodwink.domain.kernel import CardPlay, Event, RuleViolation, SharedCode, Turn, left

# All actions and all turns of one seat, created once: creating them for every move took a quarter of a playout.
_DRAWS = (DrawCard("stock"), DrawCard("discard"))
_PASSES = {card: PassBlindside(card) for card in build_pack()}
_KEEPS = {card: KeepCard(card) for card in build_pack()}
_DISCARDS = {card: DiscardCard(card) for card in build_pack()}
_TURNS = tuple(Turn((seat,)) for seat in range(MAX_SEATS))


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    """Returns the deal of the next round, singly from the dealer's left (BS-13, BS-20, BS-22)."""
    seats, number = state.seats, state.round + 1
    dealer = left(state.dealer, seats) if state.round else draws.seat(seats)
    deck = draws.deck(pack_for(seats), number)
    first = left(dealer, seats)
    starts = [(seat - first) % seats for seat in range(seats)]
    dealt = 4 * seats
    hands = tuple(deck[start:dealt:seats] for start in starts)
    fifth: tuple[Card, ...] = ()
    if state.options.five_card:  # BS-15
        fifth = tuple(deck[dealt + start] for start in starts)
        dealt += seats
    return (RoundDealt(number, dealer, hands, fifth, deck[dealt], deck[dealt + 1 :]),)


def decide(state: State, seat: int, action: BlindsideAction, now: int) -> tuple[Event, ...]:
    """Returns the event that an action leads to; raises `RuleViolation` in the order of G-10."""
    if state.stage is not IN_PLAY:
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    match action:
        case DrawCard():
            return _draw(state, seat, action)
        case KeepCard():
            _check_turn(state, seat, KEEP)
            return (CardKept(seat, _held(state, seat, action.card)),)
        case DiscardCard():
            _check_turn(state, seat, DISCARD)
            return (CardDiscarded(seat, _held(state, seat, action.card)),)
        case PassBlindside():
            return _pass_blindside(state, seat, action)
        case _:
            assert_never(action)


def _pass_blindside(state: State, seat: int, action: PassBlindside) -> tuple[Event, ...]:
    if state.step is not PASS:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if has_passed(state, seat):  # BS-5
        raise RuleViolation(SharedCode.ALREADY_COMMITTED)
    return (BlindsidePassed(seat, _held(state, seat, action.card)),)


def _draw(state: State, seat: int, action: DrawCard) -> tuple[Event, ...]:
    _check_turn(state, seat, DRAW)
    if action.source == "stock":
        return (StockDrawn(seat, state.stock[0]),)
    return (DiscardDrawn(seat, state.discard_pile[-1]),)  # BS-4


def _check_turn(state: State, seat: int, step: Step) -> None:
    if state.step is PASS:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if state.to_move != seat:
        raise RuleViolation(SharedCode.NOT_YOUR_TURN)
    if state.step is not step:
        raise RuleViolation(SharedCode.WRONG_STEP)


def _held(state: State, seat: int, card: Card) -> Card:
    if card not in state.hands[seat]:
        raise RuleViolation(SharedCode.CARD_NOT_HELD)
    return card


def legal_actions(state: State, seat: int, now: int) -> tuple[BlindsideAction, ...]:
    """Returns every action that `decide` accepts from the seat, one per face held (G-5)."""
    if seat not in turn(state).owes:
        return ()
    step = state.step
    if step is DRAW:
        return _DRAWS
    hand = state.hands[seat]
    faces = hand if state.seats <= SEATS_PER_PACK else dict.fromkeys(hand)  # one pack has no face twice
    naming = _KEEPS if step is KEEP else _DISCARDS if step is DISCARD else _PASSES
    return tuple([naming[card] for card in faces])


def card_plays(state: State, seat: int) -> tuple[CardPlay, ...]:
    """Returns each face in the seat's hand with the action that lays it; before a draw, this is keeping the card."""
    return tuple([(card, _laying(state.step, card)) for card in dict.fromkeys(state.hands[seat])])


def _laying(step: Step, card: Card) -> BlindsideAction:
    if step is PASS:
        return _PASSES[card]
    return _DISCARDS[card] if step is DISCARD else _KEEPS[card]


def turn(state: State) -> Turn:
    """Returns the seats that owe an action: first all that have not passed, then the seat to move."""
    if state.stage is not IN_PLAY:
        return Turn()
    if state.step is PASS:
        return Turn(tuple([seat for seat, card in enumerate(state.passed) if card is None]))
    return _TURNS[state.to_move]


def score_round(state: State) -> tuple[Event, ...]:
    """Returns the reveal of both contests, which are independent of each other (BS-6 … BS-10)."""
    cards = blindsides(state)
    values = tuple(compared_value(card, state.options) for card in cards)
    sums = totals(state)
    first, second = contest(values), contest(sums)
    return (
        BlindsidesRevealed(cards, values, first.winner, first.blindsided),
        KeepersRevealed(state.keepers, sums, second.winner, second.blindsided),
    )
