"""Evolves the state from event to event."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.cards import JOKER, Card
from hoodwink.domain.games.shedding import Slots, emptied, is_cleared, next_in, without, zones_after
from hoodwink.domain.games.shithead.events import (
    BlindCardFailed,
    BlindCardPlayed,
    BlindJokerTurned,
    CardsPlayed,
    CardsSwapped,
    JokerCountered,
    JokerPlayed,
    PileAccepted,
    PileBurned,
    PilePickedUp,
    PlayStarted,
    RoundDealt,
    SeatReady,
    ShitheadEvent,
    ShitheadNamed,
)
from hoodwink.domain.games.shithead.rules import (
    can_answer,
    has_cards,
    order_after,
    out_by_joker,
)
from hoodwink.domain.games.shithead.state import (
    ANSWER,
    IN_PLAY,
    NAME_TARGET,
    PLAY,
    TO_SCORE,
    State,
    initial,
    stage_after_round,
)
from hoodwink.domain.kernel import Completed, Stage, left, replace_at


def evolve(state: State, event: ShitheadEvent) -> State:
    """Returns the state after the event and all its automatic consequences."""
    match event:
        case CardsPlayed() | PileBurned():
            return _cards_laid(state, event)
        case PilePickedUp():
            return _pile_picked_up(state, event)
        case BlindCardPlayed():
            return _blind_card_played(state, event)
        case BlindCardFailed():
            return _blind_card_failed(state, event)
        case BlindJokerTurned():
            return replace(state, step=NAME_TARGET, turned=event.slot)
        case JokerPlayed() | JokerCountered():
            return _ask(_joker_laid(state, event), event.target)
        case PileAccepted():
            return _settle(state, event.seat)
        case CardsSwapped():
            return _cards_swapped(state, event)
        case SeatReady():
            return replace(state, ready=(*state.ready, event.seat))
        case PlayStarted():
            return replace(state, step=PLAY, to_move=event.seat, starting_card=event.card)
        case RoundDealt():
            return _round_dealt(state, event)
        case ShitheadNamed():
            return _shithead_named(state, event)
        case _:
            assert_never(event)


def void_round(state: State) -> State:
    """Returns the state after the no-progress guard ended the round: nothing is scored or revealed (G-15)."""
    return replace(
        initial(state.options, state.seats),
        stage=stage_after_round(state),
        round=state.round,
        dealer=state.dealer,
        next_dealer=left(state.dealer, state.seats),
        points=state.points,
    )


def _round_dealt(state: State, event: RoundDealt) -> State:
    return replace(
        initial(state.options, state.seats),
        stage=IN_PLAY,
        round=event.round,
        dealer=event.dealer,
        hands=event.hands,
        face_up=event.face_up,
        dealt_face_up=event.face_up,
        blind=event.blind,
        stock=event.stock,
        points=state.points,
    )


def _shithead_named(state: State, event: ShitheadNamed) -> State:
    return replace(
        state,
        stage=stage_after_round(state),
        next_dealer=event.order[-1],  # SH-45
        points=tuple(map(sum, zip(state.points, event.points, strict=True))),
    )


def _cards_swapped(state: State, event: CardsSwapped) -> State:
    seat = event.seat
    hand = _exchanged(state.hands[seat], event.hand_card, event.face_up_card)
    face_up = _exchanged(state.face_up[seat], event.face_up_card, event.hand_card)
    return replace(
        state,
        hands=replace_at(state.hands, seat, hand),
        face_up=replace_at(state.face_up, seat, face_up),
    )


def _exchanged(cards: tuple[Card, ...], given: Card, taken: Card) -> tuple[Card, ...]:
    return replace_at(cards, cards.index(given), taken)


def _cards_laid(state: State, event: CardsPlayed | PileBurned) -> State:
    seat, cards, drawn = event.seat, event.cards, event.drawn
    hands, face_up = zones_after(state, seat, cards, drawn)
    laid = replace(
        state,
        hands=hands,
        face_up=face_up,
        stock=state.stock[len(drawn) :],
        starting_card=None,
        pile=state.pile + cards,
        last_layer=seat,
    )
    return _after_laying(laid, seat, cards)


def _after_laying(state: State, seat: int, cards: tuple[Card, ...]) -> State:
    """Returns the state after cards were laid: a burn or the effects of 3s and 5s, going out, the next player."""
    is_out = not has_cards(state, seat)
    if is_cleared(state.pile):  # SH-27: a burn replaces the effects of 3s and 5s
        return _burn(state, seat, is_out=is_out)
    to_move, direction = order_after(state, seat, cards, is_out=is_out)
    if is_out:  # SH-47: the last card of a seat still has its effect
        finished = (*state.finished, seat)
        stage = _stage_with(state, finished)
        return replace(state, stage=stage, to_move=to_move, direction=direction, finished=finished)
    return replace(state, to_move=to_move, direction=direction)


def _burn(state: State, seat: int, *, is_out: bool) -> State:
    """Returns the state without the pile; the burner leads, or the next player if the burner is out (SH-23)."""
    finished = (*state.finished, seat) if is_out else state.finished
    return replace(
        state,
        stage=_stage_with(state, finished),
        to_move=_next_in_turn(state, seat, finished) if is_out else seat,
        pile=(),
        removed=state.removed + state.pile,
        finished=finished,
        last=Completed("pile", seat, state.pile, ()),
    )


def _stage_with(state: State, finished: tuple[int, ...]) -> Stage:
    return TO_SCORE if len(finished) == state.seats - 1 else IN_PLAY  # SH-44


def _next_in_turn(state: State, seat: int, finished: tuple[int, ...]) -> int:
    return next_in(seat, seats=state.seats, out=finished, step=state.direction)


def _leader_after_pickup(state: State, seat: int) -> int:
    """Returns the seat that leads after this seat picks up the pile (SH-30)."""
    if state.options.pickup_restart == "picker":
        return seat
    return _next_in_turn(state, seat, state.finished)


def _pile_picked_up(state: State, event: PilePickedUp) -> State:
    seat, card, face_up = event.seat, event.face_up_card, state.face_up
    taken = state.pile
    if card is not None:  # SH-33
        taken = (*taken, card)
        face_up = replace_at(face_up, seat, without(face_up[seat], (card,)))
    return replace(
        state,
        to_move=_leader_after_pickup(state, seat),
        hands=replace_at(state.hands, seat, state.hands[seat] + taken),
        face_up=face_up,
        pile=(),
    )


def _blind_card_played(state: State, event: BlindCardPlayed) -> State:
    seat, blind = event.seat, _turned_over(state, event.seat, event.slot)
    laid = replace(state, blind=blind, pile=(*state.pile, event.card), last_layer=seat)
    return _after_laying(laid, seat, (event.card,))


def _blind_card_failed(state: State, event: BlindCardFailed) -> State:
    seat = event.seat
    return replace(
        state,
        to_move=_leader_after_pickup(state, seat),
        # Replaces the hand, which is empty whenever a seat turns up a blind card.
        hands=replace_at(state.hands, seat, (*state.pile, event.card)),
        blind=_turned_over(state, seat, event.slot),
        pile=(),
    )


def _turned_over(state: State, seat: int, slot: int) -> tuple[Slots, ...]:
    return replace_at(state.blind, seat, emptied(state.blind[seat], slot))


def _joker_laid(state: State, event: JokerPlayed | JokerCountered) -> State:
    seat, drawn = event.seat, event.drawn
    hands, face_up, blind = state.hands, state.face_up, state.blind
    if state.turned is None:
        hands, face_up = zones_after(state, seat, (JOKER,), drawn)
    else:
        blind = _turned_over(state, seat, state.turned)
    return replace(
        state,
        hands=hands,
        face_up=face_up,
        blind=blind,
        turned=None,
        stock=state.stock[len(drawn) :],
        jokers=(*state.jokers, JOKER),
        jokers_laid=(*state.jokers_laid, seat),
    )


def _ask(state: State, target: int) -> State:
    if can_answer(state, target):
        return replace(state, step=ANSWER, to_move=target)
    return _settle(state, target)  # SH-54


def _settle(state: State, target: int) -> State:
    """Returns the state after the last target took the pile, which decides who is out (SH-43) and who moves next."""
    has_pile, state = bool(state.pile), _pile_taken(state, target)
    finished = state.finished + out_by_joker(state)
    # SH-56: if the pile was empty, the target leads, and `pickup_restart` does not matter.
    to_move = _leader_after_pickup(replace(state, finished=finished), target) if has_pile else target
    return replace(
        state,
        stage=_stage_with(state, finished),
        step=PLAY,
        to_move=to_move,
        jokers_laid=(),
        finished=finished,
    )


def _pile_taken(state: State, target: int) -> State:
    is_removed = state.options.joker_fate == "removed"  # SH-38
    taken = state.pile if is_removed else state.pile + state.jokers  # SH-59
    return replace(
        state,
        hands=replace_at(state.hands, target, state.hands[target] + taken),
        pile=(),
        jokers=(),
        removed=state.removed + state.jokers if is_removed else state.removed,
        finished=tuple([seat for seat in state.finished if seat != target]),  # SH-41
    )
