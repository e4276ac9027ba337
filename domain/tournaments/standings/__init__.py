"""Standings: the order of the entrants after any round, with the tie-breaks that determine it."""

from hoodwink.domain.tournaments.standings.explanation import Against as Against
from hoodwink.domain.tournaments.standings.explanation import Departure as Departure
from hoodwink.domain.tournaments.standings.explanation import Explanation as Explanation
from hoodwink.domain.tournaments.standings.explanation import Part as Part
from hoodwink.domain.tournaments.standings.explanation import explanations as explanations
from hoodwink.domain.tournaments.standings.marks import Marks as Marks
from hoodwink.domain.tournaments.standings.marks import marks_of as marks_of
from hoodwink.domain.tournaments.standings.ranking import Row as Row
from hoodwink.domain.tournaments.standings.ranking import Standings as Standings
from hoodwink.domain.tournaments.standings.ranking import standings as standings
from hoodwink.domain.tournaments.standings.ranking import tiebreaks_of as tiebreaks_of
from hoodwink.domain.tournaments.standings.teams import TeamRow as TeamRow
from hoodwink.domain.tournaments.standings.teams import team_rows as team_rows
from hoodwink.domain.tournaments.standings.words import TITLES as TITLES
from hoodwink.domain.tournaments.standings.words import in_figures as in_figures
from hoodwink.domain.tournaments.standings.words import in_words as in_words
from hoodwink.domain.tournaments.standings.words import stage_in_words as stage_in_words
from hoodwink.domain.tournaments.standings.words import three_decimals as three_decimals
