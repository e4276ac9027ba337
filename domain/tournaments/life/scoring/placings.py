"""The places of a finished tournament among those who played, which season points and trophies count (S-7)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

import msgspec

from hoodwink.domain.tournaments.life.scoring.results import standings_of
from hoodwink.domain.tournaments.life.state import Participant, Phase, Tournament, is_bot_entrant
from hoodwink.domain.tournaments.scoring.rounds import Status
from hoodwink.domain.tournaments.standings import Standings
from hoodwink.domain.tournaments.standings.sheet import Line

MAX_TROPHY: Final = 3
"""The last place that earns a trophy (S-11)."""

_APPEARED: Final = frozenset({Status.PLAYED, Status.FORFEIT_WIN})


class Placing(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The place and the score of a player in a finished tournament; players who are tied share a place."""

    player: str
    place: int
    score: Fraction


def is_final(tournament: Tournament) -> bool:
    """Returns whether the tournament is over and its last table has ended; only rulings and voids change it then."""
    return tournament.phase in {Phase.FINISHED, Phase.CANCELLED} and tournament.is_seed_revealed


def final_standings(tournament: Tournament) -> Standings | None:
    """Returns the standings once the last table has ended; `None` before that, and for a cancelled tournament."""
    is_over = tournament.phase is Phase.FINISHED and tournament.is_seed_revealed
    return standings_of(tournament) if is_over else None


def placings_of(tournament: Tournament) -> tuple[Placing, ...]:
    """Returns the final places of players, the best first; none before the end, and none of a cancelled tournament."""
    standings = final_standings(tournament)
    return () if standings is None else placings_in(tournament, standings)


def placings_in(tournament: Tournament, standings: Standings) -> tuple[Placing, ...]:
    """Returns the places of players in final standings, the best first."""
    ids = {entrant.number: entrant.id for entrant in tournament.entrants}
    counted = [  # S-7
        (row.rank, row)
        for row in standings.rows
        if row.rank is not None
        and not is_bot_entrant(ids[row.entrant])
        and _has_appeared(tournament.entrants[row.entrant - 1], standings.sheet.lines[row.entrant])
    ]
    ranks = [rank for rank, _ in counted]
    return tuple(Placing(ids[row.entrant], ranks.index(rank) + 1, row.score) for rank, row in counted)


def _has_appeared(entrant: Participant, lines: Iterable[Line]) -> bool:
    """Returns whether the player who holds a place now appeared at a table; tables of players before them do not count (T-19)."""
    return any(
        line.round_score.status in _APPEARED and entrant.player_in(line.round) == entrant.id for line in lines
    )


def trophies_of(placed: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Returns the trophies for players with places: the first three, if more players than that took part (S-11)."""
    return {player: place for player, place in placed if place <= min(MAX_TROPHY, len(placed) - 1)}
