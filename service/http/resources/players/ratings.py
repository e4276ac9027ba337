"""Leaderboards, ratings of players, and the tables that they come from."""

from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.games import GAMES
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.projecting.projections import Cursor
from hoodwink.service.application.reading.leaderboards import (
    BoardCursor,
    Leader,
    RatedTableShown,
    StandingShown,
    rated_table,
)
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import MAX_DIGITS, TextIntegerField, Whole, within
from hoodwink.service.http.messages.schemas import QuerySchema
from hoodwink.service.http.resources.pages import MAX_PAGE, PAGE, PageSchema, next_cursor, paging

BOARD_CURSOR: Final = f"^-?[0-9]{{1,{MAX_DIGITS}}}[.][a-z0-9_:@]{{1,100}}[.][0-9]{{1,{MAX_DIGITS}}}$"
"""The order and the key of the last row of a page, and the number of rows listed so far; see `BoardCursor`.

The number is needed because ranks count only the rows that are listed, and no index knows which these are.
"""

SHOW: Final = "show"
HIDE: Final = "hide"


class LeaderboardAnswer(msgspec.Struct, frozen=True, gc=False):
    """The players of a game, by mu - 3 sigma after their latest tables.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one. If many players are hidden, a page may have fewer
            rows than `limit` without being the last one.
    """

    leaders: tuple[Leader, ...]
    cursor: str | None


class RatingsAnswer(msgspec.Struct, frozen=True, gc=False):
    """The ratings of a player in every game in which a rated table counts for them."""

    ratings: tuple[StandingShown, ...]


class RatingHistoryAnswer(msgspec.Struct, frozen=True, gc=False):
    """The tables that count in a player's rating, the latest first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    tables: tuple[RatedTableShown, ...]
    cursor: str | None


def _choice(*values: str, of: str) -> fields.String:
    return fields.String(validate=validate.OneOf(values), metadata={"description": of, "default": values[0]})


class LeaderboardSchema(QuerySchema):
    """The rows of a leaderboard to list."""

    of = _choice("people", "bots", of="Whether to list people or bots.")
    provisional = _choice(HIDE, SHOW, of="Whether to list players whose rating is provisional.")
    idle = _choice(HIDE, SHOW, of="Whether to list players without a rated table in the last 90 days.")
    cursor = fields.String(
        validate=Whole(BOARD_CURSOR, "Must be the cursor of the page before."),
        metadata={"description": "The `cursor` of the previous page."},
    )
    limit = TextIntegerField(
        validate=within(1, MAX_PAGE),
        metadata={"description": "The maximum number of rows.", "default": PAGE},
    )


class RatingResource:
    """Shows leaderboards and ratings, which follow the tables with a short delay."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/leaderboards/{game}",
        tag=Tag.RATINGS,
        summary="Rank the players of a game",
        description="Orders them by mu - 3 sigma after their latest tables, a value that a player's strength very likely "
        "exceeds. Players with a provisional rating are listed only on request. Bots have a separate leaderboard, with the policies of the service and the bots of players.",
        query=LeaderboardSchema(),
        answer=Answer("A page of players.", {JSON: LeaderboardAnswer}),
    )
    def get_leaderboard(self, call: Call) -> Reply:
        board = self._service.leaderboards.board(
            _game(call),
            bots=call.query.get("of") == "bots",
            provisional=call.query.get("provisional") == SHOW,
            idle=call.query.get("idle") == SHOW,
            after=_board_cursor(call.query.get("cursor")),
            count=call.query.get("limit", PAGE),
        )
        return Reply(LeaderboardAnswer(board.leaders, _cursor(board.more)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/ratings",
        tag=Tag.RATINGS,
        summary="Show a player's ratings in all games",
        answer=Answer("The ratings; empty if no table counts.", {JSON: RatingsAnswer}),
    )
    def get_ratings(self, call: Call) -> Reply:
        player = self._player(call)
        return Reply(RatingsAnswer(self._service.leaderboards.ratings(player)))

    @operation(
        method="GET",
        path="/v1/players/{player_id}/ratings/{game}",
        tag=Tag.RATINGS,
        summary="List the tables that count in a player's rating",
        description="Lists each table with the rating before and after it. Voided tables are not listed, and later ratings are "
        "computed without them.",
        query=PageSchema(),
        answer=Answer("A page of tables.", {JSON: RatingHistoryAnswer}),
    )
    def get_rating_history(self, call: Call) -> Reply:
        asked, player = paging(call), self._player(call)
        page = self._service.leaderboards.history(_game(call), player, before=asked.before, count=asked.count)
        # One row per table serves all players who were rated there.
        tables = tuple([rated_table(row, player) for row in page.rows])
        return Reply(RatingHistoryAnswer(tables, next_cursor(page)))

    def _player(self, call: Call) -> str:
        # May be a policy and version, which is no registered player but has ratings.
        return self._service.leaderboards.rated_player(call.path["player_id"])


def _game(call: Call) -> str:
    if call.path["game"] not in GAMES:
        raise NotFound(NotFoundCode.GAME_NOT_FOUND)
    return call.path["game"]


def _board_cursor(cursor: str | None) -> BoardCursor | None:
    if cursor is None:
        return None
    order, _, rest = cursor.partition(".")
    key, _, listed = rest.rpartition(".")
    return BoardCursor(Cursor(int(order), key), int(listed))


def _cursor(end: BoardCursor | None) -> str | None:
    return None if end is None else f"{end.row.order}.{end.row.key}.{end.listed}"
