"""A game's ladder: the ratings of all its players, as the fold of its rating stream (R-3)."""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

import msgspec

from domain.ratings.events import RatedSeat, RatedTableVoided, RatingEvent, TableRated, is_bot
from domain.ratings.model import NEWCOMER, Rating, rated
from domain.ratings.standings import RECENT_TABLES, Standing, Standings

_BLOCK: Final = 1_024
"""How many tables follow each copy of the standings; a void rates all tables again from the copy before its table."""


class RatedTable(msgspec.Struct, frozen=True, gc=False):
    """The changes of ratings by one table.

    Attributes:
        at: when it was rated, in ms since the epoch; later than all tables before it, so that lists can be sorted by it.
        recorded_at: the time of its event, which several events may share.
        before, after: the ratings of the seats, in the order of `seats`.
        lone: the seat of the only person at the table, for whom it does not count (R-1); `None` if all seats count.
    """

    table: str
    at: int
    recorded_at: int
    seats: tuple[RatedSeat, ...]
    before: tuple[Rating, ...]
    after: tuple[Rating, ...]
    lone: int | None


class Block(msgspec.Struct, frozen=True, gc=False):
    """Tables in the order in which they count, and the standings before the first of them."""

    before: Standings
    tables: tuple[RatedTable, ...]


class Change(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The changes by one event.

    Attributes:
        tables: the tables that are new or have another `at` than before, in order.
        rerated: the tables of which only the ratings have changed, in order.
        voided: the table that no longer counts, or `None`.
        standings: the standings that are new or have changed.
        gone: the players who no longer have a rated table.
    """

    tables: tuple[RatedTable, ...] = ()
    rerated: tuple[RatedTable, ...] = ()
    voided: RatedTable | None = None
    standings: tuple[Standing, ...] = ()
    gone: tuple[str, ...] = ()


class Ladder(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The standings of all players of a game, and every table that counts.

    Attributes:
        version: of the last event.
        game: empty before the first table.
        blocks: the tables; all blocks but the last are full.
        change: the changes by the last event.
    """

    version: int = 0
    game: str = ""
    standings: Standings = Standings()
    blocks: tuple[Block, ...] = ()
    change: Change = Change()

    def tables(self) -> Iterator[RatedTable]:
        """Yields every table that counts, in order."""
        for block in self.blocks:
            yield from block.tables


UNRATED: Final = Ladder()
"""The ladder before the first table."""


def evolve(ladder: Ladder, event: RatingEvent, *, version: int, at: int) -> Ladder:
    """Returns the ladder after the event, without checking the event.

    Args:
        ladder: before the event.
        event: the next event of the stream.
        version: of the event on its stream.
        at: the time of the event, in ms since the epoch; never before that of the last one.

    Raises:
        LookupError: the voided table is not on the ladder.
    """
    match event:
        case TableRated():
            table, standings = _counted(ladder.standings, ladder.blocks, event.table, at, event.seats)
            return Ladder(
                version=version,
                game=event.game,
                standings=ladder.standings.replaced(standings),
                blocks=_extended(ladder.blocks, ladder.standings, table),
                change=Change(tables=(table,), standings=standings),
            )
        case RatedTableVoided():
            return _voided(ladder, event.table, version)
        case _:
            assert_never(event)


def _counted(
    standings: Standings,
    blocks: tuple[Block, ...],
    table: str,
    recorded_at: int,
    seats: tuple[RatedSeat, ...],
) -> tuple[RatedTable, tuple[Standing, ...]]:
    """Returns the table rated after those in `blocks`, and the new standings of the players it counts for."""
    known = [standings.get(seat.player) for seat in seats]
    before = tuple([standing.rating if standing else NEWCOMER for standing in known])
    seats = tuple(
        [  # saves memory: all tables share one string for a player, not one for each event that was decoded
            RatedSeat(standing.player, seat.place) if standing else seat
            for seat, standing in zip(seats, known, strict=True)
        ]
    )
    lone = _lone(seats)
    after = rated(before, [seat.place for seat in seats])
    if lone is not None:
        after = (*after[:lone], before[lone], *after[lone + 1 :])
    entry = RatedTable(table, _time_after(blocks, recorded_at), recorded_at, seats, before, after, lone)
    return entry, _moved(entry, known)


def _counted_again(
    standings: Standings, blocks: tuple[Block, ...], table: RatedTable
) -> tuple[RatedTable, tuple[Standing, ...]]:
    """Returns the same as `_counted` for a table that was rated before; reuses its ratings if nothing has changed."""
    known = [standings.get(seat.player) for seat in table.seats]
    is_same = table.at == _time_after(blocks, table.recorded_at) and all(
        (standing.rating if standing else NEWCOMER) == before
        for standing, before in zip(known, table.before, strict=True)
    )
    if is_same:
        return table, _moved(table, known)
    return _counted(standings, blocks, table.table, table.recorded_at, table.seats)


def _time_after(blocks: tuple[Block, ...], recorded_at: int) -> int:
    return max(recorded_at, blocks[-1].tables[-1].at + 1) if blocks else recorded_at


def _lone(seats: Sequence[RatedSeat]) -> int | None:
    people = [number for number, seat in enumerate(seats) if not is_bot(seat.player)]
    return people[0] if len(people) == 1 else None


def _moved(table: RatedTable, known: Sequence[Standing | None]) -> tuple[Standing, ...]:
    moved = list[Standing]()
    for number, (seat, standing, after) in enumerate(zip(table.seats, known, table.after, strict=True)):
        if number == table.lone:
            continue
        if standing is None:
            moved.append(Standing(seat.player, after, 1, (NEWCOMER.mu,), table.at))
        else:
            recent = (*standing.recent[1 - RECENT_TABLES :], standing.rating.mu)
            moved.append(Standing(seat.player, after, standing.tables + 1, recent, table.at))
    return tuple(moved)


def _extended(blocks: tuple[Block, ...], before: Standings, table: RatedTable) -> tuple[Block, ...]:
    if blocks and len(blocks[-1].tables) < _BLOCK:
        last = blocks[-1]
        return (*blocks[:-1], Block(last.before, (*last.tables, table)))
    return (*blocks, Block(before, (table,)))


def _voided(ladder: Ladder, voided: str, version: int) -> Ladder:
    """Returns the ladder as if the table had never been on it.

    The tables of its block, and all later ones, are rated again from the standings before the block.
    """
    number, gone = _found(ladder, voided)
    blocks, standings = ladder.blocks[:number], ladder.blocks[number].before
    moved_on, rerated = list[RatedTable](), list[RatedTable]()
    for block in ladder.blocks[number:]:
        for table in block.tables:
            if table is not gone:
                again, moved = _counted_again(standings, blocks, table)
                blocks, standings = _extended(blocks, standings, again), standings.replaced(moved)
                if again is not table:
                    (rerated if again.at == table.at else moved_on).append(again)
    changed, left = standings.difference(ladder.standings)
    return Ladder(
        version=version,
        game=ladder.game,
        standings=standings,
        blocks=blocks,
        change=Change(
            tables=tuple(moved_on), rerated=tuple(rerated), voided=gone, standings=changed, gone=left
        ),
    )


def _found(ladder: Ladder, voided: str) -> tuple[int, RatedTable]:
    """Returns the number of a table's block, and the table."""
    # From the end, for most voided tables were rated lately.
    for number in range(len(ladder.blocks) - 1, -1, -1):
        for table in ladder.blocks[number].tables:
            if table.table == voided:
                return number, table
    raise LookupError(f"table {voided} is not on the ladder")
