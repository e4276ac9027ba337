"""Events that follow from others: further deals, the end of a round, the reveal of the seed."""

from hoodwink.domain.tournaments.life.deciding.checks import Events
from hoodwink.domain.tournaments.life.events import (
    DealAdded,
    DealReleased,
    RoundCompleted,
    SeedRevealed,
    TournamentEvent,
)
from hoodwink.domain.tournaments.life.evolving.evolve import applied
from hoodwink.domain.tournaments.life.facts import deal_of, is_embargoed, is_over, open_deals, started_rounds
from hoodwink.domain.tournaments.life.scoring.engine import further_deals
from hoodwink.domain.tournaments.life.state import PairedRound, Tournament


def with_consequences(tournament: Tournament, events: Events, now: int) -> Events:
    """Returns the events and their consequences.

    They belong to one commit, because a separate step could be lost if the service is killed.
    """
    for event in events:
        tournament = applied(tournament, event, now)
    following: list[TournamentEvent] = []
    while (consequence := _next(tournament)) is not None:
        following.append(consequence)
        tournament = applied(tournament, consequence, now)
    return *events, *following


def _next(tournament: Tournament) -> TournamentEvent | None:
    for round_ in started_rounds(tournament):
        if not round_.is_complete and (event := _of_round(tournament, round_)) is not None:
            return event
    is_due = is_over(tournament) and not open_deals(tournament) and not tournament.is_seed_revealed
    # While a table is in play, its hidden cards could be computed from the seed.
    return SeedRevealed(tournament.server_seed) if is_due else None


def _of_round(tournament: Tournament, round_: PairedRound) -> TournamentEvent | None:
    deals = iter(()) if is_over(tournament) else further_deals(tournament, round_)
    for match, seats in deals:
        gone = [entrant.number for entrant in tournament.entrants if entrant.has_left]
        absent = tuple([number for number in gone if number in seats])
        return DealAdded(round_.number, match.number, len(match.deals) + 1, seats, absent)
    if is_embargoed(tournament, round_) and _is_sealed(round_):
        return DealReleased(round_.number, deal_of(round_))
    is_waiting = not all(match.deals[-1].is_decided for match in round_.matches)
    return None if is_waiting else RoundCompleted(round_.number)


def _is_sealed(round_: PairedRound) -> bool:
    """Returns whether every table of the round has ended; a round without any table plays no deal."""
    seals = [deal.seal for match in round_.matches for deal in match.deals if deal.table]
    return bool(seals) and all(seals)
