"""What the events of a table and of a tournament have in common for who asks: pages, lines and live streams."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from marshmallow import fields, validate

from domain.tables import Recorded
from service.application.errors import ConflictCode
from service.application.history import BEGINNING, Position, position_of
from service.http.framework.operations import EVENT_STREAM, JSON, NDJSON, Answer, Call, Reply
from service.http.framework.streaming import STREAM_HEADERS, StandingsSubscription, Subscription
from service.http.messages.answers import encode, position_text
from service.http.messages.fields import POSITION_PATTERN, TextIntegerField, Whole, parsed_position
from service.http.messages.problems import HttpCode, Problem, invalid, unavailable
from service.http.resources.access import IncludeSchema

PAGE: Final = 100
LARGEST_PAGE: Final = 1_000
PAGED: Final = frozenset({"cursor", "limit"})
"""What a query names for a page, and not for a live stream."""

FOLLOWING: Final = (ConflictCode.HISTORY_CHANGED, HttpCode.TOO_MANY_STREAMS)
"""Why events cannot be listed from a position on, or followed."""

LOG: Final = Answer(
    "The log, one JSON object a line.", {NDJSON: {"type": "string"}}, 200, ("Content-Disposition",)
)

Following: TypeAlias = Callable[..., Sequence[Recorded]]
"""Reads events after a position, at most `count`."""


class HistorySchema(IncludeSchema):
    """Which events to list."""

    cursor = fields.String(
        validate=Whole(POSITION_PATTERN, "Must be the cursor of the page before."),
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


def accepted_type(call: Call, *offered: str) -> str:
    """Returns the media type that a request prefers of those offered, the first by default."""
    return call.request.best_match(*offered) or offered[0]


def listing(
    call: Call,
    following: Following,
    *,
    told: Callable[[Iterable[Recorded]], Sequence[Any]],
    page: Callable[..., Any],
    present: int,
    headers: Mapping[str, str],
) -> Reply:
    """Returns events as a page of JSON or, if the request asks for that, as lines.

    Args:
        told: makes of events what the asker may know.
        page: makes an answer of that, the cursor, and whether something follows.
        present: the version that the history has reached.
    """
    position = _cursor(call)
    if accepted_type(call, JSON, NDJSON) == NDJSON:
        events = told(following(position, count=call.query.get("limit")))
        return Reply(b"".join([encode(one) + b"\n" for one in events]), headers, NDJSON)
    found = following(position, count=call.query.get("limit", PAGE))
    if found:
        position = position_of(found[-1].entry)
    return Reply(page(told(found), position_text(position), position.version < present), headers)


def attached(name: str, content: bytes, media_type: str) -> Reply:
    """Returns a file to be stored under that name."""
    return Reply(content, {"Content-Disposition": f'attachment; filename="{name}"'}, media_type)


def _cursor(call: Call) -> Position:
    given = call.query.get("cursor")
    position = None if given is None else parsed_position(given)
    return position or BEGINNING


def resumed_after(call: Call) -> Position | None:
    """Returns the position after which a client resumes; raises `Problem` 400 for what is none."""
    given = call.request.headers.get("last-event-id")
    if given is None:
        return None
    position = parsed_position(given)
    if position is None:
        raise invalid("header", [("Last-Event-ID", "Must be the id of an event received before.")])
    return position


def followed(
    call: Call, subscription: Subscription | StandingsSubscription, *, not_live: frozenset[str]
) -> Reply:
    """Returns the beginning of a live stream, which the server sends on.

    Args:
        not_live: what a query may name for a page alone.

    Raises:
        Problem: 400 for such a query, 406 where the server knows no streams, 503 where too many are open.
    """
    if paged := call.query.keys() & not_live:
        raise invalid("query", [(name, "Not for a live stream.") for name in sorted(paged)])
    streams = call.request.streams
    if streams is None:
        raise Problem(HttpCode.NOT_ACCEPTABLE, f"This server answers only {JSON} and {NDJSON}.")
    if not streams.has_room():
        raise unavailable(HttpCode.TOO_MANY_STREAMS, retry_after=5)
    return Reply(b"", STREAM_HEADERS, EVENT_STREAM, subscription=subscription)
