"""Leaderboards, and the history of every player's rating: a game's ladder as rows (R-5).

An event changes few rows, except the void of a table, which changes the ratings of all players who later met players of
that table. Neither the rows nor their order contain versions of the stream, so after a void they are exactly as if the
table had never counted. Only the row with the snapshot of the ladder contains one.
"""

from collections.abc import Iterator
from typing import Final
from zlib import crc32

import msgspec

from hoodwink.domain.projections.effects import Effect, Projection, Put, Remove, Snapshots
from hoodwink.domain.ratings import (
    RATING_EVENTS,
    Ladder,
    RatedTable,
    Rating,
    Snapshot,
    Standing,
    is_bot,
    restored,
)
from hoodwink.domain.tables.entries import Recorded

SNAPSHOT_INTERVAL: Final = 1_024
"""The number of events from one snapshot of the ladder to the next."""


class StandingRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The standing of a player in a game.

    Attributes:
        player: the id of a person, or a bot's policy and version.
        mu, sigma: in millionths.
        trend: the change of `mu` over the latest tables, in millionths.
        tables: the number of tables that count.
        rated_at: when the latest table was rated, in ms since the epoch.
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
        return Rating(self.mu, self.sigma)


class RatedSeatRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The change of a seat's rating by a table; `after` equals `before` if the table does not count for the player."""

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


class SnapshotRow(msgspec.Struct, frozen=True, gc=False):
    """A snapshot of the ladder.

    Attributes:
        crc: the CRC-32 of the snapshot. A damaged one would spoil all later ratings of the process, even after a rebuild.
    """

    crc: int
    snapshot: msgspec.Raw


def board_index(game: str, *, bots: bool) -> str:
    """Returns the index of a game's people, or of its bots, in the order of leaderboards."""
    return f"board:{game}:{'bots' if bots else 'people'}"


def history_index(game: str, player: str) -> str:
    """Returns the index of the tables that count for a player, by the time they were rated."""
    return f"history:{game}:{player}"


def standing_key(game: str, player: str) -> str:
    """Returns the key of a player's row; the key of a table's row is the id of the table."""
    return f"{game}:{player}"


def snapshot_key(game: str) -> str:
    """Returns the key of the snapshot; no player has it, because no id is empty."""
    return standing_key(game, "")


def _project(ladder: Ladder, recorded: Recorded) -> tuple[Effect, ...]:
    effects = tuple(_effects(ladder))
    # After each void, too: from a snapshot before it, the next start could not void the table again.
    if ladder.version % SNAPSHOT_INTERVAL == 0 or ladder.change.voided is not None:
        return (*effects, _snapshot(ladder, recorded.entry.hash))
    return effects


def _snapshot(ladder: Ladder, head: str) -> Put:
    snapshot = msgspec.json.encode(ladder.snapshot(head))
    row = SnapshotRow(crc32(snapshot), msgspec.Raw(snapshot))
    return Put(key=snapshot_key(ladder.game), row=row, order=0, indexes=())


def _restored(stored: bytes) -> tuple[Ladder, str] | None:
    try:
        row = msgspec.json.decode(stored, type=SnapshotRow)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if crc32(row.snapshot) != row.crc:
        return None
    snapshot = msgspec.json.decode(row.snapshot, type=Snapshot)
    return restored(snapshot), snapshot.head


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
    for table in change.rerated:  # its lists and its position there stay the same
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
        [
            history_index(game, seat.player)
            for number, seat in enumerate(table.seats)
            if number not in table.uncounted
        ]
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
    event_types=frozenset(kind.wire for kind in RATING_EVENTS),
    revision=3,
    project=_project,
    snapshots=Snapshots(snapshot_key, _restored),
)
