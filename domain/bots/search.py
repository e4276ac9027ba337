"""Bots that think ahead: flat Monte Carlo over imagined deals.

Every candidate is tried in the same imagined deals with the same luck, so that they differ only by the candidate. After
each part of the deals, the worse half of the candidates is dropped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import Any

from hoodwink.domain.bots.exact import best_moves
from hoodwink.domain.kernel import Action, Game, Lookahead, Observation, Policy, Stage

_MANY_ACTIONS = 100
_OTHER_MOVE_RATE = 0.1
"""The probability of the second best move in a round of more than this many actions per seat.

Ordinary rounds end earlier. In Coconut they take up to 65 actions per seat, and such moves cost games near the end.
"""

_MIN_ERRORS = 1.0
"""The standard errors by which a move must be better than the rules of thumb."""


def thinking(playouts: int, *, positions: int = 0) -> Policy:
    """Returns the policy that plays on this many times for a decision, each time to the end of the round.

    Args:
        playouts: for a decision.
        positions: if the rest of the round has no more than this, the policy plays exactly.
    """

    def think(game: Game[Any], observation: Observation, chance: Random) -> Action:
        known, lookahead = observation.known, game.lookahead
        assert known is not None, "a bot that thinks needs to know what its seat saw"
        assert lookahead is not None, f"bots cannot think ahead in {game.title}"
        moves: Sequence[Any] = lookahead.moves(known.state, observation.seat)
        if len(moves) == 1:
            return moves[0]  # type: ignore[no-any-return]
        habit = lookahead.guess(known.state, observation.seat) or game.rank(game, observation, chance)[0]
        candidates = dict.fromkeys((habit, *moves))  # each once, because they count towards the limit
        if positions and (
            exact := best_moves(game, known, observation.seat, candidates, positions=positions)
        ):
            if len(exact) == 1:
                return exact[0]  # type: ignore[no-any-return]
            moves, habit = exact, habit if habit in exact else exact[0]
        search = Search(game, lookahead, observation.seat, chance)
        best = search.best(moves, habit, playouts, lambda: game.imagine(known, chance))
        # Otherwise two bots that are sure of their moves could pass the same cards back and forth forever (G-15).
        may_repeat = observation.actions > _MANY_ACTIONS * len(game.scores(known.state))
        return best[may_repeat and len(best) > 1 and chance.random() < _OTHER_MOVE_RATE]  # type: ignore[no-any-return]

    return think


class Search:
    """Compares moves of a seat by playing on from each of them.

    Attributes:
        luck: the generator for playing on, which is set to the same state for each candidate.
    """

    def __init__(self, game: Game[Any], lookahead: Lookahead[Any], seat: int, chance: Random) -> None:
        self._game, self._lookahead, self._seat, self._chance = game, lookahead, seat, chance
        self._played = 0
        self._luck = Random(0)  # noqa: S311 - seeded again for each deal

    def best(
        self, moves: Collection[Any], habit: Any, playouts: int, imagine: Callable[[], Any]
    ) -> Sequence[Any]:
        """Returns the best move and the second best one, if there are two, by average results over imagined deals.

        Args:
            habit: the move by rules of thumb. It stays the best one unless another is clearly better: most differences
                are small, and the result of a round depends far more on the deal.
        """
        results: dict[Any, list[float]] = {move: [] for move in (habit, *moves)}
        rivals = [move for move in results if move != habit]
        parts = len(rivals).bit_length()
        for left in reversed(range(parts)):
            end = self._played + self._lookahead.max_effort // parts
            for _ in range(max(1, playouts // parts // (1 + len(rivals)))):
                for move, result in self._try_all((habit, *rivals), imagine()):
                    results[move].append(result)
                if self._played >= end:
                    break
            # Moves that differ from the habit in suits alone have the same results. Other moves with the same ones so far
            # cannot be clearly better.
            rivals = [move for move in rivals if results[move] != results[habit]]
            rivals.sort(key=lambda move: sum(results[move]), reverse=True)
            if not rivals:
                break
            if left:
                rivals = rivals[: (1 + len(rivals)) // 2]
        if not rivals:
            return (habit,)
        best = rivals[0]
        gains = [result - usual for result, usual in zip(results[best], results[habit], strict=True)]
        return (best, habit) if _is_clear(gains) else (habit, best)

    def results(self, moves: Collection[Any], deals: int, imagine: Callable[[], Any]) -> dict[Any, float]:
        """Returns the average results of moves over the same deals."""
        totals = dict.fromkeys(moves, 0.0)
        for _ in range(deals):
            for move, result in self._try_all(totals, imagine()):
                totals[move] += result
        return {move: total / deals for move, total in totals.items()}

    def _try_all(self, moves: Iterable[Any], state: Any) -> Iterator[tuple[Any, float]]:
        seed = self._chance.getrandbits(32)
        for move in moves:
            self._luck.seed(seed)
            yield move, self._result(self._lookahead.apply(state, self._seat, move))

    def _result(self, state: Any) -> float:
        lookahead, stage, seat = self._lookahead, self._game.stage, self._seat
        played, end = 0, lookahead.max_moves(state)
        while played < end and stage(state) is Stage.IN_PLAY:
            played += 1
            move = lookahead.guess(state, seat)
            if move is None:
                state = lookahead.play_on(state, self._luck)
            else:
                state = lookahead.apply(state, seat, move)
        self._played += played
        return lookahead.value(state)[seat]


def _is_clear(gains: Sequence[float]) -> bool:
    """Returns whether the mean is more than `_MIN_ERRORS` standard errors above zero."""
    mean = fmean(gains)
    variance = fmean([gain * gain for gain in gains]) - mean * mean
    return mean > 0 and mean * mean * len(gains) > _MIN_ERRORS**2 * variance
