"""Registration: entering, leaving, expulsion, and the order of the starting ranks (T-3, T-7, T-8)."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import (
    AcceptEntry,
    DeclineEntry,
    Enter,
    Expel,
    OrderEntrants,
    Withdraw,
)
from hoodwink.domain.tournaments.life.deciding.arena import has_bell_passed
from hoodwink.domain.tournaments.life.deciding.bounds import check_bots_entered, check_entries
from hoodwink.domain.tournaments.life.deciding.checks import (
    Events,
    check_before_start,
    check_commitment,
    check_not_over,
    required,
    taking_part,
)
from hoodwink.domain.tournaments.life.events import (
    Entered,
    EntrantExpelled,
    EntrantsOrdered,
    EntrantWithdrew,
    EntryAccepted,
    EntryDeclined,
    EntryRequested,
    InvitationReplaced,
    PairingDropped,
    RequestWithdrawn,
)
from hoodwink.domain.tournaments.life.facts import (
    applicant,
    is_live,
    last_round,
    offered,
    organises,
    paired,
    participant,
    place_of,
    remaining,
    setup_of,
)
from hoodwink.domain.tournaments.life.setup import MAX_ENTRANTS, RankBy
from hoodwink.domain.tournaments.life.state import Applicant, Participant, Phase, Tournament, bot_entrant

MAX_INVITATIONS: Final = 100
"""So that an organiser cannot fill the log."""

_BYES: Final = {Why.PAIRING_BYE, Why.REQUESTED_BYE, Why.ASSIGNED_BYE}


def enter(tournament: Tournament, command: Enter, now: int) -> Events:
    entrant = command.player if command.policy is None else bot_entrant(tournament.bots_entered + 1)
    entered = _entry(tournament, entrant, command, now)
    check_entries(tournament, entrant)
    is_decided = (
        command.policy is not None or organises(tournament, entrant) or entrant in offered(tournament)
    )
    if is_decided or not tournament.admission.approval:
        return (entered,)
    asked = applicant(tournament, entrant)
    if asked is not None:
        raise RuleViolation(
            TournamentCode.ENTRY_DECLINED if asked.is_declined else TournamentCode.ENTRY_REQUESTED
        )
    if is_live(tournament) and any(
        isinstance(left, Applicant) and left.id == entrant for left in tournament.gone
    ):
        raise RuleViolation(
            TournamentCode.TOO_LATE,
            "You withdrew your request, and nobody asks again after the start of a tournament.",
        )
    if len(tournament.applicants) >= MAX_ENTRANTS:
        raise RuleViolation(
            TournamentCode.TOURNAMENT_FULL,
            f"{MAX_ENTRANTS} players ask to enter already, the most there can be.",
        )
    return (EntryRequested(entrant, command.seed_commitment),)


def accept(tournament: Tournament, command: AcceptEntry, now: int) -> Events:
    asked = _required_applicant(tournament, command.entrant)
    entry = _entry(tournament, asked.id, Enter(player=asked.id, seed_commitment=asked.commitment), now)
    return EntryAccepted(asked.id), entry


def decline(tournament: Tournament, command: DeclineEntry) -> Events:
    asked = _required_applicant(tournament, command.entrant)
    if asked.is_declined:
        raise RuleViolation(TournamentCode.ALREADY_DECLINED)
    return (EntryDeclined(asked.id),)


def _required_applicant(tournament: Tournament, entrant: str) -> Applicant:
    check_not_over(tournament)
    asked = applicant(tournament, entrant)
    if asked is None:
        raise RuleViolation(TournamentCode.NO_SUCH_ENTRANT, "This player does not ask to enter.")
    return asked


def check_enterable(tournament: Tournament, now: int) -> None:
    """Raises `RuleViolation` unless players enter now, apart from those on the waiting list."""
    _check_registration(tournament)
    if is_live(tournament):
        _check_late(tournament, len(tournament.rounds) + 1, now)


def _check_registration(tournament: Tournament) -> None:
    check_not_over(tournament)
    if tournament.phase is Phase.DRAFT:
        raise RuleViolation(TournamentCode.REGISTRATION_CLOSED)


def _entry(tournament: Tournament, entrant: str, command: Enter, now: int) -> Entered:
    """Returns the entry of somebody who may enter now; raises `RuleViolation`."""
    _check_registration(tournament)
    entered = participant(tournament, entrant)
    if entrant in tournament.barred or (entered is not None and entered.is_expelled):
        raise RuleViolation(TournamentCode.ENTRANT_EXPELLED)
    if entrant in tournament.arbiters:
        raise RuleViolation(TournamentCode.ARBITER_PLAYS)
    is_late = is_live(tournament)
    from_round = len(tournament.rounds) + 1 if is_late else 1
    if is_late:
        _check_late(tournament, from_round, now)
    if place_of(tournament, entrant) is not None:
        raise RuleViolation(TournamentCode.ALREADY_ENTERED)
    if len(tournament.entrants) >= MAX_ENTRANTS:
        raise RuleViolation(
            TournamentCode.TOURNAMENT_FULL, f"A tournament takes at most {MAX_ENTRANTS} entrants."
        )
    check_commitment(command.seed_commitment)
    if command.policy is not None:
        check_bots_entered(tournament)
        if command.seed_commitment:
            raise RuleViolation(TableCode.BOT_SEED, "A bot has no seed; enter it without one.")
    number = len(tournament.entrants) + 1 if is_late else 0
    return Entered(entrant, command.policy, command.seed_commitment, number, from_round)


def _check_late(tournament: Tournament, from_round: int, now: int) -> None:
    setup = setup_of(tournament)
    is_arena = tournament.arena is not None
    if has_bell_passed(tournament, now) if is_arena else from_round > setup.late_until:
        raise RuleViolation(TournamentCode.TOO_LATE)
    if setup.cap is not None and len(remaining(tournament)) >= setup.cap:
        raise RuleViolation(
            TournamentCode.TOURNAMENT_FULL, f"The tournament takes at most {setup.cap} entrants."
        )


def withdraw(tournament: Tournament, command: Withdraw) -> Events:
    check_not_over(tournament)
    asked = applicant(tournament, command.entrant)
    if asked is not None and not asked.is_declined:
        return (RequestWithdrawn(asked.id),)
    entrant = taking_part(tournament, command.entrant)
    return EntrantWithdrew(entrant.id, last_round(tournament)), *dropped(tournament, entrant)


def expel(tournament: Tournament, command: Expel) -> Events:
    check_not_over(tournament)
    entrant = required(tournament, command.entrant)
    if entrant.is_expelled:
        raise RuleViolation(TournamentCode.ALREADY_EXPELLED)
    check_reason(command.reason)
    left_after = last_round(tournament) if entrant.left_after is None else entrant.left_after
    return EntrantExpelled(entrant.id, left_after, command.reason), *dropped(tournament, entrant)


def dropped(tournament: Tournament, entrant: Participant) -> Events:
    """Returns the event that drops the pairing of a round that has not started, if it includes the entrant (T-7)."""
    round_ = paired(tournament)
    if round_ is None:
        return ()
    seated = [number for match in round_.matches for number in match.deals[0].present]
    with_bye = [unplayed.entrant for unplayed in round_.unplayed if unplayed.why in _BYES]
    return (PairingDropped(round_.number),) if entrant.number in {*seated, *with_bye} else ()


def replace_invitation(tournament: Tournament) -> Events:
    check_not_over(tournament)
    if tournament.invitations >= MAX_INVITATIONS:
        raise RuleViolation(TournamentCode.TOO_MANY_INVITATIONS)
    return (InvitationReplaced(),)


def order(tournament: Tournament, command: OrderEntrants) -> Events:
    check_before_start(tournament)
    if setup_of(tournament).rank_by is not RankBy.ORGANISER:
        raise RuleViolation(TournamentCode.NOT_ORDERED_BY_HAND)
    if len(set(command.entrants)) != len(command.entrants):
        raise RuleViolation(TournamentCode.ENTRANT_TWICE)
    for entrant in command.entrants:
        required(tournament, entrant)
    return (EntrantsOrdered(command.entrants),)
