"""Counts from earlier rounds that matter for the seating of the next one."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.crosstable import Board, Crosstable, Why
from hoodwink.domain.tournaments.pairing.seating.groups import home_of
from hoodwink.domain.tournaments.scoring import RoundScore, meetings, round_scores, scores_after


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The counts for P-4 and P-7. Tables that were played or are in play count (T-6, T-10 … T-12).

    Attributes:
        scores: each entrant's score before the round to pair.
        meetings: how often a pair sat at the same table; pairs have the lower rank first.
        neighbours: how often the second of two entrants sat in the seat after the first, at tables of three or more.
        seats: how often an entrant had a seat, by entrant and seat.
        sizes: how often an entrant sat at a table of a given size, by entrant and size.
        floats: for the last round: 1 for an entrant who floated up, -1 for one who floated down.
        byes: the number of each entrant's unplayed rounds that rule out a pairing bye (T-9).
    """

    scores: Mapping[int, Fraction]
    meetings: Mapping[tuple[int, int], int]
    neighbours: Mapping[tuple[int, int], int]
    seats: Mapping[tuple[int, int], int]
    sizes: Mapping[tuple[int, int], int]
    floats: Mapping[int, int]
    byes: Mapping[int, int]


def history_of(crosstable: Crosstable, *, round_: int) -> History:
    """Returns the counts of the rounds before the one with this number."""
    played = crosstable.until(round_ - 1)
    rounds = round_scores(played)
    found = [score for scores in rounds for score in scores.values()]
    seated = [score for score in found if _counts(score)]
    return History(
        scores=scores_after(played, round_ - 1),
        meetings=meetings(played),
        neighbours=Counter(pair for scores in rounds for pair in _neighbours(scores)),
        seats=Counter((score.entrant, score.seat) for score in seated if score.seat is not None),
        sizes=Counter((score.entrant, score.size) for score in seated),
        floats=_floats(played, rounds[-1]) if rounds else {},
        byes=Counter(score.entrant for score in found if _stops_bye(score)),
    )


def _neighbours(scores: Mapping[int, RoundScore]) -> list[tuple[int, int]]:
    """Returns the pairs of a round whose second entrant sat in the seat after the first."""
    return [
        (entrant, other)
        for entrant, score in scores.items()
        for other in score.opponents
        if score.size > 2 and _is_next(score.seat, scores[other].seat, score.size)
    ]


def _is_next(seat: int | None, other: int | None, size: int) -> bool:
    return seat is not None and (seat + 1) % size == other


def _counts(score: RoundScore) -> bool:
    """Returns whether the seat counts; that of a no-show at a table in play does not."""
    return score.is_played or bool(score.opponents)


def _stops_bye(score: RoundScore) -> bool:
    return score.why is Why.PAIRING_BYE or score.worth >= 1


def _floats(crosstable: Crosstable, last: Mapping[int, RoundScore]) -> dict[int, int]:
    before = scores_after(crosstable, len(crosstable.rounds) - 1)
    directions: dict[int, int] = {}
    for board in crosstable.rounds[-1].boards:
        entrants = _entrants(board)
        home = home_of([before[entrant] for entrant in entrants])
        for entrant in entrants:
            if _counts(last[entrant]) and before[entrant] != home:
                directions[entrant] = 1 if home > before[entrant] else -1
    return directions


def _entrants(board: Board) -> list[int]:
    return [seat.entrant for seat in board.seats if seat.entrant is not None]
