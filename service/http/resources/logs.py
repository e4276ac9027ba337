"""A table's events while it is played, its whole log afterwards, and the check of any log."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from marshmallow import fields, validate

from domain.kernel import Viewer
from domain.tables import Recorded, Table, Verdict, export_log, parted_logs, verify_lineage
from service.application.history import BEGINNING, Place
from service.application.imports import LARGEST_LOG
from service.application.tables import LoadedTable
from service.bootstrap import Service
from service.http.framework.operations import (
    EVENT_STREAM,
    JSON,
    NDJSON,
    Access,
    Answer,
    Call,
    RawBody,
    Reply,
    Tag,
    operation,
)
from service.http.framework.streaming import DESK, STREAM_HEADERS, WATCH, Desk, Watch
from service.http.messages.answers import EventRecord, EventsAnswer, encode, event_records, place_text
from service.http.messages.fields import PLACE_PATTERN, TextIntegerField, Whole, parsed_place
from service.http.messages.problems import Problem, invalid, unavailable
from service.http.resources.access import (
    IncludeSchema,
    ViewerSchema,
    check_over,
    table_id,
    viewer_of,
    wants_words,
)
from service.http.resources.tables import PRIVATE
from service.http.resources.verifying import one_at_a_time

PAGE: Final = 100
LARGEST_PAGE: Final = 1_000


class EventsSchema(ViewerSchema, IncludeSchema):
    """Which events to list."""

    cursor = fields.String(
        validate=Whole(PLACE_PATTERN, "Must be the cursor of the page before."),
        metadata={
            "description": "Continue after this: the `cursor` of the page before. Not for a live stream."
        },
    )
    limit = TextIntegerField(
        validate=validate.Range(min=1, max=LARGEST_PAGE),
        metadata={
            "description": f"At most so many versions; by default {PAGE}, as NDJSON all. Not for a live stream."
        },
    )


class LogResource:
    """Tells what happened at a table, and checks logs."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/events",
        tag=Tag.LOGS,
        summary="List or follow a table's events",
        description="As JSON page by page, as NDJSON line by line, or live as server-sent events: a `snapshot` "
        "with the table's present view, then each event as it happens, and `end` when the table is over. "
        "`Last-Event-ID` resumes after that event without a snapshot, unless it is too far back. `reset` says "
        "that the store came back older than what was sent: forget that, and begin anew with the `snapshot` "
        "that follows, or, if the table is gone, the stream ends. "
        "Tokens are read from the Authorization header alone, because addresses end up in logs: a browser "
        "follows with `fetch` rather than with `EventSource`.",
        access=Access.OPTIONAL,
        query=EventsSchema(),
        answer=Answer(
            "The events.",
            {JSON: EventsAnswer, NDJSON: EventRecord, EVENT_STREAM: {"type": "string"}},
        ),
        refuses=(403, 404, 409, 503),
        reads=("Last-Event-ID",),
    )
    def list_events(self, call: Call) -> Reply:
        table, after = table_id(call), _resumed(call)
        loaded = self._service.tables.load(table)
        viewer = viewer_of(loaded.state, call.player, call.query.get("viewer"))
        match call.request.accept_mimetypes.best_match((JSON, NDJSON, EVENT_STREAM)):
            case "text/event-stream":
                return self._follow(call, _watch(call, loaded, viewer, after))
            case _:
                return listed(call, loaded.state, viewer, partial(self._service.tables.following, table))

    def _follow(self, call: Call, watch: Watch) -> Reply:
        if paged := call.query.keys() & {"cursor", "limit"}:
            raise invalid("query", [(name, "Not for a live stream.") for name in sorted(paged)])
        desk: Desk | None = call.request.environ.get(DESK)
        if desk is None:
            raise Problem(406, "not_acceptable", f"This server answers {JSON} and {NDJSON} alone.")
        if not desk.has_room():
            raise unavailable(
                "too_many_streams", "Too many are watching here; try again later.", retry_after=5
            )
        call.request.environ[WATCH] = watch
        return Reply(b"", STREAM_HEADERS, EVENT_STREAM)

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/log",
        tag=Tag.LOGS,
        summary="Download the whole log of a table that is over",
        description="Every card, every deck and the server seed; anybody can check it.",
        answer=Answer(
            "The log, one JSON object a line.", {NDJSON: {"type": "string"}}, 200, ("Content-Disposition",)
        ),
        refuses=(404, 409),
    )
    def download_log(self, call: Call) -> Reply:
        table = table_id(call)
        check_over(self._service.tables.load(table).state)
        log = export_log(table, self._service.tables.entries(table))
        return Reply(log, {"Content-Disposition": f'attachment; filename="{table}.ndjson"'}, NDJSON)

    @operation(
        method="POST",
        path="/v1/verify",
        tag=Tag.LOGS,
        summary="Check a log",
        description="Checks chain, commitments, every deck, action and score of an exported log by itself, and says what "
        "became of each seed. Of a fork's log, what was played at its parent is checked, too; with the parent's log "
        "behind it, that it is the log of that table. Logs follow each other in one body.",
        body=RawBody(
            NDJSON, LARGEST_LOG, "An exported log, byte for byte, and behind that of a fork its parent's."
        ),
        answer=Answer("The verdict.", {JSON: Verdict}),
        refuses=(503,),
    )
    def verify(self, call: Call) -> Reply:
        with one_at_a_time():
            return Reply(verify_lineage(parted_logs(call.raw)))


Following: TypeAlias = Callable[..., tuple[Recorded, ...]]
"""Reads events after a place, at most `count`."""


def listed(call: Call, table: Table, viewer: Viewer, following: Following) -> Reply:
    """Returns events as a page of JSON or, if the request asks for that, as lines."""
    place, words = _cursor(call), wants_words(call)
    if call.request.accept_mimetypes.best_match((JSON, NDJSON)) == NDJSON:
        events = event_records(table, following(place, count=call.query.get("limit")), viewer, words=words)
        return Reply(b"".join([encode(one) + b"\n" for one in events]), PRIVATE, NDJSON)
    found = following(place, count=call.query.get("limit", PAGE))
    if found:
        place = Place(found[-1].version, found[-1].hash)
    events = event_records(table, found, viewer, words=words)
    return Reply(EventsAnswer(events, place_text(place), place.version < table.version), PRIVATE)


def _watch(call: Call, loaded: LoadedTable, viewer: Viewer, after: Place | None) -> Watch:
    player = None if call.player is None else call.player.id
    return Watch(loaded, viewer, player, after, words=wants_words(call))


def _cursor(call: Call) -> Place:
    """Returns the place after which a page begins."""
    given = call.query.get("cursor")
    place = None if given is None else parsed_place(given)
    return place or BEGINNING


def _resumed(call: Call) -> Place | None:
    """Returns the place after which a client resumes."""
    given = call.request.environ.get("HTTP_LAST_EVENT_ID")
    if given is None:
        return None
    place = parsed_place(given)
    if place is None:
        raise invalid("header", [("Last-Event-ID", "Must be the id of an event received before.")])
    return place
