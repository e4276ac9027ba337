"""Statements of players, tables and tournaments, as JSON or as CSV."""

import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from marshmallow import fields, validate

from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.projecting.projections import Cursor
from hoodwink.service.application.reading.csv_statement import csv_text
from hoodwink.service.application.reading.queries import Balance
from hoodwink.service.application.reading.statements import Extract, Statement, StatementLine
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, H, Reply, Tag, operation
from hoodwink.service.http.messages.fields import BIGGEST, MAX_DIGITS, TextIntegerField, Whole, within
from hoodwink.service.http.resources.access import table_id
from hoodwink.service.http.resources.admission import can_watch, check_watcher
from hoodwink.service.http.resources.formats import CSV, CSV_TEXT, FormatSchema, csv_reply, wants_csv
from hoodwink.service.http.resources.pages import PAGE, PageSchema, cursor_text, paging
from hoodwink.service.http.resources.players.books import is_own_account
from hoodwink.service.http.resources.tournaments.commands import load_tournament

MAX_STATEMENT: Final = 5_000

AS_OF_PATTERN: Final = rf"^([a-z0-9]{{1,32}}:[0-9]{{1,10}}(:[0-9]{{1,4}})?|[0-9]{{1,{MAX_DIGITS}}})$"

_LATEST_KEY: Final = "~"
"""Sorts after the key of every entry: `as_of` includes the entries of its millisecond, and `until` does not."""


def _time(meaning: str, **options: Any) -> TextIntegerField:
    return TextIntegerField(
        validate=within(0, BIGGEST),
        metadata={"description": f"{meaning}, in milliseconds since 1970 (UTC)."},
        error_messages={"invalid": "Must be a time in milliseconds since 1970 (UTC), such as 1750000000000."},
        **options,
    )


class StatementSchema(FormatSchema, PageSchema):
    """The part of the ledger that a statement shows, and its format."""

    since = _time("Only entries at this time or later", data_key="from")
    until = _time("Only entries before this time")
    as_of = fields.String(
        validate=Whole(
            AS_OF_PATTERN,
            "Must be `<table>:<version>`, the id of an entry, or a time in milliseconds since 1970 (UTC).",
        ),
        metadata={
            "description": "Shows the ledger right after an event (`<table>:<version>`), right after an entry (its id), or "
            "at a time (in milliseconds since 1970, UTC)."
        },
    )
    unit = fields.String(
        validate=validate.OneOf(["token", "point"]),
        metadata={"description": "Only amounts in this unit; a page may then have fewer lines."},
    )
    limit = TextIntegerField(
        validate=within(1, MAX_STATEMENT),
        metadata={
            "description": f"The maximum number of journal entries to read; by default {PAGE}, or {MAX_STATEMENT} as CSV."
        },
    )


class PlayerStatement(msgspec.Struct, frozen=True, gc=False):
    """A player's statement, the latest line first.

    Attributes:
        opening: the balance in each game right before `from`.
        closing: the balance in each game at the end: at `until`, at `as_of`, or now.
        cursor: the cursor of the next page; `null` on the last one.
    """

    account: str
    opening: tuple[Balance, ...]
    closing: tuple[Balance, ...]
    lines: tuple[StatementLine, ...]
    cursor: str | None


