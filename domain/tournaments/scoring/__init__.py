"""Scoring: each entrant's exact score, opponents and results, from the tables of a round."""

from domain.tournaments.scoring.finish import finishing_order as finishing_order
from domain.tournaments.scoring.history import meetings as meetings
from domain.tournaments.scoring.history import round_scores as round_scores
from domain.tournaments.scoring.history import scores_after as scores_after
from domain.tournaments.scoring.places import HALF as HALF
from domain.tournaments.scoring.places import ONE as ONE
from domain.tournaments.scoring.places import ZERO as ZERO
from domain.tournaments.scoring.rounds import RoundScore as RoundScore
from domain.tournaments.scoring.rounds import Status as Status
