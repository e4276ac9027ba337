"""Pages of projections: query parameters and cursors."""

from typing import Any, Final

import msgspec
from marshmallow import fields

from hoodwink.service.application.projecting.projections import Cursor, Page
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.messages.fields import MAX_DIGITS, TextIntegerField, Whole, within
from hoodwink.service.http.messages.schemas import QuerySchema

PAGE: Final = 50
MAX_PAGE: Final = 200

# Not an offset, because rows move to the front while a client turns the pages.
CURSOR_PATTERN: Final = f"^[0-9]{{1,{MAX_DIGITS}}}[.][a-z0-9:]{{1,100}}$"
"""The order and the key of the last row of a page; see `Cursor`."""


class PageSchema(QuerySchema):
    """The page of a list."""

    cursor = fields.String(
        validate=Whole(CURSOR_PATTERN, "Must be the cursor of the page before."),
        metadata={"description": "The `cursor` of the previous page."},
    )
    limit = TextIntegerField(
        validate=within(1, MAX_PAGE),
        metadata={"description": "The maximum number of rows.", "default": PAGE},
    )


class Paging(msgspec.Struct, frozen=True, gc=False):
    before: Cursor | None
    count: int


def paging(call: Call, *, count: int = PAGE) -> Paging:
    """Returns the page in the query, by default of `count` rows."""
    given = call.query.get("cursor")
    return Paging(None if given is None else _cursor(given), call.query.get("limit", count))


def rows(page: Page) -> tuple[Any, ...]:
    # Rows are stored as the JSON of the answer, so decoding them would only cost time.
    return tuple([msgspec.Raw(row) for row in page.rows])


def next_cursor(page: Page) -> str | None:
    return cursor_text(page.more)


def cursor_text(cursor: Cursor | None) -> str | None:
    return None if cursor is None else f"{cursor.order}.{cursor.key}"


def _cursor(text: str) -> Cursor:
    order, _, key = text.partition(".")
    return Cursor(int(order), key)
