"""Pages of projections: their query parameters and cursors."""

from typing import Any, Final

import msgspec
from marshmallow import fields

from hoodwink.service.application.projecting.projections import Cursor, Page
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.messages.fields import MAX_DIGITS, TextIntegerField, Whole, within
from hoodwink.service.http.messages.schemas import QuerySchema

PAGE: Final = 50
MAX_PAGE: Final = 200

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
        metadata={"description": "The most rows to list.", "default": PAGE},
    )


class Paging(msgspec.Struct, frozen=True, gc=False):
    """The page that a request asks for."""

    before: Cursor | None
    count: int


def paging(call: Call, *, count: int = PAGE) -> Paging:
    """Returns the page that the query asks for, by default of `count` rows."""
    given = call.query.get("cursor")
    return Paging(None if given is None else _cursor(given), call.query.get("limit", count))


def rows(page: Page) -> tuple[Any, ...]:
    """Returns the rows, which are stored as JSON, without decoding them."""
    return tuple([msgspec.Raw(row) for row in page.rows])


def next_cursor(page: Page) -> str | None:
    """Returns the cursor of the next page, if there is one."""
    return cursor_text(page.more)


def cursor_text(cursor: Cursor | None) -> str | None:
    """Returns a cursor as clients send it back."""
    return None if cursor is None else f"{cursor.order}.{cursor.key}"


def _cursor(text: str) -> Cursor:
    order, _, key = text.partition(".")
    return Cursor(int(order), key)
