"""The score of each entrant in a round, the reason for it, and the opponents."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from itertools import compress
from typing import Any, assert_never

import msgspec

from hoodwink.domain.tournaments.crosstable import Board, Outcome, Round, Seat, SeatState, Unplayed, Why
from hoodwink.domain.tournaments.scoring.comparisons import Comparison, Exclusion
from hoodwink.domain.tournaments.scoring.places import (
    HALF,
    ONE,
    ZERO,
    effective_places,
    has_appeared,
    has_own_points,
    shares,
)
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Terms


class Status(StrEnum):
    """The reason for an entrant's score in a round."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit_win"  # nobody else appeared at the table (T-6)
    NO_SHOW = "no_show"  # did not appear at the table (T-6)
    ANNULLED = "annulled"  # the table ended without a result (T-10) or was voided (T-12)
    PENDING = "pending"  # the table has not finished
    NOT_SEATED = "not_seated"  # without a table; `why` is the reason


class RoundScore(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The score of an entrant in a round.

    Attributes:
        score: the score in the standings; 0 until the table has finished.
        provisional: the score for the pairing until the table has finished (T-11); otherwise 0.
        worth: the score of an unplayed round in first places: 0, ½ or 1, or the organiser's score; 0 for a played round.
        why: the reason why the entrant had no table.
        board, seat, size: the number of the board, the seat from 0, and the size of the table; size 0 without a table.
        opponents: the other entrants who appeared at the table (K-4). Empty in an unplayed round.
        halves: the result against each opponent, in half points: 2 for a win, 1 for equal places, 0 for a loss.
        missed: the intended opponents at a forfeited table.
        place: the place among those who appeared, in a played round.
        is_shared: whether another seat at the table, possibly a bot's, has the same place.
        is_win: whether it is a sole first place in a played round.
        state: the state of the entrant's seat; `PLAYED` without a table.
        is_least: whether `points` are the lowest at the table instead of those that a stand-in won (T-20).
        is_ruled: whether an official ruled on the table (V-5).
        is_doubled: whether the score is doubled in a streak of an arena (T-44).
        comparison: the comparison with the same seat at other tables, if all tables play the same deal (D-3).
        exclusion: why there is none at a table of such a tournament (D-5, D-6).
        points, mean: the entrant's points at a played table, and the mean of all seats that won their own points; `None`
            if the table does not count for the difference (K-2).
    """

    entrant: int
    status: Status
    score: Fraction = ZERO
    provisional: Fraction = ZERO
    worth: Fraction = ZERO
    why: Why | None = None
    board: int | None = None
    seat: int | None = None
    size: int = 0
    opponents: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    place: int | None = None
    is_shared: bool = False
    is_win: bool = False
    state: SeatState = SeatState.PLAYED
    is_least: bool = False
    is_ruled: bool = False
    is_doubled: bool = False
    points: int | None = None
    mean: Fraction | None = None
    comparison: Comparison | None = None
    exclusion: Exclusion | None = None

    @property
    def is_played(self) -> bool:
        """Whether the entrant played a table to its end."""
        return self.status is Status.PLAYED

    @property
    def is_seated(self) -> bool:
        """Whether the seat counts in later pairings: its table was played, or is in play (T-6, T-11)."""
        return self.status in {Status.PLAYED, Status.PENDING}


class _Worths(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The scores of unplayed rounds; with points, they use the mean and the minimum of the finished tables (T-20).

    `annulled` and `unfinished` are in first places. An arena has 0 for both (T-44).
    """

    mean: Fraction | None = None
    least: Fraction = ZERO
    annulled: Fraction = HALF
    unfinished: Fraction = HALF

    def of(self, worth: Fraction) -> Fraction:
        """Returns the score for a share of a first place."""
        return self.mean if self.mean is not None and worth else worth


def score_tables(round_: Round, terms: Terms) -> dict[int, RoundScore]:
    """Returns the score of each entrant from their own table alone."""
    worths = _worths(round_, terms)
    scores = {unplayed.entrant: _not_seated(unplayed, worths) for unplayed in round_.unplayed}
    for board in round_.boards:
        for score in _score_board(board, terms, worths):
            scores[score.entrant] = score
    return scores


def _worths(round_: Round, terms: Terms) -> _Worths:
    if terms.format is Format.ARENA:
        return _Worths(annulled=ZERO, unfinished=ZERO)
    if terms.score_by is not ScoreBy.POINTS:
        return _Worths()
    finished = [board for board in round_.boards if board.outcome is Outcome.RESULT]
    points = [seat.points for board in finished for seat in board.seats if seat.points is not None]
    if not points:
        return _Worths(mean=ZERO)
    return _Worths(mean=Fraction(sum(points), len(points)), least=Fraction(min(points)))


def _not_seated(unplayed: Unplayed, worths: _Worths) -> RoundScore:
    return RoundScore(
        entrant=unplayed.entrant,
        status=Status.NOT_SEATED,
        why=unplayed.why,
        worth=unplayed.score,
        score=worths.of(unplayed.score),
    )


def _score_board(board: Board, terms: Terms, worths: _Worths) -> Iterable[RoundScore]:
    match board.outcome:
        case Outcome.UNFINISHED:
            return _pending(board, worths)
        case Outcome.VOID:
            return _annulled(board, worths)
        case Outcome.NO_RESULT:
            return (
                _annulled(board, worths) if any(map(has_appeared, board.seats)) else _forfeited(board, worths)
            )
        case Outcome.RESULT:
            return _forfeited(board, worths) if is_forfeited(board) else _played(board, terms, worths)
        case _:
            assert_never(board.outcome)


def is_forfeited(board: Board) -> bool:
    """Returns whether at most one of several entrants appeared at a table (T-6)."""
    return sum(map(has_appeared, board.seats)) < 2 <= len(_entrants(board))


def _entrants(board: Board) -> list[tuple[int, int, Seat]]:
    """Returns the entrants at the table, each with the number of the seat and the seat."""
    return [
        (seat.entrant, number, seat) for number, seat in enumerate(board.seats) if seat.entrant is not None
    ]


def _at(board: Board, entrant: int, seat: int, status: Status, **fields: Any) -> RoundScore:
    return RoundScore(
        entrant=entrant,
        status=status,
        board=board.number,
        seat=seat,
        size=len(board.seats),
        state=board.seats[seat].state,
        is_ruled=board.is_ruled,
        **fields,
    )


def _pending(board: Board, worths: _Worths) -> Iterator[RoundScore]:
    met = [entrant for entrant, _, seat in _entrants(board) if has_appeared(seat)]
    for entrant, number, seat in _entrants(board):
        opponents = tuple(other for other in met if other != entrant) if has_appeared(seat) else ()
        yield _at(
            board,
            entrant,
            number,
            Status.PENDING,
            provisional=worths.of(worths.unfinished),
            opponents=opponents,
        )


def _annulled(board: Board, worths: _Worths) -> Iterator[RoundScore]:
    """Yields half a first place, or the organiser's score; no-shows have 0 (T-10, T-12)."""
    worth = worths.annulled if board.void_score is None else board.void_score
    for entrant, number, seat in _entrants(board):
        if has_appeared(seat):
            yield _at(board, entrant, number, Status.ANNULLED, score=worths.of(worth), worth=worth)
        else:
            yield _at(board, entrant, number, Status.NO_SHOW, score=worths.least)


def _forfeited(board: Board, worths: _Worths) -> Iterator[RoundScore]:
    """Yields a first place for the only entrant who appeared, and 0 for the others (T-6)."""
    entrants = _entrants(board)
    for entrant, number, seat in entrants:
        missed = tuple(other for other, _, _ in entrants if other != entrant)
        if has_appeared(seat):
            score = worths.of(ONE)
            yield _at(board, entrant, number, Status.FORFEIT_WIN, score=score, worth=ONE, missed=missed)
        else:
            yield _at(board, entrant, number, Status.NO_SHOW, score=worths.least, missed=missed)


def _played(board: Board, terms: Terms, worths: _Worths) -> Iterator[RoundScore]:
    places = effective_places(board.seats)
    points, mean = _points(board)
    by_points = terms.score_by is ScoreBy.POINTS
    scores = tuple(map(Fraction, points)) if by_points else shares(places, terms.score_by)
    entrants = _entrants(board)
    met = [(entrant, place) for entrant, number, _ in entrants if (place := places[number]) is not None]
    for entrant, number, seat in entrants:
        place, is_least = places[number], not has_own_points(seat)
        difference = {"is_least": is_least, "points": points[number], "mean": mean}
        if place is None:
            missed = difference if is_least else {}
            yield _at(board, entrant, number, Status.NO_SHOW, score=worths.least, **missed)
            continue
        is_shared = places.count(place) > 1
        others = [(other, theirs) for other, theirs in met if other != entrant]
        yield _at(
            board,
            entrant,
            number,
            Status.PLAYED,
            score=scores[number],
            opponents=tuple([other for other, _ in others]),
            halves=tuple([2 if place < theirs else 1 if place == theirs else 0 for _, theirs in others]),
            place=place,
            is_shared=is_shared,
            is_win=place == 1 and not is_shared,
            **difference,
        )


def _points(board: Board) -> tuple[list[int], Fraction | None]:
    """Returns each seat's points, the lowest at the table if a stand-in won them, and the mean of the others (T-20, K-2)."""
    points = [seat.points or 0 for seat in board.seats]
    is_own = [has_own_points(seat) for seat in board.seats]
    own = list(compress(points, is_own))
    mean = Fraction(sum(own), len(own)) if own else None
    lowest = min(points)
    return [mine if counts else lowest for mine, counts in zip(points, is_own, strict=True)], mean
