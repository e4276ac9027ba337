"""Rulings: an official ends a table, or rules on a result; an administrator reverses a ruling (V-4 … V-6)."""

from collections.abc import Sequence
from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import ReverseRuling, RuleResult, StopTable
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_half, check_official
from hoodwink.domain.tournaments.life.deciding.consequences import with_consequences
from hoodwink.domain.tournaments.life.deciding.results import board
from hoodwink.domain.tournaments.life.deciding.substitutions import dropped_pairing
from hoodwink.domain.tournaments.life.events.rulings import ResultRuled, RulingReversed, TableStopped
from hoodwink.domain.tournaments.life.facts import is_over, last_round, seats_an_entrant, terms_of
from hoodwink.domain.tournaments.life.state import Match, Phase, Tournament
from hoodwink.domain.tournaments.terms import Format, ScoreBy

MAX_POINTS: Final = 1_000_000
MAX_RULINGS: Final = 10
"""Per board: each one adds to the log, and has every standing computed again."""


def stop(tournament: Tournament, command: StopTable) -> Events:
    match = board(tournament, command.round, command.board)
    _check_official(tournament, match, command)
    deal = match.deals[-1]
    if command.deal != len(match.deals):
        raise RuleViolation(TournamentCode.NO_SUCH_BOARD)
    if deal.is_decided or deal.seal:
        raise RuleViolation(TableCode.TABLE_OVER)
    if deal.is_stopped:
        raise RuleViolation(TournamentCode.TABLE_STOPPED)
    check_reason(command.reason)
    return (TableStopped(command.round, command.board, command.deal, command.official, command.reason),)


def rule(tournament: Tournament, command: RuleResult) -> Events:
    match = board(tournament, command.round, command.board)
    _check_official(tournament, match, command)
    _check_open(tournament, command.round)
    if match.is_ruling_reversed:
        raise RuleViolation(TournamentCode.RULING_REVERSED)
    if match.deals[0].is_void:
        raise RuleViolation(TableCode.ALREADY_VOIDED)
    if match.rulings >= MAX_RULINGS:
        raise RuleViolation(TournamentCode.TOO_MANY_RULINGS)
    if not all(deal.is_decided or deal.is_stopped for deal in match.deals):
        raise RuleViolation(TournamentCode.TABLE_IN_PLAY)
    if command.places is None:
        _check_annulment(tournament, command)
    else:
        _check_places(tournament, match, command.places, command)
    check_reason(command.reason)
    ruled = ResultRuled(**{name: getattr(command, name) for name in command.__struct_fields__})
    return ruled, *_dropped(tournament)


def reverse(tournament: Tournament, command: ReverseRuling, now: int) -> Events:
    match = board(tournament, command.round, command.board)
    if match.ruling is None:
        raise RuleViolation(TournamentCode.NO_RULING)
    _check_open(tournament, command.round)
    check_reason(command.reason)
    reversed_ = RulingReversed(command.round, command.board, command.reason)
    return with_consequences(tournament, (reversed_, *_dropped(tournament)), now)


def _check_official(tournament: Tournament, match: Match, command: StopTable | RuleResult) -> None:
    """Raises `RuleViolation` unless the official may decide about the board without an advantage of their own (V-6)."""
    if tournament.phase is Phase.CANCELLED:
        raise RuleViolation(TournamentCode.TOURNAMENT_OVER)
    check_official(tournament, command)
    if seats_an_entrant(tournament, match, command.official):
        raise RuleViolation(TournamentCode.OWN_TABLE)
    compared = tournament.rounds[command.round - 1].matches if tournament.compare is not None else ()
    if any(seats_an_entrant(tournament, other, command.official) for other in compared):
        raise RuleViolation(TournamentCode.OWN_DEAL)


def _check_open(tournament: Tournament, round_: int) -> None:
    """Raises `RuleViolation` if the entrants who went on in a knockout have met already."""
    if terms_of(tournament).format is Format.KNOCKOUT and round_ < last_round(tournament):
        raise RuleViolation(TournamentCode.RULING_TOO_LATE)


def _dropped(tournament: Tournament) -> Events:
    """Returns the event that drops a pairing of a knockout that has not started, because others may go on (V-5)."""
    is_knockout = terms_of(tournament).format is Format.KNOCKOUT
    return dropped_pairing(tournament) if is_knockout and not is_over(tournament) else ()


def _check_annulment(tournament: Tournament, command: RuleResult) -> None:
    if terms_of(tournament).format is Format.KNOCKOUT:
        raise _invalid("In a knockout, a ruling must say who goes on; give the places.")
    if command.points is not None:
        raise _invalid("Points need places.")
    if command.score is not None:
        check_half(command.score)


def _check_places(
    tournament: Tournament, match: Match, places: Sequence[int | None], command: RuleResult
) -> None:
    seats, terms = match.deals[0].seats, terms_of(tournament)
    if command.score is not None:
        raise _invalid("A score is only for a result that does not count.")
    if len(places) != len(seats):
        raise _invalid(f"The table has {len(seats)} seats; give a place for each.")
    if any(place is None and number is None for place, number in zip(places, seats, strict=True)):
        raise _invalid("Bots are always present; give each of them a place.")
    there = [place for place in places if place is not None]
    if any(place != 1 + sum(other < place for other in there) for place in there):
        raise _invalid(
            "The places must be those of a table: equal seats share a place, and the next ones are left out."
        )
    if terms.format is Format.KNOCKOUT and len(set(there)) < len(there):
        raise _invalid("In a knockout, a ruling must say who goes on; no two seats may share a place.")
    counts_points = terms.score_by is ScoreBy.POINTS or terms.compare is not None
    if counts_points != (command.points is not None):
        raise _invalid(
            "Points decide the score in this tournament; give them, too."
            if counts_points
            else "Points do not decide the score in this tournament; give places only."
        )
    if command.points is not None:
        _check_points(places, command.points)


def _check_points(places: Sequence[int | None], points: Sequence[int]) -> None:
    if len(points) != len(places) or any(abs(point) > MAX_POINTS for point in points):
        raise _invalid(f"Give points for each seat, at most {MAX_POINTS}.")
    there = [point for place, point in zip(places, points, strict=True) if place is not None]
    for place, point in zip(places, points, strict=True):
        if place is not None and place != 1 + sum(other > point for other in there):
            raise _invalid("The places must follow from the points.")


def _invalid(detail: str) -> RuleViolation:
    return RuleViolation(TournamentCode.INVALID_RULING, detail)
