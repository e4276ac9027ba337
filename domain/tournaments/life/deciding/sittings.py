"""Sittings: check-in, the reveal of seeds, and byes (T-4, T-9, T-14)."""

from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tables.fairness import is_committable
from hoodwink.domain.tournaments.life.arena import MIN_STAY_MS
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import (
    AssignBye,
    CheckIn,
    OpenCheckIn,
    RequestBye,
    RevealEntrantSeed,
    SayAbsent,
)
from hoodwink.domain.tournaments.life.deciding.bounds import check_absences
from hoodwink.domain.tournaments.life.deciding.checks import (
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
from hoodwink.domain.tournaments.life.events import (
    ByeAssigned,
    ByeRequested,
    CheckedIn,
    CheckInOpened,
    EntrantSeedRevealed,
    EntrantSeedsMissed,
    SaidAbsent,
)
from hoodwink.domain.tournaments.life.facts import current_sitting, organises, setup_of, starts_at
from hoodwink.domain.tournaments.life.state import Participant, Phase, Tournament
from hoodwink.domain.tournaments.scoring import HALF


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
    entrant = person(tournament, command.entrant)
    sitting = current_sitting(tournament)
    if setup_of(tournament).check_in and tournament.check_in != sitting:
        raise RuleViolation(TournamentCode.CHECK_IN_CLOSED)
    check_commitment(command.seed_commitment)
    if command.seed_commitment and entrant.commitment:
        raise RuleViolation(TournamentCode.SEED_COMMITTED)
    if command.seed_commitment and tournament.arena is not None:
        # Each new commitment could hold up a wave for ten seconds.
        raise RuleViolation(
            TournamentCode.SEED_COMMITTED, "In an arena you commit to a seed only when you enter."
        )
    is_there = entrant.absent_in != sitting and sitting in {
        entrant.checked_in,
        0 if setup_of(tournament).check_in else sitting,
    }
    if is_there and not command.seed_commitment:
        raise RuleViolation(TournamentCode.ALREADY_CHECKED_IN)
    return (CheckedIn(entrant.id, sitting, command.seed_commitment),)


def say_absent(tournament: Tournament, command: SayAbsent, now: int) -> Events:
    check_started(tournament)
    entrant = person(tournament, command.entrant)
    sitting = current_sitting(tournament)
    if entrant.absent_in == sitting:
        raise RuleViolation(TournamentCode.ALREADY_ABSENT)
    if tournament.arena is not None and now < entrant.returned_at + MIN_STAY_MS:
        # Each pause and each return makes the service pair a wave again that it has not finished pairing.
        raise RuleViolation(
            TournamentCode.ALREADY_CHECKED_IN,
            "You have just returned; you can pause again after ten seconds.",
        )
    check_absences(entrant)
    return (SaidAbsent(entrant.id, sitting),)


def person(tournament: Tournament, entrant: str) -> Participant:
    """Returns the entrant with that id; raises `RuleViolation` unless it is a person who has not left."""
    found = taking_part(tournament, entrant)
    check_person(found)
    return found


def check_person(entrant: Participant) -> None:
    if entrant.policy is not None:
        raise RuleViolation(
            TableCode.NOT_A_PERSON,
            "A bot is always present; only players check in, announce absences and are substituted.",
        )


def reveal(tournament: Tournament, command: RevealEntrantSeed, now: int) -> Events:
    check_started(tournament)
    entrant = required(tournament, command.entrant)
    call = tournament.call
    if call is None or entrant.id not in call.awaited:
        raise RuleViolation(TableCode.NO_SEED_AWAITED, "You have no seed to reveal now.")
    if tournament.phase is Phase.RUNNING and now >= call.until:
        raise RuleViolation(TableCode.REVEAL_OVER)
    if not is_committable(command.seed):
        raise RuleViolation(TableCode.INVALID_SEED)
    if commitment(command.seed) != entrant.commitment:
        raise RuleViolation(TableCode.WRONG_SEED)
    return (EntrantSeedRevealed(entrant.id, command.seed),)


def miss(tournament: Tournament, now: int) -> Events:
    check_running(tournament)
    call = tournament.call
    if call is None or not call.awaited:
        raise RuleViolation(TableCode.NO_SEED_AWAITED, "No round waits for seeds.")
    if now < call.until:
        raise RuleViolation(TableCode.REVEAL_RUNNING, "The seeds may still be revealed.")
    return (EntrantSeedsMissed(call.awaited),)


def request_bye(tournament: Tournament, command: RequestBye) -> Events:
    entrant = _with_byes(tournament, command.entrant, command.round)
    setup = setup_of(tournament)
    if command.round == planned_rounds(tournament):
        raise RuleViolation(TournamentCode.LAST_ROUND, "No bye can be requested for the last round.")
    if command.round in entrant.byes:
        raise RuleViolation(TournamentCode.BYE_REQUESTED)
    if len(entrant.byes) >= setup.requested_byes:
        byes = "1 bye" if setup.requested_byes == 1 else f"{setup.requested_byes} byes"
        raise RuleViolation(TournamentCode.TOO_MANY_BYES, f"An entrant may request at most {byes}.")
    return (ByeRequested(entrant.id, command.round),)


def assign_bye(tournament: Tournament, command: AssignBye) -> Events:
    entrant = _with_byes(tournament, command.entrant, command.round)
    check_half(command.score)
    check_reason(command.reason, of="A bye that is assigned")
    if organises(tournament, entrant.id):
        _check_own_bye(tournament, command)
    return (ByeAssigned(entrant.id, command.round, command.score, command.reason),)


def _check_own_bye(tournament: Tournament, command: AssignBye) -> None:
    """Raises `RuleViolation` for a bye that entrants who organise may not have from anybody (T-9)."""
    if command.round == planned_rounds(tournament):
        raise RuleViolation(
            TournamentCode.LAST_ROUND,
            "An entrant who organises the tournament gets no bye in the last round.",
        )
    if command.score > HALF:
        raise RuleViolation(TournamentCode.OWN_BYE)


def _with_byes(tournament: Tournament, entrant: str, round_: int) -> Participant:
    """Returns the entrant; raises `RuleViolation` unless they can have a bye in that round."""
    check_not_over(tournament)
    found = taking_part(tournament, entrant)
    if not setup_of(tournament).has_byes:
        raise RuleViolation(TournamentCode.NO_BYES)
    check_unpaired(tournament, round_)
    if round_ < found.from_round:
        raise RuleViolation(TournamentCode.NOT_ENTERED_YET)
    return found
