"""Short functions that make two-seat Swiss tournaments for tests."""

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.dutch import pair
from tests.domain.tournaments.tables import NO_SHOW, crosstable, table


class Drawn(Lots):
    """Fake lots with a given initial colour."""

    __slots__ = ("initial",)

    def __init__(self, initial="w"):
        super().__init__("", [], purpose="initial colour", round_=1)
        self.initial = initial

    def below(self, bound):
        return "wb".index(self.initial)


def swiss(*rounds, **terms):
    """Returns the cross-table of a two-seat Swiss; `rounds` planned are 9 unless stated."""
    planned = {"seats": 2, "table_min": 2, "table_max": 2, "rounds": 9}
    entrants = terms.pop("entrants", None)
    return crosstable(*rounds, entrants=entrants, **(planned | terms))


def beats(white, black):
    """Returns the board of a game that white won."""
    return table(white, (white, 1), (black, 2))


def loses(white, black):
    """Returns the board of a game that black won."""
    return table(white, (white, 2), (black, 1))


def draws(white, black):
    """Returns the board of a drawn game."""
    return table(white, (white, 1), (black, 1))


def forfeits(white, black):
    """Returns the board of a game that white won because black did not appear."""
    return table(white, (white, 1), (black, NO_SHOW))


def unfinished(white, black):
    """Returns the board of a game that is not finished."""
    return table(white, (white, None), (black, None), outcome=Outcome.UNFINISHED)


def ends_without_result(white, black):
    """Returns the board of a game that was abandoned."""
    return table(white, (white, None), (black, None), outcome=Outcome.NO_RESULT)


def paired(played, *, present=None, initial="w"):
    """Returns the pairing of the next round."""
    return pair(
        Case(
            crosstable=played,
            round=len(played.rounds) + 1,
            present=tuple(present or played.numbers()),
            draw=lambda _purpose: Drawn(initial),
        )
    )
