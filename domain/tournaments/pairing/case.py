"""The input and the result of a pairing."""

from fractions import Fraction
from typing import Final

import msgspec

from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.crosstable import Crosstable

MIN_EXACT_ENTRANTS: Final = 12
"""The number of entrants up to which a round at tables of three or more is seated by exact search in every edition (P-5)."""

MAX_EXACT_ENTRANTS: Final = 16
"""The number of entrants up to which it is now, at tables of at most seven seats."""


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """An entrant of an arena who waits for a table.

    Attributes:
        recent: the opponents at the last tables that count as recent, the latest table first.
    """

    entrant: int
    waited_ms: int
    recent: tuple[tuple[int, ...], ...] = ()


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A round to be paired.

    Attributes:
        crosstable: all rounds before this one; unfinished tables count according to T-11.
        round: the number of the round to pair, from 1.
        present: the entrants to be seated, ascending: not those who are absent, have left, or have a requested or
            assigned bye. In a round robin, all entrants in the schedule.
        waiting: in an arena, the entrants who wait for a table.
        schedule: in a round robin, the seats of every table of every round, from `schedule_of`.
        max_exact: the number of entrants up to which the search is exact; earlier editions had a lower one.
    """

    crosstable: Crosstable
    round: int
    present: tuple[int, ...]
    draw: Draw
    schedule: tuple[tuple[tuple[int, ...], ...], ...] = ()
    max_exact: int = MAX_EXACT_ENTRANTS
    waiting: tuple[Waiting, ...] = ()


class Explanation(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of an entrant's table and seat.

    Attributes:
        score: the score before this round used for the pairing, with unfinished tables as half a first place (T-11).
        floated: steps from the entrant's score group to the table's home group; positive if they float up.
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
        objective: the values of the format's criteria, in the order of P-4 (P-1 for a schedule).
        relaxed: the rules that had to be relaxed, in words (P-2a, P-3); usually empty.
        explanations: one for every entrant in `present` (in an arena, at a table), ascending.
        bracket: in a knockout, the entrants who can still win it, present or not. At tables of two they are in bracket
            order, in which neighbours meet, with `None` for a line without an entrant.
    """

    tables: tuple[tuple[int | None, ...], ...]
    byes: tuple[int, ...] = ()
    objective: tuple[Fraction, ...] = ()
    relaxed: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    bracket: tuple[int | None, ...] = ()
