"""Scoring: each entrant's exact score, opponents and results, computed from the tables of a round."""

from hoodwink.domain.tournaments.scoring.arena import wins_after as wins_after
from hoodwink.domain.tournaments.scoring.comparisons import Comparison as Comparison
from hoodwink.domain.tournaments.scoring.comparisons import Exclusion as Exclusion
from hoodwink.domain.tournaments.scoring.finish import finishing_order as finishing_order
from hoodwink.domain.tournaments.scoring.history import meetings as meetings
from hoodwink.domain.tournaments.scoring.history import round_scores as round_scores
from hoodwink.domain.tournaments.scoring.history import score_round as score_round
from hoodwink.domain.tournaments.scoring.history import scores_after as scores_after
from hoodwink.domain.tournaments.scoring.places import HALF as HALF
from hoodwink.domain.tournaments.scoring.places import ONE as ONE
from hoodwink.domain.tournaments.scoring.places import ZERO as ZERO
from hoodwink.domain.tournaments.scoring.rounds import RoundScore as RoundScore
from hoodwink.domain.tournaments.scoring.rounds import Status as Status
