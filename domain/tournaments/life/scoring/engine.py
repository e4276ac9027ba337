"""The interface to the pairing engine: the next round, a schedule, and the entrants still in a knockout."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hoodwink.domain.tournaments.chance import Draw, Lots
from hoodwink.domain.tournaments.life.arena import waiting_at
from hoodwink.domain.tournaments.life.editions import has_stored_schedules, max_exact
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.facts import byes_of, numbers_at, remaining, terms_of
from hoodwink.domain.tournaments.life.presence import seated
from hoodwink.domain.tournaments.life.scoring.crosstables import board_of, crosstable
from hoodwink.domain.tournaments.life.state import Match, PairedRound, Tournament
from hoodwink.domain.tournaments.pairing import pair_round, rounds_planned
from hoodwink.domain.tournaments.pairing.case import Case, Pairing
from hoodwink.domain.tournaments.pairing.knockout import remaining_entrants, replay_needed
from hoodwink.domain.tournaments.pairing.repetition import repeated, rotated
from hoodwink.domain.tournaments.pairing.round_robin import schedule_of
from hoodwink.domain.tournaments.terms import Format, Terms

Schedule: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""The seats of every table of every round."""


def draw_of(server_seed: str, seeds: Sequence[str], round_: int) -> Draw:
    """Returns the lots of a round. Round 0 is the start, before entrants' seeds are known (T-14)."""

    def draw(purpose: str) -> Lots:
        return Lots(server_seed, seeds, purpose=purpose, round_=round_)

    return draw


def pair(tournament: Tournament, round_: int, now: int) -> Pairing:
    """Returns the engine's pairing of the next round; `now` (ms) determines who waits in an arena."""
    present = seated(tournament, round_)
    if terms_of(tournament).format is Format.KNOCKOUT:
        still_in = _still_in(tournament, round_)
        present = tuple([number for number in present if number in still_in])
    if _plays_on(tournament, round_, present):
        return repeated(crosstable(tournament), present)
    return pair_round(
        Case(
            crosstable=crosstable(tournament),
            round=round_,
            present=present,
            draw=_draw(tournament, round_),
            schedule=tournament.schedule,
            max_exact=max_exact(tournament.edition),
            waiting=() if tournament.arena is None else waiting_at(tournament, now),
        )
    )


def _plays_on(tournament: Tournament, round_: int, present: tuple[int, ...]) -> bool:
    """Returns whether the opponents of the last round play the next deal: all of them are there, and nobody else (D-1).

    A substitute plays on for the place, unless with somebody whom they must not meet (T-19). The schedule of a round robin has all rounds already.
    """
    is_first = (round_ - 1) % tournament.deals_per_pairing == 0
    if is_first or terms_of(tournament).format is Format.ROUND_ROBIN:
        return False
    last = tournament.rounds[-1]
    tables = [match.deals[0].seats for match in last.matches]
    if list(present) != sorted((*numbers_at(tables), *byes_of(last))):
        return False
    substitutes = {
        entrant.number
        for entrant in tournament.entrants
        if entrant.predecessors and entrant.predecessors[-1].until == last.number
    }
    return not any(
        substitutes.intersection(pair) and any(pair <= {*seats} for seats in tables)
        for pair in map(frozenset, terms_of(tournament).forbidden)
    )


def _draw(tournament: Tournament, round_: int) -> Draw:
    """Returns the lots of the next round, drawn from the seeds that entrants have revealed so far."""
    return draw_of(tournament.server_seed, [entrant.seed for entrant in tournament.entrants], round_)


def _still_in(tournament: Tournament, round_: int) -> tuple[int, ...]:
    return remaining_entrants(crosstable(tournament), _draw(tournament, round_))


def plan(terms: Terms, entrants: int, draw: Draw, *, edition: int, deals: int = 1) -> tuple[int, Schedule]:
    """Returns the number of rounds, and the tables of all rounds in a round robin.

    Args:
        terms: their `rounds` count pairings, and each pairing lasts `deals` rounds (D-1).
    """
    rounds = rounds_planned(terms, entrants) * deals
    if terms.format is not Format.ROUND_ROBIN:
        return rounds, ()
    schedule = schedule_of(terms, entrants, draw, may_be_stored=has_stored_schedules(edition))
    return rounds, tuple(
        [tuple([rotated(table, deal) for table in tables]) for tables in schedule for deal in range(deals)]
    )


def further_deals(tournament: Tournament, round_: PairedRound) -> Iterator[tuple[Match, Seats]]:
    """Yields the boards of a knockout's last round that need another deal, with the seats of that deal (P-6)."""
    if terms_of(tournament).format is not Format.KNOCKOUT:
        return
    draw, table = draw_of(tournament.server_seed, round_.seeds, round_.number), crosstable(tournament)
    for match in round_.matches:
        seats = replay_needed(table, board_of(match), draw) if match.deals[-1].is_decided else None
        if seats is not None:
            yield match, seats


def playable(tournament: Tournament) -> tuple[int, ...]:
    """Returns the entrants who can be seated in the next round. With fewer than two there is no next round (T-2).

    In a knockout they are known only when the last round is complete.
    """
    if terms_of(tournament).format is Format.KNOCKOUT:
        return _still_in(tournament, len(tournament.rounds) + 1)
    return tuple([entrant.number for entrant in remaining(tournament)])
