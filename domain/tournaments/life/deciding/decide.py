"""Decides the commands of a tournament. The events of a command include their consequences."""

from typing import TypeAlias, assert_never

from hoodwink.domain.tournaments.life import commands
from hoodwink.domain.tournaments.life.deciding import (
    arena,
    contact,
    entry,
    offers,
    officials,
    phases,
    results,
    reversals,
    rounds,
    rulings,
    sittings,
    substitutions,
    teams,
)
from hoodwink.domain.tournaments.life.deciding.bounds import check_times
from hoodwink.domain.tournaments.life.deciding.checks import Events
from hoodwink.domain.tournaments.life.outages import move_clocks
from hoodwink.domain.tournaments.life.state import Tournament

_PhaseCommand: TypeAlias = (
    commands.OpenTournament
    | commands.OpenRegistration
    | commands.StartTournament
    | commands.StartOnTime
    | commands.ChangeTiebreaks
    | commands.Reschedule
    | commands.Pause
    | commands.Resume
    | commands.RingBell
    | commands.EndOvertime
    | commands.Finish
    | commands.Cancel
)
_OfficialCommand: TypeAlias = (
    commands.NameArbiter
    | commands.RemoveArbiter
    | commands.NameCoOrganiser
    | commands.RemoveCoOrganiser
    | commands.AddRounds
    | commands.Describe
    | commands.Announce
    | commands.MarkAbsent
    | commands.WithdrawEntrant
    | commands.StopTable
    | commands.RuleResult
    | commands.OfferPlace
    | commands.DeclinePlace
)
_ReversalCommand: TypeAlias = (
    commands.ReverseRuling
    | commands.ReverseAbsence
    | commands.ReverseWithdrawal
    | commands.ReverseSubstitution
    | commands.ReverseAddedRounds
)

_ResultCommand: TypeAlias = (
    commands.ConfirmTables
    | commands.ConfirmGivenUp
    | commands.SealTable
    | commands.ReportTable
    | commands.VoidTable
    | commands.ScoreVoid
)


def decide(tournament: Tournament, command: commands.TournamentCommand, now: int) -> Events:
    """Returns the events that the command leads to at time `now` (ms); raises `RuleViolation`."""
    decided = _decide(tournament, command, now)
    check_times(tournament, decided)
    return decided


def _decide(tournament: Tournament, command: commands.TournamentCommand, now: int) -> Events:
    if isinstance(command, _PhaseCommand):
        return _decide_phase(tournament, command, now)
    if isinstance(command, _OfficialCommand):
        return _decide_official(tournament, command, now)
    if isinstance(command, _ReversalCommand):
        return _decide_reversal(tournament, command, now)
    if isinstance(command, _ResultCommand):
        return _decide_result(tournament, command, now)
    match command:
        case commands.MoveClocks():
            return move_clocks(tournament, command, now)
        case (
            commands.Enter()
            | commands.Withdraw()
            | commands.Expel()
            | commands.AcceptEntry()
            | commands.DeclineEntry()
            | commands.OrderEntrants()
            | commands.ReplaceInvitation()
        ):
            return _decide_entry(tournament, command, now)
        case commands.OfferEntries() | commands.WithdrawOffers() | commands.DeclineOffer():
            return _decide_offer(tournament, command, now)
        case (
            commands.OpenCheckIn()
            | commands.CheckIn()
            | commands.SayAbsent()
            | commands.RequestBye()
            | commands.AssignBye()
        ):
            return _decide_sitting(tournament, command, now)
        case commands.TakePlace():
            return substitutions.take(tournament, command)
        case commands.ChooseTeam():
            return teams.choose(tournament, command)
        case commands.ReplaceTeamCode():
            return teams.replace_code(tournament, command)
        case commands.RevealEntrantSeed():
            return sittings.reveal(tournament, command, now)
        case commands.MissSeeds():
            return sittings.miss(tournament, now)
        case commands.OpenRound() | commands.ChangePairing() | commands.StartRound():
            return _decide_round(tournament, command, now)
        case _:
            assert_never(command)


def _decide_phase(tournament: Tournament, command: _PhaseCommand, now: int) -> Events:
    match command:
        case commands.OpenTournament():
            return phases.open_(tournament, command, now)
        case commands.OpenRegistration():
            return phases.open_registration(tournament)
        case commands.StartTournament():
            return phases.start(tournament, command)
        case commands.StartOnTime():
            return phases.start_on_time(tournament, command, now)
        case commands.ChangeTiebreaks():
            return phases.change_tiebreaks(tournament, command)
        case commands.Reschedule():
            return phases.reschedule(tournament, command, now)
        case commands.Pause():
            return phases.pause(tournament, command)
        case commands.Resume():
            return phases.resume(tournament)
        case commands.RingBell():
            return arena.ring_bell(tournament, now)
        case commands.EndOvertime():
            return arena.end_overtime(tournament, now)
        case commands.Finish():
            return phases.finish(tournament, command, now)
        case commands.Cancel():
            return phases.cancel(tournament, command, now)
        case _:
            assert_never(command)


