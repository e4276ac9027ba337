"""The Double Blind bot: it wins the hats that are worth winning, as cheaply as possible, or ties if it is likely to win then.

It looks at the pockets from which rivals will play, as every player may.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, assert_never, cast

from hoodwink.domain.bots import ranked
from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games.double_blind.actions import Bribe, PlayPocket
from hoodwink.domain.games.double_blind.rules import TIE_BONUS, value_of
from hoodwink.domain.games.double_blind.view import View
from hoodwink.domain.kernel import Action, Game, Observation, right

_MAX_VALUE = 15
_AVERAGE = 8
_SAVES, _SAVES_IN_TRICK = 0.5, 0.2
"""How often a rival does not play a higher card that the bot can see."""

_MAX_LOSS = 6
_WORTH, _WORTH_PER_SEAT = 2, 0.65
"""The points that a card brings later, per point of its value: hats are larger with more seats."""

_WORTH_POWER = 1.25
"""High cards win more often than their values say. This and the worths won most first places in matches."""


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the plays by the expected gain from this hat minus the cost of the card."""
    actions = cast(tuple[PlayPocket | Bribe, ...], observation.legal_actions)
    if len(actions) == 1:
        return actions
    return ranked(actions, lambda action: _merit(action, observation), chance, max_loss=_MAX_LOSS)


def _merit(action: PlayPocket | Bribe, observation: Observation) -> float:
    view: View = observation.view
    match action:
        case PlayPocket():
            value = value_of(cast(Any, view.pockets[_target(view, observation.seat)][action.slot]))
            return _outlook(value, observation) - _worth(value, view)
        case Bribe():  # once the bank is empty, a card kept in the sleeve scores for its owner at the end
            value = value_of(action.card)
            kept = 0 if view.stock_count else value
            return _outlook(value, observation) - _worth(value, view) - kept
        case _:
            assert_never(action)


def _worth(value: int, view: View) -> float:
    """Returns the points that a card brings in later hats, or if this is the last hat, its points for each rival."""
    seats = len(view.pockets)
    if not view.stock_count and not all(map(any, view.pockets)):
        return value / seats
    return (_WORTH + _WORTH_PER_SEAT * seats) * _MAX_VALUE * (value / _MAX_VALUE) ** _WORTH_POWER


def _outlook(value: int, observation: Observation) -> float:
    """Returns the expected points from the hat after playing a card of this value."""
    view: View = observation.view
    index = view.contenders.index(observation.seat)
    earlier, later = view.contenders[:index], view.contenders[index + 1 :]
    played = [value_of(play.card) for play in view.middle]
    pot = sum(played) + view.bonus + value + _AVERAGE * len(later)
    to_beat = played[len(played) - index :]
    best = max(to_beat, default=0)
    if value < best:
        return 0
    outlook = float(pot)
    if value == best:
        tied = [seat for seat, other in zip(earlier, to_beat, strict=True) if other == best]
        outlook = (pot + TIE_BONUS + _AVERAGE) * _trick_chance(value, tied, observation)
    for rival in later:
        outlook *= _holds(value, view, rival)
    return outlook


def _trick_chance(value: int, tied: Sequence[int], observation: Observation) -> float:
    """Returns the probability of winning the trick after tying with a card of this value."""
    view: View = observation.view
    left = sorted(map(value_of, cast(Any, _credit(view, observation.seat))))
    left.remove(value)
    chance = 1.0
    for rival in tied:
        if view.stock_count or _credit(view, rival):  # otherwise the rival drops out (DB-22)
            chance *= _holds(left[-1], view, rival, saves=_SAVES_IN_TRICK)
    return chance


def _holds(value: int, view: View, rival: int, *, saves: float = _SAVES) -> float:
    """Returns the probability that a rival does not beat the card."""
    cards = _credit(view, rival)
    if any(card != HIDDEN and value_of(card) > value for card in cards):
        return saves
    return float((value / _MAX_VALUE) ** (cards.count(HIDDEN) / 3))


def _credit(view: View, seat: int) -> list[Any]:
    """Returns the cards that a seat may play, of its target's pocket and its own sleeve (`??` if hidden)."""
    return [card for card in (*view.pockets[_target(view, seat)], *view.sleeves[seat]) if card]


def _target(view: View, seat: int) -> int:
    return right(seat, len(view.pockets))
