"""The standings of a tournament: after any round, explained, and live."""

from typing import Final

from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.facts import last_round
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.jobs.effort import has_many_lines
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import (
    EVENT_STREAM,
    JSON,
    Access,
    Answer,
    Call,
    Cost,
    Reply,
    Tag,
    operation,
)
from hoodwink.service.http.framework.streaming import StandingsSubscription
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.fields import TextIntegerField, within
from hoodwink.service.http.messages.problems import NO_STREAM
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.messages.standings_answers import (
    StandingExplainedAnswer,
    StandingsAnswer,
    standings_answer,
)
from hoodwink.service.http.messages.streams import STANDINGS_MESSAGES
from hoodwink.service.http.resources.access import names_in
from hoodwink.service.http.resources.admission import visitor_of
from hoodwink.service.http.resources.formats import CSV, CSV_TEXT, FormatSchema
from hoodwink.service.http.resources.history import accepted_type, begin_stream
from hoodwink.service.http.resources.tournaments.commands import load_tournament, path_number
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader, format_of

MAX_ROUNDS: Final = 500


class AfterSchema(QuerySchema):
    """The round after which standings are shown."""

    round = TextIntegerField(
        validate=within(0, MAX_ROUNDS),
        metadata={
            "description": "The round after which to show the standings; by default the last one. Not for a live stream."
        },
    )


class StandingsSchema(FormatSchema, AfterSchema):
    """The standings to show, and their format."""


class StandingsResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._reader = TournamentReader(service)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Show or follow the standings",
        access=Access.OPTIONAL,
        description="Shows the current standings, or those after any round, as if the tournament had ended with it. As a live "
        "stream of server-sent events: `standings` first and whenever they change, and `end` when the last table is over. With "
        "more than 1,000 entrants times rounds, `standings` follow only after each round, once a job has computed them. `reset` "
        "means that the store was restored from a copy that is older than the start of the tournament; then the stream ends.",
        query=StandingsSchema(),
        answer=Answer(
            "The standings.",
            {JSON: StandingsAnswer, CSV: CSV_TEXT, EVENT_STREAM: STANDINGS_MESSAGES},
            200,
            ("ETag", "Content-Disposition"),
        ),
        refuses=(NotFoundCode.NO_STANDINGS, NotFoundCode.ROUND_NOT_FOUND, *NO_STREAM),
        reads=("If-None-Match",),
        may_begin_job=True,
    )
    def get_standings(self, call: Call) -> Reply:
        loaded, after = self._load_started(call)
        if "format" not in call.query and accepted_type(call, JSON, CSV, EVENT_STREAM) == EVENT_STREAM:
            watch = StandingsSubscription(
                loaded, visitor_of(self._service, call, loaded.state), self._first(loaded.state)
            )
            return begin_stream(call, watch, not_live=frozenset({"round"}))
        reading = Reading(tournament=loaded.state.id, what="standings", round=after, format=format_of(call))
        return self._reader.answer(call, loaded, reading)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/crosstable",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Download the cross-table",
        access=Access.OPTIONAL,
        description="A CSV file with a row for each entrant, the best first, and the board, the opponents and the score of each "
        "round. The results have the same facts as JSON, and more.",
        answer=Answer("The cross-table.", {CSV: CSV_TEXT}, 200, ("Content-Disposition",)),
        refuses=(NotFoundCode.NO_STANDINGS,),
        may_begin_job=True,
    )
    def download_crosstable(self, call: Call) -> Reply:
        loaded, _ = self._load_started(call)
        return self._reader.answer(
            call, loaded, Reading(tournament=loaded.state.id, what="crosstable", format="csv")
        )

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings/{entrant}",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Explain an entrant's standing",
        access=Access.OPTIONAL,
        description="Explains each number by the rounds and opponents that it comes from, as data and in words.",
        query=AfterSchema(),
        answer=Answer("A line of the standings.", {JSON: StandingExplainedAnswer}),
        refuses=(NotFoundCode.NO_STANDINGS, NotFoundCode.ROUND_NOT_FOUND),
        may_begin_job=True,
    )
    def explain_standing(self, call: Call) -> Reply:
        loaded, after = self._load_started(call)
        number = path_number(call, "entrant")
        if number > len(loaded.state.entrants):
            raise NotFound(NotFoundCode.ENTRANT_NOT_FOUND)
        reading = Reading(tournament=loaded.state.id, what="standing", round=after, entrant=number)
        return self._reader.answer(call, loaded, reading)

    def _first(self, tournament: Tournament) -> bytes | None:
        """Returns the first standings of a live stream; `None` if a job has to compute them."""
        # Computed here and not by the stream, so that they are charged like other costly reads.
        if has_many_lines(tournament):
            return None
        return encode(standings_answer(tournament, None, names_in(self._service, tournament)))

    def _load_started(self, call: Call) -> tuple[LoadedTournament, int | None]:
        """Returns a tournament that has standings, and the round in the query."""
        loaded, after = load_tournament(self._service, call), call.query.get("round")
        if loaded.state.terms is None:  # they are fixed by the start
            raise NotFound(NotFoundCode.NO_STANDINGS)
        _check_round(loaded.state, after)
        return loaded, after


def _check_round(tournament: Tournament, after: int | None) -> None:
    if after is not None and after > last_round(tournament):
        raise NotFound(NotFoundCode.ROUND_NOT_FOUND, "This round has not started.")
