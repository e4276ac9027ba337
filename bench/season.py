"""The time to pair the rounds of a tournament, and to compute its standings."""

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from bench.figures import Bar, Effort, Figure, rate
from hoodwink.domain.tournaments.chance import Draw, Lots
from hoodwink.domain.tournaments.crosstable import (
    Board,
    Crosstable,
    Entrant,
    Outcome,
    Round,
    Seat,
    Unplayed,
    Why,
)
from hoodwink.domain.tournaments.pairing import pair_round
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.knockout import remaining_entrants
from hoodwink.domain.tournaments.pairing.round_robin import schedule_of
from hoodwink.domain.tournaments.standings import standings
from hoodwink.domain.tournaments.terms import Format, Terms, Tiebreak

ENTRANTS: Final = 128
MANY_ENTRANTS: Final = 250
ROUNDS: Final = 9

PAIRING_BAR: Final = Bar(1_000, is_ceiling=True)
STANDINGS_BAR: Final = Bar(20, is_ceiling=True)

_TIEBREAKS: Final = tuple(tiebreak for tiebreak in Tiebreak if tiebreak is not Tiebreak.LOT)
_SECONDS: Final = 0.5


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the time of the slowest pairing in each format, then the time of the standings."""
    played = dict[int, Crosstable]()
    for format_, seats, entrants in (
        (Format.SWISS, 2, ENTRANTS),
        (Format.SWISS, 2, MANY_ENTRANTS),
        (Format.SWISS, 4, ENTRANTS),
        (Format.LEAGUE, 4, ENTRANTS),
        (Format.KNOCKOUT, 2, ENTRANTS),
        (Format.KNOCKOUT, 4, ENTRANTS),
        (Format.ROUND_ROBIN, 2, ENTRANTS),
        (Format.ROUND_ROBIN, 4, ENTRANTS),
    ):
        slowest = list[float]()
        for number in range(effort.repeats):
            crosstable, durations = _play(_terms(format_, seats), entrants, seed=number)
            slowest.append(1_000 * max(durations))
            if format_ is Format.SWISS and entrants == ENTRANTS:
                played[seats] = crosstable
        yield Figure(
            name=f"{format_}, {entrants} entrants, {seats} seats, the slowest round to pair",
            unit="ms",
            samples=tuple(slowest),
            bar=PAIRING_BAR,
        )
    for seats, crosstable in played.items():
        yield _standings(crosstable, seats, effort)


def _terms(format_: Format, seats: int) -> Terms:
    return Terms(format=format_, seats=seats, table_min=2, table_max=10, rounds=ROUNDS, tiebreaks=_TIEBREAKS)


def _play(terms: Terms, entrants: int, *, seed: int) -> tuple[Crosstable, list[float]]:
    """Plays a tournament whose results are random, but favour stronger entrants.

    Returns:
        The cross-table, and the CPU seconds that each pairing took.
    """
    chance, server_seed = Random(seed), f"{seed:064x}"  # noqa: S311 - the same tournament every time
    strength = {number: chance.gauss(0, 1) for number in range(1, entrants + 1)}
    entrant_list = tuple(Entrant(number=number, name=f"Entrant {number}") for number in strength)
    crosstable, durations = Crosstable(terms=terms, entrants=entrant_list), list[float]()
    schedule: tuple[tuple[tuple[int, ...], ...], ...] = ()
    if terms.format is Format.ROUND_ROBIN:
        began = time.process_time()
        schedule = schedule_of(terms, entrants, _draw(server_seed, 0))
        durations.append(time.process_time() - began)
    for number in range(1, ROUNDS + 1):
        draw = _draw(server_seed, number)
        present = tuple(strength)
        if terms.format is Format.KNOCKOUT and len(present := remaining_entrants(crosstable, draw)) < 2:
            break
        case = Case(crosstable=crosstable, round=number, present=present, draw=draw, schedule=schedule)
        began = time.process_time()
        pairing = pair_round(case)
        durations.append(time.process_time() - began)
        boards = tuple(
            _board(board_number, seats, strength, chance)
            for board_number, seats in enumerate(pairing.tables, start=1)
        )
        unplayed = _unplayed(strength, pairing.tables, pairing.byes, terms)
        round_ = Round(
            number=number, sitting=number, boards=boards, unplayed=unplayed, bracket=pairing.bracket
        )
        crosstable = replace(crosstable, rounds=(*crosstable.rounds, round_))
    return crosstable, durations


def _draw(server_seed: str, round_: int) -> Draw:
    return lambda purpose: Lots(server_seed, (), purpose=purpose, round_=round_)


def _board(number: int, seats: Sequence[int | None], strength: dict[int, float], chance: Random) -> Board:
    performance = {
        entrant: strength[entrant] + chance.gauss(0, 1) for entrant in seats if entrant is not None
    }
    order = sorted(performance, key=lambda entrant: -performance[entrant])
    by_entrant = {
        entrant: Seat(entrant=entrant, place=place, points=1 - place)
        for place, entrant in enumerate(order, start=1)
    }
    return Board(
        number=number,
        outcome=Outcome.RESULT,
        seats=tuple(by_entrant[entrant] for entrant in seats if entrant is not None),
    )


def _unplayed(
    entrants: dict[int, float],
    tables: Sequence[Sequence[int | None]],
    byes: Sequence[int],
    terms: Terms,
) -> tuple[Unplayed, ...]:
    seated = {entrant for seats in tables for entrant in seats}
    return tuple(
        Unplayed(
            entrant=number,
            why=Why.PAIRING_BYE if number in byes else Why.WITHDRAWN,
            score=terms.bye_score if number in byes else terms.late_score,
        )
        for number in entrants
        if number not in seated
    )


def _standings(crosstable: Crosstable, seats: int, effort: Effort) -> Figure:
    def rank_once() -> int:
        standings(crosstable)
        return 1

    rates = [rate(rank_once, seconds=min(effort.seconds, _SECONDS)) for _ in range(effort.repeats)]
    return Figure(
        name=f"standings of {ENTRANTS} entrants after {ROUNDS} rounds, {seats} seats, every tie-break",
        unit="ms",
        samples=tuple(1_000 / per_second for per_second in rates),
        bar=STANDINGS_BAR,
    )
