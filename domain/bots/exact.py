"""Exact play near the end of a round, when the cards left are known or can be enumerated."""

from collections.abc import Collection, Iterator
from itertools import permutations
from math import perm
from typing import Any, Final, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Game, Knowledge, Lookahead, Stage, renamed

_MAX_MARKS: Final = 3
"""The number of unknown cards in play up to which all deals are tried."""


_MAX_DEPTH: Final = 60
"""The number of moves up to which a round is searched, because cards may be passed on and on in some games."""


class TooLong(Exception):
    """Raised when the rest of the round has more positions than there is time for."""


Results: TypeAlias = dict[Any, tuple[float, float]]
"""Of each move the average result, and of equal moves the estimate right after it: the higher, the less is left to do."""


def best_move(
    game: Game[Any], known: Knowledge[Any], seat: int, moves: Collection[Any], *, positions: int
) -> Any | None:
    """Returns the move that is best if all play well from now on; `None` if there are too many deals or positions."""
    results = exact_results(game, known, seat, moves, positions=positions)
    return None if results is None else max(results, key=lambda move: results[move])


def exact_results(
    game: Game[Any], known: Knowledge[Any], seat: int, moves: Collection[Any], *, positions: int
) -> Results | None:
    """Returns the results of moves if all play well from now on; `None` if there are too many deals or positions.

    Over several deals, the results are averaged. That is exact for the last decision of a seat, and a good guess before.
    """
    lookahead = game.lookahead
    assert lookahead is not None, "bots that think can think ahead"
    marks = _marks_in_play(known, lookahead)
    if len(marks) > _MAX_MARKS or perm(len(known.unseen), len(marks)) * len(moves) > positions:
        return None
    solver = _Solver(game, lookahead, positions)
    totals, deals = dict.fromkeys(moves, (0.0, 0.0)), 0
    try:
        for state in _deals(known, marks):
            deals += 1
            for move, (total, estimate) in totals.items():
                after = lookahead.apply(state, seat, move)
                totals[move] = total + solver.value(after)[seat], estimate + lookahead.value(after)[seat]
    except TooLong:
        return None
    return {move: (round(total / deals, 9), estimate / deals) for move, (total, estimate) in totals.items()}


def _marks_in_play(known: Knowledge[Any], lookahead: Lookahead[Any]) -> tuple[Card, ...]:
    out = {card for name in lookahead.out_of_play for card in getattr(known.state, name)}
    return tuple([mark for mark in known.marks if mark not in out])


def _deals(known: Knowledge[Any], marks: tuple[Card, ...]) -> Iterator[Any]:
    """Yields each deal to these marks that agrees with the knowledge as often as it is likely."""
    excluded: dict[Card, frozenset[Card]] = {mark: faces for faces, marks in known.limits for mark in marks}
    for unseen in permutations(known.unseen, len(marks)):
        faces = dict(zip(marks, unseen, strict=True))
        is_allowed = all(face not in excluded.get(mark, ()) for mark, face in faces.items())
        if is_allowed and all(face in [faces[mark] for mark in marks] for face, marks in known.among):
            yield renamed(known.state, faces)


class _Solver:
    """Values positions by playing every move to the end of the round. Each seat does the best for itself."""

    def __init__(self, game: Game[Any], lookahead: Lookahead[Any], positions: int) -> None:
        self._game, self._lookahead, self._left = game, lookahead, positions
        self._values: dict[Any, tuple[float, ...]] = {}

    def value(self, state: Any, depth: int = 0) -> tuple[float, ...]:
        known = self._values.get(state)
        if known is not None:
            return known
        self._left -= 1
        if self._left < 0 or depth > _MAX_DEPTH:
            raise TooLong
        # Also the value of a position that is reached again on the way, because play could go round in circles.
        best = self._values[state] = self._lookahead.value(state)
        if self._game.stage(state) is Stage.IN_PLAY:
            best = self._values[state] = self._in_play(state, depth)
        return best

    def _in_play(self, state: Any, depth: int) -> tuple[float, ...]:
        turn = self._game.turn(state)
        best = self._best(state, turn.owes[0], depth)
        assert best is not None, "a seat that owes an action has one"
        if self._game.interrupts:
            # An action out of turn comes first: with its last cards, a seat may go out before the next one moves.
            for seat in turn.may:
                early = self._best(state, seat, depth)
                if early is not None and early[seat] > best[seat]:
                    best = early
        return best

    def _best(self, state: Any, seat: int, depth: int) -> tuple[float, ...] | None:
        """Returns the results of the seat's best move, or `None` if it has none."""
        lookahead = self._lookahead
        values = [
            self.value(lookahead.apply(state, seat, move), depth + 1) for move in lookahead.moves(state, seat)
        ]
        return max(values, key=lambda results: results[seat], default=None)
