"""The events of a table, its log, and the check of any log."""

from functools import partial

import msgspec
from marshmallow import fields, validate

from domain.kernel import Viewer
from domain.tables import Table, Verdict, export_log, split_logs, verify_lineage
from service.application.history import Position
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
from service.http.framework.streaming import TableSubscription
from service.http.messages.answers import EventRecord, EventsAnswer, event_records
from service.http.messages.fields import NamesField
from service.http.messages.problems import TABLE_NOT_OVER, HttpCode, invalid
from service.http.resources.access import (
    LEGAL_ACTIONS,
    LOOKING,
    WORDS,
    ViewerSchema,
    check_over,
    table_id,
    viewer_of,
    wants_legal_actions,
    wants_words,
)
from service.http.resources.history import (
    FOLLOWING,
    LOG,
    PAGED,
    Following,
    HistorySchema,
    accepted_type,
    attached,
    followed,
    listing,
    resumed_after,
)
from service.http.resources.tables import PRIVATE
from service.http.resources.verifying import one_at_a_time


class EventsSchema(ViewerSchema, HistorySchema):
    """The events to list, and for whom."""


class FollowSchema(EventsSchema):
    """The events to list or to follow."""

    include = NamesField(WORDS | LEGAL_ACTIONS)
    with_ = fields.String(
        data_key="with",
        validate=validate.OneOf(["view"]),
        metadata={
            "description": "`view` makes a live stream carry, with the events of each commit, the table right after it "
            "and what the viewer may do then, so that no other request is needed. Only for a live stream."
        },
    )


class LogResource:
    """Returns events and logs of tables, and checks logs."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/events",
        tag=Tag.LOGS,
        summary="List or follow a table's events",
        description="Returns a page of JSON, NDJSON with an event a line, or a live stream of server-sent events: a "
        "`snapshot` with the table's present view, then each event as it happens, and `end` when the table is over. "
        "`Last-Event-ID` resumes after that event without a snapshot, unless it is too far back. `reset` means that "
        "the store was restored from an older copy and has lost events that were sent: discard them, and begin again "
        "with the `snapshot` that follows. If the table itself is lost, the stream ends. "
        "With `with=view` the snapshot has the viewer's legal actions, too, and each commit comes as one message `view`: "
        "its events, and the table and the legal actions right after it, as in the answer to a command. A `view` without "
        "events follows when only time has changed what is legal, and one with all missed events after a resumption. "
        "Every message says what time it is (`now`). "
        "Tokens are read only from the Authorization header, because addresses end up in logs: in a browser, use "
        "`fetch` rather than `EventSource`.",
        access=Access.OPTIONAL,
        query=FollowSchema(),
        answer=Answer(
            "The events.",
            {JSON: EventsAnswer, NDJSON: EventRecord, EVENT_STREAM: {"type": "string"}},
        ),
        refuses=(*LOOKING, *FOLLOWING),
        reads=("Last-Event-ID",),
    )
    def list_events(self, call: Call) -> Reply:
        table, after = table_id(call), resumed_after(call)
        loaded = self._service.tables.load(table)
        viewer = viewer_of(loaded.state, call.player, call.query.get("viewer"))
        match accepted_type(call, JSON, NDJSON, EVENT_STREAM):
            case "text/event-stream":
                return followed(call, _watch(call, loaded, viewer, after), not_live=PAGED)
            case _:
                _check_page(call)
                following = partial(self._service.tables.following, table)
                return listed(call, loaded.state, viewer, following, now=self._service.clock.now_ms())

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/log",
        tag=Tag.LOGS,
        summary="Download the whole log of a table that is over",
        description="The log contains every card, every deck and the server seed, so that anybody can check it.",
        refuses=(TABLE_NOT_OVER,),
        answer=LOG,
    )
    def download_log(self, call: Call) -> Reply:
        table = table_id(call)
        check_over(self._service.tables.load(table).state)
        log = export_log(table, self._service.tables.entries(table))
        return attached(f"{table}.ndjson", log, NDJSON)

    @operation(
        method="POST",
        path="/v1/verify",
        tag=Tag.LOGS,
        summary="Check a log",
        description="Checks the hash chain, the commitments and every deck, action and score of an exported log, and "
        "reports what became of each seed. The log of a fork includes what was played at its parent, which is checked, "
        "too. If the parent's log follows the fork's in the same body, the two are compared.",
        body=RawBody(
            NDJSON,
            LARGEST_LOG,
            "An exported log, byte for byte; the log of a fork may be followed by its parent's.",
        ),
        answer=Answer("The verdict.", {JSON: Verdict}),
        refuses=(HttpCode.BUSY,),
        needs_store=False,
    )
    def verify(self, call: Call) -> Reply:
        with one_at_a_time():
            return Reply(verify_lineage(split_logs(call.raw)))


def listed(
    call: Call,
    table: Table,
    viewer: Viewer,
    following: Following,
    *,
    now: int | msgspec.UnsetType = msgspec.UNSET,
) -> Reply:
    """Returns events as a page of JSON or, if the request asks for that, as lines; `now` is for the page."""
    shown = partial(event_records, table, viewer=viewer, words=wants_words(call))
    page = partial(EventsAnswer, now=now)
    return listing(call, following, shown=shown, page=page, present=table.version, headers=PRIVATE)


def _check_page(call: Call) -> None:
    """Raises `Problem` 400 for what only a live stream carries."""
    if "with_" in call.query:
        raise invalid("query", [("with", "Only for a live stream; a page has no views.")])
    if wants_legal_actions(call):
        raise invalid(
            "query", [("include", "Legal actions come with a view of the table; ask for that instead.")]
        )


def _watch(call: Call, loaded: LoadedTable, viewer: Viewer, after: Position | None) -> TableSubscription:
    with_view = "with_" in call.query
    if wants_legal_actions(call) and not with_view:
        raise invalid(
            "query", [("include", "In a live stream, legal actions come with the view: add `with=view`.")]
        )
    player = None if call.player is None else call.player.id
    return TableSubscription(
        loaded=loaded,
        viewer=viewer,
        player=player,
        after=after,
        words=wants_words(call),
        with_view=with_view,
    )
