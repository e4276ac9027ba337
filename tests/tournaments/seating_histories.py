"""Random cross-tables with likely and unlikely outcomes of earlier rounds."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

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
from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Terms

_OUTCOMES = (Outcome.RESULT,) * 8 + (Outcome.NO_RESULT, Outcome.VOID, Outcome.UNFINISHED)
_WHY = (Why.ABSENT, Why.REQUESTED_BYE, Why.ASSIGNED_BYE)


def random_terms(chance: Random, *, format_: Format, max_seats: int = 10) -> Terms:
    """Returns random terms of a tournament with tables of three or more, in a league also of two."""
    seats = chance.randint(2 if format_ is Format.LEAGUE else 3, max_seats)
    least = chance.choice([2, 2, 2, seats, chance.randint(2, seats)])
    return Terms(
        format=format_,
        seats=seats,
        table_min=least,
        table_max=chance.randint(seats, 10),
        rounds=9,
        score_by=chance.choice([ScoreBy.PLACE, ScoreBy.PLACE, ScoreBy.WIN, ScoreBy.POINTS]),
        float_window=chance.choice([0, 1, 2, 2, "all"]),
        fills_with_bots=chance.random() < 0.3,
    )


def random_history(
    chance: Random, terms: Terms, entrants: int, rounds: int, *, forbidden: int = 0
) -> Crosstable:
    """Returns a tournament after some random rounds, with forbidden pairs."""
    people = [Entrant(number=number, name=f"Entrant {number}") for number in range(1, entrants + 1)]
    pairs = {tuple(sorted(chance.sample(range(1, entrants + 1), 2))) for _ in range(forbidden)}
    given = {field: getattr(terms, field) for field in terms.__struct_fields__}
    return Crosstable(
        terms=Terms(**given | {"forbidden": tuple(sorted(pairs))}),
        entrants=tuple(people),
        rounds=tuple(_round(chance, terms, entrants, number) for number in range(1, rounds + 1)),
    )


def _round(chance: Random, terms: Terms, entrants: int, number: int) -> Round:
    everybody = chance.sample(range(1, entrants + 1), entrants)
    away = [entrant for entrant in everybody if chance.random() < 0.1]
    present = [entrant for entrant in everybody if entrant not in away]
    boards: list[Board] = []
    for size in table_sizes(len(present), terms):
        table, present = present[:size], present[size:]
        boards.append(_board(chance, len(boards) + 1, table, seats_at(size, terms)))
    return Round(
        number=number,
        sitting=1,
        boards=tuple(boards),
        unplayed=(
            *(Unplayed(entrant=entrant, why=Why.PAIRING_BYE, score=Fraction(1)) for entrant in present),
            *(
                Unplayed(entrant=entrant, why=chance.choice(_WHY), score=Fraction(chance.randint(0, 2), 2))
                for entrant in away
            ),
        ),
    )


def _board(chance: Random, number: int, table: Sequence[int], seats: int) -> Board:
    outcome = chance.choice(_OUTCOMES)
    sitting: list[int | None] = [*table, *[None] * (seats - len(table))]
    chance.shuffle(sitting)
    places = _places(chance, seats) if outcome is Outcome.RESULT else [None] * seats
    return Board(
        number=number,
        outcome=outcome,
        seats=tuple(_seat(chance, entrant, place) for entrant, place in zip(sitting, places, strict=True)),
    )


def _places(chance: Random, seats: int) -> list[int | None]:
    points = [chance.randint(0, 9) for _ in range(seats)]
    return [1 + sum(other > own for other in points) for own in points]


def _seat(chance: Random, entrant: int | None, place: int | None) -> Seat:
    points = None if place is None else chance.randint(-3, 9)
    if entrant is None:
        return Seat(entrant=None, place=place, points=points, state=SeatState.BOT)
    state = SeatState.NO_SHOW if chance.random() < 0.05 else SeatState.PLAYED
    return Seat(entrant=entrant, place=place, points=points, state=state)
