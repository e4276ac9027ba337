"""Evolves the state from event to event."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.cards import Card
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
from hoodwink.domain.games.coconut.rules import ends_round, has_cards
from hoodwink.domain.games.coconut.state import (
    IN_PLAY,
    MOVE,
    OPEN,
    TO_SCORE,
    State,
    initial,
    stage_after_round,
)
from hoodwink.domain.games.shedding import emptied, is_cleared, next_in, without, zones_after
from hoodwink.domain.kernel import Completed, left, replace_at


def evolve(state: State, event: CoconutEvent) -> State:
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
            # CO-25: the card was already on the pile, so it goes to the hand with the pile.
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
    """Returns the state after the no-progress guard ended the round: nothing is scored or revealed (G-15)."""
    return replace(
        initial(state.options, state.seats),
        stage=stage_after_round(state),
        round=state.round,
        dealer=state.dealer,
        points=state.points,
    )


def _round_dealt(state: State, event: RoundDealt) -> State:
    return replace(
        initial(state.options, state.seats),
        stage=IN_PLAY,
        round=event.round,
        dealer=event.dealer,
        to_move=left(event.dealer, state.seats),
        hands=event.hands,
        face_down=event.face_down,
        stock=event.stock,
        points=state.points,
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
    laid = _cards_laid(state, event, at=event.at)
    return _after_laying(laid, event.seat, leads=state.options.clear_plays_again)


def _cards_sneaked(state: State, event: CardsSneaked) -> State:
    # CO-34: a sneaker moves next, regardless of the option.
    return _after_laying(_cards_laid(state, event, at=state.laid_at), event.seat, leads=True)


def _cards_laid(state: State, event: CardsPlayed | CardsSneaked, *, at: int) -> State:
    hands, face_up = zones_after(state, event.seat, event.cards, event.drawn)
    return replace(
        state,
        step=MOVE,
        hands=hands,
        face_up=face_up,
        stock=state.stock[len(event.drawn) :],
        pile=state.pile + event.cards,
        laid_by=event.seat,
        laid_at=at,
    )


def _card_flipped(state: State, event: CardFlipped) -> State:
    seat, pile = event.seat, (*state.pile, event.card)
    laid = replace(_slot_emptied(state, event), pile=pile, laid_by=seat, laid_at=event.at)
    return _after_laying(laid, seat, leads=state.options.clear_plays_again)


def _slot_emptied(state: State, event: CardFlipped | FlipFailed) -> State:
    slots = emptied(state.face_down[event.seat], event.slot)
    return replace(state, face_down=replace_at(state.face_down, event.seat, slots))


def _after_laying(state: State, seat: int, *, leads: bool) -> State:
    """Returns the state after cards were laid: the end of the round, a cleared pile, or the next turn.

    With `leads` the seat moves again if it clears the pile.
    """
    finished = state.finished
    if not has_cards(state, seat):
        finished = (*finished, seat)
        if ends_round(state, finished):  # CO-28: before the cards take effect
            return replace(state, stage=TO_SCORE, finished=finished)
    if is_cleared(state.pile):  # CO-38: a fourth 2 clears the pile, and its own effect is lost
        to_move = _following(state, seat, finished, again=leads)
        return replace(
            state,
            pile=(),
            set_aside=state.set_aside + state.pile,
            finished=finished,
            to_move=to_move,
            last=Completed("pile", seat, state.pile, ()),
        )
    again = state.options.two_plays_again and state.pile[-1][0] == "2"  # CO-12
    to_move = _following(state, seat, finished, again=again)
    return replace(state, finished=finished, to_move=to_move)


def _taken(state: State, seat: int, cards: tuple[Card, ...]) -> State:
    """Returns the state after the seat took the pile, which ends its turn (CO-9, CO-26)."""
    return replace(
        state,
        hands=replace_at(state.hands, seat, state.hands[seat] + cards),
        pile=(),
        to_move=_following(state, seat, state.finished, again=False),
    )


def _following(state: State, seat: int, finished: tuple[int, ...], *, again: bool) -> int:
    """Returns the seat that moves next; if this seat is out, the next one that is still in (CO-39)."""
    if again and seat not in finished:
        return seat
    return next_in(seat, seats=state.seats, out=finished)
