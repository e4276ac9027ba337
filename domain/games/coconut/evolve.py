"""How each event changes the state."""

from typing import assert_never

from msgspec.structs import replace

from domain.cards import Card
from domain.games.coconut.events import (
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
from domain.games.coconut.rules import clears, ends_round, has_cards
from domain.games.coconut.state import CHOOSE, IN_PLAY, MOVE, OPEN, TO_SCORE, State, stage_after_round
from domain.games.shedding import emptied, next_in, without
from domain.kernel import left, replace_at


def evolve(state: State, event: CoconutEvent) -> State:
    """Returns the state after the event."""
    match event:
        case CardsPlayed():
            return _cards_played(state, event)
        case PilePickedUp():
            return _taken(state, event.seat, state.pile)
        case CardsSneaked():
            return _cards_sneaked(state, event)
        case CardFlipped():
            return _card_flipped(state, event)
        case FlipFailed():
            # CO-25: the card lay on the pile already, so it goes to the hand with it.
            return _taken(_slot_emptied(state, event), event.seat, (*state.pile, event.card))
        case FaceUpChosen():
            return replace(state, chosen=replace_at(state.chosen, event.seat, event.cards))
        case FaceUpRevealed():
            return _face_up_revealed(state, event)
        case RoundDealt():
            return _round_dealt(state, event)
        case RoundScored():
            points = tuple(map(int.__add__, state.points, event.points))
            return replace(state, points=points, stage=stage_after_round(state))
        case _:
            assert_never(event)


def void_round(state: State) -> State:
    """Returns the state after the guard stopped the round: no points, nothing revealed (G-15)."""
    seats = state.seats
    return replace(
        state,
        stage=stage_after_round(state),
        hands=((),) * seats,
        face_up=((),) * seats,
        face_down=((),) * seats,
        chosen=(None,) * seats,
        stock=(),
        pile=(),
        set_aside=(),
        finished=(),
    )


def _round_dealt(state: State, event: RoundDealt) -> State:
    return replace(
        state,
        stage=IN_PLAY,
        round=event.round,
        dealer=event.dealer,
        step=CHOOSE,
        to_move=left(event.dealer, state.seats),
        hands=event.hands,
        face_up=((),) * state.seats,
        face_down=event.face_down,
        chosen=(None,) * state.seats,
        stock=event.stock,
        pile=(),
        set_aside=(),
        finished=(),
    )


def _face_up_revealed(state: State, event: FaceUpRevealed) -> State:
    return replace(
        state,
        step=OPEN,
        hands=tuple(map(without, state.hands, event.face_up)),
        face_up=event.face_up,
        chosen=(None,) * state.seats,
    )


def _cards_played(state: State, event: CardsPlayed) -> State:
    clears_again = state.options.clear_plays_again  # CO-34
    return _laid(_cards_taken(state, event), event.seat, event.cards, at=event.at, leads=clears_again)


def _cards_sneaked(state: State, event: CardsSneaked) -> State:
    # CO-34: a sneaker is to move whatever the option says.
    return _laid(_cards_taken(state, event), event.seat, event.cards, at=state.laid_at, leads=True)


def _card_flipped(state: State, event: CardFlipped) -> State:
    clears_again = state.options.clear_plays_again
    return _laid(_slot_emptied(state, event), event.seat, (event.card,), at=event.at, leads=clears_again)


def _cards_taken(state: State, event: CardsPlayed | CardsSneaked) -> State:
    """Returns the state with the cards out of the active zone and those drawn in the hand (CO-10)."""
    seat, drawn = event.seat, event.drawn
    hand = state.hands[seat]
    if not hand:  # CO-23
        rest = without(state.face_up[seat], event.cards)
        return replace(state, face_up=replace_at(state.face_up, seat, rest))
    hands = replace_at(state.hands, seat, without(hand, event.cards) + drawn)
    return replace(state, hands=hands, stock=state.stock[len(drawn) :])


def _slot_emptied(state: State, event: CardFlipped | FlipFailed) -> State:
    slots = emptied(state.face_down[event.seat], event.slot)
    return replace(state, face_down=replace_at(state.face_down, event.seat, slots))


def _laid(state: State, seat: int, cards: tuple[Card, ...], *, at: int, leads: bool) -> State:
    """Returns the state once the cards lie on the pile: out of cards first, then clears, then the turn.

    `leads` tells whether the seat moves again if it clears the pile.
    """
    finished = state.finished
    if not has_cards(state, seat):
        finished = (*finished, seat)
        if ends_round(finished, state):  # CO-28: before anything that the cards would do
            return replace(state, stage=TO_SCORE, step=MOVE, pile=state.pile + cards, finished=finished)
    pile, set_aside = state.pile + cards, state.set_aside
    if clears(state.pile, cards):  # CO-38: a fourth 2 clears, and does not stand
        pile, set_aside, again = (), set_aside + pile, leads
    else:
        again = state.options.two_plays_again and cards[0][0] == "2"  # CO-12
    return replace(
        state,
        step=MOVE,
        pile=pile,
        set_aside=set_aside,
        laid_by=seat,
        laid_at=at,
        finished=finished,
        to_move=_following(state, seat, finished, again=again),
    )


def _taken(state: State, seat: int, cards: tuple[Card, ...]) -> State:
    """Returns the state after the seat took the pile, which ends its turn (CO-9, CO-26)."""
    return replace(
        state,
        hands=replace_at(state.hands, seat, state.hands[seat] + cards),
        pile=(),
        to_move=_following(state, seat, state.finished, again=False),
    )


def _following(state: State, seat: int, finished: tuple[int, ...], *, again: bool) -> int:
    """Returns who moves next; for a seat that is out, the next one still in does (CO-39)."""
    if again and seat not in finished:
        return seat
    return next_in(seat, seats=state.seats, out=finished)
