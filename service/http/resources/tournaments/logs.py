"""The events and logs of tournaments, and the check of such logs."""

from functools import partial

from marshmallow import fields

from hoodwink.domain.tables.proving.log import people_in_log
from hoodwink.domain.tournaments.life import Tournament, export_log
from hoodwink.service.application.commands.imports import MAX_LOG
from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.job_replies import begin_job
from hoodwink.service.http.framework.operations import (
    EVENT_STREAM,
    JSON,
    NDJSON,
    Access,
    Answer,
    Call,
    Cost,
    RawBody,
    Reply,
    Tag,
    operation,
)
from hoodwink.service.http.framework.streaming import TournamentSubscription
from hoodwink.service.http.messages.fields import TextIntegerField, Whole, parse_position, within
from hoodwink.service.http.messages.problems import HttpCode, Problem
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.messages.streams import TOURNAMENT_MESSAGES
from hoodwink.service.http.messages.tournament_answers import (
    JournalAnswer,
    TournamentEventRecord,
    TournamentEventsAnswer,
    tournament_events,
)
from hoodwink.service.http.messages.verdict_answers import TournamentVerdictAnswer
from hoodwink.service.http.resources.access import names_in, wants_words
from hoodwink.service.http.resources.admission import visitor_of
from hoodwink.service.http.resources.history import (
    FOLLOWING,
    LOG,
    MAX_PAGE,
    PAGE,
    PAGED,
    HistorySchema,
    ResumeSchema,
    accepted_type,
    attachment,
    begin_stream,
    events_reply,
    last_received,
)
from hoodwink.service.http.resources.tournaments.commands import load_tournament
from hoodwink.service.http.resources.tournaments.readings import Reading, TournamentReader


class FollowedHistorySchema(HistorySchema, ResumeSchema):
    """The events to list or follow."""


class JournalSchema(QuerySchema):
    """The page of the journal."""

    cursor = fields.String(
        validate=Whole("^[1-9][0-9]{0,8}$", "Must be the cursor of the page before."),
        metadata={"description": "The `cursor` of the previous page."},
    )
    limit = TextIntegerField(
        validate=within(1, MAX_PAGE),
        metadata={"description": "The maximum number of decisions.", "default": PAGE},
    )


class TournamentLogResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/events",
        cost=Cost.MUCH_UNLESS_LIVE,
        tag=Tag.TOURNAMENTS,
        summary="List or follow a tournament's events",
        access=Access.OPTIONAL,
        description="Returns a page of JSON, NDJSON with one event per line, or a live stream of server-sent events: a "
        "`snapshot` with the current tournament, then each event as it happens, and `end` when the last table is over. "
        "`Last-Event-ID` resumes after that event without a snapshot, unless it is too far back. `reset` means that the "
        "store was restored from an older copy and has lost events that were sent: discard them, and start again with "
        "the `snapshot` that follows. If the tournament itself is lost, the stream ends.",
        query=FollowedHistorySchema(),
        answer=Answer(
            "The events.",
            {JSON: TournamentEventsAnswer, NDJSON: TournamentEventRecord, EVENT_STREAM: TOURNAMENT_MESSAGES},
        ),
        refuses=FOLLOWING,
        reads=("Last-Event-ID",),
    )
    def list_tournament_events(self, call: Call) -> Reply:
        after, loaded = last_received(call, parse_position), load_tournament(self._service, call)
        names = names_in(self._service, loaded.state)
        if accepted_type(call, JSON, NDJSON, EVENT_STREAM) == EVENT_STREAM:
            watch = TournamentSubscription(
                loaded=loaded,
                names=names,
                after=after,
                words=wants_words(call),
                visitor=visitor_of(self._service, call, loaded.state),
            )
            return begin_stream(call, watch, not_live=PAGED)
        return events_reply(
            call,
            partial(self._service.tournaments.following, loaded.state.id),
            shown=partial(tournament_events, tournament=loaded.state, names=names, words=wants_words(call)),
            page=TournamentEventsAnswer,
            present=loaded.state.version,
        )

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/journal",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="List the decisions of officials",
        access=Access.OPTIONAL,
        description="What the organiser, co-organisers, arbiters and administrators did, the latest first: a selection of the events, "
        "with the official, the reason and whether an administrator has reversed it.",
        query=JournalSchema(),
        answer=Answer("A page of decisions.", {JSON: JournalAnswer}),
        may_begin_job=True,
    )
    def get_journal(self, call: Call) -> Reply:
        loaded, cursor = load_tournament(self._service, call), call.query.get("cursor")
        reading = Reading(
            tournament=loaded.state.id,
            what="journal",
            before=None if cursor is None else int(cursor),
            count=call.query.get("limit", PAGE),
        )
        return TournamentReader(self._service).answer(call, loaded, reading)

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/log",
        cost=Cost.MUCH,
        tag=Tag.TOURNAMENTS,
        summary="Download the whole log of a tournament whose seed is revealed",
        access=Access.OPTIONAL,
        description="The log contains every draw, every pairing and the server seed. Anybody can check it together with the logs "
        "of its tables, with `POST /v1/verify/tournament`.",
        refuses=(HttpCode.TOURNAMENT_NOT_OVER,),
        answer=LOG,
    )
    def download_tournament_log(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        # With the server seed, the shuffles of tables in play could be computed.
        _check_revealed(tournament)
        named = tournament.id
        entries = self._service.tournaments.entries(named)
        log = export_log(named, entries, self._service.players.names(people_in_log(entries)))
        return attachment(f"{named}.ndjson", log, NDJSON)

    @operation(
        method="POST",
        path="/v1/verify/tournament",
        tag=Tag.TOURNAMENTS,
        summary="Check the log of a tournament together with those of its tables",
        description="Checks every draw, pairing, table and result, both alone and against the others. The body has the log of the "
        "tournament first, then those of all its tables in any order. For logs that are too large for one request, use "
        "`hoodwink verify`.",
        body=RawBody(NDJSON, MAX_LOG, "Exported logs, byte for byte; the log of the tournament comes first."),
        answer=Answer("The verdict.", {JSON: TournamentVerdictAnswer}),
        begins_job=True,
    )
    def verify_tournament(self, call: Call) -> Reply:
        return begin_job(call, self._service.jobs, JobKind.VERIFY_TOURNAMENT)


def _check_revealed(tournament: Tournament) -> None:
    if not tournament.is_seed_revealed:
        raise Problem(HttpCode.TOURNAMENT_NOT_OVER)
