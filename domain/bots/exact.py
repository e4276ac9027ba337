"""Exact play near the end of a round, when the cards left are known or can be enumerated."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from itertools import permutations
from math import perm
from statistics import fmean
from typing import Any, Final, TypeAlias

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import Game, Knowledge, Lookahead, Stage, renamed

_MAX_MARKS: Final = 3
"""The number of unknown cards in play up to which all deals are tried."""

_PATIENCE: Final = 1 - 1e-6
"""The share of a result that is left one move earlier, so that a seat wins as soon as it can, and loses as late."""

_MAX_UPDATES: Final = 50
"""How often a position is valued again on average. Three seats could change each other's minds for ever."""


class TooLong(Exception):
    """Raised when the rest of the round has more positions than there is time for."""


Results: TypeAlias = dict[Any, tuple[float, ...]]
"""Of each move the average result; the gain over a round without an end, the greater the sooner; and the estimate right after it."""


def best_moves(
    game: Game[Any], known: Knowledge[Any], seat: int, moves: Collection[Any], *, positions: int
) -> Sequence[Any]:
    """Returns the moves that are best if all play well from now on; none if there are too many deals or positions.

    A move that makes sure of more than the others get comes alone. Of equal moves without such a gain, the others decide by
    their mistakes, which are not seen here.
    """
    results = exact_results(game, known, seat, moves, positions=positions)
    if results is None:
        return ()
    best = max(results, key=lambda move: results[move])
    result, gain, _ = results[best]
    return [best] if gain > 0 else [move for move in results if results[move][0] == result]


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
    after = {move: [lookahead.apply(state, seat, move) for state in _deals(known, marks)] for move in moves}
    try:
        for states in after.values():
            for state in states:
                solver.explore(state)
        solver.solve()
    except TooLong:
        return None
    results = Results()
    for move, states in after.items():
        value = fmean([solver.values[state][seat] for state in states])
        estimate = fmean([lookahead.value(state)[seat] for state in states])
        results[move] = round(value, 3), round(value - solver.neutral, 9), estimate
    return results


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
    """Values positions by every move to the end of the round. Each seat does the best for itself.

    Cards may be passed on and on. A position from which nobody can force an end is worth the same to all, because a round
    without an end has no result (G-15).

    Attributes:
        values: the results of all seats by position.
        neutral: each seat's result of a round without an end.
    """

    def __init__(self, game: Game[Any], lookahead: Lookahead[Any], positions: int) -> None:
        self._game, self._lookahead, self._left = game, lookahead, positions
        self._next: dict[Any, Sequence[tuple[int, Sequence[Any]]]] = {}
        self._before: defaultdict[Any, set[Any]] = defaultdict(set)
        self.neutral = 0.0
        self.values: dict[Any, tuple[float, ...]] = {}

    def explore(self, state: Any) -> None:
        """Finds all positions that can follow; raises `TooLong` if there are too many."""
        waiting = [state]
        while waiting:
            found = waiting.pop()
            if found in self.values:
                continue
            self._left -= 1
            if self._left < 0:
                raise TooLong
            self.values[found] = ()
            if self._game.stage(found) is not Stage.IN_PLAY:
                self.values[found] = self._lookahead.value(found)
                continue
            self._next[found] = [(seat, self._after(found, seat)) for seat in self._movers(found)]
            for _, states in self._next[found]:
                waiting += states
                for after in states:
                    self._before[after].add(found)

    def solve(self) -> None:
        """Carries the results of finished rounds back to all positions; raises `TooLong` if they do not settle."""
        # One number for all, because differences from rounding would be passed on for ever.
        self.neutral = fmean([fmean(results) for results in self.values.values() if results] or [0])
        for state in self._next:
            self.values[state] = (self.neutral,) * len(self._game.scores(state))
        left = _MAX_UPDATES * len(self._next)
        # Each position once, those found last first; then those that a change may concern.
        waiting = deque(reversed(self._next))
        is_waiting = set(waiting)
        while waiting:
            state = waiting.popleft()
            is_waiting.discard(state)
            value = self._value(state)
            if value != self.values[state]:
                left -= 1
                if left < 0:
                    raise TooLong
                self.values[state] = value
                new = self._before[state] - is_waiting
                waiting += new
                is_waiting |= new

    def _movers(self, state: Any) -> tuple[int, ...]:
        """Returns the seat that owes a move, and those that may act before it."""
        turn = self._game.turn(state)
        return (turn.owes[0], *(turn.may if self._game.interrupts else ()))

    def _after(self, state: Any, seat: int) -> tuple[Any, ...]:
        lookahead = self._lookahead
        return tuple([lookahead.apply(state, seat, move) for move in lookahead.moves(state, seat)])

    def _value(self, state: Any) -> tuple[float, ...]:
        (owing, states), *others = self._next[state]
        best = self._best(owing, states)
        for seat, early in others:
            # An action out of turn comes first: with its last cards, a seat may go out before the next one moves.
            if early and (results := self._best(seat, early))[seat] > best[seat]:
                best = results
        return tuple([self.neutral + _PATIENCE * (result - self.neutral) for result in best])

    def _best(self, seat: int, states: Sequence[Any]) -> tuple[float, ...]:
        return max([self.values[state] for state in states], key=lambda results: results[seat])
