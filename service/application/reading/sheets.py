"""The tables of a tournament that the page shows, as CSV: entrants, pairings, results, cross-table and standings.

Each function reads only what everybody may see of the tournament. A table whose deal others still play has no result yet
(D-7), so it has none here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from hoodwink.domain.kernel import Names
from hoodwink.domain.series import SeasonRow, Series
from hoodwink.domain.series.season import SeasonResult
from hoodwink.domain.tournaments.life import PairedRound, Tournament, name_of, standings_of, view_tournament
from hoodwink.domain.tournaments.life.facts import team_names
from hoodwink.domain.tournaments.life.scoring.crosstables import crosstable
from hoodwink.domain.tournaments.scoring import RoundScore, round_scores
from hoodwink.domain.tournaments.scoring.rounds import Status
from hoodwink.domain.tournaments.standings import marks_of, team_rows, three_decimals, tiebreaks_of
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.application.reading.csv_rows import Cell, csv_of

_ENTRANTS = (
    "entrant",
    "id",
    "name",
    "bot",
    "status",
    "from_round",
    "left_after",
    "is_organiser",
    "team",
    "checked_in",
    "absent_in",
    "requested_byes",
    "assigned_byes",
)
_PAIRINGS = ("round", "board", "deal", "table", "seat", "entrant", "id", "name", "bye")
_RESULTS = (
    "round",
    "board",
    "seat",
    "entrant",
    "id",
    "name",
    "status",
    "state",
    "bye",
    "place",
    "points",
    "score",
    "by_ruling",
    "opponents",
)
_TEAMS = ("place", "team", "team_name", "team_score", "entrant", "id", "name", "score", "counts")


def entrants_csv(tournament: Tournament, names: Names) -> str:
    """Returns the entrants in order of starting rank, before the start in order of arrival."""
    return csv_of(
        _ENTRANTS,
        [
            (
                entrant.number,
                entrant.id,
                entrant.name,
                entrant.policy,
                entrant.status,
                entrant.from_round,
                entrant.left_after,
                _flag(entrant.is_organiser),
                entrant.team,
                entrant.checked_in,
                entrant.absent_in,
                _listed(entrant.requested_byes),
                _listed([bye.round for bye in entrant.assigned_byes]),
            )
            for entrant in view_tournament(tournament, names).entrants
        ],
    )


def pairings_csv(tournament: Tournament, number: int, names: Names) -> str:
    """Returns the seats of a round, a row each, counted from 1 as on the page; then the entrants without a table."""
    return csv_of(_PAIRINGS, _pairings(tournament, tournament.rounds[number - 1], names))


def _pairings(tournament: Tournament, round_: PairedRound, names: Names) -> Iterator[tuple[Cell, ...]]:
    for match in round_.matches:
        for deal_number, deal in enumerate(match.deals, 1):
            for seat, entrant in enumerate(deal.seats, 1):
                who = _named(tournament, entrant, names)
                yield round_.number, match.number, deal_number, deal.table, seat, *who, None
    for unplayed in round_.unplayed:
        who = _named(tournament, unplayed.entrant, names)
        yield round_.number, None, None, None, None, *who, unplayed.why.value


def results_csv(tournament: Tournament, names: Names) -> str:
    """Returns a row for each entrant and each round that has started."""
    rounds = round_scores(crosstable(tournament))
    figures = iter(_figures([_known(score) for found in rounds for score in found.values()]))
    rows = [
        _result(tournament, number, found[entrant], next(figures), names)
        for number, found in enumerate(rounds, 1)
        for entrant in found
    ]
    return csv_of(_RESULTS, rows)


def _result(
    tournament: Tournament, round_: int, score: RoundScore, figure: Cell, names: Names
) -> tuple[Cell, ...]:
    return (
        round_,
        score.board,
        None if score.seat is None else score.seat + 1,
        *_named(tournament, score.entrant, names),
        score.status.value,
        score.state.value if score.size else None,
        None if score.why is None else score.why.value,
        score.place,
        score.points,
        figure,
        _flag(score.is_ruled),
        _listed(score.opponents),
    )


def crosstable_csv(tournament: Tournament, names: Names) -> str:
    """Returns a row for each entrant, the best first, with board, opponents and score of each round."""
    rounds = round_scores(crosstable(tournament))
    ranked = standings_of(tournament).rows
    columns = ["place", "entrant", "id", "name"]
    cells: list[Sequence[Cell]] = [
        [row.rank for row in ranked],
        *zip(*[_named(tournament, row.entrant, names) for row in ranked], strict=True),
    ]
    for number, found in enumerate(rounds, 1):
        scores = [found.get(row.entrant) for row in ranked]  # a wave of an arena has not everybody
        columns += [f"board_{number}", f"opponents_{number}", f"score_{number}"]
        cells += [
            [None if score is None else score.board for score in scores],
            [None if score is None else _listed((*score.opponents, *score.missed)) for score in scores],
            _figures([None if score is None else _known(score) for score in scores]),
        ]
    columns.append("score")
    cells.append(_figures([row.score for row in ranked]))
    return csv_of(columns, zip(*cells, strict=True))


def standings_csv(tournament: Tournament, after: int | None, names: Names) -> str:
    """Returns the standings after a round, by default the last one, with the remarks that the page shows."""
    found = standings_of(tournament, after=after)
    table, rows = found.sheet.crosstable, found.rows
    marks, tiebreaks = marks_of(table), tiebreaks_of(table.terms)
    is_arena = table.terms.format is Format.ARENA
    columns = (
        "place",
        "entrant",
        "id",
        "name",
        "reached_round",
        "reached_place",
        "score",
        *tiebreaks,
        "is_organiser",
        "assigned_byes",
        "by_bot",
        "by_ruling",
        *is_arena * ("streak",),
    )
    cells = (
        [row.rank for row in rows],
        *zip(*[_named(tournament, row.entrant, names) for row in rows], strict=True),
        [None if row.stage is None else row.stage.round for row in rows],
        [None if row.stage is None else row.stage.place for row in rows],
        _figures([row.score for row in rows]),
        *[_figures([row.tiebreaks[name] for row in rows]) for name in tiebreaks],
        [_flag(marks[row.entrant].is_organiser) for row in rows],
        [_listed(marks[row.entrant].assigned_byes) for row in rows],
        [_listed(marks[row.entrant].by_bot) for row in rows],
        [_listed(marks[row.entrant].ruled) for row in rows],
        *is_arena * ([row.streak for row in rows],),
    )
    return csv_of(columns, zip(*cells, strict=True))


def teams_csv(tournament: Tournament, names: Names, texts: Mapping[str, str]) -> str:
    """Returns the standings of the teams, a row for each of their entrants; for `texts`, see `team_names`."""
    found, called = standings_of(tournament), team_names(tournament, texts)
    scores = {row.entrant: row.score for row in found.rows}
    ranked = [
        (row, place, entrant)
        for row in team_rows(found.sheet.crosstable, found.rows)
        for place, entrant in enumerate(row.entrants)
    ]
    cells = (
        [row.rank for row, _, _ in ranked],
        [row.team for row, _, _ in ranked],
        [called[row.team - 1] for row, _, _ in ranked],
        _figures([row.score for row, _, _ in ranked]),
        *zip(*[_named(tournament, entrant, names) for _, _, entrant in ranked], strict=True),
        _figures([scores[entrant] for _, _, entrant in ranked]),
        [_flag(place < row.counted) for row, place, _ in ranked],
    )
    return csv_of(_TEAMS, zip(*cells, strict=True))


def _named(tournament: Tournament, entrant: int | None, names: Names) -> tuple[Cell, Cell, Cell]:
    """Returns starting rank, id and name; nothing but a word for a bot that fills a table."""
    if entrant is None:
        return None, None, "a bot"
    found = tournament.entrants[entrant - 1]
    return entrant, found.id, name_of(found, names)


def _known(score: RoundScore) -> Fraction | None:
    """Returns the score of a round; `None` while the table is in play, or under embargo (D-7)."""
    return None if score.status is Status.PENDING else score.score


def _figures(values: Sequence[Fraction | None]) -> list[Cell]:
    """Returns the numbers of a column: integers, or all with three decimals (T-21)."""
    is_whole = all(value is None or value.denominator == 1 for value in values)
    return [
        None if value is None else int(value) if is_whole else Decimal(three_decimals(value))
        for value in values
    ]


def _flag(is_so: bool) -> str:  # noqa: FBT001 - the value of a cell
    return "yes" if is_so else "no"


def _listed(numbers: Iterable[int]) -> str:
    """Returns numbers in one cell, separated by spaces."""
    return " ".join(map(str, numbers))


def season_csv(series: Series, table: Iterable[SeasonRow], names: Names) -> str:
    """Returns the season table with a column for each tournament; points that do not count are in brackets."""
    numbers = [date.number for date in series.dates if date.placings]
    rows = list[Iterable[Cell]]()
    for row in table:
        earned = {result.number: result for result in row.results}
        cells = [None if (result := earned.get(number)) is None else _earned(result) for number in numbers]
        rows.append((row.place, row.player, names(row.player), *_figures([row.points]), *cells))
    return csv_of(("place", "id", "name", "points", *[str(number) for number in numbers]), rows)


def _earned(result: SeasonResult) -> Cell:
    (points,) = _figures([result.points])
    return points if result.counts else f"({points})"