class StatementAnswer(msgspec.Struct, frozen=True, gc=False):
    """The statement of a table or a tournament, the latest line first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    lines: tuple[StatementLine, ...]
    cursor: str | None


_DESCRIPTION: Final = (
    "Each line is the amount that a journal entry posts to an account, with the balance right after it. A voided table "
    "keeps its entries, and later entries reverse them. As CSV, the response has a `Link` header to the next page."
)


def statement_operation(path: str, summary: str, kind: type[msgspec.Struct]) -> Callable[[H], H]:
    """Declares a statement, as JSON of type `kind` or as CSV."""
    return operation(
        method="GET",
        path=path,
        tag=Tag.BOOKS,
        summary=summary,
        description=_DESCRIPTION,
        access=Access.OPTIONAL,
        query=StatementSchema(),
        answer=Answer("The statement.", {JSON: kind, CSV: CSV_TEXT}, 200, ("Link", "Content-Disposition")),
        refuses=(NotFoundCode.EVENT_NOT_FOUND,),
    )


class StatementResource:
    """Shows statements. The ledger follows the tables with a short delay."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @statement_operation("/v1/players/{player_id}/statement", "Show a player's statement", PlayerStatement)
    def get_player_statement(self, call: Call) -> Reply:
        player = self._service.players.get(call.path["player_id"])
        account = f"player:{player.id}"
        found = self._service.statements.of_account(
            account,
            self._extract(call),
            unlisted=is_own_account(call),
            cursor=paging(call).before,
            count=_count(call),
        )
        statement = found.statement
        if wants_csv(call):
            return _as_csv(call, statement, player.id)
        cursor = cursor_text(statement.more)
        answer = PlayerStatement(account, found.opening, found.closing, statement.lines, cursor)
        return Reply(answer)

    @statement_operation("/v1/tables/{table_id}/statement", "Show the statement of a table", StatementAnswer)
    def get_table_statement(self, call: Call) -> Reply:
        table = table_id(call)
        check_watcher(self._service, call, self._service.tables.load(table).state)
        statement = self._service.statements.of_table(
            table, self._extract(call), cursor=paging(call).before, count=_count(call)
        )
        return _reply(call, statement, table)

    @statement_operation(
        "/v1/tournaments/{tournament_id}/statement", "Show the statement of a tournament", StatementAnswer
    )
    def get_tournament_statement(self, call: Call) -> Reply:
        # For its `NotFound`: the statement of a tournament that does not exist would just be empty.
        tournament = load_tournament(self._service, call).state.id
        statement = self._service.statements.of_tournament(
            tournament, self._extract(call), cursor=paging(call).before, count=_count(call)
        )
        return _reply(call, statement, tournament)

    def _extract(self, call: Call) -> Extract:
        query = call.query
        ends = [Cursor(query["until"], "")] if "until" in query else []
        if "as_of" in query:
            ends.append(self._as_of(call, query["as_of"]))
        before = min(ends, key=lambda end: (end.order, end.key), default=None)
        return Extract(since=query.get("since", 0), before=before, unit=query.get("unit"))

    def _as_of(self, call: Call, moment: str) -> Cursor:
        # Only times have no colon: the id of a table may be a number, too.
        if re.fullmatch("[0-9]+", moment):
            return Cursor(int(moment), _LATEST_KEY)
        end = self._service.ledger.right_after(moment)
        table = self._service.tables.load(moment.partition(":")[0]).state
        # Otherwise a stranger could find out how many events a closed table has, and their times.
        if not can_watch(self._service, call, table):
            raise NotFound(NotFoundCode.EVENT_NOT_FOUND)
        return end


def _count(call: Call) -> int:
    # Spreadsheets follow no links, so a CSV has as many entries as a page may have.
    count: int = call.query.get("limit", MAX_STATEMENT if wants_csv(call) else PAGE)
    return count


def _reply(call: Call, statement: Statement, name: str) -> Reply:
    if wants_csv(call):
        return _as_csv(call, statement, name)
    return Reply(StatementAnswer(statement.lines, cursor_text(statement.more)))


def _as_csv(call: Call, statement: Statement, name: str) -> Reply:
    reply = csv_reply(csv_text(statement.lines), f"statement-{name}")
    # CSV has no place for a cursor. The link has the format, since a client may follow it without the header.
    if (cursor := cursor_text(statement.more)) is None:
        return reply
    following = call.request.arguments.to_dict() | {"cursor": cursor, "format": "csv"}
    link = f'<{call.request.path}?{urlencode(following)}>; rel="next"'
    return reply._replace(headers={**reply.headers, "Link": link})
