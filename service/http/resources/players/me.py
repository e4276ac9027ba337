"""`/v1/me`: your own tables, as a list and as a live stream."""

from typing import Final

from marshmallow import fields, validate

from hoodwink.service.application.reading.my_tables import (
    NOTHING_TOLD,
    SETTLED_MS,
    HistoryVanished,
    Told,
    Update,
)
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import (
    EVENT_STREAM,
    JSON,
    Access,
    Answer,
    Call,
    Reply,
    Tag,
    operation,
)
from hoodwink.service.http.framework.streaming import PersonalSubscription
from hoodwink.service.http.messages.fields import TextIntegerField, Whole, within
from hoodwink.service.http.messages.my_tables import TOLD_PATTERN, MyTablesAnswer, my_tables, parse_told
from hoodwink.service.http.messages.problems import NO_STREAM
from hoodwink.service.http.messages.streams import MY_TABLES_MESSAGES
from hoodwink.service.http.resources.history import TokenSchema, begin_stream, last_received
from hoodwink.service.http.resources.pages import MAX_PAGE, PageSchema, cursor_text, paging

LIVE: Final = "live"
ENDED: Final = "ended"


class MyTablesSchema(PageSchema):
    """The tables to list."""

    phase = fields.String(
        validate=validate.OneOf([LIVE, ENDED]),
        metadata={
            "description": "`live` for tables that are open or in play, `ended` for those that are over.",
            "default": LIVE,
        },
    )
    limit = TextIntegerField(
        validate=within(1, MAX_PAGE),
        metadata={"description": "The maximum number of tables.", "default": MAX_PAGE},
    )


class FollowSchema(TokenSchema):
    """The event after which to resume the stream, and a token for it."""

    last_event_id = fields.String(
        validate=Whole(TOLD_PATTERN, "Must be the id of an event received before."),
        metadata={
            "description": "The same as the header `Last-Event-ID`, which takes precedence; for a browser that opens a new "
            "`EventSource`."
        },
    )


class MeResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/me/tables",
        tag=Tag.TABLES,
        summary="List your tables",
        description="Lists the tables where you have a seat, are offered one, or are the host; in tournaments, only those where "
        "you have a seat. On each page, the tables that wait for you come first, the most recent first, then the others by "
        "their last event. Of tables that are over, the last to end comes first. A table appears here shortly after you sit "
        "down; its data is always up to date.",
        access=Access.PLAYER,
        query=MyTablesSchema(),
        answer=Answer("Your tables.", {JSON: MyTablesAnswer}),
    )
    def list_my_tables(self, call: Call) -> Reply:
        asked, player = paging(call, count=MAX_PAGE), call.actor.id
        tables, more = self._service.my_tables.page(
            player,
            has_ended=call.query.get("phase") == ENDED,
            before=asked.before,
            count=asked.count,
        )
        # After the tables are read, or it could be before their last events.
        now = self._service.clock.now_ms()
        return Reply(my_tables(tables, player, now=now, cursor=cursor_text(more)))

    @operation(
        method="GET",
        path="/v1/me/events",
        tag=Tag.TABLES,
        summary="Follow your tables",
        description="A live stream of server-sent events: first a `snapshot` like the response of GET /v1/me/tables, and then the "
        "news of your tables: `seat_offered`, `table_started`, `round_opened` (the start of a tournament's table), `your_turn` "
        "(the table begins to wait for you) and `table_ended`, each with the table at that moment, and `tournament_offer` (an entry, "
        "or an entrant's place; without an id). `Last-Event-ID` resumes "
        "without a snapshot: each table with news since that event is sent once, with its latest news and as it is now. If "
        "more than 200 tables have ended since, a snapshot is sent instead. `reset` means that the store was restored from an "
        "older copy and has lost events that were sent; a `snapshot` follows. A bot is online while it follows this stream.",
        access=Access.PLAYER,
        query=FollowSchema(),
        answer=Answer("The news.", {EVENT_STREAM: MY_TABLES_MESSAGES}),
        refuses=NO_STREAM,
        reads=("Last-Event-ID",),
    )
    def follow_my_tables(self, call: Call) -> Reply:
        # The time before the tables are read, so that events during the reading are later and will be sent as news.
        player, told, now = call.actor.id, last_received(call, parse_told), self._service.clock.now_ms()
        updates = None if told is None else self._updates(player, told)
        is_bot = call.actor.owner is not None
        if told is None or updates is None:
            # With those that ended within the last minute, or a client that resumes would get their ends as news.
            tables = self._service.my_tables.present(player, ended_after=now - SETTLED_MS)
            subscription = PersonalSubscription(player, now, NOTHING_TOLD, None, tables, is_bot)
        else:
            subscription = PersonalSubscription(player, now, told, updates, is_bot=is_bot)
        return begin_stream(call, subscription, not_live=frozenset())

    def _updates(self, player: str, told: Told) -> tuple[Update, ...] | None:
        try:
            return self._service.my_tables.since(player, told)
        except HistoryVanished:  # a snapshot replaces everything that the client knows
            return None
