"""The standings of a tournament, computed from its events alone."""

from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.life.facts import last_round
from hoodwink.domain.tournaments.life.scoring.crosstables import crosstable
from hoodwink.domain.tournaments.life.scoring.engine import draw_of
from hoodwink.domain.tournaments.life.state import Tournament
from hoodwink.domain.tournaments.standings import Standings, standings


def standings_of(tournament: Tournament, *, after: int | None = None) -> Standings:
    """Returns the standings of a started tournament after a round, by default the last started one (K-5).

    Lots are drawn from the seeds for the next round.
    """
    after = last_round(tournament) if after is None else after
    return standings(crosstable(tournament), after=after, draw=standings_draw(tournament, after))


def standings_draw(tournament: Tournament, after: int) -> Draw:
    """Returns the lots of the standings after a round."""
    rounds = tournament.rounds
    seeds = rounds[after].seeds if after < len(rounds) else [entrant.seed for entrant in tournament.entrants]
    return draw_of(tournament.server_seed, seeds, after + 1)
