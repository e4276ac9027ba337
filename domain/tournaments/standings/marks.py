"""The marks of the standings: facts about an entrant that the numbers do not show (T-9, T-20)."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from hoodwink.domain.tournaments.bracket import entrants_at
from hoodwink.domain.tournaments.crosstable import Board, Crosstable, Seat, SeatState, Why


class Marks(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The marks of an entrant.

    Attributes:
        is_organiser: whether they organise the tournament, or have done so.
        assigned_byes: the rounds in which the organiser gave them a bye.
        by_bot: the rounds in which a bot took more than half of their turns at a table.
        ruled: the rounds in which an official ruled on their table.
    """

    is_organiser: bool = False
    assigned_byes: tuple[int, ...] = ()
    by_bot: tuple[int, ...] = ()
    ruled: tuple[int, ...] = ()


def marks_of(crosstable: Crosstable) -> dict[int, Marks]:
    """Returns the marks of every entrant, by starting rank."""
    byes, by_bot = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    ruled = defaultdict[int, list[int]](list)
    for round_ in crosstable.rounds:
        for board in round_.boards:
            if board.is_ruled:
                for entrant in entrants_at(board):
                    ruled[entrant].append(round_.number)
        for unplayed in round_.unplayed:
            if unplayed.why is Why.ASSIGNED_BYE:
                byes[unplayed.entrant].append(round_.number)
        for entrant in {entrant for board in round_.boards for entrant in _by_bot(board)}:
            by_bot[entrant].append(round_.number)
    return {
        entrant.number: Marks(
            is_organiser=entrant.is_organiser,
            assigned_byes=tuple(byes[entrant.number]),
            by_bot=tuple(by_bot[entrant.number]),
            ruled=tuple(ruled[entrant.number]),
        )
        for entrant in crosstable.entrants
    }


def _by_bot(board: Board) -> Iterator[int]:
    """Yields the entrants for whom a bot played most of a table or of one of its further deals."""
    deals: tuple[tuple[Seat, ...], ...] = (board.seats, *board.replays)
    for seats in deals:
        for seat in seats:
            if seat.entrant is not None and seat.state is SeatState.STAND_IN:
                yield seat.entrant
