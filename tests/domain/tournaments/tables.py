"""Short functions that make cross-tables for tests."""

from fractions import Fraction
from typing import Any, NamedTuple

from hoodwink.domain.tournaments.crosstable import (
    Board,
    Crosstable,
    Entrant,
    Outcome,
    Round,
    Seat,
    SeatState,
    Unplayed,
    Why,
)
from hoodwink.domain.tournaments.terms import Format, Terms

NO_SHOW = "no-show"
BOT = "bot"


class Played(NamedTuple):
    """A place with the state of the seat that has it."""

    place: int
    state: SeatState


def resigned(place):
    """Returns the place of an entrant who resigned."""
    return Played(place, SeatState.RESIGNED)


def by_bot(place):
    """Returns the place of an entrant for whom a bot took most turns."""
    return Played(place, SeatState.STAND_IN)


def table(number, *places, outcome=Outcome.RESULT, points=None, **changed):
    """Returns a board. A place is `(entrant, place)`, `(entrant, NO_SHOW)` or `(BOT, place)`, in seat order.

    The place of an entrant may be `resigned(place)` or `by_bot(place)`.
    """
    points = points or [0] * len(places)
    seats = tuple(_seat(who, place, own) for (who, place), own in zip(places, points, strict=True))
    return Board(number=number, outcome=outcome, seats=seats, **changed)


def _seat(who, place, points):
    if who == BOT:
        return Seat(entrant=None, place=place, points=points, state=SeatState.BOT)
    if place == NO_SHOW:
        return Seat(entrant=who, place=None, points=points, state=SeatState.NO_SHOW)
    if isinstance(place, Played):
        return Seat(entrant=who, place=place.place, points=points, state=place.state)
    return Seat(entrant=who, place=place, points=points)


def out(entrant, why=Why.ABSENT, score=0):
    return Unplayed(entrant=entrant, why=why, score=Fraction(score))


def crosstable(*rounds, entrants=None, **terms):
    """Returns a cross-table; a round is a list of boards and of entrants who did not play."""
    made = tuple(
        Round(
            number=number,
            sitting=number,
            boards=tuple(part for part in round_ if isinstance(part, Board)),
            unplayed=tuple(part for part in round_ if isinstance(part, Unplayed)),
        )
        for number, round_ in enumerate(rounds, 1)
    )
    count = entrants or max((seat for round_ in made for seat in _everybody(round_)), default=0)
    people = tuple(Entrant(number=number, name=f"Entrant {number}") for number in range(1, count + 1))
    given: dict[str, Any] = {
        "format": Format.SWISS,
        "seats": 4,
        "table_min": 2,
        "table_max": 10,
        "rounds": len(rounds),
    }
    return Crosstable(terms=Terms(**(given | terms)), entrants=people, rounds=made)


def _everybody(round_):
    yield from (unplayed.entrant for unplayed in round_.unplayed)
    yield from (seat.entrant or 0 for board in round_.boards for seat in board.seats)
