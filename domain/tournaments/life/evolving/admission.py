"""Applies the events about players who ask to enter, and about those to whom an entry is offered."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.tournaments.life import events
from hoodwink.domain.tournaments.life.evolving.entrants import entered_again, without
from hoodwink.domain.tournaments.life.state import Applicant, Offer, OfferStatus, Tournament


def with_applicants(tournament: Tournament, event: events.RequestEvent) -> Tournament:
    """Returns the tournament after an event about a player who asks to enter (T-26)."""
    match event:
        case events.EntryRequested():
            asking = Applicant(
                id=event.entrant,
                arrival=tournament.arrivals + 1,
                commitment=event.seed_commitment,
                counts=entered_again(tournament, event.entrant),
            )
            return replace(
                tournament,
                applicants=(*tournament.applicants, asking),
                gone=without(tournament.gone, asking.id),
                arrivals=asking.arrival,
            )
        case events.EntryAccepted():  # the entry follows
            return tournament
        case events.EntryDeclined():
            declined = [
                replace(asking, is_declined=True) if asking.id == event.entrant else asking
                for asking in tournament.applicants
            ]
            return replace(tournament, applicants=tuple(declined))
        case events.RequestWithdrawn():
            leaving = [asking for asking in tournament.applicants if asking.id == event.entrant]
            return replace(
                tournament,
                applicants=without(tournament.applicants, event.entrant),
                gone=(*tournament.gone, *leaving),
            )
        case _:
            assert_never(event)


def with_offers(tournament: Tournament, event: events.OfferEvent) -> Tournament:
    """Returns the tournament after an event about players to whom an entry is offered (T-28)."""
    match event:
        case events.EntriesOffered():
            times = {offer.player: offer.times for offer in tournament.offers}
            again = {*event.players}
            others = [offer for offer in tournament.offers if offer.player not in again]
            new = [Offer(player=player, times=times.get(player, 0) + 1) for player in event.players]
            return replace(tournament, offers=(*others, *new))
        case events.OffersWithdrawn():
            return _with_status(tournament, {*event.players}, OfferStatus.WITHDRAWN)
        case events.OfferDeclined():
            return _with_status(tournament, {event.player}, OfferStatus.DECLINED)
        case _:
            assert_never(event)


def _with_status(tournament: Tournament, players: set[str], status: OfferStatus) -> Tournament:
    return replace(tournament, offers=_changed(tournament.offers, players, status))


def _changed(offers: tuple[Offer, ...], players: set[str], status: OfferStatus) -> tuple[Offer, ...]:
    return tuple([replace(offer, status=status) if offer.player in players else offer for offer in offers])


def after_entry(offers: tuple[Offer, ...], entrant: str) -> tuple[Offer, ...]:
    """Returns the offers after a player has entered, with or without one."""
    return _changed(offers, {entrant}, OfferStatus.ACCEPTED)
