"""Leaderboards, players' ratings and their history. They lag the tables a little."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from hoodwink.domain.bots import VERSIONS
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Names
from hoodwink.domain.projections import (
    LEADERBOARDS,
    RatedTableRow,
    StandingRow,
    board_index,
    history_index,
    standing_key,
)
from hoodwink.domain.ratings import DAY_MS, MILLION, Rating, account_of, aged, rated_bot
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock, StreamId
from hoodwink.service.application.projecting.projections import Cursor, Page, ProjectionReader
from hoodwink.service.application.streams.aggregates import RATINGS

RATED_PATTERN: Final = "^([a-z0-9]{4,32}|[a-z]{1,20}@[1-9][0-9]{0,5})$"
"""The form of a rated player's id: that of an account, or a bot's policy and version."""

_BOT: Final = re.compile("([a-z]{1,20})@([1-9][0-9]{0,5})")

_UNRATED: Final = (
    f"{NotFoundCode.PLAYER_NOT_FOUND.meaning} A bot is named by its policy and version, such as steady@1."
)

PROVISIONAL_SIGMA: Final = 2.5
"""A rating is provisional until its sigma is below this, which takes 40 tables of two equal players (R-5)."""

IDLE_DAYS: Final = 90
"""A player is idle after this many days without a rated table."""

_SCAN_PAGE: Final = 200
_MAX_SCANNED: Final = 2_000
"""Limit of rows read for one page, because most of them may be hidden."""


class RatingShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A rating in points, exact to a millionth.

    Attributes:
        mu: the mean of the estimated skill.
        sigma: its standard deviation.
        low: mu - 2 sigma; the skill lies between `low` and `high` nineteen times out of twenty.
        high: mu + 2 sigma.
        ordinal: mu - 3 sigma as it was after the latest table, by which leaderboards rank.
    """

    mu: float
    sigma: float
    low: float
    high: float
    ordinal: float


class StandingShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The standing of a player in a game.

    Attributes:
        rating: with today's sigma, which grows with each day without a table.
        provisional: `sigma` is not below 2.5.
        idle: the player was not rated in the last 90 days.
        tables: the number of tables that count.
        trend: the change of `mu` over the latest ten tables.
        rated_at: when the latest table was rated, in ms since the epoch.
    """

    game: str
    rating: RatingShown
    provisional: bool
    idle: bool
    tables: int
    trend: float
    rated_at: int


class Leader(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of a leaderboard.

    Attributes:
        rank: the position among the listed rows, from 1.
        player: the id of an account, or a bot's policy and version, such as `steady@1`.
    """

    rank: int
    player: str
    name: str
    standing: StandingShown


class BoardCursor(msgspec.Struct, frozen=True, gc=False):
    """The end of a page of a leaderboard: its last row, and the number of rows listed up to it."""

    row: Cursor
    listed: int


class Board(msgspec.Struct, frozen=True, gc=False):
    """A page of a leaderboard, the best first, and the cursor of the next page; `None` after the last."""

    leaders: tuple[Leader, ...]
    more: BoardCursor | None


class Opponent(msgspec.Struct, frozen=True, gc=False):
    """Another rated seat at a table."""

    player: str
    place: int


class RatedTableShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The change of a player's rating by a table.

    Attributes:
        rated_at: in ms since the epoch.
        place: the player's place at the table.
    """

    table: str
    rated_at: int
    place: int
    opponents: tuple[Opponent, ...]
    before: RatingShown
    after: RatingShown


class Leaderboards:
    """Reads the projection of the rating streams."""

    def __init__(self, *, reader: ProjectionReader, players: Players, clock: Clock) -> None:
        self._reader = reader
        self._players = players
        self._clock = clock

    def board(
        self, game: str, *, bots: bool, provisional: bool, idle: bool, after: BoardCursor | None, count: int
    ) -> Board:
        """Returns up to `count` rows after a page; if most rows are hidden, fewer, but with a cursor.

        Args:
            game: a game's name.
            bots: list bots rather than people.
            provisional: also list players whose rating is provisional.
            idle: also list idle players.
            after: the end of the previous page.
            count: the maximum number of rows.
        """
        leaders, before = list[Leader](), after.listed if after else 0
        index = board_index(game, bots=bots)
        for scanned, (cursor, row, is_last) in enumerate(
            self._rows(index, None if after is None else after.row), start=1
        ):
            standing = self._standing(row)
            if (provisional or not standing.provisional) and (idle or not standing.idle):
                # Hidden rows have no rank, so ranks cannot be stored and have to be counted over all pages.
                rank = before + len(leaders) + 1
                leaders.append(Leader(rank=rank, player=row.player, name="", standing=standing))
            if is_last:
                break
            if len(leaders) == count or scanned == _MAX_SCANNED:
                return Board(self._named(leaders), BoardCursor(cursor, before + len(leaders)))
        return Board(self._named(leaders), None)

    def ratings(self, player: str) -> tuple[StandingShown, ...]:
        """Returns the player's standings in all games in which the player is rated."""
        found = [
            row
            for game in GAMES
            for row in self._reader.rows(
                LEADERBOARDS.name, StreamId(RATINGS.category, game), [standing_key(game, player)]
            )
        ]
        return tuple(
            [self._standing(msgspec.json.decode(row, type=StandingRow)) for row in found if row is not None]
        )

    def history(self, game: str, player: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the tables that count for a player in a game, the latest first."""
        return self._reader.page(LEADERBOARDS.name, history_index(game, player), before=before, count=count)

    def rated_player(self, player: str) -> str:
        """Returns the rated player: an account, or a bot of a past or current version; raises `NotFound`."""
        # Past versions of a bot keep their rows, because a new version is rated as another player.
        found = _BOT.fullmatch(player)
        if found is not None and int(found[2]) <= VERSIONS.get(found[1], 0):
            return player
        try:
            account = self._players.get(player)
        except NotFound:
            raise NotFound(NotFoundCode.PLAYER_NOT_FOUND, _UNRATED) from None
        return player if account.owner is None else rated_bot(player)

    def _rows(self, index: str, before: Cursor | None) -> Iterator[tuple[Cursor, StandingRow, bool]]:
        """Yields the rows of a leaderboard after a cursor, each with its own cursor and whether it is the last row."""
        while True:
            page = self._reader.page(LEADERBOARDS.name, index, before=before, count=_SCAN_PAGE)
            for number, encoded in enumerate(page.rows, start=1):
                row = msgspec.json.decode(encoded, type=StandingRow)
                cursor = Cursor(row.rating.ordinal, standing_key(row.game, row.player))
                yield cursor, row, page.more is None and number == len(page.rows)
            if page.more is None:
                return
            before = page.more

    def _standing(self, row: StandingRow) -> StandingShown:
        idle_ms = self._clock.now_ms() - row.rated_at
        today = aged(row.rating, idle_ms)
        return StandingShown(
            game=row.game,
            # Ranked by the stored ordinal, not by today's sigma: otherwise the order of a list could change each
            # day, and pages of it would repeat or skip rows.
            rating=replace(shown(today), ordinal=row.rating.ordinal / MILLION),
            provisional=today.sigma >= PROVISIONAL_SIGMA * MILLION,
            idle=idle_ms > IDLE_DAYS * DAY_MS,
            tables=row.tables,
            trend=row.trend / MILLION,
            rated_at=row.rated_at,
        )

    def _named(self, leaders: Sequence[Leader]) -> tuple[Leader, ...]:
        # Names are not in the rows: events and projections hold only ids, so that a name can be erased.
        names = self._players.names([account for leader in leaders if (account := account_of(leader.player))])
        return tuple(
            [
                replace(leader, player=_shown_id(leader.player), name=_name(leader.player, names))
                for leader in leaders
            ]
        )


def _name(player: str, names: Names) -> str:
    account = account_of(player)
    return f"{player.partition('@')[0].title()} bot" if account is None else names(account)


def _shown_id(player: str) -> str:
    """Returns the id of a rated account, or a bot's policy and version."""
    return account_of(player) or player


def shown(rating: Rating) -> RatingShown:
    mu, sigma = rating.mu, rating.sigma
    return RatingShown(
        mu=mu / MILLION,
        sigma=sigma / MILLION,
        low=(mu - 2 * sigma) / MILLION,
        high=(mu + 2 * sigma) / MILLION,
        ordinal=rating.ordinal / MILLION,
    )


def rated_table(row: bytes, player: str) -> RatedTableShown:
    """Returns the row of a player's history, from that player's point of view."""
    table = msgspec.json.decode(row, type=RatedTableRow)
    mine = next(seat for seat in table.seats if seat.player == player)
    return RatedTableShown(
        table=table.table,
        rated_at=table.rated_at,
        place=mine.place,
        opponents=tuple(
            [Opponent(_shown_id(seat.player), seat.place) for seat in table.seats if seat is not mine]
        ),
        before=shown(mine.before),
        after=shown(mine.after),
    )
