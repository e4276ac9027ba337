"""Explains each number in a row as data: the rounds and opponents that contribute (K-2). `words` turns it into sentences."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.crosstable import Board, Outcome, SeatState, Why
from hoodwink.domain.tournaments.scoring import HALF, Comparison, Exclusion, RoundScore, Status
from hoodwink.domain.tournaments.standings.direct import halves_against
from hoodwink.domain.tournaments.standings.opponents import Basis, Contribution, against, left_out
from hoodwink.domain.tournaments.standings.ranking import Row, Standings
from hoodwink.domain.tournaments.standings.sheet import Line, Sheet, best_sittings
from hoodwink.domain.tournaments.standings.tiebreaks import addends
from hoodwink.domain.tournaments.terms import Compare, Format, ScoreBy, Tiebreak


class Against(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An opponent's contribution to a number.

    Attributes:
        entrant: `None` for the virtual opponent of an unplayed round.
        score: the opponent's score as it counts for this tie-break.
        total: the opponent's score in the standings, which may differ from `score` because of C.07 16.3.
        scored: the result against them: 1 for a win, ½ or 0; for a virtual opponent, the factor.
    """

    entrant: int | None
    score: Fraction
    total: Fraction
    scored: Fraction | None = None


class Departure(StrEnum):
    """The reason why an entrant no longer played in a round."""

    WITHDRAWN = "withdrawn"
    EXPELLED = "expelled"
    KNOCKED_OUT = "knocked_out"


