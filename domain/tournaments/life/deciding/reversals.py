"""Administrators reverse decisions of officials about entrants and rounds (V-7)."""

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import (
    ReverseAbsence,
    ReverseAddedRounds,
    ReverseSubstitution,
    ReverseWithdrawal,
)
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_started, required, taking_part
from hoodwink.domain.tournaments.life.deciding.substitutions import check_playing_on, dropped_pairing
from hoodwink.domain.tournaments.life.events import (
    AbsenceReversed,
    AddedRoundsReversed,
    SubstitutionReversed,
    WithdrawalReversed,
)
from hoodwink.domain.tournaments.life.facts import current_sitting, last_round, terms_of
from hoodwink.domain.tournaments.life.state import Tournament


def reverse_absence(tournament: Tournament, command: ReverseAbsence) -> Events:
    check_started(tournament)
    entrant = taking_part(tournament, command.entrant)
    if not entrant.is_marked or entrant.absent_in != current_sitting(tournament):
        raise RuleViolation(TournamentCode.NOTHING_TO_REVERSE)
    check_reason(command.reason)
    return AbsenceReversed(entrant.id, command.reason), *dropped_pairing(tournament)


def reverse_withdrawal(tournament: Tournament, command: ReverseWithdrawal) -> Events:
    check_started(tournament)
    entrant = required(tournament, command.entrant)
    if not entrant.is_withdrawn:
        raise RuleViolation(TournamentCode.NOTHING_TO_REVERSE)
    check_playing_on(tournament, entrant)
    check_reason(command.reason)
    return WithdrawalReversed(entrant.id, command.reason), *dropped_pairing(tournament)


def reverse_substitution(tournament: Tournament, command: ReverseSubstitution) -> Events:
    check_started(tournament)
    entrant = required(tournament, command.entrant)
    if not entrant.predecessors or entrant.predecessors[-1].is_reversal:
        raise RuleViolation(TournamentCode.NOTHING_TO_REVERSE)
    player = entrant.predecessors[-1].player
    if player in tournament.arbiters:
        raise RuleViolation(TournamentCode.ARBITER_PLAYS)
    check_playing_on(tournament, entrant)
    check_reason(command.reason)
    reversed_ = SubstitutionReversed(entrant.id, player, last_round(tournament), command.reason)
    return reversed_, *dropped_pairing(tournament)


def reverse_added_rounds(tournament: Tournament, command: ReverseAddedRounds) -> Events:
    check_started(tournament)
    if not tournament.added:
        raise RuleViolation(TournamentCode.NOTHING_TO_REVERSE)
    rounds = tournament.added[-1]
    call, dropped = tournament.call, tournament.dropped
    begun = max(
        len(tournament.rounds),
        0 if call is None else call.round,
        0 if dropped is None else dropped.number,
    )
    if begun > terms_of(tournament).rounds - rounds:
        raise RuleViolation(
            TournamentCode.ROUND_PAIRED, "A round that was added has been paired, or is about to be."
        )
    check_reason(command.reason)
    return (AddedRoundsReversed(rounds, command.reason),)
