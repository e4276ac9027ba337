"""The results of a deal that all tables of a round played (D-3, D-5 … D-7)."""

from collections import defaultdict
from enum import StrEnum
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.crosstable import Board
from hoodwink.domain.tournaments.life.facts import deal_of, is_embargoed, started_rounds, terms_of
from hoodwink.domain.tournaments.life.scoring.crosstables import crosstable_round
from hoodwink.domain.tournaments.life.state import PairedRound, Tournament
from hoodwink.domain.tournaments.scoring import Comparison, Exclusion, RoundScore, score_round
from hoodwink.domain.tournaments.terms import Compare


class DealStatus(StrEnum):
    """The progress of a deal."""

    EMBARGOED = "embargoed"  # not all tables have ended; only their players see them
    RELEASED = "released"  # all tables have ended; the results are about to follow
    COMPARED = "compared"


class DealTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table that plays or played a deal.

    Attributes:
        table: the id of the table, or `None` if none was needed because at most one entrant was present.
        entrants: starting ranks in seat order.
        has_ended: whether the table has ended.
    """

    board: int
    table: str | None
    entrants: tuple[int | None, ...]
    has_ended: bool


class SeatResult(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An entrant's result in a seat of a deal.

    Attributes:
        entrant: the starting rank.
        table: the id of the table, or `None` if none was needed.
        place: the place at the table; `None` without one.
        points: the points or tokens at the table, more being better; `None` without a result.
        score: the score in the standings: matchpoints as a share of 1, or a difference.
        comparison: the comparison with the same seat at the other tables, or `None` if the seat is not compared.
        exclusion: why the seat is not compared.
    """

    entrant: int
    board: int
    table: str | None
    place: int | None
    points: int | None
    score: Fraction
    comparison: Comparison | None
    exclusion: Exclusion | None


class SeatResults(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The results of all who played one seat, the best first.

    Attributes:
        size: the number of seats at these tables; only tables of one size are compared.
        seat: the number of the seat, from 0, which deals first.
    """

    size: int
    seat: int
    results: tuple[SeatResult, ...]


class DealResults(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A deal of a duplicate tournament.

    Attributes:
        deal: the number of the deal in the tournament.
        tables: the tables of the round, by board.
        seats: the results of each seat; empty until all tables have ended.
    """

    deal: int
    round: int
    status: DealStatus
    compare: Compare
    tables: tuple[DealTable, ...]
    seats: tuple[SeatResults, ...]


def deal_results(tournament: Tournament, number: int) -> DealResults | None:
    """Returns a deal, or `None` if the tournament has no such deal or has not started its round."""
    started = {deal_of(round_): round_ for round_ in started_rounds(tournament)}
    compare, round_ = tournament.compare, started.get(number)
    if compare is None or round_ is None:
        return None
    status = _status(tournament, round_)
    return DealResults(
        deal=number,
        round=round_.number,
        status=status,
        compare=compare,
        tables=tuple(
            [
                DealTable(
                    board=match.number,
                    table=match.deals[0].table or None,
                    entrants=match.deals[0].seats,
                    has_ended=bool(match.deals[0].seal) or match.deals[0].is_decided,
                )
                for match in round_.matches
            ]
        ),
        seats=_seats(tournament, round_) if status is DealStatus.COMPARED else (),
    )


def _status(tournament: Tournament, round_: PairedRound) -> DealStatus:
    has_tables = any(match.deals[0].table for match in round_.matches)
    if has_tables and is_embargoed(tournament, round_):
        return DealStatus.EMBARGOED
    is_reported = all(match.deals[0].is_decided for match in round_.matches)
    return DealStatus.COMPARED if is_reported else DealStatus.RELEASED


def _seats(tournament: Tournament, round_: PairedRound) -> tuple[SeatResults, ...]:
    terms, tables = terms_of(tournament), {match.number: match.deals[0].table for match in round_.matches}
    played = crosstable_round(tournament, round_)
    scores = score_round(played, terms)
    found: dict[tuple[int, int], list[SeatResult]] = defaultdict(list)
    for board in played.boards:
        for seat, holder in enumerate(board.seats):
            if holder.entrant is not None:
                result = _result(board, seat, scores[holder.entrant], tables[board.number])
                found[len(board.seats), seat].append(result)
    return tuple(
        [
            SeatResults(size=size, seat=seat, results=tuple(sorted(results, key=_order)))
            for (size, seat), results in sorted(found.items())
        ]
    )


def _result(board: Board, seat: int, mine: RoundScore, table: str) -> SeatResult:
    return SeatResult(
        entrant=mine.entrant,
        board=board.number,
        table=table or None,
        place=mine.place,
        points=board.seats[seat].points,
        score=mine.score,
        comparison=mine.comparison,
        exclusion=mine.exclusion,
    )


def _order(result: SeatResult) -> tuple[bool, Fraction, int]:
    """Returns the sort key that puts the best result first and those that are not compared last."""
    return result.comparison is None, -result.score, result.board
