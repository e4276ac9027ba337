"""The order in which the entrants of a knockout's table finished (P-6)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from hoodwink.domain.tournaments.crosstable import Board, Outcome, Seat
from hoodwink.domain.tournaments.scoring.places import effective_places, has_appeared


def finishing_order(board: Board) -> tuple[tuple[int, ...], ...]:
    """Returns the entrants who appeared at a table, the best first, grouped by who are still tied.

    Further deals, one after the other, decide between equal places. A deal without a result decides nothing. No-shows
    are omitted, because they do not advance.
    """
    deals = [_places(seats) for seats in _deals(board)]
    reached = {entrant: tuple(deal.get(entrant, 0) for deal in deals) for entrant in _appeared(board.seats)}
    in_order = sorted(sorted(reached), key=reached.__getitem__)
    return tuple(tuple(equal) for _, equal in groupby(in_order, reached.__getitem__))


def _deals(board: Board) -> Iterator[tuple[Seat, ...]]:
    """Yields the deals that count.

    A voided deal does not count. The next deal counts only if it had the same entrants: otherwise the voided deal would
    still have decided who was tied.
    """
    undone = _appeared(board.seats) if board.outcome is Outcome.VOID else None
    if board.outcome is Outcome.RESULT:
        yield board.seats
    for index, replay in enumerate(board.replays):
        if undone is not None and {seat.entrant for seat in replay} - {None} != undone:
            return
        undone = _appeared(replay) if index in board.void_replays else None
        if undone is None:
            yield replay


def _appeared(seats: Iterable[Seat]) -> set[int]:
    return {seat.entrant for seat in seats if seat.entrant is not None and has_appeared(seat)}


def _places(seats: Sequence[Seat]) -> Mapping[int, int]:
    """Returns the places of a deal; entrants who did not appear come last."""
    places = effective_places(seats)
    last = len(seats) + 1
    return {
        seat.entrant: last if place is None else place
        for seat, place in zip(seats, places, strict=True)
        if seat.entrant is not None
    }
