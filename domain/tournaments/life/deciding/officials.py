"""Officials mark entrants as absent, withdraw them (T-18), add rounds (T-22), and name arbiters and co-organisers (T-23, T-50)."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import (
    AddRounds,
    MarkAbsent,
    NameArbiter,
    NameCoOrganiser,
    OfferPlace,
    RemoveArbiter,
    RemoveCoOrganiser,
    WithdrawEntrant,
)
from hoodwink.domain.tournaments.life.deciding.bounds import check_absences
from hoodwink.domain.tournaments.life.deciding.checks import (
    Events,
    check_not_over,
    check_official,
    check_started,
    taking_part,
)
from hoodwink.domain.tournaments.life.deciding.entry import dropped
from hoodwink.domain.tournaments.life.deciding.sittings import person
from hoodwink.domain.tournaments.life.events.rulings import (
    ArbiterNamed,
    ArbiterRemoved,
    CoOrganiserNamed,
    CoOrganiserRemoved,
    EntrantWithdrawn,
    MarkedAbsent,
    RoundsAdded,
)
from hoodwink.domain.tournaments.life.facts import (
    current_sitting,
    last_round,
    participant,
    role_of,
    setup_of,
    terms_of,
)
from hoodwink.domain.tournaments.life.setup import MAX_ROUNDS
from hoodwink.domain.tournaments.life.setup_checks import check_divided
from hoodwink.domain.tournaments.life.state import Tournament
from hoodwink.domain.tournaments.terms import Format

WITH_FORFEITS: Final = {Format.ROUND_ROBIN, Format.KNOCKOUT}
"""The formats in which opponents are known beforehand, so that one who is missing gives the other a win."""

MAX_ARBITERS: Final = 10
MAX_ARBITERS_NAMED: Final = 50
"""Including former ones, whose names the sentences of the log need, and the same ones again, because each adds to the log."""

MAX_CO_ORGANISERS: Final = 5
MAX_CO_ORGANISERS_NAMED: Final = 20
"""Including former ones and the same ones again, as with arbiters."""


def change_arbiters(tournament: Tournament, command: NameArbiter | RemoveArbiter) -> Events:
    check_not_over(tournament)
    player = command.player
    if isinstance(command, RemoveArbiter):
        if player not in tournament.arbiters:
            raise RuleViolation(TournamentCode.NOT_AN_ARBITER)
        return (ArbiterRemoved(player),)
    if role_of(tournament, player) is not None:
        raise RuleViolation(TournamentCode.ALREADY_OFFICIAL)
    entrant = participant(tournament, player)
    if entrant is not None and not entrant.has_left:
        raise RuleViolation(TournamentCode.ARBITER_PLAYS)
    if len(tournament.arbiters) >= MAX_ARBITERS or tournament.arbiters_named >= MAX_ARBITERS_NAMED:
        raise RuleViolation(TournamentCode.TOO_MANY_ARBITERS)
    return (ArbiterNamed(player),)


def change_co_organisers(tournament: Tournament, command: NameCoOrganiser | RemoveCoOrganiser) -> Events:
    check_not_over(tournament)
    player = command.player
    if isinstance(command, RemoveCoOrganiser):
        if player not in tournament.co_organisers:
            raise RuleViolation(TournamentCode.NOT_A_CO_ORGANISER)
        return (CoOrganiserRemoved(player),)
    if role_of(tournament, player) is not None:
        raise RuleViolation(TournamentCode.ALREADY_OFFICIAL)
    is_full = len(tournament.co_organisers) >= MAX_CO_ORGANISERS
    if is_full or tournament.co_organisers_named >= MAX_CO_ORGANISERS_NAMED:
        raise RuleViolation(TournamentCode.TOO_MANY_CO_ORGANISERS)
    return (CoOrganiserNamed(player),)


def mark_absent(tournament: Tournament, command: MarkAbsent) -> Events:
    check_started(tournament)
    entrant = person(tournament, command.entrant)
    check_official(tournament, command)
    check_contest(tournament, command)
    sitting = current_sitting(tournament)
    if entrant.absent_in == sitting:
        raise RuleViolation(TournamentCode.ALREADY_ABSENT, "This entrant is absent from the sitting already.")
    check_absences(entrant)
    check_reason(command.reason)
    marked = MarkedAbsent(entrant.id, sitting, command.official, command.reason)
    return marked, *dropped(tournament, entrant)


def withdraw(tournament: Tournament, command: WithdrawEntrant) -> Events:
    check_not_over(tournament)
    entrant = taking_part(tournament, command.entrant)
    check_official(tournament, command)
    check_contest(tournament, command)
    check_reason(command.reason)
    withdrawn = EntrantWithdrawn(entrant.id, last_round(tournament), command.official, command.reason)
    return withdrawn, *dropped(tournament, entrant)


def add_rounds(tournament: Tournament, command: AddRounds) -> Events:
    check_started(tournament)
    check_official(tournament, command)
    terms = terms_of(tournament)
    if terms.format not in {Format.SWISS, Format.LEAGUE}:
        raise RuleViolation(TournamentCode.ROUNDS_FIXED)
    if len(tournament.rounds) >= terms.rounds:
        raise RuleViolation(
            TournamentCode.LAST_ROUND, "Rounds can be added only before the last round is paired."
        )
    if command.rounds < 1 or terms.rounds + command.rounds > MAX_ROUNDS:
        raise RuleViolation(TournamentCode.TOO_MANY_ROUNDS)
    check_divided([command.rounds], tournament.deals_per_pairing)
    check_reason(command.reason)
    return (RoundsAdded(command.rounds, command.official, command.reason),)


def check_contest(tournament: Tournament, command: MarkAbsent | WithdrawEntrant | OfferPlace) -> None:
    """Raises `RuleViolation` unless the official may decide about the entrant without an advantage of their own."""
    own = participant(tournament, command.official)
    plays = own is not None and not own.has_left and command.entrant != own.id
    if plays and setup_of(tournament).format in WITH_FORFEITS:
        raise RuleViolation(TournamentCode.OWN_CONTEST)
