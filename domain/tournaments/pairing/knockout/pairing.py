"""The tables of a knockout's next round (P-6).

Logs record the reasons in words, and `verify` compares them byte for byte, so these words never change.
"""

from collections.abc import Mapping, Sequence

import msgspec

from hoodwink.domain.tournaments.bracket import byes
from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.pairing.case import Case, Explanation, Pairing
from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.pairing.knockout.survivors import for_third_place, next_bracket
from hoodwink.domain.tournaments.pairing.knockout.tree import serpentine
from hoodwink.domain.tournaments.scoring import scores_after
from hoodwink.domain.tournaments.terms import Terms

_THIRD = "Plays for the third place."


class _Table(msgspec.Struct, frozen=True, gc=False):
    """Entrants who meet, by starting rank, or one entrant without an opponent, with the reason."""

    entrants: tuple[int, ...]
    why: str


def pair(case: Case) -> Pairing:
    """Returns the next round of a knockout.

    All entrants in `case.present` must be among `remaining_entrants`. The others of these are absent and therefore out;
    their opponents have a walkover, which is a bye. Seats are drawn by lot.
    """
    bracket = next_bracket(case.crosstable, case.draw)
    if case.crosstable.terms.seats == 2:
        drawn = [*_pairs(case, bracket), *_third_place(case, bracket)]
    else:
        drawn = _tables(case, bracket)
    lots = case.draw("seats")
    tables = [table.entrants for table in drawn if len(table.entrants) > 1]
    return Pairing(
        tables=tuple(_seats(entrants, case.crosstable.terms, lots) for entrants in tables),
        byes=tuple(sorted(table.entrants[0] for table in drawn if len(table.entrants) == 1)),
        explanations=_explanations(
            case, {entrant: table.why for table in drawn for entrant in table.entrants}
        ),
        bracket=bracket,
    )


def _seats(entrants: Sequence[int], terms: Terms, lots: Lots) -> tuple[int | None, ...]:
    bots = (None,) * (seats_at(len(entrants), terms) - len(entrants))
    return lots.shuffled((*entrants, *bots))


def _pairs(case: Case, bracket: Sequence[int | None]) -> list[_Table]:
    drawn = []
    for line in range(0, len(bracket), 2):
        present = sorted(
            entrant for entrant in bracket[line : line + 2] if entrant in case.present and entrant
        )
        if len(present) == 2:
            drawn.append(_Table(tuple(present), "Neighbours in the bracket: {} and {}.".format(*present)))
        elif present:
            drawn.append(_Table(tuple(present), "A walkover: the bracket has no opponent here."))
    return drawn


def _third_place(case: Case, bracket: Sequence[int | None]) -> list[_Table]:
    losers = for_third_place(case.crosstable, bracket)
    present = tuple(entrant for entrant in losers if entrant in case.present)
    return [_Table(present, _THIRD)] if present else []


def _tables(case: Case, bracket: Sequence[int | None]) -> list[_Table]:
    """Returns the tables (T-1). If not all entrants can be seated, the best of those with the fewest byes wait."""
    present = [entrant for entrant in case.present if entrant in bracket]
    sizes = table_sizes(len(present), case.crosstable.terms)
    waiting = _fewest_byes(case, present)[: len(present) - sum(sizes)]
    seeds = [entrant for entrant in present if entrant not in waiting]
    tables = serpentine(seeds, sizes)
    why = f"Seeded over {len(tables)} tables by starting rank, in serpentine order."
    if len(tables) == 1 and not waiting:
        why = "All who are present meet at one table."
    return [
        *(_Table(table, why) for table in tables),
        *(_Table((entrant,), "No table has room: a bye.") for entrant in waiting),
    ]


def _fewest_byes(case: Case, present: Sequence[int]) -> list[int]:
    had = [entrant for round_ in case.crosstable.rounds for entrant in byes(round_)]
    return sorted(present, key=lambda entrant: (had.count(entrant), entrant))


def _explanations(case: Case, reasons: Mapping[int, str]) -> tuple[Explanation, ...]:
    scores = scores_after(case.crosstable, len(case.crosstable.rounds))
    return tuple(
        Explanation(entrant=entrant, score=scores[entrant], floated=0, text=reason)
        for entrant, reason in sorted(reasons.items())
    )
