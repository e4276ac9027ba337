"""The standings of a tournament: after any round, with explanations, and live."""

from typing import Final

from domain.tournaments.life import Tournament
from domain.tournaments.life.state import last_round
from service.application.errors import NotFound, NotFoundCode
from service.application.tournaments import LoadedTournament
from service.bootstrap import Service
from service.http.framework.operations import EVENT_STREAM, JSON, Answer, Call, Reply, Tag, operation
from service.http.framework.streaming import StandingsSubscription
from service.http.messages.fields import TextIntegerField, within
from service.http.messages.problems import NO_STREAM
from service.http.messages.schemas import QuerySchema
from service.http.messages.standings_answers import (
    StandingExplainedAnswer,
    StandingsAnswer,
    standing_explained,
    standings_answer,
)
from service.http.resources.access import etag_of, is_known, names_in
from service.http.resources.history import accepted_type, followed
from service.http.resources.tournament_commands import path_number, tournament_id
from service.http.resources.tournaments import PUBLIC

MOST_ROUNDS: Final = 500


class AfterSchema(QuerySchema):
    """The round after which standings are shown."""

    round = TextIntegerField(
        validate=within(0, MOST_ROUNDS),
        metadata={
            "description": "The round after which to show the standings; by default the last one. Not for a live stream."
        },
    )


class StandingsResource:
    """Shows and explains standings."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings",
        tag=Tag.TOURNAMENTS,
        summary="Show or follow the standings",
        description="Shows the present standings, or those after any round, as if the tournament had ended with it. As a "
        "live stream of server-sent events: `standings` first and again whenever they change, and `end` when the last "
        "table is over. `reset` means that the store was restored from a copy that is older than the start of the "
        "tournament; the stream ends with it.",
        query=AfterSchema(),
        answer=Answer(
            "The standings.", {JSON: StandingsAnswer, EVENT_STREAM: {"type": "string"}}, 200, ("ETag",)
        ),
        refuses=(NotFoundCode.NO_STANDINGS, NotFoundCode.ROUND_NOT_FOUND, *NO_STREAM),
        reads=("If-None-Match",),
    )
    def get_standings(self, call: Call) -> Reply:
        loaded, after = self._started(call)
        names = names_in(self._service, loaded.state)
        if accepted_type(call, JSON, EVENT_STREAM) == EVENT_STREAM:
            watch = StandingsSubscription(loaded, standings_answer(loaded.state, None, names))
            return followed(call, watch, not_live=frozenset({"round"}))
        headers = {"ETag": etag_of(loaded.position, names), **PUBLIC, "Vary": "Accept"}
        if is_known(call, loaded.position, names):
            return Reply(b"", headers, status=304)
        return Reply(standings_answer(loaded.state, after, names), headers)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/standings/{entrant}",
        tag=Tag.TOURNAMENTS,
        summary="Explain an entrant's standing",
        description="Explains each number by the rounds and opponents that it comes from, as data and in words.",
        query=AfterSchema(),
        answer=Answer("A line of the standings.", {JSON: StandingExplainedAnswer}),
        refuses=(NotFoundCode.NO_STANDINGS, NotFoundCode.ROUND_NOT_FOUND),
    )
    def explain_standing(self, call: Call) -> Reply:
        loaded, after = self._started(call)
        number = path_number(call, "entrant")
        if number > len(loaded.state.entrants):
            raise NotFound(NotFoundCode.ENTRANT_NOT_FOUND)
        return Reply(
            standing_explained(loaded.state, after, number, names_in(self._service, loaded.state)), PUBLIC
        )

    def _started(self, call: Call) -> tuple[LoadedTournament, int | None]:
        """Returns a tournament that has standings, and the round after which the request asks for them."""
        loaded, after = self._service.tournaments.load(tournament_id(call)), call.query.get("round")
        if loaded.state.terms is None:
            raise NotFound(NotFoundCode.NO_STANDINGS)
        _check_round(loaded.state, after)
        return loaded, after


def _check_round(tournament: Tournament, after: int | None) -> None:
    if after is not None and after > last_round(tournament):
        raise NotFound(NotFoundCode.ROUND_NOT_FOUND, "This round has not started.")
