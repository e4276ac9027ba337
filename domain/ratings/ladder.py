"""A game's ladder: the ratings of all its players, as the fold of its rating stream (R-3)."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from hoodwink.domain.ratings.comparisons import ALL_COUNT, Comparisons, comparisons_at
from hoodwink.domain.ratings.events import RatedSeat, RatedTableVoided, RatingEvent, TableRated
from hoodwink.domain.ratings.meetings import Meetings, Pair
from hoodwink.domain.ratings.model import NEWCOMER, Rating, aged, rated
from hoodwink.domain.ratings.parts import replaced
from hoodwink.domain.ratings.standings import RECENT_TABLES, Standing, Standings

_BLOCK: Final = 1_024
"""The number of tables per copy of the standings. A void rates all tables again from the last copy before its table."""


class RatedTable(msgspec.Struct, frozen=True, gc=False):
    """The changes of ratings by one table.

    Attributes:
        at: when it was rated, in ms since the epoch; later than all tables before it, so that lists can be sorted by it.
        recorded_at: the time of its event, which several events may share.
        before, after: the ratings of the seats, in the order of `seats`; `before` is aged to the day of the table.
        spent: the pairs of people who had already met at enough tables that day (R-6).
        uncounted: the seats of the players for whom the table does not count (R-1, R-6).
    """

    table: str
    at: int
    recorded_at: int
    seats: tuple[RatedSeat, ...]
    before: tuple[Rating, ...]
    after: tuple[Rating, ...]
    spent: tuple[Pair, ...]
    uncounted: tuple[int, ...]


class Block(msgspec.Struct, frozen=True, gc=False):
    """Tables in the order in which they count.

    Attributes:
        before, met_before: the standings and the day's meetings before the first of them.
        at_before: when the table before them was rated; -1 if there is none.
    """

    before: Standings = Standings()
    met_before: Meetings = Meetings()
    at_before: int = -1
    tables: tuple[RatedTable, ...] = ()

    @property
    def at(self) -> int:
        """When the latest table was rated."""
        return self.tables[-1].at if self.tables else self.at_before


class Change(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The changes by one event.

    Attributes:
        tables: the tables that are new, have another `at` than before, or count for further players, in order.
        rerated: the tables whose ratings alone have changed, in order.
        voided: the table that no longer counts, or `None`.
        standings: the standings that are new or have changed.
        gone: the players who no longer have a rated table.
    """

    tables: tuple[RatedTable, ...] = ()
    rerated: tuple[RatedTable, ...] = ()
    voided: RatedTable | None = None
    standings: tuple[Standing, ...] = ()
    gone: tuple[str, ...] = ()


