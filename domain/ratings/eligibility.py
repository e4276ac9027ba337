"""The tables and seats that count in the ratings (R-1, R-4)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from hoodwink.domain.ratings.events import RatedSeat
from hoodwink.domain.tables.participation import Participation
from hoodwink.domain.tables.state import Table


def rated_seats(
    table: Table, *, versions: Mapping[str, int], played: Callable[[], Sequence[Participation | None]]
) -> tuple[RatedSeat, ...]:
    """Returns the rated seats of a table in seat order, or an empty tuple where the table does not count.

    Args:
        table: the table after its last event.
        versions: the version of each bot's policy.
        played(): returns the participation of the people in the seats; called only for a table that counts.
    """
    result = table.result
    if not table.rated or table.parent is not None or result is None or result.places is None:
        return ()
    if _is_forfeited(table):
        return ()
    players = _players(table, versions)
    taken = Counter(players.values())
    alone = {seat: player for seat, player in players.items() if taken[player] == 1}
    if len(alone) < 2:  # nobody is rated against themselves
        return ()
    parts = played()
    return tuple(
        [
            RatedSeat(player, result.places[seat], (part := parts[seat]) is None or part.has_taken_part)
            for seat, player in alone.items()
        ]
    )


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
