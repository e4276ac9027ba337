"""The standings of a tournament, from its events alone."""

from domain.tournaments.life.crosstables import crosstable
from domain.tournaments.life.engine import draw_of
from domain.tournaments.life.state import Tournament
from domain.tournaments.standings import Standings, standings


def standings_of(tournament: Tournament, *, after: int | None = None) -> Standings:
    """Returns the standings of a tournament that has started, after a round or after the last one (K-5).

    Lots are drawn with the seeds that count for the round that follows.
    """
    rounds = tournament.rounds
    after = len(rounds) if after is None else after
    seeds = rounds[after].seeds if after < len(rounds) else [one.seed for one in tournament.entrants]
    draw = draw_of(tournament.server_seed, seeds, after + 1)
    return standings(crosstable(tournament), after=after, draw=draw)
