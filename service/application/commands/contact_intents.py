"""The commands by which officials speak to entrants, as functions that return an `Intent`; `text` is a hash."""

from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tournaments.life import Announce, Describe, Tournament
from hoodwink.service.application.commands.official_intents import check_official
from hoodwink.service.application.commands.tournament_intents import Asked, check_organiser
from hoodwink.service.application.streams.tournaments import Intent


def describe(player_id: str, text: str) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        check_organiser(tournament, player_id)
        return Describe(player_id, text), ORGANISER

    return intent


def announce(player_id: str, text: str) -> Intent:
    def intent(tournament: Tournament) -> Asked:
        check_official(tournament, player_id)
        return Announce(player_id, text), ORGANISER

    return intent