class Part(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The contribution of a round to a number.

    Attributes:
        is_left_out: whether it does not count, because it was cut or because its sitting is not among the best.
        status, why, place, is_shared, size: the reasons for the score of the round; only for the score and wins.
        departure: why an entrant no longer played, if the round counts as withdrawn.
        state: the state of the entrant's seat, unless the entrant played it; only for the score, wins and difference.
        is_least: whether the lowest points at the table count instead of those that a stand-in won (T-20, K-2).
        is_ruled: whether an official ruled on the table (V-5).
        is_doubled: whether the score is doubled in a streak of an arena (T-44).
        is_void: whether the table was voided (T-12), or its result does not count by a ruling.
        void_score: the score from the organiser's decision about the voided table; `None` without a decision.
        comparison: the comparison with the same seat at the other tables of the deal; only for the score (D-3).
        exclusion: why a seat at a table of a shared deal is not compared; only for the score (D-5, D-6).
        basis: the kind of score that counts; only for Buchholz and Sonneborn-Berger.
        points, mean: the entrant's points, and the mean of the table; only for the difference.
    """

    round: int
    value: Fraction
    is_left_out: bool = False
    against: tuple[Against, ...] = ()
    status: Status | None = None
    why: Why | None = None
    departure: Departure | None = None
    state: SeatState | None = None
    is_least: bool = False
    is_ruled: bool = False
    is_doubled: bool = False
    is_void: bool = False
    void_score: Fraction | None = None
    place: int | None = None
    is_shared: bool = False
    size: int | None = None
    comparison: Comparison | None = None
    exclusion: Exclusion | None = None
    basis: Basis | None = None
    points: int | None = None
    mean: Fraction | None = None


class Explanation(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of one of an entrant's numbers.

    Attributes:
        tiebreak: `None` for the score.
        value: the sum of the parts that count; for `direct` and `lot`, a place.
        tied: the entrants whom `direct` had to separate, including this one.
    """

    entrant: int
    tiebreak: Tiebreak | None
    value: Fraction | None
    parts: tuple[Part, ...] = ()
    tied: tuple[int, ...] = ()


def explanations(standings: Standings, row: Row) -> tuple[Explanation, ...]:
    """Returns the explanations of the numbers in a row: first the score, then the tie-breaks in order."""
    score = Explanation(
        entrant=row.entrant,
        tiebreak=None,
        value=row.score,
        parts=tuple(_of_score(standings.sheet, row.entrant)),
    )
    return (score, *(_explained(standings, row, tiebreak) for tiebreak in row.tiebreaks))


def _explained(standings: Standings, row: Row, tiebreak: Tiebreak) -> Explanation:
    is_direct = tiebreak is Tiebreak.DIRECT
    return Explanation(
        entrant=row.entrant,
        tiebreak=tiebreak,
        value=row.tiebreaks[tiebreak],
        parts=tuple(_parts(standings, row, tiebreak)),
        tied=row.tied if is_direct else (),
    )


def _parts(standings: Standings, row: Row, tiebreak: Tiebreak) -> Iterator[Part]:
    sheet, entrant = standings.sheet, row.entrant
    match tiebreak:
        case Tiebreak.LOT:
            return iter(())
        case Tiebreak.DIRECT:
            return _of_direct(sheet, row)
        case Tiebreak.WINS | Tiebreak.PROGRESSIVE | Tiebreak.DIFFERENCE:
            return _of_own(standings, entrant, tiebreak)
        case _:
            return _of_opponents(standings, entrant, tiebreak)


def _of_score(sheet: Sheet, entrant: int) -> Iterator[Part]:
    lines = sheet.lines[entrant]
    best_of = sheet.crosstable.terms.best_of
    counting = None if best_of is None else best_sittings(lines, best_of)
    for line in lines:
        yield _own(sheet, line, is_left_out=counting is not None and line.sitting not in counting)


def _own(sheet: Sheet, line: Line, *, is_left_out: bool = False) -> Part:
    round_score = line.round_score
    board = _annulled_board(sheet, line)
    terms = sheet.crosstable.terms
    # By difference or margin, a voided table scores 0, even if the organiser states a score.
    counts_shares = terms.compare in {None, Compare.MATCHPOINTS}
    is_stated = board is not None and board.void_score is not None and counts_shares
    return Part(
        round=line.round,
        value=round_score.score,
        is_left_out=is_left_out,
        status=round_score.status,
        why=round_score.why,
        departure=_departure(sheet, line) if round_score.why is Why.WITHDRAWN else None,
        state=_state(round_score),
        is_least=terms.score_by is ScoreBy.POINTS and round_score.is_least,
        is_ruled=round_score.is_ruled,
        is_doubled=round_score.is_doubled,
        is_void=board is not None and board.outcome is Outcome.VOID,
        void_score=round_score.score if is_stated else None,
        place=round_score.place,
        is_shared=round_score.is_shared,
        size=round_score.size or None,
        comparison=round_score.comparison,
        exclusion=round_score.exclusion,
        against=tuple(_opponent(sheet, opponent) for opponent in against(round_score)),
    )


def _annulled_board(sheet: Sheet, line: Line) -> Board | None:
    """Returns the table of a round if it was annulled, by a void or because it ended without a result."""
    if line.round_score.status is not Status.ANNULLED:
        return None
    boards = sheet.crosstable.rounds[line.round - 1].boards
    return next(board for board in boards if board.number == line.round_score.board)


def _departure(sheet: Sheet, line: Line) -> Departure:
    """Returns why an entrant no longer played. An entrant who was knocked out may withdraw later."""
    entrant = sheet.crosstable.entrants[line.round_score.entrant - 1]
    is_knockout = sheet.crosstable.terms.format is Format.KNOCKOUT
    if is_knockout and (entrant.left_after is None or entrant.left_after >= line.round):
        return Departure.KNOCKED_OUT
    return Departure.EXPELLED if entrant.is_expelled else Departure.WITHDRAWN


def _opponent(sheet: Sheet, opponent: int, scored: Fraction | None = None) -> Against:
    total = sheet.exactly(sheet.totals[opponent])
    return Against(entrant=opponent, score=total, total=total, scored=scored)


def _of_direct(sheet: Sheet, row: Row) -> Iterator[Part]:
    for line in sheet.lines[row.entrant]:
        for opponent, halves in halves_against(sheet, line.round_score):
            if opponent in row.tied:
                scored = Fraction(halves, 2)
                yield Part(round=line.round, value=scored, against=(_opponent(sheet, opponent, scored),))


def _of_own(standings: Standings, entrant: int, tiebreak: Tiebreak) -> Iterator[Part]:
    """Yields the parts that come from the entrant's own rounds."""
    sheet = standings.sheet
    lines = {line.round: line for line in sheet.lines[entrant]}
    for round_, ticks in addends(tiebreak, sheet, standings.parts, entrant):
        value = sheet.exactly(ticks)
        if tiebreak is Tiebreak.WINS:
            yield msgspec.structs.replace(
                _own(sheet, lines[round_]), value=value, comparison=None, exclusion=None
            )
        elif tiebreak is Tiebreak.DIFFERENCE:
            yield _difference(lines[round_], value)
        else:
            yield Part(round=round_, value=value)


def _difference(line: Line, value: Fraction) -> Part:
    score = line.round_score
    return Part(
        round=line.round,
        value=value,
        state=_state(score),
        is_least=score.is_least,
        points=score.points,
        mean=score.mean,
    )


def _state(round_score: RoundScore) -> SeatState | None:
    return None if round_score.state is SeatState.PLAYED else round_score.state


def _of_opponents(standings: Standings, entrant: int, tiebreak: Tiebreak) -> Iterator[Part]:
    """Yields the parts of Buchholz and Sonneborn-Berger."""
    sheet, contributions = standings.sheet, standings.parts[entrant]
    cut = left_out(sheet, contributions, tiebreak)
    values = addends(tiebreak, sheet, standings.parts, entrant)
    for contribution, (round_, ticks) in zip(contributions, values, strict=True):
        yield Part(
            round=round_,
            value=sheet.exactly(ticks),
            is_left_out=round_ in cut,
            basis=contribution.basis,
            against=tuple(_counted(sheet, contribution, standings.counted)),
        )


def _counted(sheet: Sheet, part: Contribution, counted: Mapping[int, int]) -> Iterator[Against]:
    """Yields the opponents whose scores a round contributes according to C.07 or K-4."""
    round_score = part.line.round_score
    if part.basis is Basis.VIRTUAL:
        score = sheet.exactly(part.buchholz)
        scored = round_score.score if sheet.is_by_fide else HALF
        yield Against(entrant=None, score=score, total=score, scored=scored)
        return
    halves = round_score.halves or (int(2 * round_score.score),)
    for opponent, half in zip(against(round_score), halves, strict=True):
        other = _opponent(sheet, opponent, Fraction(half, 2))
        yield msgspec.structs.replace(other, score=sheet.exactly(counted[opponent]))
