"""The Double Blind for bots that think ahead: the moves worth comparing, quick play, and what a position is worth."""

from random import Random

from hoodwink.domain.games.double_blind.actions import Bribe, PlayPocket
from hoodwink.domain.games.double_blind.bot import merits
from hoodwink.domain.games.double_blind.decide import consequences, legal_actions
from hoodwink.domain.games.double_blind.events import BribePlayed, PocketPlayed
from hoodwink.domain.games.double_blind.evolve import evolve
from hoodwink.domain.games.double_blind.options import MAX_SEATS
from hoodwink.domain.games.double_blind.rules import MAX_VALUE, caper_points, value_of
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.kernel import Lookahead

_WORTHS = [
    [(2 + 0.65 * seats) * MAX_VALUE * (value / MAX_VALUE) ** 1.25 for value in range(MAX_VALUE + 1)]
    for seats in range(MAX_SEATS + 1)
]
"""By the number of seats and by value: the points that a card brings in later hats.

Hats are larger with more seats, and high cards win more often than their values say. Learnt in matches of rules of thumb with
two, three and four seats (decision 0102).
"""


def moves(state: State, seat: int) -> tuple[PlayPocket | Bribe, ...]:
    """Returns the seat's legal plays, one of those with cards of the same value; no offences."""
    chosen: dict[tuple[type, int], PlayPocket | Bribe] = {}
    for action in legal_actions(state, seat, 0):
        if isinstance(action, PlayPocket):
            card = state.pockets[seat - 1][action.slot]
            assert card is not None, "a legal play has a card"
            chosen.setdefault((PlayPocket, value_of(card)), action)
        elif isinstance(action, Bribe):
            chosen.setdefault((Bribe, value_of(action.card)), action)
    return tuple(chosen.values())


def apply(state: State, seat: int, move: PlayPocket | Bribe) -> State:
    """Returns the state after a legal play; nothing is checked."""
    if isinstance(move, Bribe):
        return _after(state, BribePlayed(seat, move.card))
    return _after(state, _pocket_played(state, seat, move.slot))


def _pocket_played(state: State, seat: int, slot: int) -> PocketPlayed:
    card = state.pockets[seat - 1][slot]
    assert card is not None, "a legal play has a card"
    return PocketPlayed(seat, slot, card)


def _after(state: State, played: PocketPlayed | BribePlayed) -> State:
    state = evolve(state, played)
    if not state.waiting:
        for event in consequences(state):
            state = evolve(state, event)  # type: ignore[arg-type]  # its own events
    return state


def play_on(state: State, chance: Random) -> State:
    """Returns the state after the seat to play did what *Steady* does."""
    seat = state.waiting[0]
    rated = merits(state, seat, has_bank=bool(state.bank))
    best = max(rated)
    at = rated.index(best)
    if rated.count(best) > 1:
        at = chance.choice([index for index, merit in enumerate(rated) if merit == best])
    return apply(state, seat, _option(state, seat, at))


def guess(state: State, seat: int) -> PlayPocket | Bribe | None:
    """Returns the play of a seat that saves its cards for larger hats, or `None` if it is not its move.

    Of equal plays it is always the first: chance would hide the differences between the moves that are compared.
    """
    if state.waiting[0] != seat:
        return None
    rated = merits(state, seat, has_bank=bool(state.bank), worths=_WORTHS[state.seats])
    return _option(state, seat, rated.index(max(rated)))


def _option(state: State, seat: int, at: int) -> PlayPocket | Bribe:
    """Returns one of the `options`. To build all of them would make playing on a seventh slower."""
    slots = [slot for slot, card in enumerate(state.pockets[seat - 1]) if card]
    if at < len(slots):
        return PlayPocket(slots[at])
    return Bribe(state.sleeves[seat][at - len(slots)])


def value(state: State) -> tuple[float, ...]:
    """Returns each seat's result of the caper: half for the first place, half for its share of all points."""
    points = caper_points(state)
    total, best = sum(points), max(points)
    firsts = points.count(best)
    return tuple([0.5 * (mine == best) / firsts + (0.5 * mine / total if total else 0) for mine in points])


LOOKAHEAD = Lookahead(
    moves=moves,
    apply=apply,
    play_on=play_on,
    guess=guess,
    value=value,
    max_effort=8_000,  # quick play weighs every card, and so takes twice as long as in other games
    scale="100% is half for the most points in the caper, and half for all of its points.",
)
