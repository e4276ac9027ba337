"""The lobby, ledgers, histories and statistics: projections of tables."""

from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import HistoryRow, JournalEntry
from hoodwink.domain.tables.state import Phase
from hoodwink.service.application.errors import BusyCode, NotFound, NotFoundCode
from hoodwink.service.application.reading.queries import Balance, Statistics
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import BIGGEST, TextIntegerField, within
from hoodwink.service.http.messages.lobby_answers import LobbyTable, lobby_tables
from hoodwink.service.http.resources.access import table_id
from hoodwink.service.http.resources.admission import check_watcher
from hoodwink.service.http.resources.pages import PageSchema, next_cursor, paging, rows

OWN_BOOKS: Final = "Tables that are private, or that not everyone may watch, are included only if you ask for your own account with a token."


def is_own_account(call: Call) -> bool:
    """Returns whether the player in the path sent the request."""
    return call.player is not None and call.player.id == call.path["player_id"]


class LobbyAnswer(msgspec.Struct, frozen=True, gc=False):
    """Tables; the one that changed last comes first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    tables: tuple[LobbyTable, ...]
    cursor: str | None


class HistoryAnswer(msgspec.Struct, frozen=True, gc=False):
    """A player's tables that are over, the latest first.

    Attributes:
        voided: the ids of the tables that an administrator has voided; they are listed as ended without a result.
        cursor: the cursor of the next page; `null` on the last one.
    """

    tables: tuple[HistoryRow, ...]
    voided: tuple[str, ...]
    cursor: str | None


class LedgerAnswer(msgspec.Struct, frozen=True, gc=False):
    """Journal entries, the latest first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    entries: tuple[JournalEntry, ...]
    cursor: str | None


class AccountAnswer(msgspec.Struct, frozen=True, gc=False):
    """A player's account: its balances, and its journal entries, the latest first.

    Attributes:
        balances: the balance in every game.
        cursor: the cursor of the next page; `null` on the last one.
    """

    balances: tuple[Balance, ...]
    entries: tuple[JournalEntry, ...]
    cursor: str | None


class LobbySchema(PageSchema):
    """The tables to list."""

    phase = fields.String(
        validate=validate.OneOf([phase.value for phase in Phase]),
        metadata={"description": "The phase of the tables.", "default": Phase.OPEN.value},
    )
    game = fields.String(
        validate=validate.OneOf(list(GAMES)), metadata={"description": "Only tables of this game."}
    )
    company = fields.String(
        validate=validate.OneOf(["any", "people"]),
        metadata={
            "description": "Of the tables in play, with `people` only those at which two or more people play.",
            "default": "any",
        },
    )


class TableLedgerSchema(PageSchema):
    """The journal entries of a table to list."""

    wait_for = TextIntegerField(
        validate=within(1, BIGGEST),
        metadata={
            "description": "Wait, for a few seconds, until the ledger contains every round that was scored up to this version."
        },
    )


class BookResource:
    """Shows projections, which follow the tables with a short delay."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tables",
        tag=Tag.TABLES,
        summary="List tables",
        description="The table that changed last comes first. Private tables are not listed, and, once they have started, "
        "neither are tables that not everyone may watch. A table in play against bots alone is not listed when nothing has changed there for an hour. Your own are in `GET /v1/me/tables`.",
        query=LobbySchema(),
        answer=Answer("A page of tables.", {JSON: LobbyAnswer}),
    )
    def list_tables(self, call: Call) -> Reply:
        asked, phase = paging(call), Phase(call.query.get("phase", Phase.OPEN))
        page = self._service.queries.lobby(
            phase,
            call.query.get("game"),
            people=call.query.get("company") == "people",
            before=asked.before,
            count=asked.count,
        )
        return Reply(LobbyAnswer(lobby_tables(page.rows, self._service.players), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/tables/{table_id}/ledger",
        tag=Tag.BOOKS,
        summary="List the journal entries of a table",
        access=Access.OPTIONAL,
        query=TableLedgerSchema(),
        answer=Answer("A page of entries.", {JSON: LedgerAnswer}),
        refuses=(BusyCode.PROJECTION_BEHIND,),
    )
    def get_table_ledger(self, call: Call) -> Reply:
        asked, table = paging(call), table_id(call)
        check_watcher(self._service, call, self._service.tables.load(table).state)
        if "wait_for" in call.query:
            self._service.queries.await_journal(table, call.query["wait_for"])
        page = self._service.queries.journal_of_table(table, before=asked.before, count=asked.count)
        return Reply(LedgerAnswer(rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/ledger",
        tag=Tag.BOOKS,
        summary="Show a player's account",
        description=OWN_BOOKS,
        access=Access.OPTIONAL,
        query=PageSchema(),
        answer=Answer("The balances and a page of entries.", {JSON: AccountAnswer}),
    )
    def get_player_ledger(self, call: Call) -> Reply:
        asked, player = paging(call), self._service.players.get(call.path["player_id"])
        # The balance as well: one over all tables would tell strangers the results of the hidden ones.
        queries, is_own = self._service.queries, is_own_account(call)
        page = queries.journal_of_player(player.id, unlisted=is_own, before=asked.before, count=asked.count)
        balances = queries.balances(player.id, unlisted=is_own)
        return Reply(AccountAnswer(balances, rows(page), next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/history",
        tag=Tag.BOOKS,
        summary="List a player's tables that are over",
        description=OWN_BOOKS,
        access=Access.OPTIONAL,
        query=PageSchema(),
        answer=Answer("A page of tables.", {JSON: HistoryAnswer}),
    )
    def get_history(self, call: Call) -> Reply:
        # Loaded for its `NotFound`: the history of a player who does not exist would just be empty.
        asked, player = paging(call), self._service.players.get(call.path["player_id"])
        page = self._service.queries.history(
            player.id, unlisted=is_own_account(call), before=asked.before, count=asked.count
        )
        # A row does not say why a table has no result.
        voided = self._service.queries.voided(page.rows)
        return Reply(HistoryAnswer(rows(page), voided, next_cursor(page)))

    @operation(
        method="GET",
        path="/v1/games/{game}/statistics",
        tag=Tag.BOOKS,
        summary="Show the statistics of a game",
        description="They count all tables, even unlisted ones, but name none.",
        answer=Answer("The statistics.", {JSON: Statistics}),
    )
    def get_statistics(self, call: Call) -> Reply:
        if call.path["game"] not in GAMES:
            raise NotFound(NotFoundCode.GAME_NOT_FOUND)
        return Reply(self._service.queries.statistics(call.path["game"]))
