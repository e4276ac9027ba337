"""Starting ranks (T-3), and the terms for pairing and ranking, which the setup determines at the start."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, assert_never

from hoodwink.domain.games import GAMES
from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.life.facts import rosters_of, setup_of
from hoodwink.domain.tournaments.life.setup import RankBy, Setup
from hoodwink.domain.tournaments.life.state import Participant, Tournament
from hoodwink.domain.tournaments.terms import Terms

_SAME: Final = set(Setup.__struct_fields__) & set(Terms.__struct_fields__) - {"forbidden"}
"""The settings that become terms unchanged."""


def admitted(tournament: Tournament) -> tuple[Participant, ...]:
    """Returns the entrants who are not on the waiting list, in order of arrival."""
    return tournament.entrants[: setup_of(tournament).cap]


def ranked(tournament: Tournament, ratings: Mapping[str, int], draw: Draw) -> tuple[str, ...]:
    """Returns the entrants in order of starting rank."""
    entrants = tuple([entrant.id for entrant in admitted(tournament)])
    match setup_of(tournament).rank_by:
        case RankBy.ORGANISER:
            listed = dict.fromkeys(
                (*tournament.order, *[offer.player for offer in tournament.offers])
            )  # T-29
            first = [entrant for entrant in listed if entrant in entrants]
            return *first, *[entrant for entrant in entrants if entrant not in first]
        case RankBy.LOT:
            return draw("ranks").shuffled(entrants)
        case RankBy.RATING:
            by_lot = draw("ranks").shuffled(entrants)
            return tuple(sorted(by_lot, key=lambda entrant: _best_first(ratings.get(entrant))))
        case by:
            assert_never(by)


def _best_first(rating: int | None) -> tuple[bool, int]:
    return rating is None, -(rating or 0)


def terms_for(tournament: Tournament, entrants: Sequence[str], rounds: int) -> Terms:
    """Returns the terms of a tournament with these entrants, in order of starting rank."""
    setup = setup_of(tournament)
    fewest, most = GAMES[setup.game].seats
    return Terms(
        table_min=fewest,
        table_max=most,
        rounds=rounds,
        rounds_by_sitting=_by_sitting(setup, rounds),
        forbidden=_forbidden(tournament, entrants),
        fills_with_bots=setup.fill_with_bots,
        compare=tournament.compare,
        team_counting=None if tournament.team_terms is None else tournament.team_terms.team_counting,
        **{name: getattr(setup, name) for name in _SAME},
    )


def _forbidden(tournament: Tournament, entrants: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Returns the pairs who must not meet; those of everybody who held a place count for it (T-19)."""
    before = {held.player: entrant.number for entrant in tournament.entrants for held in entrant.predecessors}
    number = before | {entrant: rank for rank, entrant in enumerate(entrants, start=1)}
    pairs = {
        (min(number[first], number[second]), max(number[first], number[second]))
        for first, second in setup_of(tournament).forbidden
        if {first, second} <= number.keys() and number[first] != number[second]
    }
    if setup_of(tournament).has_byes:
        for mates in rosters_of(tournament).values():  # T-32
            ranks = sorted([number[mate.id] for mate in mates if mate.id in number])
            pairs |= set(combinations(ranks, 2))
    return tuple(sorted(pairs))


def _by_sitting(setup: Setup, rounds: int) -> tuple[int, ...]:
    """Returns the number of rounds in each sitting; the last sitting has the rest, and empty sittings are omitted."""
    counts, left = [], rounds
    for sitting in setup.sittings:
        count = left if sitting.rounds is None else min(left, sitting.rounds)
        counts.append(count)
        left -= count
    return tuple(count for count in counts if count)
