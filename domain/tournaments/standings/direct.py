"""Direct encounter: the places of tied entrants by their results against each other (K-2; C.07 article 6 for tables of two)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from hoodwink.domain.tournaments.scoring import RoundScore
from hoodwink.domain.tournaments.standings.sheet import Sheet

Encounters: TypeAlias = Mapping[int, Mapping[int, Fraction | int]]
"""The mean score of an entrant against an opponent, in half points, by entrant and opponent."""
_Split: TypeAlias = Callable[[list[int], Encounters], list[list[int]]]


def direct_places(sheet: Sheet, tied: Sequence[int]) -> dict[int, int | None]:
    """Returns each entrant's place among the tied; `None` if direct encounter cannot separate them."""
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
    """Returns the scores of the tied entrants against each other."""
    found: dict[int, dict[int, list[int]]] = {entrant: {} for entrant in tied}
    for entrant, theirs in found.items():
        for line in sheet.lines[entrant]:
            for opponent, halves in halves_against(sheet, line.round_score):
                if opponent in found:
                    theirs.setdefault(opponent, []).append(halves)
    return {
        entrant: {other: _mean(halves) for other, halves in theirs.items()}
        for entrant, theirs in found.items()
    }


def _mean(halves: Sequence[int]) -> Fraction | int:
    return halves[0] if len(halves) == 1 else Fraction(sum(halves), len(halves))


def halves_against(sheet: Sheet, round_score: RoundScore) -> Iterable[tuple[int, int]]:
    """Returns the opponents of a round with the half points scored against each.

    In a schedule of tables of two, forfeits count as played.
    """
    if sheet.is_by_fide and sheet.is_scheduled and round_score.missed:
        return ((opponent, int(2 * round_score.score)) for opponent in round_score.missed)
    return zip(round_score.opponents, round_score.halves, strict=True)


def _all_met(group: AbstractSet[int], met: Encounters) -> bool:
    return all(len(met[entrant].keys() & group) == len(group) - 1 for entrant in group)


def _refined(group: list[int], met: Encounters, split: _Split) -> list[list[int]]:
    """Returns the group split in order; parts whose entrants are still tied are split again."""
    parts = split(group, met)
    return parts if len(parts) == 1 else [again for part in parts for again in _refined(part, met, split)]


def _by_sum(group: list[int], met: Encounters) -> list[list[int]]:
    """Splits by the sum of each entrant's scores against the others (C.07 6.1)."""
    scored = {entrant: _sum_within(entrant, group, met) for entrant in group}
    in_order = sorted(group, key=scored.__getitem__, reverse=True)
    return [list(equal) for _, equal in groupby(in_order, scored.__getitem__)]


def _by_reach(group: list[int], met: Encounters) -> list[list[int]]:
    """Splits off, one by one, entrants whom no other could reach by winning all encounters that were not played.

    If all have met, this is the order of the sums (C.07 6.1, 6.2).
    """
    if _all_met(set(group), met):
        return _by_sum(group, met)
    scored = {entrant: _sum_within(entrant, group, met) for entrant in group}
    reach = {
        entrant: scored[entrant] + 2 * (len(group) - 1 - len(met[entrant].keys() & set(group)))
        for entrant in group
    }
    behind = sorted(group, key=lambda entrant: (-scored[entrant], -reach[entrant]))
    groups: list[list[int]] = []
    while len(behind) > 1 and scored[behind[0]] > max(map(reach.__getitem__, behind[1:])):
        groups.append([behind.pop(0)])
    return [*groups, behind]


def _sum_within(entrant: int, group: Sequence[int], met: Encounters) -> Fraction | int:
    theirs = met[entrant]
    return sum(theirs[other] for other in group if other in theirs)
