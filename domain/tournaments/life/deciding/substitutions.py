"""Substitutions: an official offers the place of an entrant to another player, who takes it or declines (T-19)."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import DeclinePlace, OfferPlace, TakePlace
from hoodwink.domain.tournaments.life.deciding.checks import (
    Events,
    check_commitment,
    check_not_over,
    check_official,
    check_started,
    required,
)
from hoodwink.domain.tournaments.life.deciding.officials import check_contest
from hoodwink.domain.tournaments.life.deciding.sittings import check_person
from hoodwink.domain.tournaments.life.events import (
    EntrantSubstituted,
    PairingDropped,
    PlaceDeclined,
    PlaceOffered,
)
from hoodwink.domain.tournaments.life.evolving.entrants import changed
from hoodwink.domain.tournaments.life.facts import (
    last_round,
    next_round,
    numbers_at,
    offered_to,
    paired,
    participant,
    place_of,
    started_rounds,
    terms_of,
)
from hoodwink.domain.tournaments.life.scoring.engine import playable
from hoodwink.domain.tournaments.life.scoring.progress import is_complete, is_round_planned
from hoodwink.domain.tournaments.life.state import Participant, Tournament
from hoodwink.domain.tournaments.terms import Format

MAX_OFFERS: Final = 10
"""Per place, because each one adds to the log."""


def offer(tournament: Tournament, command: OfferPlace) -> Events:
    check_started(tournament)
    entrant = required(tournament, command.entrant)
    check_person(entrant)
    check_official(tournament, command)
    check_contest(tournament, command)
    if command.player == command.official:
        raise RuleViolation(TournamentCode.OWN_PLACE)
    _check_substitute(tournament, entrant, command.player)
    if offered_to(tournament, command.player) is not None:
        raise RuleViolation(TournamentCode.PLACE_OFFERED)
    if entrant.offers >= MAX_OFFERS:
        raise RuleViolation(TournamentCode.TOO_MANY_PLACE_OFFERS)
    check_playing_on(tournament, entrant)
    check_reason(command.reason)
    offered = PlaceOffered(entrant.id, command.player, command.official, command.reason)
    if not entrant.offered_to:
        return (offered,)
    return PlaceDeclined(entrant.id, entrant.offered_to), offered


def take(tournament: Tournament, command: TakePlace) -> Events:
    check_started(tournament)
    entrant = _offered(tournament, command.player)
    _check_substitute(tournament, entrant, command.player)
    check_playing_on(tournament, entrant)
    check_commitment(command.seed_commitment)
    taken = EntrantSubstituted(entrant.id, command.player, last_round(tournament), command.seed_commitment)
    return taken, *dropped_pairing(tournament)


def decline(tournament: Tournament, command: DeclinePlace) -> Events:
    check_not_over(tournament)
    return (PlaceDeclined(_offered(tournament, command.player).id, command.player),)


def dropped_pairing(tournament: Tournament) -> Events:
    """Returns the event that drops the pairing of a round that has not started, because somebody else is present now."""
    round_ = paired(tournament)
    return () if round_ is None else (PairingDropped(round_.number),)


def check_playing_on(tournament: Tournament, entrant: Participant) -> None:
    """Raises `RuleViolation` unless a round follows in which the place of an entrant can be seated."""
    if entrant.is_expelled:
        raise RuleViolation(TournamentCode.ENTRANT_LEFT)
    if tournament.is_bell_rung or not is_round_planned(tournament, next_round(tournament)):
        raise RuleViolation(TournamentCode.LAST_ROUND, "No round follows that could be played.")
    if terms_of(tournament).format is Format.KNOCKOUT and entrant.number not in _still_in(
        changed(tournament, entrant.id, left_after=None)
    ):
        raise RuleViolation(TournamentCode.ENTRANT_LEFT, "This entrant is out of the knockout.")


def _still_in(tournament: Tournament) -> tuple[int, ...]:
    """Returns the entrants of a knockout who may play another round."""
    if is_complete(tournament):
        return playable(tournament)
    last = started_rounds(tournament)[-1]
    at_tables = numbers_at([match.deals[0].seats for match in last.matches])
    return *at_tables, *[unplayed.entrant for unplayed in last.unplayed if unplayed.why is Why.PAIRING_BYE]


def _offered(tournament: Tournament, player: str) -> Participant:
    entrant = offered_to(tournament, player)
    if entrant is None:
        raise RuleViolation(TournamentCode.NO_PLACE_OFFERED)
    return entrant


def _check_substitute(tournament: Tournament, entrant: Participant, player: str) -> None:
    """Raises `RuleViolation` unless the player may take the place: nobody plays for two entrants."""
    if tournament.arena is not None:
        raise RuleViolation(TournamentCode.NO_SUBSTITUTES)
    if participant(tournament, player) is not None or place_of(tournament, player) not in (None, entrant):
        raise RuleViolation(TournamentCode.ALREADY_ENTERED, "This player plays or has played for an entrant.")
    if player in tournament.arbiters:
        raise RuleViolation(TournamentCode.ARBITER_PLAYS)
    if player in tournament.barred:
        raise RuleViolation(TournamentCode.ENTRANT_EXPELLED, "This player was expelled from the tournament.")
