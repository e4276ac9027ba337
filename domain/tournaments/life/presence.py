"""Presence: the entrants who play in the next round, and the reasons why others do not (T-4, T-8, T-9)."""

from collections.abc import Collection
from fractions import Fraction

from hoodwink.domain.tournaments.crosstable import Unplayed, Why
from hoodwink.domain.tournaments.life.facts import is_present, setup_of, sitting_of
from hoodwink.domain.tournaments.life.state import Participant, Tournament
from hoodwink.domain.tournaments.scoring import HALF, ZERO
from hoodwink.domain.tournaments.terms import Format


def reason_to_sit_out(
    tournament: Tournament, entrant: Participant, round_: int, *, sitting: int
) -> tuple[Why, Fraction] | None:
    """Returns why an entrant is not seated in a round of a sitting, and the score for it; `None` if they are to be seated."""
    if entrant.has_left:
        return Why.WITHDRAWN, ZERO
    assigned = dict(entrant.assigned).get(round_)
    if assigned is not None:
        return Why.ASSIGNED_BYE, assigned
    if round_ in entrant.byes:
        return Why.REQUESTED_BYE, HALF
    if not is_present(tournament, entrant, sitting):
        return Why.ABSENT, ZERO
    return None


def seated(tournament: Tournament, round_: int) -> tuple[int, ...]:
    """Returns the entrants to be paired in a round, ascending.

    In a round robin all entrants have a place in the schedule, present or not.
    """
    is_schedule = setup_of(tournament).format is Format.ROUND_ROBIN
    sitting = sitting_of(tournament, round_)
    return tuple(
        [
            entrant.number
            for entrant in tournament.entrants
            if entrant.from_round <= round_
            and (is_schedule or reason_to_sit_out(tournament, entrant, round_, sitting=sitting) is None)
        ]
    )


def absent_among(tournament: Tournament, numbers: Collection[int], round_: int) -> tuple[int, ...]:
    """Returns the entrants among `numbers` who are not present in the round, ascending."""
    sitting = sitting_of(tournament, round_)
    return tuple(
        [
            entrant.number
            for entrant in tournament.entrants
            if entrant.number in numbers
            and reason_to_sit_out(tournament, entrant, round_, sitting=sitting) is not None
        ]
    )


def unplayed(
    tournament: Tournament, round_: int, *, at_tables: Collection[int], byes: Collection[int]
) -> tuple[Unplayed, ...]:
    """Returns the entrants without a table in a round, with the reasons."""
    return tuple(
        [
            _unplayed(tournament, entrant, round_, has_bye=entrant.number in byes)
            for entrant in tournament.entrants
            if entrant.number not in at_tables and entrant.from_round <= round_
        ]
    )


def _unplayed(tournament: Tournament, entrant: Participant, round_: int, *, has_bye: bool) -> Unplayed:
    reason = reason_to_sit_out(tournament, entrant, round_, sitting=sitting_of(tournament, round_))
    if reason is None:
        # An entrant who is present but not seated has been knocked out.
        reason = (Why.PAIRING_BYE, bye_score(tournament)) if has_bye else (Why.WITHDRAWN, ZERO)
    why, score = reason
    return Unplayed(entrant=entrant.number, why=why, score=score)


def bye_score(tournament: Tournament) -> Fraction:
    """Returns the score of a pairing bye (T-9)."""
    setup = setup_of(tournament)
    return ZERO if setup.format is Format.ROUND_ROBIN else setup.bye_score