class Snapshot(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A ladder without its tables. It suffices for rating further ones.

    Attributes:
        version, head: of the last event; the hash proves to which history the snapshot belongs.
        at: when the latest table was rated; -1 if there is none.
        standings: sorted by player.
        day, met: of the meetings; sorted by player.
    """

    version: int
    head: str
    game: str
    at: int
    standings: tuple[Standing, ...]
    day: int
    met: dict[str, dict[str, int]]


class Ladder(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The standings of all players of a game, and every table that counts.

    Attributes:
        version: of the last event.
        game: empty before the first table.
        meetings: who met whom on the day of the latest table.
        blocks: the tables, at least one block; all but the last are full. A restored ladder lacks the tables before its
            snapshot.
        change: the changes by the last event.
    """

    version: int = 0
    game: str = ""
    standings: Standings = Standings()
    meetings: Meetings = Meetings()
    blocks: tuple[Block, ...] = (Block(),)
    change: Change = Change()

    def tables(self) -> Iterator[RatedTable]:
        """Yields every table that counts, in order."""
        for block in self.blocks:
            yield from block.tables

    def snapshot(self, head: str) -> Snapshot:
        """Returns a snapshot after the event with that hash. In every process, it is the same."""
        met = {player: times for part in self.meetings.tables for player, times in part.items()}
        return Snapshot(
            version=self.version,
            head=head,
            game=self.game,
            at=self.blocks[-1].at,
            # Sorted, because the parts of an immutable map depend on the hashes of this process.
            standings=tuple(sorted(self.standings, key=lambda standing: standing.player)),
            day=self.meetings.day,
            met={player: dict(sorted(met[player].items())) for player in sorted(met)},
        )


def restored(snapshot: Snapshot) -> Ladder:
    """Returns the ladder of a snapshot. A void of a table before it raises `LookupError`."""
    standings = Standings().replaced(snapshot.standings)
    meetings = Meetings(snapshot.day, replaced(Meetings().tables, snapshot.met.items()))
    return Ladder(
        version=snapshot.version,
        game=snapshot.game,
        standings=standings,
        meetings=meetings,
        blocks=(Block(standings, meetings, snapshot.at),),
    )


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
            so_far = _Tables(ladder.standings, ladder.meetings, ladder.blocks)
            table, tables, moved = _counted(so_far, event.table, at, event.seats)
            change, game = Change(tables=(table,), standings=moved), event.game
        case RatedTableVoided():
            tables, change = _voided(ladder, event.table)
            game = ladder.game
        case _:
            assert_never(event)
    return Ladder(
        version=version,
        game=game,
        standings=tables.standings,
        meetings=tables.meetings,
        blocks=tables.blocks,
        change=change,
    )


class _Tables(NamedTuple):
    """The tables rated so far, with the standings and meetings for the next one."""

    standings: Standings
    meetings: Meetings
    blocks: tuple[Block, ...]

    def time_after(self, recorded_at: int) -> int:
        return max(recorded_at, self.blocks[-1].at + 1)


def _counted(
    so_far: _Tables,
    name: str,
    recorded_at: int,
    seats: tuple[RatedSeat, ...],
    earlier: RatedTable | None = None,
) -> tuple[RatedTable, _Tables, tuple[Standing, ...]]:
    """Returns the table rated after those before it, all tables with it, and the standings that it changes.

    Args:
        earlier: the table as it was rated before, which is returned if nothing has changed since.
    """
    at = so_far.time_after(recorded_at)
    known = [so_far.standings.get(seat.player) for seat in seats]
    before = _ratings_at(at, known)
    met, spent = so_far.meetings.after(seats, recorded_at)
    if earlier is not None and (earlier.at, earlier.before, earlier.spent) == (at, before, spent):
        table = earlier
    else:
        seats = tuple(
            [  # saves memory: all tables share one string per player, instead of one per decoded event
                RatedSeat(standing.player, seat.place, seat.took_part) if standing else seat
                for seat, standing in zip(seats, known, strict=True)
            ]
        )
        comparisons = comparisons_at(seats, spent)
        after = _after(seats, before, comparisons)
        table = RatedTable(name, at, recorded_at, seats, before, after, spent, comparisons.uncounted)
    moved = _moved(table, known)
    return table, _Tables(so_far.standings.replaced(moved), met, _extended(so_far, table)), moved


def _ratings_at(at: int, known: Sequence[Standing | None]) -> tuple[Rating, ...]:
    """Returns the ratings of players who are about to be rated at that time."""
    return tuple(
        [aged(standing.rating, at - standing.rated_at) if standing else NEWCOMER for standing in known]
    )


def _after(
    seats: Sequence[RatedSeat], before: tuple[Rating, ...], comparisons: Comparisons
) -> tuple[Rating, ...]:
    after = rated(before, [seat.place for seat in seats], comparisons.left_out)
    if comparisons is ALL_COUNT:
        return after
    return tuple(
        [
            old if number in comparisons.uncounted else new if seat.took_part else _only_lowered(old, new)
            for number, (seat, old, new) in enumerate(zip(seats, before, after, strict=True))
        ]
    )


def _only_lowered(before: Rating, after: Rating) -> Rating:
    """Returns the rating of a player who did not play: neither the mean nor the ordinal becomes greater (R-6)."""
    return Rating(min(before.mu, after.mu), before.sigma)


def _extended(so_far: _Tables, table: RatedTable) -> tuple[Block, ...]:
    standings, met, blocks = so_far
    last = blocks[-1]
    if len(last.tables) < _BLOCK:
        return (*blocks[:-1], replace(last, tables=(*last.tables, table)))
    return (*blocks, Block(standings, met, last.at, (table,)))


def _moved(table: RatedTable, known: Sequence[Standing | None]) -> tuple[Standing, ...]:
    moved = list[Standing]()
    for number, (seat, standing, after) in enumerate(zip(table.seats, known, table.after, strict=True)):
        if number in table.uncounted:
            continue
        if standing is None:
            moved.append(Standing(seat.player, after, 1, (NEWCOMER.mu,), table.at))
        else:
            recent = (*standing.recent[1 - RECENT_TABLES :], standing.rating.mu)
            moved.append(Standing(seat.player, after, standing.tables + 1, recent, table.at))
    return tuple(moved)


def _voided(ladder: Ladder, voided: str) -> tuple[_Tables, Change]:
    """Returns the tables as if the voided one had never been there, and the changes.

    The tables of its block, and all later ones, are rated again from the standings before the block.
    """
    number, gone = _found(ladder, voided)
    first = ladder.blocks[number]
    emptied = (*ladder.blocks[:number], replace(first, tables=()))
    tables = _Tables(first.before, first.met_before, emptied)
    relisted, rerated = list[RatedTable](), list[RatedTable]()
    for block in ladder.blocks[number:]:
        for table in block.tables:
            if table is not gone:
                again, tables, _ = _counted(tables, table.table, table.recorded_at, table.seats, table)
                if again is not table:
                    (rerated if _is_listed_alike(again, table) else relisted).append(again)
    changed, left = tables.standings.difference(ladder.standings)
    return tables, Change(
        tables=tuple(relisted), rerated=tuple(rerated), voided=gone, standings=changed, gone=left
    )


def _is_listed_alike(table: RatedTable, earlier: RatedTable) -> bool:
    """Returns whether a table counts for the same players at the same time; a void lets further pairs count (R-6)."""
    return (table.at, table.uncounted) == (earlier.at, earlier.uncounted)


def _found(ladder: Ladder, voided: str) -> tuple[int, RatedTable]:
    """Returns the number of a table's block, and the table."""
    # From the end, because most voided tables were rated recently.
    for number in range(len(ladder.blocks) - 1, -1, -1):
        for table in ladder.blocks[number].tables:
            if table.table == voided:
                return number, table
    raise LookupError(f"table {voided} is not on the ladder")
