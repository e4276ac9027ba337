"""The scores of a tournament's rounds, on which pairing and standings are based."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from hoodwink.domain.tournaments.crosstable import Crosstable, Round
from hoodwink.domain.tournaments.scoring.arena import with_streaks
from hoodwink.domain.tournaments.scoring.duplicate import score_duplicate
from hoodwink.domain.tournaments.scoring.places import ZERO
from hoodwink.domain.tournaments.scoring.rounds import RoundScore, score_tables
from hoodwink.domain.tournaments.terms import Format, Terms

RoundScores: TypeAlias = Mapping[int, RoundScore]
"""The scores of a round by entrant."""


def round_scores(crosstable: Crosstable) -> tuple[RoundScores, ...]:
    """Returns the scores of every round, in order."""
    scores = (score_round(round_, crosstable.terms) for round_ in crosstable.rounds)
    return tuple(with_streaks(scores) if crosstable.terms.format is Format.ARENA else scores)


def score_round(round_: Round, terms: Terms) -> RoundScores:
    """Returns the scores of one round; those of an arena also depend on the rounds before it."""
    if terms.compare is None:
        return score_tables(round_, terms)
    return score_duplicate(round_, terms, terms.compare)


def scores_after(crosstable: Crosstable, round_: int) -> dict[int, Fraction]:
    """Returns each entrant's score after a round for the pairing, with unfinished tables as half a first place (T-11).

    In the standings, an unfinished table scores nothing. Round 0 means before the first round.
    """
    totals = dict.fromkeys(crosstable.numbers(), ZERO)
    for scores in round_scores(crosstable.until(round_)):
        for entrant, round_score in scores.items():
            totals[entrant] += round_score.score + round_score.provisional
    return totals


def meetings(crosstable: Crosstable) -> dict[tuple[int, int], int]:
    """Returns how often two entrants, the lower rank first, have met, without pairs that never met.

    They met at a table if both appeared and it had a result or is unfinished (T-6, T-10, T-11).
    """
    return Counter(
        (entrant, other)
        for scores in round_scores(crosstable)
        for entrant, round_score in scores.items()
        for other in round_score.opponents
        if entrant < other
    )
