"""The rounds of a tournament report file, assembled from the lines of its players."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from hoodwink.domain.tournaments.crosstable import Board, Outcome, Round, Seat, SeatState, Unplayed, Why
from hoodwink.domain.tournaments.files.trf.lines import Block, Player
from hoodwink.domain.tournaments.scoring import HALF

_WHY: Final = {"U": Why.PAIRING_BYE, "F": Why.ASSIGNED_BYE, "H": Why.REQUESTED_BYE, "Z": Why.ABSENT}
_WORTH: Final = {
    "1": Fraction(1),
    "+": Fraction(1),
    "F": Fraction(1),
    "=": HALF,
    "H": HALF,
    "0": Fraction(0),
    "-": Fraction(0),
    "Z": Fraction(0),
}

# The opponent's possible results, by the player's own result.
_ANSWERS: Final = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+-"}


def score_of(block: Block, bye_score: Fraction) -> Fraction:
    return bye_score if block.result == "U" else _WORTH[block.result]


def round_of(
    players: Sequence[Player], number: int, scores: Mapping[int, Fraction], bye_score: Fraction
) -> Round:
    """Returns a round with its boards in order (C.04.2), which depends on the scores before it."""
    for player in players:
        _check(player, players, number)
    games = [(player, block) for player in players if (block := player.block(number)).colour == "w"]
    games.sort(key=lambda game: _board_order((game[0].number, game[1].opponent), scores))
    return Round(
        number=number,
        sitting=1,
        boards=tuple(
            _board(at, white, players[block.opponent - 1], number)
            for at, (white, block) in enumerate(games, 1)
        ),
        unplayed=tuple(
            Unplayed(entrant=player.number, why=_WHY[block.result], score=score_of(block, bye_score))
            for player in players
            if not (block := player.block(number)).opponent
        ),
    )


def _check(player: Player, players: Sequence[Player], number: int) -> None:
    """Checks a player's entry for a round, and that the opponent's entry agrees with it."""
    block = player.block(number)
    where = f"round {number}"
    if not block.opponent:
        if block.colour != "-" or block.result not in _WHY:
            raise player.line.error(
                f"{where} without an opponent must be `0000 - ` and one of {' '.join(_WHY)}"
            )
        return
    if block.colour not in {"w", "b"} or block.result not in _ANSWERS:
        raise player.line.error(
            f"{where} must have the colour w or b and one of the results {' '.join(_ANSWERS)}"
        )
    if block.opponent > len(players) or block.opponent == player.number:
        raise player.line.error(f"{where} has the opponent {block.opponent}; there is no such other player")
    answer = players[block.opponent - 1].block(number)
    if answer.opponent != player.number or answer.colour == block.colour:
        raise player.line.error(
            f"{where} has the opponent {block.opponent}, whose line does not name this player"
        )
    if answer.result not in _ANSWERS[block.result]:
        raise player.line.error(
            f"{where} has the result {block.result}, and the line of {block.opponent} has {answer.result}"
        )


def _board_order(pair: tuple[int, int], scores: Mapping[int, Fraction]) -> tuple[Fraction, Fraction, int]:
    higher = min(pair, key=lambda number: (-scores[number], number))
    return -scores[higher], -(scores[pair[0]] + scores[pair[1]]), higher


def _board(at: int, white: Player, black: Player, round_: int) -> Board:
    results = {player.number: player.block(round_).result for player in (white, black)}
    appeared = any(result != "-" for result in results.values())
    return Board(
        number=at,
        outcome=Outcome.RESULT if appeared else Outcome.NO_RESULT,
        seats=tuple(_seat(number, result) for number, result in results.items()),
    )


def _seat(number: int, result: str) -> Seat:
    if result == "-":
        return Seat(entrant=number, state=SeatState.NO_SHOW)
    return Seat(entrant=number, place=2 if result == "0" else 1)
