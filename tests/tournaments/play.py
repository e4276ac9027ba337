"""Simulated tournaments: the places at each table are drawn from known strengths and chance."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import TypeAlias

import msgspec

from hoodwink.domain.tournaments.chance import Draw, Lots
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
from hoodwink.domain.tournaments.pairing.case import Case, Pairing
from hoodwink.domain.tournaments.terms import Terms

Pair: TypeAlias = Callable[[Case], Pairing]


def draw_of(seed: object, round_: int) -> Draw:
    """Returns the lots of a round, with the given seed in place of the tournament's."""
    return lambda purpose: Lots(f"{seed}", [], purpose=purpose, round_=round_)


def beginning(terms: Terms, entrants: int) -> Crosstable:
    people = tuple(Entrant(number=number, name=f"Entrant {number}") for number in range(1, entrants + 1))
    return Crosstable(terms=terms, entrants=people)


def case_of(crosstable: Crosstable, seed: object, present: Iterable[int] | None = None) -> Case:
    number = len(crosstable.rounds) + 1
    seated = crosstable.numbers() if present is None else present
    return Case(crosstable=crosstable, round=number, present=tuple(seated), draw=draw_of(seed, number))


def with_round(
    crosstable: Crosstable,
    pairing: Pairing,
    places: Callable[[Sequence[int | None]], Sequence[int]],
    absent: Sequence[int] = (),
) -> Crosstable:
    """Returns the cross-table with one more round; a function gives the places of the seats at each table."""
    number = len(crosstable.rounds) + 1
    boards = tuple(
        Board(number=board, outcome=Outcome.RESULT, seats=_seats(table, places(table)))
        for board, table in enumerate(pairing.tables, 1)
    )
    byes = tuple(
        Unplayed(entrant=entrant, why=Why.PAIRING_BYE, score=crosstable.terms.bye_score)
        for entrant in pairing.byes
    )
    away = tuple(Unplayed(entrant=entrant, why=Why.ABSENT, score=Fraction(0)) for entrant in absent)
    played = Round(
        number=number, sitting=number, boards=boards, unplayed=byes + away, objective=pairing.objective
    )
    return msgspec.structs.replace(crosstable, rounds=(*crosstable.rounds, played))


def _seats(table: Sequence[int | None], places: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(
        Seat(
            entrant=entrant,
            place=place,
            points=-place,
            state=SeatState.BOT if entrant is None else SeatState.PLAYED,
        )
        for entrant, place in zip(table, places, strict=True)
    )


class Strengths:
    """Plays tables: strengths are normal with deviation 1, and chance adds the same deviation at each table.

    The sums determine the places. With probability `sharing`, a seat shares the previous place.
    """

    def __init__(self, seed: object, entrants: int, *, sharing: float = 0.0) -> None:
        self._chance = Random(f"strengths {seed}")
        self._sharing = sharing
        self._strength = {number: self._chance.gauss() for number in range(1, entrants + 1)}

    def places(self, table: Sequence[int | None]) -> list[int]:
        played = {
            seat: self._strength.get(entrant or 0, 0.0) + self._chance.gauss()
            for seat, entrant in enumerate(table)
        }
        ranked = sorted(played, key=played.__getitem__, reverse=True)
        place_of: dict[int, int] = {}
        place = 1
        for position, seat in enumerate(ranked, 1):
            if self._chance.random() >= self._sharing:
                place = position
            place_of[seat] = place
        return [place_of[seat] for seat in range(len(table))]


def play(pair: Pair, terms: Terms, entrants: int, *, seed: object, sharing: float = 0.0) -> Crosstable:
    """Plays a whole tournament in which every entrant is always present; returns its cross-table."""
    strengths = Strengths(seed, entrants, sharing=sharing)
    crosstable = beginning(terms, entrants)
    for _ in range(terms.rounds):
        crosstable = with_round(crosstable, pair(case_of(crosstable, seed)), strengths.places)
    return crosstable
