"""The order in which the entrants of a knockout's table finished (P-6)."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from domain.tournaments.crosstable import Board, Outcome, Seat
from domain.tournaments.scoring.places import effective_places, has_appeared


def finishing_order(board: Board) -> tuple[tuple[int, ...], ...]:
    """Returns the entrants who appeared at a table, best first; entrants who are still equal stand together.

    Where places were equal, the further deals decide one after the other. A table without result leaves all equal.
    No-shows are left out, since they do not go on.
    """
    appeared = sorted(seat.entrant for seat in board.seats if seat.entrant is not None and has_appeared(seat))
    deals = [_places(board.seats)] if board.outcome is Outcome.RESULT else []
    deals += [_places(replay) for replay in board.replays]
    reached = {entrant: tuple(deal.get(entrant, 0) for deal in deals) for entrant in appeared}
    in_order = sorted(appeared, key=reached.__getitem__)
    return tuple(tuple(equal) for _, equal in groupby(in_order, reached.__getitem__))


def _places(seats: Sequence[Seat]) -> Mapping[int, int]:
    """Returns the places of a deal; who did not appear in a further deal comes last in it."""
    places = effective_places(seats)
    last = len(seats) + 1
    return {
        seat.entrant: last if place is None else place
        for seat, place in zip(seats, places, strict=True)
        if seat.entrant is not None
    }
