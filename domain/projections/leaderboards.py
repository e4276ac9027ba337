"""Leaderboards, and every player's way there: a game's ladder as rows (R-5).

An event changes few rows, except that of a voided table: the ratings of all who met its players afterwards are others
then. Neither rows nor their order name places on the stream, so they are what they were had the table never counted.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from domain.projections.effects import Effect, Projection, Put, Remove
from domain.ratings import RATING_EVENTS, Ladder, RatedTable, Rating, Standing, is_bot
from domain.tables import Recorded


class StandingRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How a player stands in a game.

    Attributes:
        player: the id of a person, or a bot's policy and version.
        mu, sigma: in millionths.
        trend: the change of `mu` over the latest tables, in millionths.
        tables: how many count.
        rated_at: when the latest was rated, in ms since the epoch.
    """

    game: str
    player: str
    mu: int
    sigma: int
    trend: int
    tables: int
    rated_at: int

    @property
    def rating(self) -> Rating:
        """The rating by itself."""
        return Rating(self.mu, self.sigma)


class RatedSeatRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a table did to the rating of a seat; nothing where it does not count for its player."""

    player: str
    place: int
    before: Rating
    after: Rating


class RatedTableRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A rated table; `rated_at` in ms since the epoch."""

    game: str
    table: str
    rated_at: int
    seats: tuple[RatedSeatRow, ...]


def board_index(game: str, *, bots: bool) -> str:
    """Returns the list of a game's people, or of its bots, by what leaderboards rank by."""
    return f"board:{game}:{'bots' if bots else 'people'}"


def history_index(game: str, player: str) -> str:
    """Returns the list of the tables that count for a player, by when they were rated."""
    return f"history:{game}:{player}"


def standing_key(game: str, player: str) -> str:
    """Returns the key of a player's row; that of a table's row is its id."""
    return f"{game}:{player}"


def _project(ladder: Ladder, _recorded: Recorded) -> tuple[Effect, ...]:
    return tuple(_effects(ladder))


def _effects(ladder: Ladder) -> Iterator[Effect]:
    game, change = ladder.game, ladder.change
    if change.voided is not None:
        yield Remove(change.voided.table, _listing(game, change.voided))
    for player in change.gone:
        yield Remove(standing_key(game, player), (board_index(game, bots=is_bot(player)),))
    for table in change.tables:
        yield Put(
            key=table.table,
            row=_table_row(game, table),
            order=table.at,
            indexes=_listing(game, table),
        )
    for table in change.rerated:  # they stand in their lists as before
        yield Put(key=table.table, row=_table_row(game, table), order=table.at, indexes=())
    for standing in change.standings:
        yield Put(
            key=standing_key(game, standing.player),
            row=_standing_row(game, standing),
            order=standing.rating.ordinal,
            indexes=(board_index(game, bots=is_bot(standing.player)),),
        )


def _listing(game: str, table: RatedTable) -> tuple[str, ...]:
    return tuple(
        [history_index(game, seat.player) for number, seat in enumerate(table.seats) if number != table.lone]
    )


def _table_row(game: str, table: RatedTable) -> RatedTableRow:
    return RatedTableRow(
        game=game,
        table=table.table,
        rated_at=table.at,
        seats=tuple(
            [
                RatedSeatRow(player=seat.player, place=seat.place, before=before, after=after)
                for seat, before, after in zip(table.seats, table.before, table.after, strict=True)
            ]
        ),
    )


def _standing_row(game: str, standing: Standing) -> StandingRow:
    return StandingRow(
        game=game,
        player=standing.player,
        mu=standing.rating.mu,
        sigma=standing.rating.sigma,
        trend=standing.trend,
        tables=standing.tables,
        rated_at=standing.rated_at,
    )


LEADERBOARDS: Final = Projection(
    name="leaderboards",
    category="ratings",
    wires=frozenset(kind.wire for kind in RATING_EVENTS),
    project=_project,
)
