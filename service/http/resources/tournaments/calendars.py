"""The times of sittings, for programs that show calendars."""

from typing import Final

import msgspec

from hoodwink.domain.projections import PlayerTournamentRow
from hoodwink.domain.tournaments.life import Phase
from hoodwink.service.application.reading.calendars import MEDIA_TYPE, player_calendar, tournament_calendar
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.resources.pages import PAGE
from hoodwink.service.http.resources.tournaments.commands import load_tournament

_CALENDAR: Final = Answer("The calendar.", {MEDIA_TYPE: {"type": "string"}})

_AHEAD: Final = frozenset({Phase.REGISTRATION, Phase.RUNNING, Phase.PAUSED})


class CalendarResource:
    """Publishes calendars of sittings: a tournament's for all who see it, and a player's with public tournaments only."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/calendar",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Subscribe to the sittings of a tournament",
        access=Access.OPTIONAL,
        description="An iCalendar file (RFC 5545) with the sittings that have a time, in UTC. Their UIDs stay the same, so a program "
        "that reads the file again moves a sitting whose time has changed.",
        answer=_CALENDAR,
    )
    def get_tournament_calendar(self, call: Call) -> Reply:
        loaded = load_tournament(self._service, call)
        return _reply(tournament_calendar(loaded, self._service.settings.own_origin))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/calendar",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Subscribe to a player's sittings",
        description="An iCalendar file with the sittings in which the player takes part, of those tournaments that are not over among "
        f"the {PAGE} that changed last. It says no more than these tournaments show to everybody, so it needs no token.",
        answer=_CALENDAR,
    )
    def get_player_calendar(self, call: Call) -> Reply:
        player = self._service.players.get(call.path["player_id"])
        # Programs that show calendars send no token, so not even the player gets the others.
        page = self._service.queries.tournaments_of(player.id, unlisted=False, before=None, count=PAGE)
        listed = [msgspec.json.decode(row, type=PlayerTournamentRow) for row in page.rows]
        entered = [
            self._service.tournaments.load(row.tournament)
            for row in listed
            if row.entered and row.phase in _AHEAD
        ]
        return _reply(player_calendar(player.name, player.id, entered, self._service.settings.own_origin))


def _reply(text: str) -> Reply:
    return Reply(text.encode(), media_type=f"{MEDIA_TYPE}; charset=utf-8")
