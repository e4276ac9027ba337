"""`/v1/tournaments`: opens, lists and shows tournaments, and shows their rounds."""

from marshmallow import fields, validate

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import SharedCode, without_name
from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Phase
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.players.new_names import legibly_named
from hoodwink.service.application.reading.sheets import entrants_csv
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.messages.round_answers import RoundAnswer
from hoodwink.service.http.messages.tournament_answers import (
    PlayerTournamentsAnswer,
    TournamentAcceptedAnswer,
    TournamentAnswer,
    TournamentsAnswer,
    tournament_accepted,
    tournament_answer,
)
from hoodwink.service.http.messages.tournament_forms import TOURNAMENT_FORMS
from hoodwink.service.http.resources.access import IncludeSchema, etag_of, is_known, names_in, wants_words
from hoodwink.service.http.resources.formats import CSV, CSV_TEXT, FormatSchema, csv_reply, wants_csv
from hoodwink.service.http.resources.opening import TOURNAMENT_CODES, count_tournament
from hoodwink.service.http.resources.pages import PageSchema, next_cursor, paging, rows
from hoodwink.service.http.resources.players.books import is_own_account
from hoodwink.service.http.resources.tournaments.commands import load_tournament, path_number
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader, format_of


class TournamentListSchema(PageSchema):
    """The tournaments to list."""

    phase = fields.String(
        validate=validate.OneOf([phase.value for phase in Phase]),
        metadata={"description": "The phase of the tournaments.", "default": Phase.REGISTRATION.value},
    )
    game = fields.String(
        validate=validate.OneOf(list(GAMES)), metadata={"description": "Only tournaments of this game."}
    )


class TournamentResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="POST",
        path="/v1/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="Open a tournament",
        description="You become its organiser. The tournament is a draft until you open its registration.",
        access=Access.PLAYER,
        query=IncludeSchema(),
        body=TOURNAMENT_FORMS,
        answer=Answer(
            "The tournament, as a draft.", {JSON: TournamentAcceptedAnswer}, 201, ("Location", "ETag")
        ),
        refuses=(
            ForbiddenCode.NOT_FOR_BOTS,
            SharedCode.INVALID_OPTIONS,
            TournamentCode.INVALID_SETUP,
            *TOURNAMENT_CODES,
        ),
    )
    def open_tournament(self, call: Call) -> Reply:
        identities = self._service.identities
        if call.actor.owner is not None:
            raise Forbidden(ForbiddenCode.NOT_FOR_BOTS)
        # An invalid setup is refused here, before it counts against the limits.
        key, full = identities.key_or_fresh(call.key), life.full_setup_from(call.form)
        setup, compare, arena = legibly_named(full.stored), full.compared_by, full.arena
        teams = full.teams
        opened = identities.tournament_id(call.actor.id, key)
        count_tournament(self._service, call, opened)
        command = life.OpenTournament(
            tournament=opened,
            organiser=call.actor.id,
            setup=setup,
            server_seed=self._service.entropy.server_seed(),
            compare=compare,
            deals_per_pairing=full.deals_per_pairing,
            admission=full.admission,
            arena=arena,
            teams=teams,
        )
        # The key gives the id, so a repetition finds the stream, where the key returns the first result.
        accepted = self._service.tournaments.open(
            opened, command, by=ORGANISER, key=idempotency_key(call.actor.id, key, call.raw)
        )
        headers = {"Location": f"/v1/tournaments/{opened}", "ETag": etag_of(accepted.after.position)}
        return Reply(tournament_accepted(accepted, without_name, words=wants_words(call)), headers)

    @operation(
        method="GET",
        path="/v1/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="List tournaments",
        query=TournamentListSchema(),
        answer=Answer("A page of tournaments.", {JSON: TournamentsAnswer}),
    )
    def list_tournaments(self, call: Call) -> Reply:
        asked, phase = paging(call), Phase(call.query.get("phase", Phase.REGISTRATION))
        page = self._service.queries.tournaments(
            phase, call.query.get("game"), before=asked.before, count=asked.count
        )
        return Reply(TournamentsAnswer(rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/me/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="List the tournaments that you organise or officiate",
        description="They are not over. Those that are not public are included.",
        access=Access.PLAYER,
        query=PageSchema(),
        answer=Answer("A page of tournaments.", {JSON: TournamentsAnswer}),
    )
    def list_organised_tournaments(self, call: Call) -> Reply:
        asked = paging(call)
        page = self._service.queries.officiated_by(call.actor.id, before=asked.before, count=asked.count)
        return Reply(TournamentsAnswer(rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/tournaments",
        tag=Tag.TOURNAMENTS,
        summary="List a player's tournaments",
        description="Tournaments that are not public are included only if you ask for your own with a token.",
        access=Access.OPTIONAL,
        query=PageSchema(),
        answer=Answer("A page of tournaments.", {JSON: PlayerTournamentsAnswer}),
    )
    def list_player_tournaments(self, call: Call) -> Reply:
        asked, player = paging(call), self._service.players.get(call.path["player_id"])
        page = self._service.queries.tournaments_of(
            player.id, unlisted=is_own_account(call), before=asked.before, count=asked.count
        )
        return Reply(PlayerTournamentsAnswer(rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="View a tournament",
        access=Access.OPTIONAL,
        description="As CSV: its entrants.",
        query=FormatSchema(),
        answer=Answer(
            "The tournament.", {JSON: TournamentAnswer, CSV: CSV_TEXT}, 200, ("ETag", "Content-Disposition")
        ),
        reads=("If-None-Match",),
    )
    def get_tournament(self, call: Call) -> Reply:
        loaded = load_tournament(self._service, call)
        names = names_in(self._service, loaded.state)
        if wants_csv(call):
            return csv_reply(entrants_csv(loaded.state, names), f"entrants-{loaded.state.id}")
        headers = {"ETag": etag_of(loaded.position, names)}
        if is_known(call, loaded.position, names):
            return Reply(b"", headers, status=304)
        return Reply(tournament_answer(loaded, names), headers)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/rounds/{round}",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="View a round, with the explanation of its pairing",
        access=Access.OPTIONAL,
        description="As CSV: its seats, without the explanation.",
        query=FormatSchema(),
        answer=Answer("The round.", {JSON: RoundAnswer, CSV: CSV_TEXT}, 200, ("Content-Disposition",)),
    )
    def get_round(self, call: Call) -> Reply:
        loaded = load_tournament(self._service, call)
        number = path_number(call, "round")
        if number > len(loaded.state.rounds):
            raise NotFound(NotFoundCode.ROUND_NOT_FOUND, "This round has not been paired.")
        reading = Reading(tournament=loaded.state.id, what="round", round=number, format=format_of(call))
        return TournamentReader(self._service).answer(call, loaded, reading)
