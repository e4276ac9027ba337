"""Offers of an entry to players, who enter by accepting (T-28)."""

from collections.abc import Iterable
from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import DeclineOffer, OfferEntries, WithdrawOffers
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_not_over
from hoodwink.domain.tournaments.life.deciding.entry import check_enterable
from hoodwink.domain.tournaments.life.events import EntriesOffered, OfferDeclined, OffersWithdrawn
from hoodwink.domain.tournaments.life.facts import offered
from hoodwink.domain.tournaments.life.setup import MAX_ENTRANTS
from hoodwink.domain.tournaments.life.state import Offer, OfferStatus, Tournament

MAX_OFFERED: Final = 500
"""The maximum number of open offers, and of players in one command."""

MAX_OFFERS_TO_ONE: Final = 2
"""The maximum number of offers to one player, so that nobody is pestered."""


def offer(tournament: Tournament, command: OfferEntries, now: int) -> Events:
    check_enterable(tournament, now)
    players = _checked(command.players)
    for player, obstacle in obstacles_to(tournament, players).items():
        raise RuleViolation(obstacle, f"{OBSTACLES[obstacle]} It is {player}.")
    known = {offer.player for offer in tournament.offers}
    is_room_left = len(known.union(players)) <= MAX_ENTRANTS
    if not is_room_left or len(offered(tournament)) + len(players) > MAX_OFFERED:
        raise RuleViolation(TournamentCode.TOO_MANY_ENTRIES_OFFERED)
    return (EntriesOffered(players),)


OBSTACLES: Final = {
    TournamentCode.ENTRANT_EXPELLED: "This player has been expelled from the tournament.",
    TournamentCode.ARBITER_PLAYS: "This player is an arbiter, and an arbiter does not play.",
    TournamentCode.ALREADY_ENTERED: "This player has entered already.",
    TournamentCode.ENTRANT_LEFT: "This player has withdrawn from the tournament, and does not return.",
    TournamentCode.ENTRY_REQUESTED: "This player has asked to enter; you can accept that.",
    TournamentCode.ALREADY_OFFERED: "This player has an open offer already.",
    TournamentCode.OFFERED_TWICE: "This player has been offered an entry twice, the most there can be.",
}
"""Why a player gets no offer, for the person who offers."""


def obstacles_to(tournament: Tournament, players: Iterable[str]) -> dict[str, TournamentCode]:
    """Returns the players who get no offer, and why."""
    # Looked up here, because a list of players and the entrants can both be long.
    entered = {entrant.id: entrant for entrant in tournament.entrants}
    asking = {asked.id for asked in tournament.applicants}
    last = {offer.player: offer for offer in tournament.offers}

    def obstacle_to(player: str) -> TournamentCode | None:
        entrant = entered.get(player)
        if player in tournament.barred or (entrant is not None and entrant.is_expelled):
            return TournamentCode.ENTRANT_EXPELLED
        if player in tournament.arbiters:
            return TournamentCode.ARBITER_PLAYS
        if entrant is not None:
            return TournamentCode.ENTRANT_LEFT if entrant.has_left else TournamentCode.ALREADY_ENTERED
        return TournamentCode.ENTRY_REQUESTED if player in asking else _obstacle_after(last.get(player))

    return {player: obstacle for player in players if (obstacle := obstacle_to(player)) is not None}


def _obstacle_after(last: Offer | None) -> TournamentCode | None:
    """Returns why no offer follows the last one to a player."""
    if last is None:
        return None
    if last.status is OfferStatus.OPEN:
        return TournamentCode.ALREADY_OFFERED
    return TournamentCode.OFFERED_TWICE if last.times >= MAX_OFFERS_TO_ONE else None  # T-28


def withdraw(tournament: Tournament, command: WithdrawOffers) -> Events:
    check_not_over(tournament)
    players = _checked(command.players)
    if not {*offered(tournament)}.issuperset(players):
        raise RuleViolation(TournamentCode.NOT_OFFERED)
    return (OffersWithdrawn(players),)


def decline(tournament: Tournament, command: DeclineOffer) -> Events:
    check_not_over(tournament)
    if command.player not in offered(tournament):
        raise RuleViolation(TournamentCode.NOT_OFFERED, "You have no open offer of an entry.")
    return (OfferDeclined(command.player),)


def _checked(players: tuple[str, ...]) -> tuple[str, ...]:
    if not 1 <= len(players) <= MAX_OFFERED or len({*players}) != len(players):
        raise RuleViolation(TournamentCode.INVALID_OFFER)
    return players
