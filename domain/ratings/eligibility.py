"""Which tables count in the ratings, and for whom (R-1, R-4)."""

from collections import Counter
from collections.abc import Mapping

from domain.ratings.events import RatedSeat
from domain.tables import Table


def rated_seats(table: Table, *, versions: Mapping[str, int]) -> tuple[RatedSeat, ...]:
    """Returns the rated seats of a table in seat order, or an empty tuple where the table does not count.

    Args:
        table: the table after its last event.
        versions: the version of each bot's policy.
    """
    result = table.result
    if not table.rated or table.parent is not None or result is None or result.places is None:
        return ()
    if _is_forfeited(table):
        return ()
    players = _players(table, versions)
    taken = Counter(players.values())
    seats = tuple(
        [
            RatedSeat(player, result.places[seat])
            for seat, player in players.items()
            if taken[player] == 1  # nobody is rated against themselves
        ]
    )
    return seats if len(seats) > 1 else ()


def _is_forfeited(table: Table) -> bool:
    """Returns whether at most one entrant of a tournament appeared, so that nothing was played (T-6)."""
    if table.tournament is None:
        return False
    absent = {*table.tournament.fillers, *table.no_shows}
    return len(table.seats) - len(absent) < 2


def _players(table: Table, versions: Mapping[str, int]) -> dict[int, str]:
    """Returns the rated player of each seat, without no-shows; a resigned seat still counts for its player."""
    return {
        seat: occupant.player if occupant.policy is None else f"{occupant.policy}@{versions[occupant.policy]}"
        for seat, occupant in enumerate(table.seats)
        if occupant is not None and seat not in table.no_shows
    }
