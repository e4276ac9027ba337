"""The events and logs of tables, and the check of any log."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.proving.log import export_log, people_in_log
from hoodwink.domain.tables.proving.verify import Verdict
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.commands.imports import MAX_LOG
from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.application.reading.seen import EventRecord, event_records
from hoodwink.service.application.streams.history import Position
from hoodwink.service.application.streams.parts import rest
from hoodwink.service.application.streams.tables import LoadedTable
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
from hoodwink.service.http.framework.streaming import TableSubscription
from hoodwink.service.http.messages.answers import EventsAnswer
from hoodwink.service.http.messages.fields import NamesField, parse_position
from hoodwink.service.http.messages.problems import TABLE_NOT_OVER, invalid
from hoodwink.service.http.messages.streams import TABLE_MESSAGES
from hoodwink.service.http.resources.access import (
    LEGAL_ACTIONS,
    LOOKING,
    WORDS,
    ViewerSchema,
    check_over,
    includes,
    names_at,
    table_id,
    viewer_of,
    wants_legal_actions,
    wants_words,
)
from hoodwink.service.http.resources.admission import check_watcher, is_invited
from hoodwink.service.http.resources.history import (
    FOLLOWING,
    LOG,
    PAGED,
    Following,
    HistorySchema,
    ResumeSchema,
    TokenSchema,
    accepted_type,
    attachment,
    begin_stream,
    events_reply,
    last_received,
)


class EventsSchema(ViewerSchema, HistorySchema):
    """The events to list, and the viewer."""


_COMPANY: Final = {
    "company": "adds messages to a live stream that are not in the table's history: `presence`, the seats of the connected "
    "players, as at `GET …/presence`: at the beginning, and within seconds of each change, and `said`, the `saying` "
    "of a player as `POST …/sayings` returns it."
}


class FollowedSchema(EventsSchema, ResumeSchema, TokenSchema):
    """The events to list or follow, and the viewer."""

    include = NamesField(WORDS | LEGAL_ACTIONS | _COMPANY)
    with_ = fields.String(
        data_key="with",
        validate=validate.OneOf(["view"]),
        metadata={
            "description": "With `view`, a live stream has the events of each commit together with the table right after it "
            "and the viewer's legal actions, so that no other request is needed. Only for a live stream."
        },
    )


class LogResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/events",
        cost=Cost.MUCH_UNLESS_LIVE,
        tag=Tag.LOGS,
        summary="List or follow a table's events",
        description="Returns a page of JSON, NDJSON with one event per line, or a live stream of server-sent events: a "
        "`snapshot` with the table's current view, then each event as it happens, and `end` when the table is over. "
        "`Last-Event-ID` resumes after that event without a snapshot, unless it is too far back. `reset` means that "
        "the store was restored from an older copy and has lost events that were sent: discard them, and start again "
        "with the `snapshot` that follows. If the table itself is lost, the stream ends. "
        "With `with=view`, the snapshot also has the viewer's legal actions, and each commit is one message `view` with "
        "its events, the table and the legal actions right after it, as in the response to a command. A `view` without "
        "events means that only time has changed the legal actions. After a resumption, one `view` has all missed events. "
        "Events, snapshots and views have the time (`now`). "
        "In a browser, use `fetch`, which can send the header `Authorization`; for `EventSource` get a token from "
        "`POST /v1/me/stream-tokens`.",
        access=Access.OPTIONAL,
        query=FollowedSchema(),
        answer=Answer(
            "The events.",
            {JSON: EventsAnswer, NDJSON: EventRecord, EVENT_STREAM: TABLE_MESSAGES},
        ),
        refuses=(*LOOKING, *FOLLOWING),
        reads=("Last-Event-ID",),
    )
    def list_events(self, call: Call) -> Reply:
        table, after = table_id(call), last_received(call, parse_position)
        loaded = self._service.tables.load(table)
        check_watcher(self._service, call, loaded.state)
        viewer = viewer_of(loaded.state, call.player, call.query.get("viewer"))
        match accepted_type(call, JSON, NDJSON, EVENT_STREAM):
            case "text/event-stream":
                return begin_stream(call, self._watch(call, loaded, viewer, after), not_live=PAGED)
            case _:
                _check_page(call)
                return table_events_reply(
                    call,
                    loaded.state,
                    viewer,
                    partial(self._service.tables.following, table),
                    names=partial(names_at, self._service, loaded.state),
                    now=self._service.clock.now_ms(),
                )

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/log",
        cost=Cost.MUCH,
        tag=Tag.LOGS,
        summary="Download the whole log of a table that is over",
        description="The log contains every card, every deck and the server seed, so that anybody can check it.",
        access=Access.OPTIONAL,
        refuses=(TABLE_NOT_OVER,),
        answer=LOG,
    )
    def download_log(self, call: Call) -> Reply:
        table = table_id(call)
        state = self._service.tables.load(table).state
        check_watcher(self._service, call, state)
        check_over(state)
        entries = self._service.tables.entries(table)
        # The first line has the names of all people in the log, so the log cannot be sent in parts.
        names = self._service.players.names(people_in_log(entries))
        rest()  # to export a long log takes another moment of this thread
        log = export_log(table, entries, names)
        return attachment(f"{table}.ndjson", log, NDJSON)

    def _watch(
        self, call: Call, loaded: LoadedTable, viewer: Viewer, after: Position | None
    ) -> TableSubscription:
        return TableSubscription(
            loaded=loaded,
            names=names_at(self._service, loaded.state),
            viewer=viewer,
            player=None if call.player is None else call.player.id,
            # The stream goes on after this request, and checks again who may watch when players come and go.
            is_invited=is_invited(self._service, call, loaded.state),
            after=after,
            words=wants_words(call),
            with_view=_wants_view(call),
            with_company=includes(call, "company"),
        )

    @operation(
        method="POST",
        path="/v1/verify",
        tag=Tag.LOGS,
        summary="Check a log",
        description="Checks the hash chain, the commitments and every deck, action and score of an exported log, and reports "
        "the state of each seed. The log of a fork includes the events of its parent, which are checked, too. If the parent's "
        "log follows the fork's in the same body, the two are compared.",
        body=RawBody(
            NDJSON,
            MAX_LOG,
            "An exported log, byte for byte; the log of a fork may be followed by its parent's.",
        ),
        answer=Answer("The verdict.", {JSON: Verdict}),
        begins_job=True,
    )
    def verify(self, call: Call) -> Reply:
        return begin_job(call, self._service.jobs, JobKind.VERIFY)


def table_events_reply(
    call: Call,
    table: Table,
    viewer: Viewer,
    following: Following,
    *,
    names: Callable[[Sequence[Recorded]], Names],
    now: int | msgspec.UnsetType = msgspec.UNSET,
) -> Reply:
    """Returns events as a page of JSON or, if the request prefers that, as NDJSON.

    Args:
        names: returns the names for some events.
        now: the service's clock, in ms; unset for imports.
    """

    def shown(events: Sequence[Recorded]) -> Sequence[EventRecord]:
        return event_records(table, events, viewer, names(events), words=wants_words(call))

    page = partial(EventsAnswer, now=now)
    return events_reply(call, following, shown=shown, page=page, present=table.version)


def _check_page(call: Call) -> None:
    """Raises `Problem` 400 for parameters that only live streams have."""
    if "with_" in call.query:
        raise invalid(
            "query",
            [("with", "Only for a live stream: send `Accept: text/event-stream`, or leave this out.")],
        )
    if includes(call, "company"):
        raise invalid("query", [("include", "Only a live stream tells who is connected.")])
    if wants_legal_actions(call):
        raise invalid(
            "query", [("include", "A list of events has no legal actions; view the table instead.")]
        )


def _wants_view(call: Call) -> bool:
    """Returns whether a stream has views; raises `Problem` 400 for legal actions without them."""
    with_view = "with_" in call.query
    if wants_legal_actions(call) and not with_view:
        raise invalid(
            "query", [("include", "In a live stream, legal actions are part of the view: add `with=view`.")]
        )
    return with_view
