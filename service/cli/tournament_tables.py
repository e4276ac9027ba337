"""A tournament as people read it: cross-table, standings, and how good its pairings were."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.table import Table as Grid

from domain.tournaments.crosstable import Crosstable
from domain.tournaments.scoring import RoundScore, Status, meetings, round_scores
from domain.tournaments.standings import Row, three_decimals, tiebreaks_of
from domain.tournaments.terms import Tiebreak

_MARKS = {
    Status.FORFEIT_WIN: "+",
    Status.NO_SHOW: "-",
    Status.ANNULLED: "/",
    Status.PENDING: "…",
}


def crosstable_grid(crosstable: Crosstable, rows: Sequence[Row]) -> Grid:
    """Returns the cross-table: for each round the place, and the starting ranks of the opponents."""
    grid = Grid(
        title="Cross-table (of each round the place, and the opponents by their no.)", title_justify="left"
    )
    for name in ("rank", "no.", "name"):
        grid.add_column(name, justify="left" if name == "name" else "right", no_wrap=True)
    scores = round_scores(crosstable)
    for round_ in crosstable.rounds:
        grid.add_column(str(round_.number))
    grid.add_column("score", justify="right", no_wrap=True)
    for row in rows:
        entrant = crosstable.entrants[row.entrant - 1]
        cells = [_cell(brought[row.entrant]) if row.entrant in brought else "" for brought in scores]
        score = three_decimals(row.score)
        grid.add_row(_rank(row), str(row.entrant), entrant.name, *cells, score)
    return grid


def _cell(brought: RoundScore) -> str:
    if brought.is_played:
        return f"{brought.place}: {' '.join(map(str, brought.opponents))}"
    if brought.why is not None:
        return f"{brought.why.replace('_', ' ')} {three_decimals(brought.score)}"
    return f"{_MARKS[brought.status]} {three_decimals(brought.score)}"


def standings_grid(crosstable: Crosstable, rows: Sequence[Row]) -> Grid:
    """Returns the standings with every tie-break."""
    tiebreaks = tiebreaks_of(crosstable.terms)
    grid = Grid(title="Standings", title_justify="left")
    for name in ("rank", "no.", "name", "score", *tiebreaks):
        grid.add_column(name.replace("_", " "), justify="left" if name == "name" else "right")
    for row in rows:
        entrant = crosstable.entrants[row.entrant - 1]
        numbers = [_number(tiebreak, row.tiebreaks.get(tiebreak)) for tiebreak in tiebreaks]
        grid.add_row(_rank(row), str(row.entrant), entrant.name, three_decimals(row.score), *numbers)
    return grid


def _rank(row: Row) -> str:
    return "-" if row.rank is None else str(row.rank)


def _number(tiebreak: Tiebreak, value: Fraction | None) -> str:
    if value is None:
        return "-"
    is_place = tiebreak in {Tiebreak.DIRECT, Tiebreak.LOT}
    return str(value) if is_place else three_decimals(value)


def quality_lines(crosstable: Crosstable) -> Iterator[str]:
    """Yields how good the pairings were, a line each."""
    met = meetings(crosstable)
    entrants = len(crosstable.entrants)
    again, seats = Counter[int](), dict[int, Counter[int]]()
    for (one, other), times in met.items():
        again[one] += times - 1
        again[other] += times - 1
    for brought in round_scores(crosstable):
        for entrant, score in brought.items():
            if score.is_seated and score.seat is not None:
                seats.setdefault(entrant, Counter())[score.seat] += 1
    partners = Counter[int]()
    for (one, other), times in met.items():
        partners[one] += times
        partners[other] += times
    unavoidable = sum(max(0, count - (entrants - 1)) for count in partners.values())
    spread = [_spread(counts, crosstable.terms.seats) for counts in seats.values()]
    even = sum(difference <= 1 for difference in spread)
    yield (
        f"Meetings again: {again.total() / entrants:.2f} an entrant "
        f"(unavoidable: {unavoidable / entrants:.2f}), {max(again.values(), default=0)} at most."
    )
    yield (
        f"Seats: counts differ by at most 1 for {even} of {len(spread)} entrants, "
        f"by {max(spread, default=0)} at most."
    )
    for round_ in crosstable.rounds:
        if round_.objective:
            values = ", ".join(map(str, round_.objective))
            yield f"Round {round_.number}, what the pairing minimised, in order: {values}."


def _spread(counts: Counter[int], seats: int) -> int:
    times = [counts[seat] for seat in range(seats)]
    return max(times) - min(times)