def _decide_entry(
    tournament: Tournament,
    command: commands.Enter
    | commands.Withdraw
    | commands.Expel
    | commands.AcceptEntry
    | commands.DeclineEntry
    | commands.OrderEntrants
    | commands.ReplaceInvitation,
    now: int,
) -> Events:
    match command:
        case commands.Enter():
            return entry.enter(tournament, command, now)
        case commands.Withdraw():
            return entry.withdraw(tournament, command)
        case commands.Expel():
            return entry.expel(tournament, command)
        case commands.AcceptEntry():
            return entry.accept(tournament, command, now)
        case commands.DeclineEntry():
            return entry.decline(tournament, command)
        case commands.OrderEntrants():
            return entry.order(tournament, command)
        case commands.ReplaceInvitation():
            return entry.replace_invitation(tournament)
        case _:
            assert_never(command)


def _decide_offer(
    tournament: Tournament,
    command: commands.OfferEntries | commands.WithdrawOffers | commands.DeclineOffer,
    now: int,
) -> Events:
    match command:
        case commands.OfferEntries():
            return offers.offer(tournament, command, now)
        case commands.WithdrawOffers():
            return offers.withdraw(tournament, command)
        case commands.DeclineOffer():
            return offers.decline(tournament, command)
        case _:
            assert_never(command)


def _decide_sitting(
    tournament: Tournament,
    command: commands.OpenCheckIn
    | commands.CheckIn
    | commands.SayAbsent
    | commands.RequestBye
    | commands.AssignBye,
    now: int,
) -> Events:
    match command:
        case commands.OpenCheckIn():
            return sittings.open_check_in(tournament, command, now)
        case commands.CheckIn():
            return sittings.check_in(tournament, command)
        case commands.SayAbsent():
            return sittings.say_absent(tournament, command, now)
        case commands.RequestBye():
            return sittings.request_bye(tournament, command)
        case commands.AssignBye():
            return sittings.assign_bye(tournament, command)
        case _:
            assert_never(command)


def _decide_round(
    tournament: Tournament,
    command: commands.OpenRound | commands.ChangePairing | commands.StartRound,
    now: int,
) -> Events:
    match command:
        case commands.OpenRound():
            return rounds.open_round(tournament, command, now)
        case commands.ChangePairing():
            return rounds.change_pairing(tournament, command)
        case commands.StartRound():
            return rounds.start_round(tournament, command, now)
        case _:
            assert_never(command)


def _decide_result(tournament: Tournament, command: _ResultCommand, now: int) -> Events:
    match command:
        case commands.ConfirmTables():
            return results.confirm_tables(tournament, command)
        case commands.ConfirmGivenUp():
            return results.confirm_given_up(tournament, command)
        case commands.SealTable():
            return results.seal(tournament, command, now)
        case commands.ReportTable():
            return results.report(tournament, command, now)
        case commands.VoidTable():
            return results.void(tournament, command)
        case commands.ScoreVoid():
            return results.score_void(tournament, command)
        case _:
            assert_never(command)


def _decide_official(tournament: Tournament, command: _OfficialCommand, now: int) -> Events:
    match command:
        case commands.NameArbiter() | commands.RemoveArbiter():
            return officials.change_arbiters(tournament, command)
        case commands.NameCoOrganiser() | commands.RemoveCoOrganiser():
            return officials.change_co_organisers(tournament, command)
        case commands.OfferPlace():
            return substitutions.offer(tournament, command)
        case commands.DeclinePlace():
            return substitutions.decline(tournament, command)
        case commands.AddRounds():
            return officials.add_rounds(tournament, command)
        case commands.Describe():
            return contact.describe(tournament, command)
        case commands.Announce():
            return contact.announce(tournament, command, now)
        case commands.MarkAbsent():
            return officials.mark_absent(tournament, command)
        case commands.WithdrawEntrant():
            return officials.withdraw(tournament, command)
        case commands.StopTable():
            return rulings.stop(tournament, command)
        case commands.RuleResult():
            return rulings.rule(tournament, command)
        case _:
            assert_never(command)


def _decide_reversal(tournament: Tournament, command: _ReversalCommand, now: int) -> Events:
    match command:
        case commands.ReverseRuling():
            return rulings.reverse(tournament, command, now)
        case commands.ReverseAbsence():
            return reversals.reverse_absence(tournament, command)
        case commands.ReverseWithdrawal():
            return reversals.reverse_withdrawal(tournament, command)
        case commands.ReverseSubstitution():
            return reversals.reverse_substitution(tournament, command)
        case commands.ReverseAddedRounds():
            return reversals.reverse_added_rounds(tournament, command)
        case _:
            assert_never(command)
