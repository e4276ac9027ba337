"""The order of the entrants after a round (K-1, K-2, K-5)."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import groupby
from typing import Any, TypeAlias

import msgspec

from hoodwink.domain.tournaments.bracket import Reached, reached
from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.scoring import wins_after
from hoodwink.domain.tournaments.standings.direct import direct_places
from hoodwink.domain.tournaments.standings.opponents import contributions, counted_totals
from hoodwink.domain.tournaments.standings.sheet import Sheet, sheet_after
from hoodwink.domain.tournaments.standings.tiebreaks import Parts, value_of
from hoodwink.domain.tournaments.terms import Format, Terms, Tiebreak

_Groups: TypeAlias = list[list[int]]
"""Groups of entrants in order; the entrants in a group are still tied."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant's row in the standings.

    Attributes:
        rank: shared by entrants who are tied in everything; `None` for an expelled entrant (T-7).
        tiebreaks: the value of each tie-break, in order; `None` if it does not apply. For `direct` and `lot`, less is
            better.
        tied: the entrants whom `direct` had to separate, including this one; empty if there is no other.
        stage: how far the entrant got in a knockout, which counts instead of the score (P-6).
        streak: the wins in a row so far in an arena; `None` in other formats (T-44).
    """

    entrant: int
    rank: int | None
    score: Fraction
    tiebreaks: dict[Tiebreak, Fraction | None]
    tied: tuple[int, ...] = ()
    stage: Reached | None = None
    streak: int | None = None


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The standings after a round, as if the tournament had ended with it (K-5).

    Attributes:
        rows: by rank, then by starting rank; expelled entrants come last.
        sheet: the scores behind the numbers.
        counted: each entrant's score for the tie-breaks of opponents, in ticks.
        parts: the contributions of each round to Buchholz and Sonneborn-Berger.
    """

    rows: tuple[Row, ...]
    sheet: Sheet
    counted: Mapping[int, int]
    parts: Parts


def standings(crosstable: Crosstable, *, after: int | None = None, draw: Draw | None = None) -> Standings:
    """Returns the standings after a round, by default after the last one paired.

    A table that has not finished scores nothing yet. `draw` returns the lots of the next round. It is required if the
    terms include the tie-break `lot` or strict places.
    """
    sheet = sheet_after(crosstable, len(crosstable.rounds) if after is None else after)
    tiebreaks = tiebreaks_of(crosstable.terms)
    ranking = _Ranking(sheet)
    for tiebreak in tiebreaks:
        ranking.apply(tiebreak, draw)
    return Standings(rows=ranking.rows(), sheet=sheet, counted=ranking.counted, parts=ranking.parts)


def tiebreaks_of(terms: Terms) -> tuple[Tiebreak, ...]:
    """Returns the tie-breaks in order; with strict places, the lot is the last (K-1)."""
    is_lot_missing = terms.strict_places and Tiebreak.LOT not in terms.tiebreaks
    return (*terms.tiebreaks, Tiebreak.LOT) if is_lot_missing else terms.tiebreaks


class _Ranking:
    """Groups of tied entrants, the best first, which the tie-breaks divide one after the other."""

    __slots__ = ("_expelled", "_groups", "_sheet", "_stages", "_tied", "_values", "counted", "parts")

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self.counted = counted_totals(sheet)
        self.parts = contributions(sheet, self.counted)
        entrants = sheet.crosstable.entrants
        self._expelled = [entrant.number for entrant in entrants if entrant.is_expelled]
        ranked = [entrant.number for entrant in entrants if not entrant.is_expelled]
        is_knockout = sheet.crosstable.terms.format is Format.KNOCKOUT
        self._stages = reached(sheet.crosstable) if is_knockout else None
        self._groups = _divided(ranked, self._key)
        self._values: dict[Tiebreak, dict[int, Fraction | None]] = {}
        self._tied: dict[int, tuple[int, ...]] = {}

    def _key(self, entrant: int) -> Any:
        """Returns an entrant's sorting key before any tie-break, best first (K-1)."""
        return -self._sheet.totals[entrant] if self._stages is None else self._stages[entrant - 1].rank_key

    def apply(self, tiebreak: Tiebreak, draw: Draw | None) -> None:
        """Divides the groups by a tie-break and stores its values."""
        match tiebreak:
            case Tiebreak.DIRECT:
                self._apply_direct()
            case Tiebreak.LOT:
                self._apply_lot(draw)
            case _:
                self._apply_sum(tiebreak)

    def _apply_sum(self, tiebreak: Tiebreak) -> None:
        sheet = self._sheet
        ticks = {entrant: value_of(tiebreak, sheet, self.parts, entrant) for entrant in sheet.lines}
        self._values[tiebreak] = {entrant: sheet.exactly(value) for entrant, value in ticks.items()}
        self._divide(lambda entrant: -ticks[entrant])

    def _apply_direct(self) -> None:
        places: dict[int, int | None] = dict.fromkeys(self._sheet.lines)
        for tied in self._groups:
            if len(tied) > 1:
                places |= direct_places(self._sheet, tied)
                self._tied |= dict.fromkeys(tied, tuple(sorted(tied)))
        self._values[Tiebreak.DIRECT] = {
            entrant: None if place is None else Fraction(place) for entrant, place in places.items()
        }
        self._divide(lambda entrant: places[entrant] or 0)

    def _apply_lot(self, draw: Draw | None) -> None:
        assert draw is not None, "these terms need the lots of the tournament"
        drawn = draw("standings").shuffled(tuple(self._sheet.lines))
        self._values[Tiebreak.LOT] = {entrant: Fraction(place) for place, entrant in enumerate(drawn, 1)}
        self._divide(drawn.index)

    def _divide(self, key: Callable[[int], Any]) -> None:
        self._groups = [part for group in self._groups for part in _divided(group, key)]

    def rows(self) -> tuple[Row, ...]:
        """Returns the rows by rank, then by starting rank."""
        rows: list[Row] = []
        for group in self._groups:
            rank = len(rows) + 1
            rows += [self._row(entrant, rank) for entrant in group]
        return (*rows, *(self._row(entrant, None) for entrant in self._expelled))

    def _row(self, entrant: int, rank: int | None) -> Row:
        return Row(
            entrant=entrant,
            rank=rank,
            score=self._sheet.exactly(self._sheet.totals[entrant]),
            tiebreaks={tiebreak: values[entrant] for tiebreak, values in self._values.items()},
            tied=self._tied.get(entrant, ()),
            stage=None if self._stages is None else self._stages[entrant - 1],
            streak=_streak(self._sheet, entrant),
        )


def _streak(sheet: Sheet, entrant: int) -> int | None:
    if sheet.crosstable.terms.format is not Format.ARENA:
        return None
    return reduce(wins_after, [line.round_score for line in sheet.lines[entrant]], 0)


def _divided(group: Sequence[int], key: Callable[[int], Any]) -> _Groups:
    """Returns the group divided by key, in the order of the keys, with each part sorted by starting rank."""
    if len(group) == 1:
        return [list(group)]
    in_order = sorted(group, key=lambda entrant: (key(entrant), entrant))
    return [list(equal) for _, equal in groupby(in_order, key)]
