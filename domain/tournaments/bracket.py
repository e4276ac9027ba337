"""The bracket of a knockout: the entrants who advance from each table, and how far each entrant got (P-6)."""

from collections.abc import Collection, Iterator

import msgspec

from hoodwink.domain.tournaments.crosstable import Board, Crosstable, Outcome, Round, SeatState, Why
from hoodwink.domain.tournaments.scoring import finishing_order
from hoodwink.domain.tournaments.terms import Terms


class Contest(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The decision of a table after its deals so far.

    Attributes:
        through: the entrants who advance, the best first.
        tied: the entrants who are tied for the last places to advance, ascending.
        places: how many of the tied entrants advance; fewer than there are.
    """

    through: tuple[int, ...]
    tied: tuple[int, ...] = ()
    places: int = 0


class Reached(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How far an entrant got.

    Attributes:
        round: the last round in which the entrant could still win the tournament; 0 before the first round.
        place: the place in the final, or from 3 in the match for third place; `None` for all other entrants.
    """

    round: int
    place: int | None = None

    @property
    def rank_key(self) -> tuple[int, int, int]:
        """The sorting key, best first; equal for entrants who share a rank in a knockout."""
        return -self.round, self.place is None, self.place or 0


def is_last(round_: Round, terms: Terms) -> bool:
    if terms.seats == 2:
        return len(round_.bracket) == 2
    return len(round_.boards) + len(byes(round_)) <= 1


def byes(round_: Round) -> tuple[int, ...]:
    """Returns the entrants without an opponent."""
    return tuple(unplayed.entrant for unplayed in round_.unplayed if unplayed.why is Why.PAIRING_BYE)


def entrants_at(board: Board) -> tuple[int, ...]:
    """Returns the entrants of a table in seat order, including no-shows."""
    return tuple(seat.entrant for seat in board.seats if seat.entrant is not None)


def has_left(crosstable: Crosstable, entrant: int) -> bool:
    """Returns whether an entrant has withdrawn or was expelled by the end of the last round."""
    left_after = crosstable.entrants[entrant - 1].left_after
    return left_after is not None and left_after <= len(crosstable.rounds)


def advancing_of(size: int, terms: Terms) -> int:
    """Returns how many of a table's entrants advance: the number in the terms, or half of them, or two of three."""
    half = 2 if size == 3 else size // 2
    return max(1, min(terms.advancing or half, size - 1))


def contest(crosstable: Crosstable, board: Board) -> Contest:
    """Returns the decision of a table of the last round; without a result, all entrants who appeared are tied.

    Tied entrants who have left the tournament make room for those who have not.
    """
    going_on = _going_on(board, crosstable.rounds[-1], crosstable.terms)
    missing = _missing(board)
    through: list[int] = []
    for equal in finishing_order(board):
        if len(through) == going_on:
            break
        present = [entrant for entrant in equal if entrant not in missing]
        if len(through) + len(equal) > going_on:
            return _edge(crosstable, through, present, going_on - len(through))
        through += present
    return Contest(through=tuple(through))


def _going_on(board: Board, round_: Round, terms: Terms) -> int:
    """Returns how many entrants advance from a table; 1 in the final and in the match for third place."""
    return 1 if terms.seats == 2 or is_last(round_, terms) else advancing_of(len(entrants_at(board)), terms)


def _edge(crosstable: Crosstable, through: list[int], equal: list[int], places: int) -> Contest:
    tied = [entrant for entrant in equal if not has_left(crosstable, entrant)]
    if len(tied) <= places:
        return Contest(through=(*through, *tied))
    return Contest(through=tuple(through), tied=tuple(tied), places=places)


def _missing(board: Board) -> Collection[int | None]:
    """Returns the entrants who did not appear at a further deal and therefore do not advance."""
    return {seat.entrant for deal in board.replays for seat in deal if seat.state is SeatState.NO_SHOW}


def as_played(board: Board) -> Board:
    """Returns a board without any voids, because a void does not undo who advanced (T-12)."""
    outcome = Outcome.RESULT if board.outcome is Outcome.VOID else board.outcome
    return msgspec.structs.replace(board, outcome=outcome, void_replays=())


def reached(crosstable: Crosstable) -> tuple[Reached, ...]:
    """Returns how far each entrant got, in order of starting rank."""
    rounds = dict.fromkeys(crosstable.numbers(), 0)
    for round_ in crosstable.rounds:
        rounds |= {entrant: round_.number for entrant in round_.bracket if entrant is not None}
    places: dict[int, int] = {}
    if crosstable.rounds and is_last(crosstable.rounds[-1], crosstable.terms):
        places = dict(_last_places(crosstable.rounds[-1]))
    elif crosstable.rounds:
        rounds |= dict.fromkeys(_through(crosstable), crosstable.rounds[-1].number + 1)
    return tuple(Reached(round=rounds[entrant], place=places.get(entrant)) for entrant in rounds)


def _through(crosstable: Crosstable) -> Iterator[int]:
    """Yields the entrants who advance from the last round without a lot, ignoring voided deals (V-2)."""
    yield from byes(crosstable.rounds[-1])
    for board in crosstable.rounds[-1].boards:
        yield from contest(crosstable, board).through


def _last_places(round_: Round) -> Iterator[tuple[int, int]]:
    """Yields the entrants in the final and in the match for third place, with their places."""
    for entrant in byes(round_):
        yield entrant, _first_place(round_, entrant)
    for board in round_.boards:
        if board.outcome is Outcome.UNFINISHED:
            continue
        place = _first_place(round_, entrants_at(board)[0])
        for equal in finishing_order(board):
            yield from ((entrant, place) for entrant in equal)
            place += len(equal)


def _first_place(round_: Round, entrant: int) -> int:
    """Returns the best place that can be won at the entrant's table."""
    return 1 if entrant in round_.bracket else 3
