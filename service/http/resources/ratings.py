"""Leaderboards, the ratings of a player, and how they came about."""

from typing import Final

import msgspec
from marshmallow import fields, validate

from domain.games import GAMES
from service.application.errors import NotFound, NotFoundCode
from service.application.leaderboards import BoardCursor, Leader, RatedTableShown, StandingShown, rated_table
from service.application.projections import Cursor
from service.bootstrap import Service
from service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from service.http.messages.fields import MOST_DIGITS, TextIntegerField, Whole
from service.http.messages.schemas import StrictSchema
from service.http.resources.pages import LARGEST_PAGE, PAGE, PageSchema, following, paging

BOARD_CURSOR: Final = f"^-?[0-9]{{1,{MOST_DIGITS}}}[.][a-z0-9_:@]{{1,100}}[.][0-9]{{1,{MOST_DIGITS}}}$"
"""The order and the key of the last row of a page, and how many rows were listed up to there; see `BoardCursor`."""

SHOW: Final = "show"
HIDE: Final = "hide"


class LeaderboardAnswer(msgspec.Struct, frozen=True, gc=False):
    """The players of a game, by mu - 3 sigma.

    Attributes:
        cursor: leads to the next page; `null` on the last one. Where many players are hidden, a page may hold fewer
            than `limit` and not be the last.
    """

    leaders: tuple[Leader, ...]
    cursor: str | None


class RatingsAnswer(msgspec.Struct, frozen=True, gc=False):
    """How a player stands in every game in which a rated table counts for them."""

    ratings: tuple[StandingShown, ...]


class RatingHistoryAnswer(msgspec.Struct, frozen=True, gc=False):
    """The tables that count in a player's rating, the latest first.

    Attributes:
        cursor: leads to the next page; `null` on the last one.
    """

    tables: tuple[RatedTableShown, ...]
    cursor: str | None


def _choice(*values: str, of: str) -> fields.String:
    return fields.String(validate=validate.OneOf(values), metadata={"description": of, "default": values[0]})


class LeaderboardSchema(StrictSchema):
    """Which rows of a leaderboard to list."""

    of = _choice("people", "bots", of="Whose ladder.")
    provisional = _choice(SHOW, HIDE, of="Whether to list players whose rating is provisional.")
    idle = _choice(HIDE, SHOW, of="Whether to list players who were not rated in the last 90 days.")
    cursor = fields.String(
        validate=Whole(BOARD_CURSOR, "Must be the cursor of the page before."),
        metadata={"description": "The `cursor` of the page before."},
    )
    limit = TextIntegerField(
        validate=validate.Range(min=1, max=LARGEST_PAGE),
        metadata={"description": "The most rows to list.", "default": PAGE},
    )


class RatingResource:
    """Shows what rated tables came to. It follows the tables at a small distance."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/leaderboards/{game}",
        tag=Tag.RATINGS,
        summary="Rank the players of a game",
        description="By mu - 3 sigma: what a player is very likely worth at least. Bots have a ladder of their own.",
        query=LeaderboardSchema(),
        answer=Answer("A page of players.", {JSON: LeaderboardAnswer}),
    )
    def get_leaderboard(self, call: Call) -> Reply:
        board = self._service.leaderboards.board(
            _game(call),
            bots=call.query.get("of") == "bots",
            provisional=call.query.get("provisional") != HIDE,
            idle=call.query.get("idle") == SHOW,
            after=_board_cursor(call.query.get("cursor")),
            count=call.query.get("limit", PAGE),
        )
        return Reply(LeaderboardAnswer(board.leaders, _cursor(board.more)))

    @operation(
        method="GET",
        path="/v1/players/{rated_id}/ratings",
        tag=Tag.RATINGS,
        summary="Show how a player stands in every game",
        answer=Answer("The ratings; none where no table counts.", {JSON: RatingsAnswer}),
    )
    def get_ratings(self, call: Call) -> Reply:
        player = self._player(call)
        return Reply(RatingsAnswer(self._service.leaderboards.ratings(player)))

    @operation(
        method="GET",
        path="/v1/players/{rated_id}/ratings/{game}",
        tag=Tag.RATINGS,
        summary="List the tables that count in a player's rating",
        description="Each with the rating before and after. A table that was voided is not listed, and the ratings "
        "after it are what they would be without it.",
        query=PageSchema(),
        answer=Answer("A page of tables.", {JSON: RatingHistoryAnswer}),
    )
    def get_rating_history(self, call: Call) -> Reply:
        asked, player = paging(call), self._player(call)
        page = self._service.leaderboards.history(_game(call), player, before=asked.before, count=asked.count)
        tables = tuple([rated_table(row, player) for row in page.rows])
        return Reply(RatingHistoryAnswer(tables, following(page)))

    def _player(self, call: Call) -> str:
        player = call.path["rated_id"]
        self._service.leaderboards.check_rated(player)
        return player


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
