"""The scores of a round in which every table played the same deal (D-3, D-5, D-6)."""

from collections import defaultdict
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Board, Outcome, Round, SeatState
from hoodwink.domain.tournaments.scoring.comparisons import Comparison, Exclusion, comparisons
from hoodwink.domain.tournaments.scoring.places import ONE, ZERO
from hoodwink.domain.tournaments.scoring.rounds import RoundScore, Status, score_tables
from hoodwink.domain.tournaments.terms import Compare, Terms


def score_duplicate(round_: Round, terms: Terms, compare: Compare) -> dict[int, RoundScore]:
    """Returns the scores by comparison. Without the comparisons they are those by place, for tie-breaks and pairing."""
    released = round_ if _is_finished(round_) else _unfinished(round_)
    by_place = score_tables(released, terms)
    found = _comparisons(released, compare)
    compared = {entrant: comparison.score for entrant, comparison in found.items()}
    least, scores = min((ZERO, *compared.values())), {}
    for entrant, mine in by_place.items():
        comparison = found.get(entrant)
        if comparison is not None:
            score = compared[entrant]
        elif compare is Compare.MATCHPOINTS:
            score = _share(mine, released)
        else:
            score = least if _is_lost(mine, released) else ZERO
        scores[entrant] = replace(
            mine,
            score=score,
            provisional=mine.provisional if compare is Compare.MATCHPOINTS else ZERO,
            comparison=comparison,
            exclusion=None if comparison is not None else _exclusion(mine, released),
        )
    return scores


def _is_finished(round_: Round) -> bool:
    return all(board.outcome is not Outcome.UNFINISHED for board in round_.boards)


def _unfinished(round_: Round) -> Round:
    """Returns the round without any result: a comparison says something about every table of the deal (D-7)."""
    return replace(
        round_, boards=tuple([replace(board, outcome=Outcome.UNFINISHED) for board in round_.boards])
    )


def _comparisons(round_: Round, compare: Compare) -> dict[int, Comparison]:
    """Returns the comparisons of the entrants whose results are compared."""
    tables: dict[int, list[Board]] = defaultdict(list)
    for board in round_.boards:
        tables[len(board.seats)].append(board)
    found = {}
    for size, boards in tables.items():
        means = [_mean(board) for board in boards] if compare is Compare.MARGIN else ()
        for seat in range(size):
            results = [_result(board, seat) for board in boards]
            for board, comparison in zip(boards, comparisons(results, compare, means), strict=True):
                entrant = board.seats[seat].entrant
                if entrant is not None and comparison is not None:
                    found[entrant] = comparison
    return found


def _mean(board: Board) -> Fraction:
    """Returns the mean points of all seats of a table, no matter who won them; 0 if it has none."""
    return Fraction(sum(seat.points or 0 for seat in board.seats), len(board.seats))


def _result(board: Board, number: int) -> int | None:
    """Returns the points of a seat if they are compared, and otherwise `None` (D-5, D-6)."""
    seat = board.seats[number]
    is_compared = board.outcome is Outcome.RESULT and not board.is_cut_short
    return seat.points if is_compared and seat.state is SeatState.PLAYED else None


_UNPLAYED: Final = {
    Status.NO_SHOW: Exclusion.NO_SHOW,
    Status.FORFEIT_WIN: Exclusion.FORFEIT_WIN,
}
_LEFT: Final = {SeatState.RESIGNED: Exclusion.RESIGNED, SeatState.STAND_IN: Exclusion.STAND_IN}


def _exclusion(mine: RoundScore, round_: Round) -> Exclusion | None:
    """Returns why an entrant is not compared; `None` without a table, or if the tables have not finished."""
    if mine.status is Status.ANNULLED:
        return Exclusion.VOID if _board(mine, round_).outcome is Outcome.VOID else Exclusion.NO_RESULT
    if mine.status is not Status.PLAYED:
        return _UNPLAYED.get(mine.status)
    return _LEFT.get(mine.state, Exclusion.LAST_LEFT)


def _is_lost(mine: RoundScore, round_: Round) -> bool:
    """Returns whether an entrant gave up the seat, or left more than half of its turns to a bot (D-6)."""
    if mine.status is Status.NO_SHOW:
        return True
    return mine.status is Status.PLAYED and not _is_last_left(mine, round_)


def _is_last_left(mine: RoundScore, round_: Round) -> bool:
    return _board(mine, round_).is_cut_short and mine.state is SeatState.PLAYED


def _board(mine: RoundScore, round_: Round) -> Board:
    return next(board for board in round_.boards if board.number == mine.board)


def _share(mine: RoundScore, round_: Round) -> Fraction:
    """Returns the matchpoints of an entrant who is not compared, as a share of the maximum."""
    if mine.status is Status.PLAYED:
        return ONE if _is_last_left(mine, round_) else ZERO
    return mine.score
