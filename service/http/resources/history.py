"""What the events of a table and of a tournament have in common for who asks: pages, lines and live streams."""

from typing import Final

from marshmallow import fields, validate

from service.application.history import BEGINNING, Place
from service.http.framework.operations import EVENT_STREAM, JSON, NDJSON, Call, Reply
from service.http.framework.streaming import DESK, STREAM_HEADERS, WATCH, Desk, StandingsWatch, Watch
from service.http.messages.fields import PLACE_PATTERN, TextIntegerField, Whole, parsed_place
from service.http.messages.problems import Problem, invalid, unavailable
from service.http.resources.access import IncludeSchema

PAGE: Final = 100
LARGEST_PAGE: Final = 1_000


class HistorySchema(IncludeSchema):
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


def accepted_type(call: Call, *offered: str) -> str:
    """Returns the media type that a request prefers of those offered, the first by default."""
    return call.request.accept_mimetypes.best_match(offered) or offered[0]


def cursor_of(call: Call) -> Place:
    """Returns the place after which a page begins."""
    given = call.query.get("cursor")
    place = None if given is None else parsed_place(given)
    return place or BEGINNING


def resumed_after(call: Call) -> Place | None:
    """Returns the place after which a client resumes; raises `Problem` 400 for what is none."""
    given = call.request.environ.get("HTTP_LAST_EVENT_ID")
    if given is None:
        return None
    place = parsed_place(given)
    if place is None:
        raise invalid("header", [("Last-Event-ID", "Must be the id of an event received before.")])
    return place


def followed(call: Call, watch: Watch | StandingsWatch, *, not_live: frozenset[str]) -> Reply:
    """Returns the beginning of a live stream, which the server sends on.

    Args:
        not_live: what a query may name for a page alone.

    Raises:
        Problem: 400 for such a query, 406 where the server knows no streams, 503 where too many are open.
    """
    if paged := call.query.keys() & not_live:
        raise invalid("query", [(name, "Not for a live stream.") for name in sorted(paged)])
    desk: Desk | None = call.request.environ.get(DESK)
    if desk is None:
        raise Problem(406, "not_acceptable", f"This server answers {JSON} and {NDJSON} alone.")
    if not desk.has_room():
        raise unavailable("too_many_streams", "Too many are watching here; try again later.", retry_after=5)
    call.request.environ[WATCH] = watch
    return Reply(b"", STREAM_HEADERS, EVENT_STREAM)


PAGED: Final = frozenset({"cursor", "limit"})
