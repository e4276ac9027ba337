"""Checks actions against the rules and turns them into events."""

from hoodwink.domain.cards import Card, Draws, build_pack
from hoodwink.domain.games.blind_don.actions import BlindDonAction, BlindDonCode, PlayCard
from hoodwink.domain.games.blind_don.events import (
    CardLed,
    CardsTallied,
    DealerCut,
    RoundDealt,
    TrickTaken,
    Uncovered,
)
from hoodwink.domain.games.blind_don.rules import (
    card_points,
    cut_dealer,
    is_beaten,
    playable,
    tally,
    tally_winner,
)
from hoodwink.domain.games.blind_don.state import IN_PLAY, ROW, SEATS, Laid, State
from hoodwink.domain.kernel import CardPlay, Event, RuleViolation, SharedCode, Turn, left

_PLAYS = tuple(PlayCard(position) for position in range(ROW))
_TURNS = tuple(Turn((seat,)) for seat in range(SEATS))


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    """Returns the deal of the next round, preceded by the cut for the first deal unless the dealer is given."""
    if state.round:
        return (_dealt(state, draws, left(state.dealer, SEATS)),)  # BD-3
    if draws.first_dealer is not None:
        return (_dealt(state, draws, draws.first_dealer),)  # G-12: the dealer is given, so there is no cut
    cut = _cut(draws.deck(build_pack(), 0))
    return (cut, _dealt(state, draws, cut.dealer))


def _cut(deck: tuple[Card, ...]) -> DealerCut:
    """Cuts for the deal: each seat draws a card until the ranks differ; if the pack runs out, seat 0 deals (BD-21)."""
    pairs = tuple(zip(deck[::2], deck[1::2], strict=True))
    for number, pair in enumerate(pairs, start=1):
        dealer = cut_dealer(pair)
        if dealer is not None:
            return DealerCut(pairs[:number], dealer)
    return DealerCut(pairs, 0)


def _dealt(state: State, draws: Draws, dealer: int) -> RoundDealt:
    """Deals one card at a time, the non-dealer first: both face-down rows, then both face-up rows (BD-1, BD-4)."""
    number = state.round + 1
    deck = draws.deck(build_pack(), number)
    layer = SEATS * ROW
    starts = [int(seat == dealer) for seat in range(SEATS)]
    return RoundDealt(
        number,
        dealer,
        face_down=tuple([deck[start:layer:SEATS] for start in starts]),
        face_up=tuple([deck[layer + start : 2 * layer : SEATS] for start in starts]),
        aside=deck[2 * layer :],
    )


def decide(state: State, seat: int, action: BlindDonAction, now: int) -> tuple[Event, ...]:
    """Returns the event of an action; raises `RuleViolation`, checking in the order of G-10."""
    if state.stage is not IN_PLAY:
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    if state.to_move != seat:
        raise RuleViolation(SharedCode.NOT_YOUR_TURN)
    position = action.position
    card = _playable_card(state, seat, position)
    if state.lead is None:
        return (card_led(state, seat, position, card),)
    return (trick_taken(state, state.lead, Laid(seat, position, card)),)


def _playable_card(state: State, seat: int, position: int) -> Card:
    row = state.face_up[seat]
    card = row[position] if 0 <= position < ROW else None
    if card is None:
        raise RuleViolation(SharedCode.CARD_NOT_HELD, "You have no face-up card at that position.")
    if position not in playable(row, state.lead):
        raise RuleViolation(BlindDonCode.MUST_FOLLOW_SUIT)
    return card


def card_led(state: State, seat: int, position: int, card: Card) -> CardLed:
    """Returns the lead of the card; nothing is checked."""
    is_immediate = state.options.flip == "immediate"  # BD-9, BD-23
    return CardLed(seat, position, card, _uncovered_by(state, seat, position) if is_immediate else ())


def trick_taken(state: State, lead: Laid, laid: Laid) -> TrickTaken:
    """Resolves the trick: the taker scores immediately (BD-12), then the cards under both plays turn up (BD-10)."""
    trump = state.trump
    taker = laid.seat if is_beaten(lead.card, laid.card, trump) else lead.seat
    return TrickTaken(
        laid.seat,
        laid.position,
        (lead.card, laid.card),
        taker,
        card_points(lead.card, trump) + card_points(laid.card, trump),
        _uncovered_by(state, lead.seat, lead.position) + _uncovered_by(state, laid.seat, laid.position),
    )


def _uncovered_by(state: State, seat: int, position: int) -> tuple[Uncovered, ...]:
    """Returns the face-down card under a play, or nothing if it was played from the lower layer."""
    card = state.face_down[seat][position]
    return () if card is None else (Uncovered(seat, position, card),)


def legal_actions(state: State, seat: int, now: int) -> tuple[BlindDonAction, ...]:
    """Returns every action that `decide` accepts from the seat, one per position."""
    if seat not in turn(state).owes:
        return ()
    return tuple([_PLAYS[position] for position in playable(state.face_up[seat], state.lead)])


def card_plays(state: State, seat: int) -> tuple[CardPlay, ...]:
    """Returns the face-up cards of the seat's row, each with the action that plays it."""
    row = state.face_up[seat]
    return tuple([(card, _PLAYS[position]) for position, card in enumerate(row) if card is not None])


def turn(state: State) -> Turn:
    """Returns the seat to move; nobody may act out of turn."""
    return _TURNS[state.to_move] if state.stage is IN_PLAY else Turn()


def score_round(state: State) -> tuple[Event, ...]:
    """Returns the tally of the captured cards; the cards not dealt count for neither seat (BD-15)."""
    tallies = tuple(map(tally, state.captured))
    return (CardsTallied(tallies, tally_winner(tallies)),)
