"""The contribution of each round to Buchholz and Sonneborn-Berger: by C.07 at tables of two (K-3), by K-4 otherwise.

| rule | here |
|---|---|
| C.07 8.1, 9.1 (Buchholz, Sonneborn-Berger) | `_fide_part` |
| C.07 14.1 (cut: the least contribution) and 16.5 (first the least of the voluntary unplayed rounds) | `left_out` |
| C.07 16.3 (unplayed rounds of an opponent) | `counted_totals` |
| C.07 16.4 (own unplayed rounds) | `_fide_part` |
| C.07 15 (pairings fixed before the start: forfeits count as played) | `Sheet.is_scheduled` |
| K-4 | `_shared_part` |
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import mul

import msgspec

from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.scoring import RoundScore
from hoodwink.domain.tournaments.standings.sheet import Line, Sheet
from hoodwink.domain.tournaments.terms import Tiebreak


class Basis(StrEnum):
    """The kind of score that a round contributes."""

    OPPONENTS = "opponents"  # the mean score of the opponents at the table
    VIRTUAL = (
        "virtual"  # a virtual opponent's score: the lesser of the entrant's own score and half the rounds
    )
    FORFEIT = "forfeit"  # the lesser of the entrant's own score and the absent opponent's (C.07 16.4.1)


class Contribution(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The contribution of a round to an entrant's Buchholz and Sonneborn-Berger, in ticks.

    Attributes:
        is_voluntary: whether it is a voluntary unplayed round (C.07 16.2).
    """

    line: Line
    basis: Basis
    buchholz: int
    sonneborn_berger: int
    is_voluntary: bool = False


def contributions(sheet: Sheet, counted: Mapping[int, int]) -> dict[int, tuple[Contribution, ...]]:
    """Returns the contributions of each entrant's rounds, in order; `counted` are the `counted_totals`."""
    if not sheet.is_by_fide:
        return {
            entrant: tuple(_shared_part(sheet, entrant, line) for line in lines)
            for entrant, lines in sheet.lines.items()
        }
    return {
        entrant: tuple(
            _fide_part(sheet, entrant, line, counted) for line in lines if _counts(sheet, line.round_score)
        )
        for entrant, lines in sheet.lines.items()
    }


def _shared_part(sheet: Sheet, entrant: int, line: Line) -> Contribution:
    """Returns the contribution of a round by K-4."""
    opponents = line.round_score.opponents
    if not opponents:
        virtual = _virtual(sheet, entrant)
        return Contribution(line=line, basis=Basis.VIRTUAL, buchholz=virtual, sonneborn_berger=virtual // 2)
    totals = sheet.totals
    theirs = [totals[opponent] for opponent in opponents]
    beaten = sum(map(mul, theirs, line.round_score.halves))
    count = len(opponents)
    return Contribution(
        line=line,
        basis=Basis.OPPONENTS,
        buchholz=sum(theirs) // count,
        sonneborn_berger=beaten // (2 * count),
    )


def _virtual(sheet: Sheet, entrant: int) -> int:
    return min(sheet.totals[entrant], sheet.rounds * sheet.unit // 2)


def _counts(sheet: Sheet, round_score: RoundScore) -> bool:
    """Returns whether a round contributes; with fixed pairings, a round without an opponent does not."""
    return not sheet.is_scheduled or bool(against(round_score))


def against(round_score: RoundScore) -> tuple[int, ...]:
    """Returns the opponents of a round, including those missed by forfeit."""
    return round_score.opponents or round_score.missed


def _fide_part(sheet: Sheet, entrant: int, line: Line, counted: Mapping[int, int]) -> Contribution:
    round_score = line.round_score
    if round_score.is_played or sheet.is_scheduled:
        basis, score = Basis.OPPONENTS, counted[against(round_score)[0]]
    elif round_score.missed:
        basis, score = Basis.FORFEIT, min(sheet.totals[entrant], counted[round_score.missed[0]])
    else:
        basis, score = Basis.VIRTUAL, _virtual(sheet, entrant)
    return Contribution(
        line=line,
        basis=basis,
        buchholz=score,
        sonneborn_berger=score * line.ticks // sheet.unit,
        is_voluntary=basis is not Basis.OPPONENTS and is_voluntary(round_score),
    )


def is_voluntary(round_score: RoundScore) -> bool:
    """Returns whether an unplayed round is voluntary: not a pairing bye, and not worth a win (C.07 16.2)."""
    return not round_score.is_played and round_score.why is not Why.PAIRING_BYE and round_score.worth < 1


def counted_totals(sheet: Sheet) -> Mapping[int, int]:
    """Returns each entrant's score for the tie-breaks of opponents, in ticks.

    At tables of two whose pairings were not fixed before the start, rounds without an opponent at the end count as draws
    if they follow the last round that was not a voluntary unplayed one (C.07 16.3).
    """
    if sheet.is_scheduled or not sheet.is_by_fide:
        return sheet.totals
    return {entrant: total + _raised(sheet, sheet.lines[entrant]) for entrant, total in sheet.totals.items()}


def _raised(sheet: Sheet, lines: Sequence[Line]) -> int:
    last = max((line.round for line in lines if not is_voluntary(line.round_score)), default=0)
    return sum(
        sheet.unit // 2 - line.ticks for line in lines if line.round > last and not against(line.round_score)
    )


def left_out(sheet: Sheet, parts: Sequence[Contribution], tiebreak: Tiebreak) -> frozenset[int]:
    """Returns the rounds that `cut1` and `median` omit from Buchholz."""
    if tiebreak not in {Tiebreak.BUCHHOLZ_CUT1, Tiebreak.BUCHHOLZ_MEDIAN} or not parts:
        return frozenset()
    voluntary = [part for part in parts if part.is_voluntary] if sheet.is_by_fide else ()
    least = min(voluntary or parts, key=_buchholz)
    others = [part for part in parts if part is not least]
    if tiebreak is Tiebreak.BUCHHOLZ_CUT1 or not others:
        return frozenset({least.line.round})
    return frozenset({least.line.round, max(others, key=_buchholz).line.round})


def _buchholz(part: Contribution) -> int:
    return part.buchholz
