"""Applies the events that name and remove officials of a tournament."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.tournaments.life import events
from hoodwink.domain.tournaments.life.state import Tournament


def with_officials(tournament: Tournament, event: events.OfficialEvent) -> Tournament:
    """Returns the tournament after somebody became an official, or no longer is one."""
    player = event.player
    match event:
        case events.ArbiterNamed():
            return replace(
                tournament,
                arbiters=(*tournament.arbiters, player),
                former_arbiters=_without(tournament.former_arbiters, player),
                arbiters_named=tournament.arbiters_named + 1,
            )
        case events.ArbiterRemoved():
            former = (*tournament.former_arbiters, player)
            return replace(tournament, arbiters=_without(tournament.arbiters, player), former_arbiters=former)
        case events.CoOrganiserNamed():
            return replace(
                tournament,
                co_organisers=(*tournament.co_organisers, player),
                former_co_organisers=_without(tournament.former_co_organisers, player),
                co_organisers_named=tournament.co_organisers_named + 1,
            )
        case events.CoOrganiserRemoved():
            former = (*tournament.former_co_organisers, player)
            left = _without(tournament.co_organisers, player)
            return replace(tournament, co_organisers=left, former_co_organisers=former)
        case _:
            assert_never(event)


def _without(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    return tuple([each for each in players if each != player])
