"""The cross-table, the standings and the quality of the pairings of a tournament, as text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from rich.console import Group
from rich.table import Table as Grid

from hoodwink.domain.tournaments.crosstable import Crosstable, SeatState, Why
from hoodwink.domain.tournaments.scoring import HALF, RoundScore, Status, meetings, round_scores
from hoodwink.domain.tournaments.standings import (
    Marks,
    Row,
    marks_of,
    team_rows,
    three_decimals,
    tiebreaks_of,
)
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.cli.shared.output import plain

_MARKS: Final[Mapping[Why | Status, str]] = {
    Why.PAIRING_BYE: "bye",
    Why.REQUESTED_BYE: "req",
    Why.ASSIGNED_BYE: "asg",
    Why.ABSENT: "abs",
    Why.LATE: "late",
    Why.WITHDRAWN: "out",
    Status.FORFEIT_WIN: "+",
    Status.NO_SHOW: "-",
    Status.ANNULLED: "void",
    Status.PENDING: "…",
}

_UNPLAYED: Final = "n/p"
"""The mark of an unplayed round in a report file, which gives a reason only for pairing byes."""

_SHARED: Final = "="
"""The mark before a shared place, such as in a draw."""

_BY_BOT: Final = "*"
"""The mark after a place that a bot mostly played for."""

_MEANINGS: Final = {
    _SHARED: "shared place",
    _BY_BOT: "a bot took more than half of the turns",
    "+": "the opponents did not appear",
    "-": "did not appear",
    "bye": "pairing bye",
    "req": "requested bye",
    "asg": "assigned bye",
    "abs": "absent",
    "late": "not entered yet",
    "out": "withdrawn, expelled or knocked out",
    "void": "voided, or without a result",
    "…": "in play",
    _UNPLAYED: "not played; the file does not say why",
}
"""The marks of the cross-table, in the order of its legend."""

_MAX_WIDE_ROUNDS: Final = 5
"""With more rounds, columns have no padding, so that the table fits into a terminal 80 characters wide."""

_SEATING: Final = (
    "score groups beyond the float window, squared",
    "meetings, squared",
    "score differences at a table, squared",
    "repeated neighbours",
    "repeated floats",
    "times in a seat, squared",
    "times at a size of table, squared",
)
_MINIMISED: Final = {
    Format.SWISS: _SEATING,
    Format.LEAGUE: (_SEATING[1], _SEATING[3], _SEATING[5], _SEATING[6]),
    Format.ROUND_ROBIN: (_SEATING[3], _SEATING[1], _SEATING[6], _SEATING[5], "repeated distances"),
}
"""The meaning of each value of a pairing, in the order of docs/TOURNAMENTS.md (P-4, P-7, P-1)."""


def crosstable_grid(crosstable: Crosstable, rows: Sequence[Row], *, is_report: bool = False) -> Grid:
    """Returns the cross-table: for each round the place, and the starting ranks of the opponents.

    With `is_report`, the data is from a report file, which does not say why a round was not played.
    """
    is_narrow = len(crosstable.rounds) > _MAX_WIDE_ROUNDS
    scores = round_scores(crosstable)
    grid = Grid(
        title="Cross-table (for each round the place, and the opponents by no.)",
        title_justify="left",
        caption=_legend([score for of_round in scores for score in of_round.values()], is_report=is_report),
        caption_justify="left",
        padding=(0, 0 if is_narrow else 1),
    )
    for name in ("rank", "no.", "name"):
        grid.add_column(name, justify="left" if name == "name" else "right", no_wrap=True)
    for round_ in crosstable.rounds:
        grid.add_column(str(round_.number), overflow="fold")  # an ellipsis would hide opponents
    grid.add_column("score", justify="right", no_wrap=True)
    for row, score in zip(rows, _column([row.score for row in rows]), strict=True):
        entrant = crosstable.entrants[row.entrant - 1]
        cells = [
            _cell(of_round[row.entrant], is_report=is_report) if row.entrant in of_round else ""
            for of_round in scores
        ]
        grid.add_row(_rank(row), str(row.entrant), plain(entrant.name), *cells, score)
    return grid


def _legend(scores: Iterable[RoundScore], *, is_report: bool) -> str | None:
    """Returns the meaning of each mark that occurs."""
    scores = list(scores)
    marks = {_mark(score, is_report=is_report) for score in scores if not score.is_played}
    marks |= {_SHARED for score in scores if score.is_shared}
    marks |= {_BY_BOT for score in scores if _is_by_bot(score)}
    return "; ".join(f"{mark}: {words}" for mark, words in _MEANINGS.items() if mark in marks) or None


def _cell(score: RoundScore, *, is_report: bool) -> str:
    if score.is_played:
        shared, by_bot = _SHARED * score.is_shared, _BY_BOT * _is_by_bot(score)
        return f"{shared}{score.place}{by_bot}: {' '.join(map(str, score.opponents))}"
    mark = _mark(score, is_report=is_report)
    if score.missed:
        return f"{mark} {' '.join(map(str, score.missed))}"
    return f"{mark} {_short(score.score)}"


def _is_by_bot(score: RoundScore) -> bool:
    return score.is_played and score.state is SeatState.STAND_IN


def _mark(score: RoundScore, *, is_report: bool) -> str:
    # Other reasons would be guesses: a report has the same mark for most unplayed rounds.
    if is_report and score.why not in {None, Why.PAIRING_BYE}:
        return _UNPLAYED
    return _MARKS[score.why or score.status]


def _short(score: Fraction) -> str:
    return "½" if score == HALF else str(score)


def standings_grids(crosstable: Crosstable, rows: Sequence[Row]) -> Group:
    """Returns the standings of the entrants, and those of their teams if there are any (T-33)."""
    teams = team_rows(crosstable, rows)
    grid = Grid(title="Teams (in brackets: does not count)", title_justify="left")
    for name in ("rank", "no.", "name", "score", "entrants by no."):
        grid.add_column(name, justify="left" if name == "name" else "right")
    scores = _column([row.score for row in teams])
    worths = _column([row.for_missing or Fraction(0) for row in teams])
    for row, score, worth in zip(teams, scores, worths, strict=True):
        numbers = [
            str(number) if place < row.counted else f"({number})" for place, number in enumerate(row.entrants)
        ]
        missing = (crosstable.terms.team_counting or 0) - row.counted
        if missing > 0 and row.for_missing:
            numbers.append(f"{missing} missing ({worth} each)")
        grid.add_row(
            str(row.rank), str(row.team), plain(crosstable.teams[row.team - 1]), score, " ".join(numbers)
        )
    return Group(_standings_grid(crosstable, rows), *[grid] * bool(teams))


def _standings_grid(crosstable: Crosstable, rows: Sequence[Row]) -> Grid:
    """Returns the standings with every tie-break, and a column of marks if any entrant has one."""
    tiebreaks = tiebreaks_of(crosstable.terms)
    marks = {entrant: _marked(found) for entrant, found in marks_of(crosstable).items()}
    has_marks = any(marks.values())
    grid = Grid(title="Standings", title_justify="left")
    for name in ("rank", "no.", "name", "score", *tiebreaks):
        grid.add_column(name.replace("_", " "), justify="left" if name == "name" else "right")
    if has_marks:
        grid.add_column("marks")
    columns = [_column([row.score for row in rows])]
    columns += [_column([row.tiebreaks.get(tiebreak) for row in rows]) for tiebreak in tiebreaks]
    for row, numbers in zip(rows, zip(*columns, strict=True), strict=True):
        entrant = crosstable.entrants[row.entrant - 1]
        said = [marks[row.entrant]] if has_marks else []
        grid.add_row(_rank(row), str(row.entrant), plain(entrant.name), *numbers, *said)
    return grid


def _marked(marks: Marks) -> str:
    """Returns the marks of an entrant in words (T-9, T-20)."""
    words = ["organiser"] if marks.is_organiser else []
    words += [f"assigned bye in {_rounds(marks.assigned_byes)}"] if marks.assigned_byes else []
    words += [f"mostly a bot in {_rounds(marks.by_bot)}"] if marks.by_bot else []
    return "; ".join(words)


def _rounds(numbers: Sequence[int]) -> str:
    return f"round{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def _rank(row: Row) -> str:
    return "-" if row.rank is None else str(row.rank)


def _column(values: Sequence[Fraction | None]) -> list[str]:
    """Returns the numbers of a column: without decimals if all are whole, otherwise with three (T-21)."""
    # The same number of decimals in all rows, so that the decimal points are aligned.
    is_whole = all(value is None or value.denominator == 1 for value in values)
    return ["-" if value is None else str(value) if is_whole else three_decimals(value) for value in values]


def quality_lines(crosstable: Crosstable) -> Iterator[str]:
    met = meetings(crosstable)
    entrants = len(crosstable.entrants)
    again, seats = Counter[int](), dict[int, Counter[int]]()
    for (entrant, other), times in met.items():
        again[entrant] += times - 1
        again[other] += times - 1
    for of_round in round_scores(crosstable):
        for entrant, score in of_round.items():
            if score.is_seated and score.seat is not None:
                seats.setdefault(entrant, Counter())[score.seat] += 1
    partners = Counter[int]()
    for (entrant, other), times in met.items():
        partners[entrant] += times
        partners[other] += times
    # With more meetings than there are others, some must be repeated.
    unavoidable = sum(max(0, count - (entrants - 1)) for count in partners.values())
    spread = [_spread(counts, crosstable.terms.seats) for counts in seats.values()]
    even = sum(difference <= 1 for difference in spread)
    yield (
        f"Repeated meetings per entrant: {again.total() / entrants:.2f} "
        f"(unavoidable: {unavoidable / entrants:.2f}), at most {max(again.values(), default=0)}."
    )
    yield (
        f"Seats: the counts of {even} of the {len(spread)} entrants who sat at a table differ by at most 1, "
        f"the greatest difference is {max(spread, default=0)}."
    )
    yield from _minimised(crosstable)


def _minimised(crosstable: Crosstable) -> Iterator[str]:
    """Yields a line that explains the criteria, and the values that the pairing of each round achieved."""
    rounds = [round_ for round_ in crosstable.rounds if round_.objective]
    if rounds:
        names = "; ".join(_MINIMISED[crosstable.terms.format])
        yield f"The pairings minimised, in this order of priority: {names}."
    for round_ in rounds:
        yield f"Round {round_.number}: {', '.join(map(str, round_.objective))}."


def _spread(counts: Counter[int], seats: int) -> int:
    times = [counts[seat] for seat in range(seats)]
    return max(times) - min(times)
