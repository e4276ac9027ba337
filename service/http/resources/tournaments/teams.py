"""The teams of a tournament: their entrants, names and codes (T-31), and their standings (T-33)."""

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.facts import organises, rosters_of, team_names
from hoodwink.domain.tournaments.life.setup import MAX_TEAMS_FOUNDED
from hoodwink.service.application.commands import tournament_intents as intents
from hoodwink.service.application.errors import ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.players.new_names import PlayerCode, checked_name
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.messages.fields import IntegerField, Whole, within
from hoodwink.service.http.messages.schemas import ExpectationSchema
from hoodwink.service.http.resources.formats import CSV, CSV_TEXT
from hoodwink.service.http.resources.tournaments.commands import (
    TournamentCommands,
    load_tournament,
    tournament_operation,
)
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader

_REFUSALS = (
    TournamentCode.NO_TEAMS,
    TournamentCode.TOURNAMENT_OVER,
    TournamentCode.ENTRANT_LEFT,
    TournamentCode.TEAM_FIXED,
    TournamentCode.TOO_MANY_TEAM_CHANGES,
)


class Team(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A team.

    Attributes:
        team: its number.
        name: `Team` and its number if the name was erased.
        entrants: the ids of its entrants, in order of starting rank, before the start in order of arrival.
        code: the code with which others join it; `null` unless you play for it or organise the tournament.
    """

    team: int
    name: str
    entrants: tuple[str, ...]
    code: str | None


class TeamsAnswer(msgspec.Struct, frozen=True, gc=False):
    """The teams that have entrants, in the order in which they were founded."""

    teams: tuple[Team, ...]


class NewTeamSchema(ExpectationSchema):
    """A new team."""

    name = fields.String(
        required=True,
        validate=validate.Length(min=1, max=200),
        metadata={"description": "Its name, up to 40 characters, by the rules for names of players."},
    )
    entrant = fields.String(
        validate=Whole("^[a-z0-9:]{1,40}$", "Must be the id of an entrant."),
        metadata={"description": "The entrant who plays for it, by default you (others: organisers only)."},
    )


class TeamCodeSchema(ExpectationSchema):
    """The code of a team."""

    code = fields.String(
        required=True,
        validate=validate.Length(min=1, max=40),
        metadata={"description": "The code; case and hyphens do not matter."},
    )


class EntrantTeamSchema(ExpectationSchema):
    """The team of an entrant."""

    team = IntegerField(
        required=True,
        allow_none=True,
        validate=within(1, MAX_TEAMS_FOUNDED),
        metadata={"description": "The number of the team; null for none."},
    )


class TeamNumberSchema(ExpectationSchema):
    """A team."""

    team = IntegerField(
        required=True,
        validate=within(1, MAX_TEAMS_FOUNDED),
        metadata={"description": "The number of the team."},
    )


class TeamResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = TournamentCommands(service)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/teams",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="List the teams",
        access=Access.OPTIONAL,
        answer=Answer("The teams.", {JSON: TeamsAnswer}),
    )
    def list_teams(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        return Reply(TeamsAnswer(self._teams(tournament, None if call.player is None else call.player.id)))

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/team-standings",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Download the standings of the teams",
        access=Access.OPTIONAL,
        description="A CSV file with a row for each entrant of each team, the best first. The standings have the same facts as JSON.",
        answer=Answer("The standings of the teams.", {CSV: CSV_TEXT}, 200, ("Content-Disposition",)),
        refuses=(NotFoundCode.NO_STANDINGS,),
        may_begin_job=True,
    )
    def download_team_standings(self, call: Call) -> Reply:
        loaded = load_tournament(self._service, call)
        if loaded.state.terms is None:  # they are fixed by the start
            raise NotFound(NotFoundCode.NO_STANDINGS)
        reading = Reading(tournament=loaded.state.id, what="teams", format="csv")
        return TournamentReader(self._service).answer(call, loaded, reading)

    @tournament_operation(
        "/teams",
        "Found a team",
        "You, or the entrant, play for the new team.",
        status=201,
        description="Possible until the first round that the entrant can play in has been paired. The event contains a salted hash of "
        "the name.",
        body=NewTeamSchema(),
        refuses=(
            ForbiddenCode.NOT_ENTERED,
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.NO_SUCH_ENTRANT,
            PlayerCode.NAME_RESERVED,
            PlayerCode.NAME_ILLEGIBLE,
            LimitCode.TOO_MANY_TEXTS,
            *_REFUSALS,
        ),
    )
    def found_team(self, call: Call) -> Reply:
        player, name = call.actor.id, checked_name(call.form["name"])
        # The names stay when the tournament is over, so a limit per tournament does not bound them.
        self._service.limits.admit(Limit.DESCRIPTIONS_PER_PLAYER, player)
        entrant = call.form.get("entrant", player)
        return self._commands.execute_with_text(
            call, name, lambda digest: intents.found_team(player, entrant, digest)
        )

    @tournament_operation(
        "/team",
        "Join a team",
        "You play for the team that has this code.",
        description="Possible until the first round that you can play in has been paired.",
        body=TeamCodeSchema(),
        refuses=(
            ForbiddenCode.NOT_ENTERED,
            ForbiddenCode.NOT_INVITED,
            TournamentCode.TEAM_FULL,
            TournamentCode.TEAM_UNCHANGED,
            *_REFUSALS,
        ),
    )
    def join_team(self, call: Call) -> Reply:
        code, is_invitation = call.form["code"], self._service.identities.is_invitation
        return self._commands.execute(
            call,
            intents.join_team(
                call.actor.id, lambda tournament, team: is_invitation(_code_name(tournament, team), code)
            ),
        )

    @tournament_operation(
        "/entrants/{entrant_id}/team",
        "Leave your team, or put an entrant into one (organisers only)",
        "The entrant plays for that team, or for none.",
        description="Possible until the first round that the entrant can play in has been paired.",
        body=EntrantTeamSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.NO_SUCH_TEAM,
            TournamentCode.TEAM_FULL,
            TournamentCode.TEAM_UNCHANGED,
            *_REFUSALS,
        ),
    )
    def set_team(self, call: Call) -> Reply:
        return self._commands.execute(
            call, intents.set_team(call.actor.id, call.path["entrant_id"], call.form["team"])
        )

    @tournament_operation(
        "/team-code",
        "Replace the code of a team (its entrants and organisers only)",
        "The earlier code of the team is invalid; its entrants stay.",
        body=TeamNumberSchema(),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.NO_SUCH_TEAM,
            TournamentCode.TOURNAMENT_OVER,
            TournamentCode.TOO_MANY_TEAM_CHANGES,
        ),
    )
    def replace_team_code(self, call: Call) -> Reply:
        return self._commands.execute(call, intents.replace_team_code(call.actor.id, call.form["team"]))

    def _teams(self, tournament: Tournament, viewer: str | None) -> tuple[Team, ...]:
        sees_all = viewer is not None and organises(tournament, viewer)
        names = team_names(tournament, self._service.administration.texts(tournament.teams))
        shown = []
        for team, members in sorted(rosters_of(tournament).items()):
            sees_code = sees_all or any(each.id == viewer and not each.has_left for each in members)
            shown.append(
                Team(
                    team=team,
                    name=names[team - 1],
                    entrants=tuple([entrant.id for entrant in members]),
                    code=self._service.identities.invitation(_code_name(tournament, team))
                    if sees_code
                    else None,
                )
            )
        return tuple(shown)


def _code_name(tournament: Tournament, team: int) -> str:
    """Returns the name of a team's code, which is none of a table's or tournament's invitations."""
    replaced = tournament.team_codes[team - 1]
    return f"{tournament.id}:team:{team}" + (f":{replaced}" if replaced else "")
