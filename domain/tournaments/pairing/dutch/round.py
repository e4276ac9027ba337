"""A round of the FIDE Dutch system, from the case to the boards."""

from collections.abc import Sequence

from domain.tournaments.crosstable import Crosstable
from domain.tournaments.pairing.case import Case, Pairing
from domain.tournaments.pairing.dutch.allocation import gets_white, is_higher
from domain.tournaments.pairing.dutch.brackets import pair_brackets
from domain.tournaments.pairing.dutch.colours import Colour
from domain.tournaments.pairing.dutch.field import Field
from domain.tournaments.pairing.dutch.players import Player, players_of
from domain.tournaments.pairing.dutch.strain import Strain


def pair(case: Case) -> Pairing:
    players = players_of(case)
    strain = Strain(players, case.crosstable.terms.forbidden, case.round - 1)
    pairs = pair_brackets(Field(players, strain))
    games = sorted((p for p in pairs if not p[1].is_bye), key=_board_order)
    tables=[]
    for one, other in games:
        white, _ = gets_white(one, other, "w")
        tables.append((one.number, other.number) if white else (other.number, one.number))
    return Pairing(tables=tuple(tables), byes=tuple(p[0].number for p in pairs if p[1].is_bye))

def initial_colour(crosstable): ...

def _board_order(pair):
    a,b=pair
    if not is_higher(a,b): a,b=b,a
    return (-a.score, -(a.score+b.score), a.number)
