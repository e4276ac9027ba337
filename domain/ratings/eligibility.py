"""The tables and seats that count in the ratings (R-1, R-4)."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from hoodwink.domain.ratings.events import RatedSeat, rated_bot
from hoodwink.domain.tables.participation import Participation
from hoodwink.domain.tables.state import Occupant, Table


def rated_seats(
    table: Table,
    *,
    versions: Mapping[str, int],
    owners: Callable[[Collection[str]], Mapping[str, str]],
    played: Callable[[], Sequence[Participation | None]],
) -> tuple[RatedSeat, ...]:
    """Returns the rated seats of a table in seat order, or an empty tuple where the table does not count.

    Args:
        table: the table after its last event.
        versions: the version of each bot's policy.
        owners(players): returns the owners of those of the players who are bots; called only for a table that may count.
        played(): returns the participation of the people in the seats; called only for a table that counts.
    """
    result = table.result
    if not table.rated or table.parent is not None or result is None or result.places is None:
        return ()
    if table.is_embargoed or _is_forfeited(table):  # D-7
        return ()
    seated = _seated(table)
    owned = owners([occupant.player for occupant in seated.values() if occupant.policy is None])
    taken = Counter(_master(occupant, owned) for occupant in seated.values())
    alone = {seat: occupant for seat, occupant in seated.items() if taken[_master(occupant, owned)] == 1}
    if len(alone) < 2:  # nobody is rated against themselves
        return ()
    parts = played()
    return tuple(
        [
            RatedSeat(
                _player(occupant, versions, owned),
                result.places[seat],
                (part := parts[seat]) is None or part.has_taken_part,
            )
            for seat, occupant in alone.items()
        ]
    )


def _is_forfeited(table: Table) -> bool:
    """Returns whether at most one entrant of a tournament appeared, so that nothing was played (T-6)."""
    if table.tournament is None:
        return False
    absent = {*table.tournament.fillers, *table.no_shows}
    return len(table.seats) - len(absent) < 2


def _seated(table: Table) -> dict[int, Occupant]:
    """Returns the occupants by seat, without no-shows; a resigned seat still counts for its player."""
    return {
        seat: occupant
        for seat, occupant in enumerate(table.seats)
        if occupant is not None and seat not in table.no_shows
    }


def _master(occupant: Occupant, owned: Mapping[str, str]) -> str:
    """Returns the player as whom the occupant counts: a bot's owner, so that nobody is rated against their own bot."""
    return owned.get(occupant.player, occupant.player)


def _player(occupant: Occupant, versions: Mapping[str, int], owned: Mapping[str, str]) -> str:
    if occupant.policy is not None:
        return f"{occupant.policy}@{versions[occupant.policy]}"
    return rated_bot(occupant.player) if occupant.player in owned else occupant.player
