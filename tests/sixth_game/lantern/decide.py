"""Checks actions against the rules and turns them into events."""

from hoodwink.domain.cards import Draws, build_pack
from hoodwink.domain.kernel import CardPlay, Event, RuleViolation, SharedCode, Stage, Turn, left
from tests.sixth_game.lantern.actions import ChooseCard, LanternCode
from tests.sixth_game.lantern.events import CardChosen, CardsRevealed, HandsDealt
from tests.sixth_game.lantern.options import HAND_SIZE
from tests.sixth_game.lantern.rules import winner_of
from tests.sixth_game.lantern.state import State


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    """Returns the deal of the next round; chance names the first dealer, and the deal passes to the left."""
    seats, number = state.seats, state.round + 1
    dealer = left(state.dealer, seats) if state.round else draws.seat(seats)
    deck, dealt = draws.deck(build_pack(), number), HAND_SIZE * seats
    hands = tuple(deck[seat:dealt:seats] for seat in range(seats))
    return (HandsDealt(number, dealer, hands, deck[dealt:]),)


def decide(state: State, seat: int, action: ChooseCard, now: int) -> tuple[Event, ...]:
    """Returns the event that the action leads to; raises `RuleViolation` in the order of G-10."""
    if state.stage is not Stage.IN_PLAY:
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    if state.chosen[seat] is not None:
        raise RuleViolation(SharedCode.ALREADY_COMMITTED)
    if action.card not in state.hands[seat]:
        raise RuleViolation(LanternCode.CARD_NOT_IN_HAND)
    return (CardChosen(seat, action.card),)


def legal_actions(state: State, seat: int, now: int) -> tuple[ChooseCard, ...]:
    """Returns every action that `decide` accepts from the seat."""
    return tuple(map(ChooseCard, state.hands[seat])) if seat in turn(state).owes else ()


def card_plays(state: State, seat: int) -> tuple[CardPlay, ...]:
    """Returns each card in the seat's hand with the action that chooses it."""
    return tuple((card, ChooseCard(card)) for card in state.hands[seat])


def turn(state: State) -> Turn:
    """Returns the seats that have not chosen yet."""
    if state.stage is not Stage.IN_PLAY:
        return Turn()
    return Turn(tuple(seat for seat, card in enumerate(state.chosen) if card is None))


def score_round(state: State) -> tuple[Event, ...]:
    """Returns the reveal of the chosen cards."""
    cards = tuple(card for card in state.chosen if card is not None)
    return (CardsRevealed(cards, winner_of(cards, state.options)),)
