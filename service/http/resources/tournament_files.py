"""A tournament's results and report, as files for other programs."""

from typing import Final

from domain.tournaments import life
from domain.tournaments.files.trf import Unwritable
from domain.tournaments.life import Tournament
from domain.tournaments.life.state import last_round
from service.application.errors import NotFound, NotFoundCode
from service.application.players import PlayerNames
from service.application.tournament_report import stored_report
from service.application.tournaments import LoadedTournament
from service.bootstrap import Service
from service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from service.http.messages.problems import HttpCode, Problem
from service.http.resources.access import etag_of, is_known, names_in
from service.http.resources.tournament_commands import tournament_id
from service.http.resources.tournaments import PUBLIC

TEXT: Final = "text/plain"

MOST_LINES: Final = 300_000
"""The limit of entrants times rounds squared: standings after each round are computed from all rounds before it."""

_RESULTS: Final = {
    "type": "object",
    "description": "The fields are described in docs/TOURNAMENTS.md, Files.",
    "properties": {"format": {"const": "hoodwink-tournament-1"}},
    "required": ["format"],
}


class TournamentFileResource:
    """Exports tournaments as files."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/results",
        tag=Tag.TOURNAMENTS,
        summary="Download the results of a tournament",
        description="The file contains every round that has started, with its tables, their results and the standings "
        "after it, in the format `hoodwink-tournament-1`, which `hoodwink tournament show` reads. For very many entrants "
        "and rounds the request is refused with `results_too_large`; `hoodwink tournament export` writes the file.",
        answer=Answer("The results.", {JSON: _RESULTS}, 200, ("ETag", "Content-Disposition")),
        refuses=(NotFoundCode.NO_RESULTS, HttpCode.RESULTS_TOO_LARGE),
        reads=("If-None-Match",),
    )
    def download_results(self, call: Call) -> Reply:
        loaded = self._started(call)
        names = names_in(self._service, loaded.state)
        headers = _headers(loaded, names, "json")
        if is_known(call, loaded.position, names):
            return Reply(b"", headers, status=304)
        _check_size(loaded.state)
        return Reply(life.results_file(loaded.state, names), headers)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/report",
        tag=Tag.TOURNAMENTS,
        summary="Download FIDE's report of a Swiss tournament at tables of two",
        description="The report, in the format TRF-2026 and in UTF-8, contains the rounds before the first one that has a "
        "table in play. Any other tournament is refused with `no_report_possible`, and so is one with a score that is "
        "not a multiple of a half.",
        answer=Answer("The report.", {TEXT: {"type": "string"}}, 200, ("ETag", "Content-Disposition")),
        refuses=(NotFoundCode.NO_RESULTS, HttpCode.NO_REPORT_POSSIBLE),
        reads=("If-None-Match",),
    )
    def download_report(self, call: Call) -> Reply:
        loaded = self._started(call)
        names = names_in(self._service, loaded.state)
        headers = _headers(loaded, names, "trf")
        if is_known(call, loaded.position, names):
            return Reply(b"", headers, status=304)
        try:
            report = stored_report(self._service.tournaments, loaded.state, names)
        except Unwritable as error:
            raise Problem(HttpCode.NO_REPORT_POSSIBLE, str(error)) from None
        return Reply(report, headers, f"{TEXT}; charset=utf-8")

    def _started(self, call: Call) -> LoadedTournament:
        loaded = self._service.tournaments.load(tournament_id(call))
        if loaded.state.terms is None:
            raise NotFound(NotFoundCode.NO_RESULTS)
        return loaded


def _check_size(tournament: Tournament) -> None:
    if len(tournament.entrants) * last_round(tournament) ** 2 > MOST_LINES:
        raise Problem(HttpCode.RESULTS_TOO_LARGE)


def _headers(loaded: LoadedTournament, names: PlayerNames, extension: str) -> dict[str, str]:
    name = f'attachment; filename="{loaded.state.id}.{extension}"'
    return {"ETag": etag_of(loaded.position, names), **PUBLIC, "Content-Disposition": name}
