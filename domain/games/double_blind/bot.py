"""The Double Blind bot: it wins the hats that are worth winning, as cheaply as possible, or ties if it is likely to win then.

It looks at the pockets from which rivals will play, as every player may.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

from hoodwink.domain.bots import ranked
from hoodwink.domain.games.double_blind.actions import Bribe, PlayPocket
from hoodwink.domain.games.double_blind.options import MAX_SEATS, POCKET_SIZE, SLEEVE_SIZE
from hoodwink.domain.games.double_blind.rules import MAX_VALUE, TIE_BONUS, VALUES
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.games.double_blind.view import View
from hoodwink.domain.kernel import Action, Game, Observation

_AVERAGE: Final = 8
_MAX_LOSS: Final = 6


def _chances_by(saves: float) -> list[list[list[float]]]:
    """Returns how often a rival does not beat a card, if it saves a higher card that the bot sees with a probability.

    The lists are by the number of the rival's hidden cards, by its highest other card, and by the value to beat.
    """
    values = range(MAX_VALUE + 1)
    return [
        [
            [saves if seen > value else (value / MAX_VALUE) ** (hidden / 3) for value in values]
            for seen in values
        ]
        for hidden in range(POCKET_SIZE + SLEEVE_SIZE + 1)
    ]


_IN_HAT: Final = _chances_by(0.5)
_IN_TRICK: Final = _chances_by(0.2)

_WORTHS: Final = [2.5 * value for value in range(MAX_VALUE + 1)]
"""The points that a card brings in later hats, by its value."""

_GIFTS: Final = [[value / max(1, seats) for value in range(MAX_VALUE + 1)] for seats in range(MAX_SEATS + 1)]
"""By the number of seats and by value: what a card gives to each rival if it does not win the last hat."""


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the plays by the expected gain from this hat minus the cost of the card."""
    view, seat = observation.view, observation.seat
    rated = dict(zip(options(view, seat), merits(view, seat, has_bank=view.stock_count > 0), strict=True))
    return ranked(rated, rated.__getitem__, chance, max_loss=_MAX_LOSS)


def options(table: View | State, seat: int) -> list[PlayPocket | Bribe]:
    """Returns the plays of a seat, with equal cards of its sleeve as often as it has them."""
    pocket = table.pockets[seat - 1]
    return [PlayPocket(slot) for slot, card in enumerate(pocket) if card] + [*map(Bribe, table.sleeves[seat])]


def merits(
    table: View | State, seat: int, *, has_bank: bool, worths: Sequence[float] = _WORTHS
) -> list[float]:
    """Returns the merits of the seat's options in the same order.

    The state of the table may stand for the view of the seat to play: cards that this seat cannot see are not read.

    Args:
        worths: by value, the points that a card is expected to bring in later hats.
    """
    pockets, contenders = table.pockets, table.contenders
    values = [VALUES[card] for card in pockets[seat - 1] if card]
    in_pocket = len(values)
    values += [VALUES[card] for card in table.sleeves[seat]]
    if len(values) == 1:
        return [0.0]
    index = contenders.index(seat)
    played = [VALUES[play.card] for play in table.middle]
    to_beat = played[len(played) - index :]
    best = max(to_beat, default=0)
    later = contenders[index + 1 :]
    pot = sum(played) + table.bonus + _AVERAGE * len(later)
    tie = 0.0
    if best in values:
        rest = values.copy()
        rest.remove(best)
        tied = [rival for rival, other in zip(contenders, to_beat, strict=False) if other == best]
        tie = pot + best + TIE_BONUS + _AVERAGE
        tie *= _trick_chance(table, seat, tied, max(rest))
    chances = [_chances(table, seat, rival) for rival in later]
    if not has_bank and not all(map(any, pockets)):  # the last hat
        worths = _GIFTS[len(pockets)]
    rated = []
    for value in values:
        merit = -worths[value]
        if value >= best:
            gain = pot + value if value > best else tie
            for chance in chances:
                gain *= chance[value]
            merit += gain
        rated.append(merit)
    if not has_bank:  # cards kept in the sleeve score for their owner at the end
        for at in range(in_pocket, len(values)):
            rated[at] -= values[at]
    return rated


def _trick_chance(table: View | State, seat: int, tied: Iterable[int], highest: int) -> float:
    """Returns the probability of winning a trick against seats that tied, with this highest card.

    A rival without a card drops out (DB-22), and beats nothing.
    """
    chance = 1.0
    for rival in tied:
        chance *= _chances(table, seat, rival, _IN_TRICK)[highest]
    return chance


def _chances(
    table: View | State, seat: int, rival: int, chances: Sequence[Sequence[list[float]]] = _IN_HAT
) -> list[float]:
    """Returns by value how often a rival does not beat a card, by what the seat sees of the rival's cards."""
    hidden = len(table.sleeves[rival])
    if rival == seat + 1 or rival == seat + 1 - len(table.pockets):  # it plays from the seat's own pocket
        return chances[hidden + POCKET_SIZE - table.pockets[seat].count(None)][0]
    return chances[hidden][max([VALUES[card] for card in table.pockets[rival - 1] if card], default=0)]
