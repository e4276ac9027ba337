"""The input and the result of a pairing."""

from fractions import Fraction

import msgspec

from domain.tournaments.chance import Draw
from domain.tournaments.crosstable import Crosstable


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A round to be paired.

    Attributes:
        crosstable: everything before this round; a table that is unfinished counts as T-11 says.
        round: the number of the round to pair, from 1.
        present: the entrants to be seated, ascending. Who is absent, has left or has a bye that was requested or
            assigned is not among them. In a round robin everybody who has a place in the schedule is.
        schedule: in a round robin, the seats of every table of every round, as `schedule_of` fixed them.
    """

    crosstable: Crosstable
    round: int
    present: tuple[int, ...]
    draw: Draw
    schedule: tuple[tuple[tuple[int, ...], ...], ...] = ()


class Explanation(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of an entrant's table and seat.

    Attributes:
        score: before this round, as pairing counts it: with unfinished tables as half of a first place (T-11).
        floated: steps between the score group of the table's home and the entrant's own: above 0 they float up.
        text: one or two plain sentences.
    """

    entrant: int
    score: Fraction
    floated: int
    text: str


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round.

    Attributes:
        tables: the seats of each table in seat order, in the order of the boards; `None` for a bot that fills it.
        byes: the entrants with a pairing bye.
        objective: the values reached, in the order of P-4 (P-1 for a schedule), as far as the format counts them.
        relaxed: the rules that had to be relaxed, in words (P-2a, P-3); usually empty.
        explanations: for every entrant in `present`, ascending.
        bracket: in a knockout, the entrants who are still in it for the first place, present or not. At tables of two
            they stand in the order of the bracket, neighbours meeting, with `None` where nobody is left.
    """

    tables: tuple[tuple[int | None, ...], ...]
    byes: tuple[int, ...] = ()
    objective: tuple[Fraction, ...] = ()
    relaxed: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    bracket: tuple[int | None, ...] = ()
