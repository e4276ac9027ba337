"""The commands of a tournament's officials, as functions that return an `Intent`."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.players import Player
from hoodwink.domain.tables.actor import ADMIN, by_entrant
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life import (
    MarkAbsent,
    Match,
    NameArbiter,
    NameCoOrganiser,
    RemoveArbiter,
    RemoveCoOrganiser,
    ReverseAbsence,
    ReverseSubstitution,
    ReverseWithdrawal,
    RuleResult,
    ScoreVoid,
    StopTable,
    Tournament,
    WithdrawEntrant,
)
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.deciding.officials import WITH_FORFEITS
from hoodwink.domain.tournaments.life.deciding.results import board as board_at
from hoodwink.domain.tournaments.life.facts import holders_of, remaining, role_of, seats_an_entrant, setup_of
from hoodwink.service.application.commands.tournament_intents import (
    Asked,
    as_official,
    check_organiser,
    entrant_of,
    organise,
)
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.application.ports import Owners
from hoodwink.service.application.streams.tournaments import Intent


def check_official(tournament: Tournament, player_id: str) -> None:
    """Raises `Forbidden` unless the player is an official."""
    if role_of(tournament, player_id) is None:
        raise Forbidden(ForbiddenCode.NOT_OFFICIAL)


def stop(player_id: str, round_: int, board: int, *, reason: str, owners: Owners) -> Intent:
    """Ends the table of a board that is in play."""

    def intent(tournament: Tournament) -> Asked:
        deal = len(_board(tournament, player_id, round_, board, owners).deals)
        return as_official(tournament, player_id, StopTable(round_, board, deal, player_id, reason))

    return intent


def rule(player_id: str, command: RuleResult, *, owners: Owners) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        _board(tournament, player_id, command.round, command.board, owners)
        return as_official(tournament, player_id, command)

    return intent


def name_official(
    player_id: str, naming: type[NameArbiter | NameCoOrganiser], official: Callable[[], Player]
) -> Intent:
    """Names an arbiter or co-organiser; `official` looks the player up, and may raise."""

    def intent(tournament: Tournament) -> Asked:
        as_official(tournament, player_id, naming(""))  # before strangers learn whether the player exists
        named = existing(official)
        if named.owner is not None:
            raise RuleViolation(TableCode.NOT_A_PERSON, "A bot cannot be an official.")
        return as_official(tournament, player_id, naming(named.id))

    return intent


def existing(look_up: Callable[[], Player]) -> Player:
    """Returns the player whom `look_up` finds; raises `NotFound` if they were erased."""
    player = look_up()
    if player.is_erased:
        raise NotFound(NotFoundCode.PLAYER_NOT_FOUND)
    return player


def remove_official(player_id: str, command: RemoveArbiter | RemoveCoOrganiser) -> Intent:
    """Removes an arbiter or co-organiser, possibly at their own wish."""
    if player_id == command.player:
        return lambda _: (command, by_entrant(player_id))
    return organise(player_id, command)


def mark_absent(player_id: str, entrant_id: str, *, reason: str, owners: Owners) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        check_official(tournament, player_id)
        entrant = entrant_of(tournament, entrant_id).id
        check_contest(tournament, player_id, entrant, owners)
        return as_official(tournament, player_id, MarkAbsent(entrant, player_id, reason))

    return intent


def withdraw(player_id: str, entrant_id: str, *, reason: str, owners: Owners) -> Intent:
    """Withdraws an entrant for an official."""

    def intent(tournament: Tournament) -> Asked:
        if role_of(tournament, player_id) is None:
            raise Forbidden(ForbiddenCode.NOT_YOU)
        entrant = entrant_of(tournament, entrant_id).id
        check_contest(tournament, player_id, entrant, owners)
        return as_official(tournament, player_id, WithdrawEntrant(entrant, player_id, reason))

    return intent


def score_void(player_id: str, command: ScoreVoid, *, owners: Owners) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, player_id)
        match = board_at(tournament, command.round, command.board)
        _check_bots(tournament, (match,), player_id, owners)
        # Not a rule of the tournament, because logs from before it would no longer verify.
        if seats_an_entrant(tournament, match, player_id):
            raise RuleViolation(TournamentCode.OWN_TABLE)
        return as_official(tournament, player_id, command)

    return intent


EntrantReversal: TypeAlias = ReverseAbsence | ReverseWithdrawal | ReverseSubstitution


def reverse_decision(command: EntrantReversal) -> Intent:
    """Reverses a decision about an entrant for an administrator. The caller has to check that one asks."""

    def intent(tournament: Tournament) -> Asked:
        entrant_of(tournament, command.entrant)
        return command, ADMIN

    return intent


def _board(tournament: Tournament, player_id: str, round_: int, board: int, owners: Owners) -> Match:
    """Returns a board to end or rule on; raises `RuleViolation` if a bot of the official plays there (V-6)."""
    check_official(tournament, player_id)
    match = board_at(tournament, round_, board)
    # Where all tables play the same deal, a ruling at one of them changes the score of a bot at any other.
    is_shared = tournament.compare is not None
    _check_bots(
        tournament, tournament.rounds[round_ - 1].matches if is_shared else (match,), player_id, owners
    )
    return match


def check_contest(tournament: Tournament, player_id: str, entrant_id: str, owners: Owners) -> None:
    """Raises `RuleViolation` if the absence of an entrant can give a bot of the official a win (T-18)."""
    setup = setup_of(tournament)
    if not setup.outside_bots or setup.format not in WITH_FORFEITS:
        return
    others = [entrant for entrant in remaining(tournament) if entrant.id != entrant_id]
    if player_id in owners(holders_of(others)).values():
        raise RuleViolation(
            TournamentCode.OWN_CONTEST,
            "Your bot plays in this tournament, where the absence of others can give it a win, so you cannot decide it.",
        )


def _check_bots(tournament: Tournament, matches: Iterable[Match], player_id: str, owners: Owners) -> None:
    # Not a rule of the tournament, because its log does not say whose bots play.
    if not setup_of(tournament).outside_bots:
        return
    numbers = {number for match in matches for deal in match.deals for number in deal.seats}
    seated = [entrant for entrant in tournament.entrants if entrant.number in numbers]
    if player_id in owners(holders_of(seated)).values():
        raise RuleViolation(
            TournamentCode.OWN_TABLE, "Your bot plays there, so somebody else must decide about it."
        )
