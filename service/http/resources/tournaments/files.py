"""A tournament's results and report, as files for other programs."""

from typing import Final

from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.facts import last_round
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.messages.problems import HttpCode, Problem
from hoodwink.service.http.resources.formats import CSV, CSV_TEXT, FormatSchema
from hoodwink.service.http.resources.tournaments.commands import load_tournament
from hoodwink.service.http.resources.tournaments.readings import TEXT, Reading, TournamentReader, format_of

MAX_LINES: Final = 300_000
"""The limit for entrants times rounds squared: the standings after each round are computed from all rounds before it."""

_RESULTS: Final = {
    "type": "object",
    "description": "The fields are described in docs/TOURNAMENTS.md, Files.",
    "properties": {"format": {"const": "hoodwink-tournament-1"}},
    "required": ["format"],
    "additionalProperties": True,
}


class TournamentFileResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._reader = TournamentReader(service)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/results",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Download the results of a tournament",
        access=Access.OPTIONAL,
        description="The file contains every round that has started, with its tables, their results and the standings after it, "
        "in the format `hoodwink-tournament-1`, which `hoodwink tournament show` reads. With very many entrants and rounds, the "
        "request is refused with `results_too_large`; then use `hoodwink tournament export`. As CSV: a row for each entrant and "
        "round.",
        query=FormatSchema(),
        answer=Answer("The results.", {JSON: _RESULTS, CSV: CSV_TEXT}, 200, ("ETag", "Content-Disposition")),
        refuses=(NotFoundCode.NO_RESULTS, HttpCode.RESULTS_TOO_LARGE),
        reads=("If-None-Match",),
        may_begin_job=True,
    )
    def download_results(self, call: Call) -> Reply:
        loaded = self._load_started(call)
        _check_size(loaded.state)
        reading = Reading(tournament=loaded.state.id, what="results", format=format_of(call))
        return self._reader.answer(call, loaded, reading)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/report",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Download FIDE's report of a Swiss tournament or league at tables of two",
        access=Access.OPTIONAL,
        description="The report, in the format TRF-2026 and in UTF-8, contains the rounds before the first one with a table in "
        "play. Other tournaments are refused with `no_report_possible`, and so are those by points, those in which only the best "
        "sittings count, and those with a score that is not a multiple of a half.",
        answer=Answer("The report.", {TEXT: {"type": "string"}}, 200, ("ETag", "Content-Disposition")),
        refuses=(NotFoundCode.NO_RESULTS, HttpCode.NO_REPORT_POSSIBLE),
        reads=("If-None-Match",),
        may_begin_job=True,
    )
    def download_report(self, call: Call) -> Reply:
        loaded = self._load_started(call)
        return self._reader.answer(call, loaded, Reading(tournament=loaded.state.id, what="report"))

    def _load_started(self, call: Call) -> LoadedTournament:
        loaded = load_tournament(self._service, call)
        if loaded.state.terms is None:  # they are fixed by the start
            raise NotFound(NotFoundCode.NO_RESULTS)
        return loaded


def _check_size(tournament: Tournament) -> None:
    if len(tournament.entrants) * last_round(tournament) ** 2 > MAX_LINES:
        raise Problem(HttpCode.RESULTS_TOO_LARGE)
