"""Checks actions against the rules and turns them into events."""

from functools import cache
from typing import assert_never

from hoodwink.domain.cards import Card, Draws, build_pack
from hoodwink.domain.games.coconut.actions import (
    ChooseFaceUp,
    CoconutAction,
    CoconutCode,
    FlipCard,
    PickUpPile,
    PlayCards,
    SneakCards,
)
from hoodwink.domain.games.coconut.events import (
    CardFlipped,
    CardsPlayed,
    CardsSneaked,
    CoconutEvent,
    FaceUpChosen,
    FaceUpRevealed,
    FlipFailed,
    PilePickedUp,
    RoundDealt,
    RoundScored,
)
from hoodwink.domain.games.coconut.options import DOWN_COUNT, FACE_UP_COUNT, TAKEN_UP_COUNT, pack_for
from hoodwink.domain.games.coconut.rules import (
    going_out_order,
    is_waiting,
    opening_ranks,
    playable_ranks,
    round_points,
    sneakers,
)
from hoodwink.domain.games.coconut.state import CHOOSE, IN_PLAY, OPEN, State
from hoodwink.domain.games.shedding import (
    RANK,
    SheddingCode,
    by_rank,
    cards_to_draw,
    check_named,
    completes_four,
    deal_singly,
    filled_slots,
    flipped,
    fours_of,
    held_by_name,
    plays_of,
    without,
)
from hoodwink.domain.kernel import (
    CardChoice,
    CardPlay,
    Event,
    LegalAction,
    RuleViolation,
    SharedCode,
    Turn,
    left,
    replace_at,
)

# Created once, because creating actions took much of the time of a playout.
_PICK_UP = PickUpPile()
_SINGLES = {card: PlayCards((card,)) for card in build_pack()}


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    """Returns the deal of the next round, singly from the dealer's left, which moves on (CO-4, CO-31)."""
    seats, number = state.seats, state.round + 1
    dealer = left(state.dealer, seats) if state.round else draws.seat(seats)
    deck = draws.deck(pack_for(seats), number)
    first, down, dealt = left(dealer, seats), DOWN_COUNT * seats, (DOWN_COUNT + TAKEN_UP_COUNT) * seats
    face_down = deal_singly(deck[:down], seats=seats, first=first)
    hands = deal_singly(deck[down:dealt], seats=seats, first=first)
    return (RoundDealt(number, dealer, hands, face_down, deck[dealt:]),)


def decide(state: State, seat: int, action: CoconutAction, now: int) -> tuple[Event, ...]:
    """Returns the events that an action leads to; raises `RuleViolation` in the order of G-10."""
    if state.stage is not IN_PLAY:
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    if seat == state.to_move and is_waiting(state, now):  # CO-37
        raise RuleViolation(CoconutCode.SNEAK_GRACE)
    match action:
        case PlayCards():
            return _play(state, seat, action.cards, now)
        case SneakCards():
            return _sneak(state, seat, action.cards)
        case PickUpPile():
            return _pick_up(state, seat)
        case FlipCard():
            return _flip(state, seat, action.slot, now)
        case ChooseFaceUp():
            return choose_face_up(state, seat, action.cards)
        case _:
            assert_never(action)


