"""The order of the teams, from the standings of their entrants (T-33)."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby

import msgspec

from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.standings.ranking import Row


class TeamRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A team's row in the standings.

    Attributes:
        rank: shared by teams that are equal in everything.
        score: the sum of the scores that count, including those for missing entrants.
        entrants: the starting ranks of its entrants, the best first.
        counted: how many of them count.
        for_missing: the score for each of the others who could count, if it is below 0: the lowest of all entrants.
    """

    team: int
    rank: int
    score: Fraction
    entrants: tuple[int, ...]
    counted: int
    for_missing: Fraction | None = None


def team_rows(table: Crosstable, rows: Iterable[Row]) -> tuple[TeamRow, ...]:
    """Returns the teams in order, from the rows of the standings; none if the tournament has no teams."""
    counting = table.terms.team_counting
    if counting is None:
        return ()
    ranked = [row for row in rows if row.rank is not None]  # T-33: expelled entrants do not count
    members = defaultdict[int, list[Row]](list)
    for row in ranked:
        team = table.entrants[row.entrant - 1].team
        if team is not None:
            members[team].append(row)
    # T-33: nobody can be worth less than one who is missing.
    for_missing = min([Fraction(0), *[row.score for row in ranked]])
    best = {team: sorted(found, key=lambda row: -row.score) for team, found in members.items()}

    def key(team: int) -> list[Fraction]:
        scores = [row.score for row in best[team][:counting]]
        scores += [for_missing] * (counting - len(scores))
        return [-sum(scores, Fraction(0)), *[-score for score in scores]]

    found: list[TeamRow] = []
    for _, equal in groupby(sorted(best, key=lambda team: (key(team), team)), key):
        rank = len(found) + 1
        found += [
            TeamRow(
                team=team,
                rank=rank,
                score=-key(team)[0],
                entrants=tuple([row.entrant for row in best[team]]),
                counted=min(counting, len(best[team])),
                for_missing=for_missing or None,
            )
            for team in equal
        ]
    return tuple(found)
