"""Pages, lines and live streams of events, for tables and tournaments alike."""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from marshmallow import fields
from msgspec.structs import replace

from hoodwink.domain.tables.entries import Recorded
from hoodwink.service.application.errors import ConflictCode
from hoodwink.service.application.streams.history import BEGINNING, Position, position_of
from hoodwink.service.application.streams.parts import PART, rest
from hoodwink.service.http.framework.operations import EVENT_STREAM, JSON, NDJSON, Answer, Call, Reply
from hoodwink.service.http.framework.streaming import STREAM_HEADERS, AnySubscription
from hoodwink.service.http.messages.answers import encode, position_text
from hoodwink.service.http.messages.fields import (
    POSITION_PATTERN,
    TextIntegerField,
    Whole,
    parse_position,
    within,
)
from hoodwink.service.http.messages.problems import NO_STREAM, HttpCode, Problem, invalid
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.resources.access import IncludeSchema

T = TypeVar("T")

PAGE: Final = 100
MAX_PAGE: Final = 1_000
PAGED: Final = frozenset({"cursor", "limit"})
"""The query parameters of pages, which live streams do not have."""

FOLLOWING: Final = (ConflictCode.HISTORY_CHANGED, *NO_STREAM)
"""The refusals of a position in the history, and of a live stream."""

LOG: Final = Answer(
    "The log, one JSON object per line.", {NDJSON: {"type": "string"}}, 200, ("Content-Disposition",)
)

Following: TypeAlias = Callable[..., Sequence[Recorded]]
"""Reads up to `count` events after a position."""


class ResumeSchema(QuerySchema):
    """The event after which a live stream resumes."""

    last_event_id = fields.String(
        validate=Whole(POSITION_PATTERN, "Must be the id of an event received before."),
        metadata={
            "description": "The same as the header `Last-Event-ID`, which takes precedence; for a browser that opens a new "
            "`EventSource`. A page ignores it."
        },
    )


class TokenSchema(QuerySchema):
    """The token of a browser that cannot send a header."""

    token = fields.String(
        metadata={
            "description": "A token from `POST /v1/me/stream-tokens` instead of the header `Authorization`. Only for a live "
            "stream."
        },
    )


class HistorySchema(IncludeSchema):
    """The events to list."""

    cursor = fields.String(
        validate=Whole(POSITION_PATTERN, "Must be the cursor of the page before."),
        metadata={
            "description": "The `cursor` of the previous page, to continue after it. Not for a live stream."
        },
    )
    limit = TextIntegerField(
        validate=within(1, MAX_PAGE),
        metadata={
            "description": f"The maximum number of events to read, including hidden ones; by default {PAGE}, or all as NDJSON. "
            "Not for a live stream."
        },
    )


def accepted_type(call: Call, *offered: str) -> str:
    """Returns the offered media type that the request prefers, by default the first."""
    return call.request.best_match(*offered) or offered[0]


def events_reply(
    call: Call,
    following: Following,
    *,
    shown: Callable[[Sequence[Recorded]], Sequence[Any]],
    page: Callable[..., Any],
    present: int,
) -> Reply:
    """Returns events as a page of JSON or, if the request prefers that, as NDJSON.

    Args:
        shown: returns events as the viewer may see them.
        page: returns the answer with these events, the cursor, and whether there are more events.
        present: the version of the history.

    Raises:
        Problem: 400 for a stream token.
    """
    # The endpoint has accepted the token, because it goes by the operation and not by the form of the answer.
    if "token" in call.query:
        raise invalid("query", [("token", "Only for a live stream.")])
    as_lines = accepted_type(call, JSON, NDJSON) == NDJSON
    limit = call.query.get("limit", sys.maxsize if as_lines else PAGE)
    position, events, content = _cursor(call), list[Any](), list[bytes]()
    for part, reached in _parts(position, following, limit):
        if as_lines:  # encoded part by part, or the thread could not rest while it encodes a long log
            content += [encode(event) + b"\n" for event in shown(part)]
        else:
            events += shown(part)
        position = reached
        rest()
    if as_lines:
        return Reply(b"".join(content), media_type=NDJSON)
    return Reply(page(events, position_text(position), position.version < present))


def _parts(
    position: Position, following: Following, limit: int
) -> Iterator[tuple[Sequence[Recorded], Position]]:
    """Yields up to `limit` events after a position in parts, each with the position that it reaches."""
    while limit:
        count = min(PART, limit)
        part = following(position, count=count)
        if part:
            position = position_of(part[-1].entry)
        yield part, position
        if len(part) < count:
            return
        limit -= count


def attachment(name: str, content: bytes, media_type: str) -> Reply:
    """Returns a file for clients to save under that name."""
    # Names consist of ids, which need no quoting.
    return Reply(content, {"Content-Disposition": f'attachment; filename="{name}"'}, media_type)


def _cursor(call: Call) -> Position:
    given = call.query.get("cursor")
    position = None if given is None else parse_position(given)
    return position or BEGINNING


def last_received(call: Call, parsed: Callable[[str], T | None]) -> T | None:
    """Returns the id of the last event that the client received, parsed; raises `Problem` 400 if it is not valid."""
    # The header wins: a browser that reconnects by itself sends the latest id there, but still the old address.
    given = call.request.headers.get("last-event-id", call.query.get("last_event_id"))
    if given is None:
        return None
    received = parsed(given)
    if received is None:
        raise invalid("header", [("Last-Event-ID", "Must be the id of an event received before.")])
    return received


def begin_stream(call: Call, subscription: AnySubscription, *, not_live: frozenset[str]) -> Reply:
    """Returns the beginning of a live stream, which the server continues.

    Args:
        not_live: the query parameters that only pages have.

    Raises:
        Problem: 400 for such a parameter, 406 if the server has no streams, 503 if it has no room for more.
        LimitReached: the player or the address has too many streams.
    """
    if paged := call.query.keys() & not_live:
        raise invalid("query", [(name, "Not for a live stream.") for name in sorted(paged)])
    streams = call.request.streams
    if streams is None:
        raise Problem(HttpCode.NOT_ACCEPTABLE, "This server sends no live streams.")
    asked = replace(subscription, actor=call.player)
    # Last of all, since nobody would release the place of a request that is refused after this.
    asked = replace(asked, place=streams.take_place(asked, call.request.address))
    return Reply(b"", STREAM_HEADERS, EVENT_STREAM, subscription=asked)
