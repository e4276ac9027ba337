"""Answers that are computed from all rounds of a tournament: directly if it is small, otherwise by a shared job."""

from functools import partial
from typing import Final, Literal

import msgspec

from hoodwink.domain.kernel import Event
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.files.trf import Unwritable
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.facts import last_round
from hoodwink.service.application.jobs.effort import MAX_LINES, has_many_lines
from hoodwink.service.application.jobs.jobs import Job, JobKind, Jobs
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.reading import sheets
from hoodwink.service.application.reading.tournament_report import stored_report
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.streams.tournaments import LoadedTournament
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.job_replies import begin_job
from hoodwink.service.http.framework.operations import Call, Reply
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.problems import HttpCode, Problem
from hoodwink.service.http.messages.round_answers import deal_answer, round_answer
from hoodwink.service.http.messages.standings_answers import standing_explained, standings_answer
from hoodwink.service.http.messages.tournament_answers import JournalAnswer, journal_answer
from hoodwink.service.http.resources.access import etag_of, is_known, names_in
from hoodwink.service.http.resources.formats import csv_reply, wants_csv

TEXT = "text/plain"

_MAX_STANDINGS: Final = 32
"""Answers that a process remembers."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a tournament that has started.

    Attributes:
        round: the round after which to show standings, or the round to show; `None` for the last one.
        deal: the number of the deal to show.
        entrant: the starting rank whose standing to explain.
        format: a cross-table and teams are CSV only.
        before, count: the page of the journal.
    """

    tournament: str
    what: Literal[
        "results", "report", "standings", "standing", "round", "deal", "crosstable", "journal", "teams"
    ]
    round: int | None = None
    entrant: int = 0
    deal: int = 0
    format: Literal["json", "csv"] = "json"
    before: int | None = None
    count: int = 0


def format_of(call: Call) -> Literal["json", "csv"]:
    return "csv" if wants_csv(call) else "json"


def is_long(tournament: Tournament, reading: Reading) -> bool:
    """Returns whether the answer takes longer than a request may."""
    match reading.what:
        # With the standings after each round, each computed from all rounds before it.
        case "results" if reading.format == "json":
            return len(tournament.entrants) * last_round(tournament) ** 2 > MAX_LINES
        case "report":
            # A line of the report takes twice as long.
            return 2 * len(tournament.entrants) * last_round(tournament) > MAX_LINES
        case "round":
            return False
        case "journal":  # the log may be read as a whole
            return tournament.version > MAX_LINES or has_many_lines(tournament)
        case _:
            return has_many_lines(tournament)


def begin_standings_job(jobs: Jobs, loaded: LoadedTournament, names: PlayerNames) -> Job:
    """Begins the job that computes the current standings: the same one as for a request."""
    given = msgspec.json.encode(Reading(tournament=loaded.state.id, what="standings"))
    return jobs.begin(JobKind.TOURNAMENT_READING, given, key=etag_of(loaded.position, names))


