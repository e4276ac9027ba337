"""The API's answers about tournament standings."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from hoodwink.domain.kernel import Names
from hoodwink.domain.tournaments.bracket import Reached
from hoodwink.domain.tournaments.life import Tournament, Verdict, name_of, standings_of
from hoodwink.domain.tournaments.life.facts import last_round
from hoodwink.domain.tournaments.standings import (
    Explanation,
    Marks,
    Row,
    TeamRow,
    explanations,
    in_words,
    marks_of,
    stage_in_words,
    standings,
    team_rows,
    three_decimals,
    tiebreaks_of,
)
from hoodwink.domain.tournaments.terms import Tiebreak
from hoodwink.domain.words import entrant_names


class Placed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An entrant's line of proved standings.

    Attributes:
        entrant: the starting rank.
        rank: the rank; entrants who are equal in everything share one. `None` for an expelled entrant.
        decimals: the score with three decimals, for people.
        tiebreaks: the tie-breaks by name, in the order in which they count; `None` if one does not apply.
        stage: the stage that the entrant reached in a knockout, which counts before the score; `None` in other formats.
        streak: the wins in a row so far in an arena, where scores are doubled from two on; `None` in other formats.
        marks: facts about the entrant that the numbers do not show.
    """

    entrant: int
    name: str
    rank: int | None
    score: Fraction
    decimals: str
    tiebreaks: dict[Tiebreak, Fraction | None]
    stage: Reached | None
    streak: int | None
    marks: Marks


class RankedEntrant(Placed, frozen=True, gc=False, kw_only=True):
    """An entrant's line of the standings.

    Attributes:
        id: the id of the player or bot.
    """

    id: str


class RankedTeam(TeamRow, frozen=True, gc=False, kw_only=True):
    """A team's line of the standings; `GET /v1/tournaments/{id}/teams` has its name.

    Attributes:
        decimals: the score with three decimals, for people.
    """

    decimals: str


class StandingsAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The standings after a round, as if the tournament had ended with it.

    Attributes:
        tournament, version: the tournament's id, and the version from which the standings were computed.
        round: the last round that counts; 0 before the first.
        tiebreaks: the tie-breaks that count, in order.
        teams: the teams in order; empty if there are none.
    """

    tournament: str
    version: int
    round: int
    tiebreaks: tuple[Tiebreak, ...]
    rows: tuple[RankedEntrant, ...]
    teams: tuple[RankedTeam, ...]


class NumberExplained(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of a number in a line of the standings, in words and as data."""

    words: str
    data: Explanation


class StandingExplainedAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of the standings, with the explanation of each of its numbers, the score first.

    Attributes:
        stage: the stage that the entrant reached in a knockout, and the further deals and lots that decided it; `None` in
            other formats.
    """

    tournament: str
    version: int
    round: int
    row: RankedEntrant
    stage: str | None
    numbers: tuple[NumberExplained, ...]


def standings_answer(tournament: Tournament, after: int | None, names: Names) -> StandingsAnswer:
    found = standings_of(tournament, after=after)
    marks = marks_of(found.sheet.crosstable)
    assert tournament.terms is not None, "a tournament that has started has terms"
    return StandingsAnswer(
        tournament=tournament.id,
        version=tournament.version,
        round=last_round(tournament) if after is None else after,
        tiebreaks=tiebreaks_of(tournament.terms),
        rows=tuple([_ranked(tournament, row, marks, names) for row in found.rows]),
        teams=tuple(
            [
                RankedTeam(**msgspec.structs.asdict(row), decimals=three_decimals(row.score))
                for row in team_rows(found.sheet.crosstable, found.rows)
            ]
        ),
    )


def standing_explained(
    tournament: Tournament, after: int | None, entrant: int, names: Names
) -> StandingExplainedAnswer:
    found = standings_of(tournament, after=after)
    row = next(row for row in found.rows if row.entrant == entrant)
    table = found.sheet.crosstable
    by_rank = entrant_names(tournament, names)
    return StandingExplainedAnswer(
        tournament=tournament.id,
        version=tournament.version,
        round=last_round(tournament) if after is None else after,
        row=_ranked(tournament, row, marks_of(table), names),
        stage=None if row.stage is None else stage_in_words(row.stage, table, entrant),
        numbers=tuple(
            [
                NumberExplained(words=in_words(explained, by_rank), data=explained)
                for explained in explanations(found, row)
            ]
        ),
    )


def proved_rows(verdict: Verdict) -> tuple[Placed, ...]:
    """Returns the standings that verified logs prove; empty if the tournament never started, or is not valid."""
    if verdict.crosstable is None or verdict.draw is None:
        return ()
    # The names in the log, because its people may be unknown here.
    names = {entrant.number: entrant.name for entrant in verdict.crosstable.entrants}
    proved = standings(verdict.crosstable, draw=verdict.draw)
    marks = marks_of(verdict.crosstable)
    return tuple([Placed(name=names[row.entrant], **_line(row, marks)) for row in proved.rows])


def _ranked(tournament: Tournament, row: Row, marks: Mapping[int, Marks], names: Names) -> RankedEntrant:
    entrant = tournament.entrants[row.entrant - 1]
    return RankedEntrant(id=entrant.id, name=name_of(entrant, names), **_line(row, marks))


def _line(row: Row, marks: Mapping[int, Marks]) -> dict[str, Any]:
    return {
        "entrant": row.entrant,
        "rank": row.rank,
        "score": row.score,
        "decimals": three_decimals(row.score),
        "tiebreaks": row.tiebreaks,
        "stage": row.stage,
        "streak": row.streak,
        "marks": marks[row.entrant],
    }
