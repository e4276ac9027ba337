"""Blind Don for bots that think ahead: the moves, quick play to the end, and what a position is worth."""

from random import Random

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blind_don.actions import BlindDonAction
from hoodwink.domain.games.blind_don.decide import card_led, legal_actions, trick_taken
from hoodwink.domain.games.blind_don.evolve import evolve
from hoodwink.domain.games.blind_don.merits import merits
from hoodwink.domain.games.blind_don.rules import TALLY_BONUS, playable, tally, tally_winner
from hoodwink.domain.games.blind_don.state import Laid, State
from hoodwink.domain.kernel import Lookahead

_MAX_POINTS = 52


def moves(state: State, seat: int) -> tuple[BlindDonAction, ...]:
    """Returns the seat's legal actions, which all differ: each card covers another one."""
    return legal_actions(state, seat, 0)


def apply(state: State, seat: int, move: BlindDonAction) -> State:
    """Returns the state after a legal action; nothing is checked."""
    card = state.face_up[seat][move.position]
    assert card is not None, "a legal play has a card"
    return _laid(state, seat, move.position, card)


def _laid(state: State, seat: int, position: int, card: Card) -> State:
    if state.lead is None:
        return evolve(state, card_led(state, seat, position, card))
    return evolve(state, trick_taken(state, state.lead, Laid(seat, position, card)))


def play_on(state: State, chance: Random) -> State:
    """Returns the state after the seat to move took the play of the highest merit, as Steady does."""
    seat, lead = state.to_move, state.lead
    row = state.face_up[seat]
    positions = playable(row, lead)
    position = positions[0]
    if len(positions) > 1:
        worth = merits(state.face_up, seat, lead, state.trump, positions)
        position = positions[worth.index(max(worth))]
    card = row[position]
    assert card is not None, "a playable position has a card"
    return _laid(state, seat, position, card)


def value(state: State) -> tuple[float, ...]:
    """Returns each seat's result: half for having more points in the round, half for how many more."""
    points = [score - before for score, before in zip(state.scores, state.scores_at_deal, strict=True)]
    winner = tally_winner(tuple(map(tally, state.captured)))
    if winner is not None:
        points[winner] += TALLY_BONUS
    lead = points[0] - points[1]
    share = 0.5 + 0.25 * lead / _MAX_POINTS + 0.25 * ((lead > 0) - (lead < 0))
    return share, 1 - share


LOOKAHEAD = Lookahead(
    moves=moves,
    apply=apply,
    play_on=play_on,
    value=value,
    scale="100% is half for winning the round, and half for the lead in points.",
    out_of_play=("aside",),
)
