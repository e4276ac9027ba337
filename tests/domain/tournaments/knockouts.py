"""Knockouts in tests: rounds with given results, or with random ones."""

import random
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import (
    Board,
    Crosstable,
    Outcome,
    Round,
    Seat,
    SeatState,
    Unplayed,
    Why,
)
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.knockout import pair, remaining_entrants, replay_needed
from tests.domain.tournaments.tables import NO_SHOW, crosstable


def draw_of(round_, seed="ab"):
    return lambda purpose: Lots(seed, ("", "cd"), purpose=purpose, round_=round_)


def knockout(entrants, seats=2, **terms):
    return crosstable(entrants=entrants, format="knockout", seats=seats, **terms)


def next_pairing(table: Crosstable, absent=()):
    """Returns the pairing of the next round, in which all entrants still in are present except `absent`."""
    number = len(table.rounds) + 1
    present = tuple(
        entrant for entrant in remaining_entrants(table, draw_of(number)) if entrant not in absent
    )
    return pair(Case(crosstable=table, round=number, present=present, draw=draw_of(number)))


def with_round(table: Crosstable, pairing, boards, why=Why.ABSENT):
    """Returns the cross-table with one more round."""
    seated = {seat.entrant for board in boards for seat in board.seats}
    unplayed = tuple(
        Unplayed(entrant=entrant, why=Why.PAIRING_BYE if entrant in pairing.byes else why, score=Fraction(0))
        for entrant in table.numbers()
        if entrant not in seated
    )
    number = len(table.rounds) + 1
    round_ = Round(number=number, sitting=1, boards=tuple(boards), unplayed=unplayed, bracket=pairing.bracket)
    return msgspec.structs.replace(table, rounds=(*table.rounds, round_))


def changed(table: Crosstable, number: int, **fields):
    """Returns the cross-table with a board of its last round changed."""
    last = table.rounds[-1]
    boards = tuple(
        msgspec.structs.replace(board, **fields) if board.number == number else board for board in last.boards
    )
    return msgspec.structs.replace(
        table, rounds=(*table.rounds[:-1], msgspec.structs.replace(last, boards=boards))
    )


def seats_of(entrants, places):
    """Returns the seats of a deal, each with a place, `NO_SHOW`, or neither."""
    return tuple(
        Seat(entrant=entrant, state=SeatState.NO_SHOW)
        if place == NO_SHOW
        else Seat(entrant=entrant, place=place, state=SeatState.BOT if entrant is None else SeatState.PLAYED)
        for entrant, place in zip(entrants, places, strict=True)
    )


def board_of(number, entrants, places, outcome=Outcome.RESULT, replays=()):
    return Board(number=number, outcome=outcome, seats=seats_of(entrants, places), replays=replays)


def play(table: Crosstable, *, place_of=None, absent=()):
    """Returns the cross-table after a round, at whose tables the lower rank beats the higher or as `place_of` says."""
    pairing = next_pairing(table, absent)
    boards = []
    for number, seats in enumerate(pairing.tables, 1):
        order = sorted((entrant for entrant in seats if entrant is not None), key=place_of)
        order += [None] * seats.count(None)
        boards.append(board_of(number, seats, [order.index(seat) + 1 for seat in seats]))
    return with_round(table, pairing, boards)


def left_after(table: Crosstable, entrant, round_):
    """Returns the cross-table with an entrant withdrawn after a round."""
    people = tuple(
        msgspec.structs.replace(person, left_after=round_) if person.number == entrant else person
        for person in table.entrants
    )
    return msgspec.structs.replace(table, entrants=people)


class Troubles:
    """Plays rounds in which everything may happen that can happen in a tournament."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)

    def happens(self, chance: float) -> bool:
        return self.rng.random() < chance

    def play(self, table: Crosstable):
        """Returns the cross-table after one more round, with its replays dealt."""
        for entrant in table.numbers():
            if self.happens(0.02):
                table = left_after(table, entrant, len(table.rounds))
        pairing = next_pairing(table, [entrant for entrant in table.numbers() if self.happens(0.05)])
        after = with_round(table, pairing, self._boards(pairing))
        for board in after.rounds[-1].boards:
            after = self._replayed(after, board)
        return self._voided(after)

    def _boards(self, pairing):
        outcomes = [Outcome.RESULT] * 17 + [Outcome.NO_RESULT] * 2 + [Outcome.UNFINISHED]
        for number, seats in enumerate(pairing.tables, 1):
            outcome = self.rng.choice(outcomes)
            yield board_of(number, seats, self._places(seats, outcome), outcome)

    def _places(self, seats, outcome):
        points = [self.rng.randrange(3) for _ in seats]
        return [
            NO_SHOW
            if seat is not None and self.happens(0.1)
            else 1 + sum(other > own for other in points)
            if outcome is Outcome.RESULT
            else None
            for seat, own in zip(seats, points, strict=True)
        ]

    def _replayed(self, table, board):
        while seats := replay_needed(table, board, draw_of(len(table.rounds))):
            assert sum(seat is not None for seat in seats) == len({*seats} - {None}) >= 2
            outcome = self.rng.choice((Outcome.RESULT, Outcome.RESULT, Outcome.NO_RESULT))
            replays = (*board.replays, seats_of(seats, self._places(seats, outcome)))
            table = changed(table, board.number, replays=replays)
            board = table.rounds[-1].boards[board.number - 1]
        assert len(board.replays) <= 3
        return table

    def _voided(self, table):
        for board in table.rounds[-1].boards:
            if board.outcome is not Outcome.UNFINISHED and self.happens(0.05):
                table = changed(table, board.number, outcome=Outcome.VOID)
        return table
