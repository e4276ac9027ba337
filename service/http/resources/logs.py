"""A table's events while it is played, its whole log afterwards, and the check of any log."""

from threading import BoundedSemaphore
from typing import Final

from domain.kernel import Viewer
from domain.tables import Table, Verdict, export_log, verify_log
from service.application.history import Place
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
from service.http.framework.streaming import TableWatch
from service.http.messages.answers import EventRecord, EventsAnswer, encode, event_records, place_text
from service.http.messages.problems import unavailable
from service.http.resources.access import ViewerSchema, check_over, table_id, viewer_of, wants_words
from service.http.resources.history import (
    PAGE,
    PAGED,
    HistorySchema,
    accepted_type,
    cursor_of,
    followed,
    resumed_after,
)
from service.http.resources.tables import PRIVATE

LARGEST_LOG: Final = 16 * 1024 * 1024


class EventsSchema(ViewerSchema, HistorySchema):
    """Which events to list."""


class LogResource:
    """Tells what happened at a table, and checks logs."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._verifying = BoundedSemaphore(1)

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
        table, after = table_id(call), resumed_after(call)
        loaded = self._service.tables.load(table)
        viewer = viewer_of(loaded.state, call.player, call.query.get("viewer"))
        match accepted_type(call, JSON, NDJSON, EVENT_STREAM):
            case "text/event-stream":
                return followed(call, _watch(call, loaded, viewer, after), not_live=PAGED)
            case "application/x-ndjson":
                return self._lines(call, loaded.state, viewer)
            case _:
                return self._page(call, loaded.state, viewer)

    def _page(self, call: Call, table: Table, viewer: Viewer) -> Reply:
        place = cursor_of(call)
        following = self._service.tables.following(table.id, place, count=call.query.get("limit", PAGE))
        if following:
            place = Place(following[-1].version, following[-1].hash)
        events = event_records(table, following, viewer, words=wants_words(call))
        return Reply(EventsAnswer(events, place_text(place), place.version < table.version), PRIVATE)

    def _lines(self, call: Call, table: Table, viewer: Viewer) -> Reply:
        place = cursor_of(call)
        following = self._service.tables.following(table.id, place, count=call.query.get("limit"))
        lines = [
            encode(one) + b"\n" for one in event_records(table, following, viewer, words=wants_words(call))
        ]
        return Reply(b"".join(lines), PRIVATE, NDJSON)

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
        "became of each seed.",
        body=RawBody(NDJSON, LARGEST_LOG, "An exported log, byte for byte."),
        answer=Answer("The verdict.", {JSON: Verdict}),
        refuses=(503,),
    )
    def verify(self, call: Call) -> Reply:
        if not self._verifying.acquire(blocking=False):
            raise unavailable("busy", "Another log is being checked; try again in a moment.")
        try:
            return Reply(verify_log(call.raw))
        finally:
            self._verifying.release()


def _watch(call: Call, loaded: LoadedTable, viewer: Viewer, after: Place | None) -> TableWatch:
    player = None if call.player is None else call.player.id
    return TableWatch(loaded=loaded, viewer=viewer, player=player, after=after, words=wants_words(call))
