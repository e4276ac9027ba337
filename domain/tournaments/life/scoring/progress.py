"""Progress of a tournament: whether a further round follows."""

from hoodwink.domain.tournaments.life.facts import next_round, started_rounds, terms_of
from hoodwink.domain.tournaments.life.scoring.engine import playable
from hoodwink.domain.tournaments.life.state import Tournament
from hoodwink.domain.tournaments.terms import Format


def is_complete(tournament: Tournament) -> bool:
    return all(round_.is_complete for round_ in started_rounds(tournament))


def is_round_planned(tournament: Tournament, round_: int) -> bool:
    """Returns whether the tournament has a round with that number; a knockout has as many as its entrants need (P-6)."""
    terms = terms_of(tournament)
    return terms.format is Format.KNOCKOUT or round_ <= terms.rounds


def is_played_out(tournament: Tournament) -> bool:
    """Returns whether no round follows: the last one is complete, or fewer than two entrants are left (T-2).

    In an arena, none follows after the bell (T-47).
    """
    if not is_complete(tournament):
        return False
    if tournament.arena is not None:
        return tournament.is_bell_rung
    return not is_round_planned(tournament, next_round(tournament)) or len(playable(tournament)) < 2