def choose_face_up(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[CoconutEvent, ...]:
    if state.step is not CHOOSE:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if state.chosen[seat] is not None:  # CO-5
        raise RuleViolation(SharedCode.ALREADY_COMMITTED)
    if len(cards) != FACE_UP_COUNT:
        raise RuleViolation(CoconutCode.NOT_THREE_CARDS)
    try:
        without(state.hands[seat], cards)
    except ValueError:
        raise RuleViolation(SharedCode.CARD_NOT_HELD) from None
    chosen = FaceUpChosen(seat, cards)
    face_up = tuple([choice for choice in replace_at(state.chosen, seat, cards) if choice is not None])
    # CO-5: the last commitment reveals all choices together.
    return (chosen,) if len(face_up) < state.seats else (chosen, FaceUpRevealed(face_up))


def _play(state: State, seat: int, cards: tuple[Card, ...], now: int) -> tuple[Event, ...]:
    _check_turn(state, seat)
    check_named(cards, held_by_name(state, seat))
    if RANK[cards[0]] not in _allowed_ranks(state, seat):
        if state.step is OPEN:
            raise RuleViolation(CoconutCode.NOT_LOWEST)
        raise RuleViolation(CoconutCode.TOO_LOW)
    return (CardsPlayed(seat, cards, cards_to_draw(state, seat, len(cards)), now),)


def _sneak(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[Event, ...]:
    if state.step is CHOOSE:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if seat not in sneakers(state):
        raise _barred(state, seat)
    check_named(cards, held_by_name(state, seat))
    if RANK[cards[0]] != RANK[state.pile[-1]]:
        raise RuleViolation(CoconutCode.NOT_TOP_RANK)
    if not completes_four(state.pile, cards):  # CO-17
        raise RuleViolation(CoconutCode.NOT_FOUR)
    return (CardsSneaked(seat, cards, cards_to_draw(state, seat, len(cards))),)


def _barred(state: State, seat: int) -> RuleViolation:
    """Returns why a seat may not sneak, from public facts alone, so that it reveals no card (CO-19, CO-36)."""
    if not state.options.sneak:
        return RuleViolation(CoconutCode.SNEAK_OFF)
    if not state.pile:
        return RuleViolation(SheddingCode.PILE_EMPTY, "The pile is empty: there is nothing to sneak on.")
    if seat == state.to_move:
        return RuleViolation(CoconutCode.YOUR_TURN)
    return RuleViolation(CoconutCode.OWN_CARDS if seat == state.laid_by else CoconutCode.ALREADY_OUT)


def _pick_up(state: State, seat: int) -> tuple[Event, ...]:
    _check_turn(state, seat)
    cards = held_by_name(state, seat)  # CO-35
    if not state.pile:
        raise RuleViolation(SheddingCode.PILE_EMPTY)
    can_play = not playable_ranks(state.pile).isdisjoint([RANK[card] for card in cards])
    if can_play and not state.options.voluntary_pickup:  # CO-8
        raise RuleViolation(SheddingCode.MUST_PLAY)
    return (PilePickedUp(seat),)


def _flip(state: State, seat: int, slot: int, now: int) -> tuple[Event, ...]:
    _check_turn(state, seat)
    card = flipped(state, seat, state.face_down[seat], slot)
    if RANK[card] in playable_ranks(state.pile):  # CO-27
        return (CardFlipped(seat, slot, card, now),)
    return (FlipFailed(seat, slot, card),)


def _check_turn(state: State, seat: int) -> None:
    if state.step is CHOOSE:
        raise RuleViolation(SharedCode.WRONG_PHASE)
    if state.to_move != seat:
        raise RuleViolation(SharedCode.NOT_YOUR_TURN)


def _allowed_ranks(state: State, seat: int) -> frozenset[str]:
    if state.step is OPEN:
        return opening_ranks(state.hands[seat], state.options.opening)
    return playable_ranks(state.pile)


def legal_actions(state: State, seat: int, now: int) -> tuple[LegalAction, ...]:
    """Returns every action that `decide` accepts from the seat, with the cards of one rank as one choice."""
    if state.stage is not IN_PLAY:
        return ()
    if state.step is CHOOSE:
        return _choices(state, seat)
    if seat != state.to_move:
        return _sneaks(state, seat) if seat in sneakers(state) else ()
    return () if is_waiting(state, now) else _moves(state, seat)  # CO-37


def _choices(state: State, seat: int) -> tuple[LegalAction, ...]:
    if state.chosen[seat] is not None:
        return ()
    three = FACE_UP_COUNT
    return (CardChoice(type="choose_face_up", cards=state.hands[seat], at_least=three, at_most=three),)


def _moves(state: State, seat: int) -> tuple[LegalAction, ...]:
    cards = state.hands[seat] or state.face_up[seat]
    if not cards:
        return tuple([FlipCard(slot) for slot in filled_slots(state.face_down[seat])])
    plays = plays_of(by_rank(cards, _allowed_ranks(state, seat)), _SINGLES)
    if state.pile and (state.options.voluntary_pickup or not plays):  # CO-8, CO-35
        plays.append(_PICK_UP)
    return tuple(plays)


def _sneaks(state: State, seat: int) -> tuple[LegalAction, ...]:
    held = state.hands[seat] or state.face_up[seat]
    return tuple(fours_of(held, state.pile, SneakCards, "sneak"))


def card_plays(state: State, seat: int) -> tuple[CardPlay, ...]:
    """Returns each face in the seat's hand or face-up cards with the action that chooses or plays it."""
    faces = dict.fromkeys(state.hands[seat] + state.face_up[seat])
    if state.step is CHOOSE:
        return tuple([(card, ChooseFaceUp((card,))) for card in faces])
    return tuple([(card, _SINGLES[card]) for card in faces])


def turn(state: State) -> Turn:
    """Returns the seats that owe an action, and those that may sneak, regardless of hidden cards (CO-36)."""
    if state.stage is not IN_PLAY:
        return Turn()
    if state.step is CHOOSE:
        return Turn(tuple([seat for seat, cards in enumerate(state.chosen) if cards is None]))
    return _turn(state.to_move, sneakers(state))


@cache
def _turn(to_move: int, may: tuple[int, ...]) -> Turn:
    return Turn((to_move,), may)


def score_round(state: State) -> tuple[Event, ...]:
    """Returns the score of a finished round: places and points, but no card (CO-28, CO-40)."""
    order = going_out_order(state)
    return (RoundScored(order, round_points(order, state.options, state.seats)),)
