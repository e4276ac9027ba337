"""Answers as CSV instead of JSON."""

from typing import Any, Final

from marshmallow import fields, validate

from hoodwink.service.http.framework.operations import JSON, Call, Reply
from hoodwink.service.http.messages.schemas import QuerySchema

CSV: Final = "text/csv"
CSV_TEXT: Final[dict[str, Any]] = {"type": "string"}


class FormatSchema(QuerySchema):
    """The format of the answer."""

    format = fields.String(
        validate=validate.OneOf(["json", "csv"]),
        metadata={
            "description": "The format, for links, which cannot send an Accept header; overrides that header."
        },
    )


def wants_csv(call: Call) -> bool:
    asked = call.query.get("format")  # before the header, which a browser fills in by itself
    if asked is not None:
        return bool(asked == "csv")
    return call.request.best_match(JSON, CSV) == CSV


def csv_reply(text: str, name: str) -> Reply:
    """Returns CSV as a file to save; `name` has no extension."""
    return Reply(text.encode(), {"Content-Disposition": f'attachment; filename="{name}.csv"'}, CSV)
