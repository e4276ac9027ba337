"""Sittings: who is there, which seeds count, and who has a bye (T-4, T-9, T-14)."""

from domain.cards import commitment
from domain.kernel import RuleViolation
from domain.tables.codes import TableCode
from domain.tables.corrections import check_reason
from domain.tables.fairness import is_committable
from domain.tournaments.life.checks import (
    Events,
    check_commitment,
    check_half,
    check_not_over,
    check_running,
    check_started,
    check_unpaired,
    planned_rounds,
    required,
    taking_part,
)
from domain.tournaments.life.codes import TournamentCode
from domain.tournaments.life.commands import (
    AssignBye,
    CheckIn,
    OpenCheckIn,
    RequestBye,
    RevealEntrantSeed,
    SayAbsent,
)
from domain.tournaments.life.events import (
    ByeAssigned,
    ByeRequested,
    CheckedIn,
    CheckInOpened,
    EntrantSeedRevealed,
    EntrantSeedsMissed,
    SaidAbsent,
)
from domain.tournaments.life.state import Participant, Phase, Tournament, current_sitting, setup_of, starts_at


def open_check_in(tournament: Tournament, command: OpenCheckIn, now: int) -> Events:
    check_running(tournament)
    setup = setup_of(tournament)
    if not setup.check_in:
        raise RuleViolation(TournamentCode.NO_CHECK_IN)
    if command.sitting != current_sitting(tournament):
        raise RuleViolation(TournamentCode.WRONG_SITTING)
    if tournament.check_in >= command.sitting:
        raise RuleViolation(TournamentCode.CHECK_IN_OPEN)
    until = max(now + 1000 * setup.check_in, starts_at(tournament, command.sitting))
    return (CheckInOpened(command.sitting, until),)


def check_in(tournament: Tournament, command: CheckIn) -> Events:
    check_running(tournament)
    one = _person(tournament, command.entrant)
    sitting = current_sitting(tournament)
    if setup_of(tournament).check_in and tournament.check_in != sitting:
        raise RuleViolation(TournamentCode.CHECK_IN_CLOSED)
    check_commitment(command.seed_commitment)
    if command.seed_commitment and one.commitment:
        raise RuleViolation(TournamentCode.SEED_COMMITTED)
    is_there = one.absent_in != sitting and sitting in {
        one.checked_in,
        0 if setup_of(tournament).check_in else sitting,
    }
    if is_there and not command.seed_commitment:
        raise RuleViolation(TournamentCode.ALREADY_CHECKED_IN)
    return (CheckedIn(one.id, sitting, command.seed_commitment),)


def say_absent(tournament: Tournament, command: SayAbsent) -> Events:
    check_started(tournament)
    one = _person(tournament, command.entrant)
    sitting = current_sitting(tournament)
    if one.absent_in == sitting:
        raise RuleViolation(TournamentCode.ALREADY_ABSENT)
    return (SaidAbsent(one.id, sitting),)


def _person(tournament: Tournament, entrant: str) -> Participant:
    one = taking_part(tournament, entrant)
    if one.policy is not None:
        raise RuleViolation(TableCode.NOT_A_PERSON, "A bot is always there.")
    return one


def reveal(tournament: Tournament, command: RevealEntrantSeed, now: int) -> Events:
    check_started(tournament)
    one = required(tournament, command.entrant)
    call = tournament.call
    if call is None or one.id not in call.awaited:
        raise RuleViolation(TableCode.NO_SEED_AWAITED, "No seed of yours is awaited now.")
    if tournament.phase is Phase.RUNNING and now >= call.until:
        raise RuleViolation(TableCode.REVEAL_OVER)
    if not is_committable(command.seed):
        raise RuleViolation(TableCode.INVALID_SEED)
    if commitment(command.seed) != one.commitment:
        raise RuleViolation(TableCode.WRONG_SEED)
    return (EntrantSeedRevealed(one.id, command.seed),)


def miss(tournament: Tournament, now: int) -> Events:
    check_running(tournament)
    call = tournament.call
    if call is None or not call.awaited:
        raise RuleViolation(TableCode.NO_SEED_AWAITED, "No seed is awaited.")
    if now < call.until:
        raise RuleViolation(TableCode.REVEAL_RUNNING, "The seeds may still be revealed.")
    return (EntrantSeedsMissed(call.awaited),)


def request_bye(tournament: Tournament, command: RequestBye) -> Events:
    one = _with_byes(tournament, command.entrant, command.round)
    setup = setup_of(tournament)
    if command.round == planned_rounds(tournament):
        raise RuleViolation(TournamentCode.LAST_ROUND, "No bye can be requested for the last round.")
    if command.round in one.byes:
        raise RuleViolation(TournamentCode.BYE_REQUESTED)
    if len(one.byes) >= setup.requested_byes:
        byes = "1 bye" if setup.requested_byes == 1 else f"{setup.requested_byes} byes"
        raise RuleViolation(TournamentCode.TOO_MANY_BYES, f"An entrant may request {byes} at most.")
    return (ByeRequested(one.id, command.round),)


def assign_bye(tournament: Tournament, command: AssignBye) -> Events:
    one = _with_byes(tournament, command.entrant, command.round)
    check_half(command.score)
    check_reason(command.reason, of="A bye that is assigned")
    return (ByeAssigned(one.id, command.round, command.score, command.reason),)


def _with_byes(tournament: Tournament, entrant: str, round_: int) -> Participant:
    """Returns the entrant; raises `RuleViolation` unless they can have a bye in that round."""
    check_not_over(tournament)
    one = taking_part(tournament, entrant)
    if not setup_of(tournament).has_byes:
        raise RuleViolation(TournamentCode.NO_BYES)
    check_unpaired(tournament, round_)
    if round_ < one.from_round:
        raise RuleViolation(TournamentCode.NOT_ENTERED_YET)
    return one
