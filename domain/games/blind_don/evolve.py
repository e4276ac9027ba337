"""Evolves the state from event to event."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.cards import Card, suit_of
from hoodwink.domain.games.blind_don.events import (
    BlindDonEvent,
    CardLed,
    CardsTallied,
    DealerCut,
    RoundDealt,
    TrickTaken,
)
from hoodwink.domain.games.blind_don.rules import TALLY_BONUS
from hoodwink.domain.games.blind_don.state import (
    IN_PLAY,
    ROW,
    SEATS,
    TO_SCORE,
    Laid,
    Rows,
    State,
    initial,
    is_pair_unfinished,
    stage_after_round,
)
from hoodwink.domain.kernel import Completed, Stage, left, replace_at


def evolve(state: State, event: BlindDonEvent) -> State:
    match event:
        case CardLed():
            return _card_led(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case RoundDealt():
            return _round_dealt(state, event)
        case CardsTallied():
            return _cards_tallied(state, event)
        case DealerCut():
            return replace(state, dealer=event.dealer)
        case _:
            assert_never(event)


def void_round(state: State) -> State:
    """Returns the state after the no-progress guard ended the round: its points are undone, and nothing is revealed (G-15).

    A tie adds no rounds after a void round, so that a table with only void rounds ends.
    """
    return replace(
        initial(state.options, SEATS),
        stage=Stage.TO_DEAL if is_pair_unfinished(state) else Stage.OVER,
        round=state.round,
        dealer=state.dealer,
        scores=state.scores_at_deal,
        scores_at_deal=state.scores_at_deal,
    )


def _round_dealt(state: State, event: RoundDealt) -> State:
    return replace(
        state,
        stage=IN_PLAY,
        round=event.round,
        dealer=event.dealer,
        to_move=left(event.dealer, SEATS),  # BD-18
        trump="",
        face_up=event.face_up,
        face_down=event.face_down,
        captured=((),) * SEATS,
        aside=event.aside,
        scores_at_deal=state.scores,
        last=None,
    )


def _card_led(state: State, event: CardLed) -> State:
    face_up, face_down = _rows_after(state, event)
    return replace(
        state,
        to_move=left(event.seat, SEATS),
        trump=state.trump or suit_of(event.card),  # BD-5
        face_up=face_up,
        face_down=face_down,
        lead=Laid(event.seat, event.position, event.card),
    )


def _trick_taken(state: State, event: TrickTaken) -> State:
    taker, leader = event.taker, left(event.seat, SEATS)
    face_up, face_down = _rows_after(state, event)
    captured = replace_at(state.captured, taker, state.captured[taker] + event.cards)
    return replace(
        state,
        stage=IN_PLAY if sum(map(len, captured)) < 2 * SEATS * ROW else TO_SCORE,
        to_move=taker,
        face_up=face_up,
        face_down=face_down,
        lead=None,
        captured=captured,
        scores=replace_at(state.scores, taker, state.scores[taker] + event.points),
        last=Completed("trick", taker, event.cards, (leader, event.seat)),
    )


def _rows_after(state: State, event: CardLed | TrickTaken) -> tuple[Rows, Rows]:
    """Returns both layers without the played card, and with the uncovered cards turned up."""
    face_up = _put(state.face_up, event.seat, event.position, None)
    face_down = state.face_down
    for turned in event.uncovered:
        face_up = _put(face_up, turned.seat, turned.position, turned.card)
        face_down = _put(face_down, turned.seat, turned.position, None)
    return face_up, face_down


def _put(rows: Rows, seat: int, position: int, card: Card | None) -> Rows:
    return replace_at(rows, seat, replace_at(rows[seat], position, card))


def _cards_tallied(state: State, event: CardsTallied) -> State:
    winner = event.winner
    scores = state.scores
    if winner is not None:
        scores = replace_at(scores, winner, scores[winner] + TALLY_BONUS)
    scored = replace(state, scores=scores)
    return replace(scored, stage=stage_after_round(scored))
