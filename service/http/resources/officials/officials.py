"""The organiser names co-organisers and arbiters, and removes them."""

from marshmallow import fields

from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life import NameArbiter, NameCoOrganiser, RemoveArbiter, RemoveCoOrganiser
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.commands import official_intents as intents
from hoodwink.service.application.errors import ForbiddenCode, NotFoundCode
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import Call, Reply
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.schemas import ExpectationSchema
from hoodwink.service.http.resources.tournaments.commands import TournamentCommands, tournament_operation


class OfficialSchema(ExpectationSchema):
    """The player who becomes an official, or no longer is one."""

    player = fields.String(
        required=True,
        validate=Whole(ID_PATTERN, "Must be the id of a player."),
        metadata={"description": "The id of the player."},
    )


class OfficialResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @tournament_operation(
        "/co-organisers",
        "Name a co-organiser (the organiser only)",
        "The player may do what you may, except name and remove co-organisers, cancel the tournament and expel you.",
        description="A co-organiser may play, like the organiser. There are at most five at a time, and they are named up to twenty times in all.",
        body=OfficialSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            NotFoundCode.PLAYER_NOT_FOUND,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.ALREADY_OFFICIAL,
            TournamentCode.TOO_MANY_CO_ORGANISERS,
            TableCode.NOT_A_PERSON,
        ),
    )
    def name_co_organiser(self, call: Call) -> Reply:
        return self._name(call, NameCoOrganiser)

    @tournament_operation(
        "/co-organisers/removal",
        "Remove a co-organiser (the organiser only), or resign as one",
        "The player is no longer a co-organiser; their decisions stand.",
        body=OfficialSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NOT_A_CO_ORGANISER,
        ),
    )
    def remove_co_organiser(self, call: Call) -> Reply:
        removal = RemoveCoOrganiser(call.form["player"])
        return self._commands.execute(call, intents.remove_official(call.actor.id, removal))

    @tournament_operation(
        "/arbiters",
        "Name an arbiter (organisers only)",
        "The player sees the boards in play, and may end tables, rule on results, mark entrants as absent and withdraw them.",
        description="An arbiter does not play in the tournament. There are at most ten at a time, and they are named up to fifty times in all.",
        body=OfficialSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            NotFoundCode.PLAYER_NOT_FOUND,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.ALREADY_OFFICIAL,
            TournamentCode.ARBITER_PLAYS,
            TournamentCode.TOO_MANY_ARBITERS,
            TableCode.NOT_A_PERSON,
        ),
    )
    def name_arbiter(self, call: Call) -> Reply:
        return self._name(call, NameArbiter)

    @tournament_operation(
        "/arbiters/removal",
        "Remove an arbiter (organisers only), or resign as one",
        "The player is no longer an arbiter; rulings stand.",
        body=OfficialSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.NOT_AN_ARBITER,
        ),
    )
    def remove_arbiter(self, call: Call) -> Reply:
        removal = RemoveArbiter(call.form["player"])
        return self._commands.execute(call, intents.remove_official(call.actor.id, removal))

    def _name(self, call: Call, naming: type[NameArbiter | NameCoOrganiser]) -> Reply:
        players, named = self._service.players, call.form["player"]
        intent = intents.name_official(call.actor.id, naming, lambda: players.get(named))
        return self._commands.execute(call, intent)