class TournamentReader:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._standings: Cache[tuple[str, str, int | None], bytes] = Cache(_MAX_STANDINGS)

    def answer(self, call: Call, loaded: LoadedTournament, reading: Reading) -> Reply:
        """Returns the answer to a request, or the job that computes it."""
        names = self._names(loaded.state, reading)
        headers = _headers(loaded, names, reading)
        if "ETag" in headers and is_known(call, loaded.position, names):
            return Reply(b"", headers, status=304)
        if is_long(loaded.state, reading):
            # The tag is the key, so all who ask the same share a job until the tournament or a name changes.
            given, tag = msgspec.json.encode(reading), etag_of(loaded.position, names)
            return begin_job(
                call, self._service.jobs, JobKind.TOURNAMENT_READING, given, key=tag, is_shared=True
            )
        return self._read(loaded, names, reading)

    def read(self, reading: Reading) -> Reply:
        """Returns the answer in a job, however long it takes; raises `NotFound` and `Problem`."""
        # The tournament may have moved on since the request; then the answer and its tag are later, too.
        loaded = self._service.tournaments.load(reading.tournament)
        return self._read(loaded, self._names(loaded.state, reading), reading)

    def _names(self, tournament: Tournament, reading: Reading) -> PlayerNames:
        names = names_in(self._service, tournament)
        if reading.what not in {"results", "teams"} or not tournament.teams:
            return names
        # Neither a cache nor a job may keep the erased name of a team.
        return names.after_erasing(len(tournament.teams) - len(self._texts(tournament)))

    def _read(self, loaded: LoadedTournament, names: PlayerNames, reading: Reading) -> Reply:
        tournament, round_, headers = loaded.state, reading.round, _headers(loaded, names, reading)
        if reading.what == "teams":
            text = sheets.teams_csv(tournament, names, self._texts(tournament))
            return csv_reply(text, f"teams-{tournament.id}")
        if reading.format == "csv":
            return _csv_of(tournament, names, reading)
        match reading.what:
            case "results":
                return Reply(life.results_file(tournament, names, self._texts(tournament)), headers)
            case "report":
                return Reply(self._report(loaded, names), headers, f"{TEXT}; charset=utf-8")
            case "standings":
                return Reply(self._standings_of(loaded, round_, names), headers)
            case "standing":
                return Reply(standing_explained(tournament, round_, reading.entrant, names), headers)
            case "journal":
                return Reply(self._journal_of(loaded, reading, names))
            case "deal":
                return Reply(deal_answer(tournament, reading.deal, names), headers)
            case _:
                number = round_ or len(tournament.rounds)
                event_at = partial(self._event_at, tournament.id)
                return Reply(round_answer(tournament, number, event_at), headers)

    def _event_at(self, tournament: str, version: int) -> Event:
        (recorded,) = self._service.tournaments.history(tournament, after=version - 1, count=1)
        return recorded.event

    def _journal_of(self, loaded: LoadedTournament, reading: Reading, names: PlayerNames) -> JournalAnswer:
        tournament = loaded.state
        latest = self._service.tournaments.latest(tournament.id, upto=tournament.version)
        return journal_answer(tournament, latest, names, before=reading.before, count=reading.count)

    def _standings_of(self, loaded: LoadedTournament, round_: int | None, names: PlayerNames) -> bytes:
        # All who watch an arena ask after each of its events, and many of them share an address and its budget.
        asked = (loaded.state.id, etag_of(loaded.position, names), round_)
        known = self._standings.get(asked)
        if known is None:
            known = encode(standings_answer(loaded.state, round_, names))
            self._standings.put(asked, known)
        return known

    def _texts(self, tournament: Tournament) -> dict[str, str]:
        return self._service.administration.texts(tournament.teams)

    def _report(self, loaded: LoadedTournament, names: PlayerNames) -> bytes:
        try:
            return stored_report(self._service.tournaments, loaded, names)
        except Unwritable as error:
            raise Problem(HttpCode.NO_REPORT_POSSIBLE, str(error)) from None


def _csv_of(tournament: Tournament, names: PlayerNames, reading: Reading) -> Reply:
    number = reading.round
    match reading.what:
        case "standings":
            text = sheets.standings_csv(tournament, number, names)
        case "round":
            number = number or len(tournament.rounds)
            text = sheets.pairings_csv(tournament, number, names)
        case "crosstable":
            text = sheets.crosstable_csv(tournament, names)
        case _:
            text = sheets.results_csv(tournament, names)
    after = "" if number is None else f"-{number}"
    return csv_reply(text, f"{reading.what}{after}-{tournament.id}")


_EXTENSIONS = {"results": "json", "report": "trf"}


def _headers(loaded: LoadedTournament, names: PlayerNames, reading: Reading) -> dict[str, str]:
    # These operations do not read `If-None-Match`, and a tag belongs to one format.
    if reading.what in {"standing", "round", "deal", "journal"} or reading.format == "csv":
        return {}
    tag = {"ETag": etag_of(loaded.position, names)}
    if (extension := _EXTENSIONS.get(reading.what)) is None:
        return tag
    return tag | {"Content-Disposition": f'attachment; filename="{loaded.state.id}.{extension}"'}
