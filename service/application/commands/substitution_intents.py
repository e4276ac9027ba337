"""The commands of a substitution (T-19), as functions that return an `Intent`."""

from collections.abc import Callable

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.players import Player
from hoodwink.domain.projections import StandingRow
from hoodwink.domain.tables.actor import by_entrant
from hoodwink.domain.tournaments.life import DeclinePlace, OfferPlace, TakePlace, Tournament
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.facts import setup_of
from hoodwink.service.application.commands.official_intents import check_contest, existing
from hoodwink.service.application.commands.tournament_intents import (
    Asked,
    as_official,
    check_bounds,
    check_only_one,
    check_organiser,
    entrant_of,
    organise,
)
from hoodwink.service.application.errors import Forbidden, ForbiddenCode
from hoodwink.service.application.ports import Owners
from hoodwink.service.application.streams.tournaments import Intent


def offer(
    player_id: str,
    entrant_id: str,
    *,
    reason: str,
    substitute: Callable[[Tournament], Player],
    owners: Owners,
) -> Intent:
    """Offers the place of an entrant; `substitute` looks the other player up, and may raise."""

    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, player_id)  # before strangers learn whether the player exists
        entrant, named = entrant_of(tournament, entrant_id).id, existing(lambda: substitute(tournament))
        _check_bot(tournament, named)
        if named.owner == player_id:
            raise RuleViolation(TournamentCode.OWN_PLACE)
        check_contest(tournament, player_id, entrant, owners)
        return as_official(tournament, player_id, OfferPlace(entrant, named.id, player_id, reason))

    return intent


def take(
    player: Player,
    *,
    seed_commitment: str,
    owners: Owners,
    standing: Callable[[str], StandingRow | None],
) -> Intent:
    """Takes the place that was offered to the player; `standing` returns their standing in a game."""

    def intent(tournament: Tournament) -> Asked:
        _check_bot(tournament, player)
        check_bounds(tournament, standing)
        if tournament.compare is not None and setup_of(tournament).outside_bots:
            check_only_one(tournament, player.id, owners)
        return TakePlace(player.id, seed_commitment), by_entrant(player.id)

    return intent


def decline(player_id: str, substitute_id: str) -> Intent:
    """Declines a place for the player, or no longer offers it, for an organiser."""
    if player_id == substitute_id:
        return lambda _: (DeclinePlace(player_id), by_entrant(player_id))
    return organise(player_id, DeclinePlace(substitute_id))


def _check_bot(tournament: Tournament, player: Player) -> None:
    if player.owner is not None and not setup_of(tournament).outside_bots:
        raise Forbidden(ForbiddenCode.BOTS_NOT_ALLOWED)
