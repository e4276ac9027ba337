"""Direct encounter: the place among the tied (K-2; at tables of two C.07 article 6)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from domain.tournaments.scoring import RoundScore
from domain.tournaments.standings.opponents import against
from domain.tournaments.standings.sheet import Line, Sheet

Encounters: TypeAlias = Mapping[int, Mapping[int, Fraction]]
"""By entrant and opponent, the mean of what the entrant scored against them: 1 for a win, ½, or 0."""
_Split: TypeAlias = Callable[[list[int], Encounters], list[list[int]]]


def direct_places(sheet: Sheet, tied: Sequence[int]) -> dict[int, int | None]:
    """Returns each entrant's place among the tied; `None` where direct encounter cannot tell them apart."""
    met = encounters(sheet, tied)
    if sheet.is_by_fide:
        groups = _refined(list(tied), met, _by_sum if sheet.is_scheduled else _by_reach)
        is_decided = len(groups) > 1
    else:
        is_decided = _all_met(set(tied), met)
        groups = _refined(list(tied), met, _by_sum)
    if not is_decided:
        return dict.fromkeys(tied)
    places: dict[int, int | None] = {}
    for group in groups:
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def encounters(sheet: Sheet, tied: Sequence[int]) -> Encounters:
    """Returns what the tied scored against each other."""
    found: dict[int, dict[int, list[Fraction]]] = {entrant: defaultdict(list) for entrant in tied}
    for entrant in tied:
        for line in sheet.lines[entrant]:
            for opponent, score in scored_against(sheet, line):
                if opponent in found:
                    found[entrant][opponent].append(score)
    return {
        entrant: {opponent: sum(scores, Fraction()) / len(scores) for opponent, scores in theirs.items()}
        for entrant, theirs in found.items()
    }


def scored_against(sheet: Sheet, line: Line) -> list[tuple[int, Fraction]]:
    """Returns the opponents of a round with what was scored against each; forfeits count in a schedule of two."""
    brought = line.brought
    if sheet.is_by_fide:
        return [(opponent, brought.score) for opponent in _decisive(sheet, brought)]
    return [
        (opponent, Fraction(half, 2))
        for opponent, half in zip(brought.opponents, brought.halves, strict=True)
    ]


def _decisive(sheet: Sheet, brought: RoundScore) -> tuple[int, ...]:
    return against(brought) if sheet.is_scheduled else brought.opponents


def _all_met(group: AbstractSet[int], met: Encounters) -> bool:
    return all(len(met[entrant].keys() & group) == len(group) - 1 for entrant in group)


def _refined(group: list[int], met: Encounters, split: _Split) -> list[list[int]]:
    """Returns the group in order, split, and split again among those still equal."""
    parts = split(group, met)
    return parts if len(parts) == 1 else [again for part in parts for again in _refined(part, met, split)]


def _by_sum(group: list[int], met: Encounters) -> list[list[int]]:
    """Splits by the sum of what each scored against the others (C.07 6.1)."""
    scored = {entrant: _sum_within(entrant, group, met) for entrant in group}
    in_order = sorted(group, key=scored.__getitem__, reverse=True)
    return [list(equal) for _, equal in groupby(in_order, scored.__getitem__)]


def _by_reach(group: list[int], met: Encounters) -> list[list[int]]:
    """Splits off, one after the other, those whom nobody behind could reach by winning every encounter not yet played.

    Where all have met it is the order of the sums (C.07 6.1, 6.2).
    """
    if _all_met(set(group), met):
        return _by_sum(group, met)
    scored = {entrant: _sum_within(entrant, group, met) for entrant in group}
    reach = {
        entrant: scored[entrant] + len(group) - 1 - len(met[entrant].keys() & set(group)) for entrant in group
    }
    behind = sorted(group, key=lambda entrant: (-scored[entrant], -reach[entrant]))
    groups: list[list[int]] = []
    while len(behind) > 1 and scored[behind[0]] > max(map(reach.__getitem__, behind[1:])):
        groups.append([behind.pop(0)])
    return [*groups, behind]


def _sum_within(entrant: int, group: Sequence[int], met: Encounters) -> Fraction:
    return sum((met[entrant][other] for other in group if other in met[entrant]), Fraction())
