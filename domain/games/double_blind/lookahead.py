"""The Double Blind for bots that think ahead: the moves worth comparing, quick play, and what a position is worth."""

from random import Random

from hoodwink.domain.games.double_blind.actions import Bribe, PlayPocket
from hoodwink.domain.games.double_blind.decide import consequences, legal_actions
from hoodwink.domain.games.double_blind.events import BribePlayed, PocketPlayed
from hoodwink.domain.games.double_blind.evolve import evolve
from hoodwink.domain.games.double_blind.rules import VALUES, caper_points, value_of
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.kernel import Lookahead

_HIGH = 0.5
"""How often quick play puts its highest card first, rather than its lowest."""

_PLACES, _BELOW = 16, 8
_RANKS = {card: _PLACES * value for card, value in VALUES.items()}


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
    """Returns the state after the seat to play wins as cheaply as it can, tries to, or gives its lowest card."""
    seat = state.waiting[0]
    sleeve = state.sleeves[seat]
    # An option is a number, because numbers are compared faster than pairs: the rank of its card, then where it is.
    options = [_RANKS[card] + slot for slot, card in enumerate(state.pockets[seat - 1]) if card is not None]
    for index, card in enumerate(sleeve):
        options.append(_RANKS[card] + ~index)
    played = len(state.contenders) - len(state.waiting)
    beaten = _BELOW + max([_RANKS[play.card] for play in state.middle[-played:]]) if played else 0
    chosen = max(options)
    if chosen <= beaten:
        chosen = min(options)
    elif len(state.waiting) == 1:
        chosen = min([option for option in options if option > beaten])
    elif chance.random() >= _HIGH:
        chosen = min(options)
    at = (chosen + _BELOW) % _PLACES - _BELOW
    return _after(state, _pocket_played(state, seat, at) if at >= 0 else BribePlayed(seat, sleeve[~at]))


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
    value=value,
    scale="100% is half for the most points in the caper, and half for all of its points.",
)
