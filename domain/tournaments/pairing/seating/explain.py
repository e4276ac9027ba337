"""Explains a pairing in words: why each entrant sits at their table, and which rules had to be broken.

Logs record the sentences, and `verify` compares them byte for byte, so their words never change.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from hoodwink.domain.tournaments.pairing.case import Explanation
from hoodwink.domain.tournaments.pairing.seating.groups import home_of
from hoodwink.domain.tournaments.pairing.seating.history import History
from hoodwink.domain.tournaments.pairing.seating.objective import groups_of
from hoodwink.domain.tournaments.pairing.seating.orders import Order
from hoodwink.domain.tournaments.terms import Format, Terms

_BY_LOT: Final = "Seated by lot, as nobody has met anybody yet."


def relaxations(
    tables: Sequence[Order], byes: Sequence[int], history: History, terms: Terms
) -> tuple[str, ...]:
    """Returns a sentence for each bye of an entrant who has had one before (T-9), and for each forbidden pair (P-3)."""
    forbidden = set(terms.forbidden)
    pairs = [
        pair for table in tables for pair in combinations(sorted(_entrants(table)), 2) if pair in forbidden
    ]
    return (
        *(
            f"Entrant {entrant} has a pairing bye although a round before counts as one: nobody else may have it."
            for entrant in byes
            if history.byes.get(entrant, 0)
        ),
        *(
            f"Entrants {first} and {second} sit together although they must not meet: no tables keep all such pairs apart."
            for first, second in sorted(pairs)
        ),
    )


def explanations(
    tables: Sequence[Order], byes: Sequence[int], history: History, terms: Terms
) -> tuple[Explanation, ...]:
    """Returns the explanation for each entrant, ascending."""
    entrants = [_entrants(table) for table in tables]
    groups = groups_of(entrants, history)
    explain = _in_league if terms.format is Format.LEAGUE else _in_swiss
    seated = [explain(entrant, table, groups, history) for table in entrants for entrant in table]
    out = [
        Explanation(entrant=entrant, score=history.scores[entrant], floated=0, text=_bye(terms))
        for entrant in byes
    ]
    return tuple(sorted(seated + out, key=lambda explanation: explanation.entrant))


def _entrants(table: Order) -> list[int]:
    return [entrant for entrant in table if entrant is not None]


def _bye(terms: Terms) -> str:
    if terms.format is Format.LEAGUE:
        return "Has the pairing bye: one of those with the fewest so far."
    return "Has the pairing bye: of those with the fewest so far, one with the lowest score."


def _in_league(
    entrant: int, table: Sequence[int], _groups: dict[Fraction, int], history: History
) -> Explanation:
    score = history.scores[entrant]
    text = _rematches(entrant, table, history) or _BY_LOT
    return Explanation(entrant=entrant, score=score, floated=0, text=text)


def _in_swiss(
    entrant: int, table: Sequence[int], groups: dict[Fraction, int], history: History
) -> Explanation:
    score = history.scores[entrant]
    home = home_of([history.scores[other] for other in table])
    floated = groups[home] - groups[score]
    sentences = [
        _group(len(groups) - groups[score], len(groups), floated),
        _rematches(entrant, table, history),
        _avoided(entrant, table, home, history),
    ]
    text = " ".join(filter(None, sentences)) or _BY_LOT
    return Explanation(entrant=entrant, score=score, floated=floated, text=text)


def _group(rank: int, groups: int, floated: int) -> str:
    """Returns the rank of the entrant's score group and its distance to the table's home; empty if there is one group."""
    if groups == 1:
        return ""
    text = f"Score group {rank} of {groups}"
    if not floated:
        return f"{text}, like most seats of the table."
    steps = f"{abs(floated)} group{'s' * (abs(floated) > 1)}"
    return f"{text}; floats {'up' if floated > 0 else 'down'} by {steps}, to that of most seats of the table."


def _rematches(entrant: int, table: Sequence[int], history: History) -> str:
    again = [
        f"{other} ({_ordinal(times + 1)} time)"
        for other in sorted(table)
        if (times := _met(entrant, other, history))
    ]
    if not again:
        return "Has met none of them before." if history.meetings else ""
    return f"Meets {_listed(again)} again: no tables were found with fewer such meetings at no wider spans."


def _avoided(entrant: int, table: Sequence[int], home: Fraction, history: History) -> str:
    """Returns a sentence that names entrants in the table's home group whom this one has met before."""
    apart = [
        str(other)
        for other, score in sorted(history.scores.items())
        if score == home and other not in table and _met(entrant, other, history)
    ]
    return f"Kept apart from {_listed(apart)} of that score group, met before." if apart else ""


def _met(one: int, other: int, history: History) -> int:
    return history.meetings.get((min(one, other), max(one, other)), 0)


def _listed(names: Sequence[str]) -> str:
    """Joins names for a sentence.

    >>> _listed(["4", "7", "9"])
    '4, 7 and 9'
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _ordinal(number: int) -> str:
    """Returns a number's ordinal.

    >>> [_ordinal(number) for number in (2, 3, 11, 21)]
    ['2nd', '3rd', '11th', '21st']
    """
    suffix = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
