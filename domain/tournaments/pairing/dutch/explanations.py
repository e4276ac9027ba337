"""Explains in plain words why each entrant has their opponent and colour.

The texts are recorded in logs, and `verify` compares them byte for byte, so they never change.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import assert_never

import msgspec

from hoodwink.domain.tournaments.pairing.case import Explanation
from hoodwink.domain.tournaments.pairing.dutch.allocation import Reason, wants
from hoodwink.domain.tournaments.pairing.dutch.colours import Colour
from hoodwink.domain.tournaments.pairing.dutch.players import Player


class Game(msgspec.Struct, frozen=True):
    """A board of the round, and the rule that decided its colours."""

    white: Player
    black: Player
    reason: Reason


def explain(games: Iterable[Game], byes: Iterable[Player]) -> tuple[Explanation, ...]:
    """Returns the explanations of all entrants, in order of starting rank."""
    explanations = [*_of_games(games), *map(_of_bye, byes)]
    return tuple(sorted(explanations, key=lambda explanation: explanation.entrant))


def _of_games(games: Iterable[Game]) -> Iterator[Explanation]:
    for game in games:
        yield _of(
            game.white, game.black, f"Seat 0 (white), because {_why_colour(game.white, 'w', game.reason)}."
        )
        yield _of(
            game.black, game.white, f"Seat 1 (black), because {_why_colour(game.black, 'b', game.reason)}."
        )


def _of(player: Player, opponent: Player, seat: str) -> Explanation:
    return Explanation(
        entrant=player.number,
        score=player.score,
        floated=max(0, opponent.level - player.level),
        text=f"{_why_opponent(player, opponent)} {seat}",
    )


def _of_bye(player: Player) -> Explanation:
    text = (
        "Has the bye, because the number of players is odd, and the score is the lowest "
        "that lets all others be paired."
    )
    return Explanation(entrant=player.number, score=player.score, floated=0, text=text)


def _why_opponent(player: Player, opponent: Player) -> str:
    own, theirs = _points(player.score), _points(opponent.score)
    if player.level == opponent.level:
        return f"Meets {opponent.number} within the score group of {own}."
    if player.level > opponent.level:
        return f"Meets {opponent.number} of the score group of {theirs}, having been left over above it."
    return f"Meets {opponent.number}, who was left over in the score group of {theirs}."


def _why_colour(player: Player, colour: Colour, reason: Reason) -> str:
    own, other = ("white", "black") if colour == "w" else ("black", "white")
    is_granted = wants(player, colour)
    match reason:
        case Reason.BOTH_GRANTED:
            return f"{own} is due" if is_granted else f"{other} is due to the opponent"
        case Reason.STRONGER:
            return (
                f"{own} is due more strongly"
                if is_granted
                else f"{other} is due more strongly to the opponent"
            )
        case Reason.ALTERNATION:
            return "both are due the same seat, and swap those they had when these last differed"
        case Reason.HIGHER:
            return "both are due the same seat, and the higher ranked gets it"
        case Reason.INITIAL:
            return "neither has played yet, and the lot for the first board decides with the pairing number"
        case _:
            assert_never(reason)


def _points(score: Fraction) -> str:
    """Returns a score in the usual notation, such as 2½."""
    whole, rest = divmod(score, 1)
    if rest == Fraction(1, 2):
        return f"{whole or ''}½"
    return str(score)
