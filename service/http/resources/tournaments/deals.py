"""The deals of a duplicate tournament: who played each, and how their results compare."""

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.messages.round_answers import DealAnswer
from hoodwink.service.http.resources.tournaments.commands import load_tournament, path_number
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader


class DealResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/deals/{deal}",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Show the results of a deal that all tables of a round played",
        access=Access.OPTIONAL,
        description="For tournaments with `deal: same`. Compares each seat with the same seat at the other tables, as exact "
        "fractions. Until the last of the tables has ended, it shows only which tables play the deal and which have ended.",
        answer=Answer("The deal.", {JSON: DealAnswer}),
        may_begin_job=True,
    )
    def get_deal(self, call: Call) -> Reply:
        loaded = load_tournament(self._service, call)
        reading = Reading(tournament=loaded.state.id, what="deal", deal=path_number(call, "deal"))
        return TournamentReader(self._service).answer(call, loaded, reading)
