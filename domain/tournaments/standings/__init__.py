"""Standings: the order of the entrants after any round, with the tie-breaks that decided it."""

from domain.tournaments.standings.explanation import Against as Against
from domain.tournaments.standings.explanation import Departure as Departure
from domain.tournaments.standings.explanation import Explanation as Explanation
from domain.tournaments.standings.explanation import Part as Part
from domain.tournaments.standings.explanation import explanations as explanations
from domain.tournaments.standings.ranking import Row as Row
from domain.tournaments.standings.ranking import Standings as Standings
from domain.tournaments.standings.ranking import standings as standings
from domain.tournaments.standings.ranking import tiebreaks_of as tiebreaks_of
from domain.tournaments.standings.words import TITLES as TITLES
from domain.tournaments.standings.words import in_words as in_words
from domain.tournaments.standings.words import stage_in_words as stage_in_words
from domain.tournaments.standings.words import three_decimals as three_decimals
