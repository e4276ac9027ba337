"""A table from the viewpoint of one player: whether it is theirs, how long it has waited for them, and their news."""

from typing import Literal, TypeAlias

from hoodwink.domain.tables.state import (
    Phase,
    Table,
    is_played_by_bot,
    people_at,
    reveals_until,
    seat_of,
    unrevealed,
)

NewsKind: TypeAlias = Literal["seat_offered", "table_started", "your_turn", "table_ended", "round_opened"]
"""The kinds of news from a player's tables. A tournament's table starts when its round opens."""


def people_of(table: Table) -> tuple[str, ...]:
    """Returns the players whose table it is: the host, the players in the seats, and those who were offered one.

    The host of a tournament's table does not count: it is the organiser, who would get the news of every board and who
    has the tournament's own lists. A player who resigned from a table with a shared deal belongs to it again after the
    release (D-7).
    """
    hosts = [table.host] if table.tournament is None else []
    offered = [player for player in table.offered if player is not None]
    people = people_at(table)
    if table.is_embargoed:
        resigned = {seat.player for number in table.resigned if (seat := table.seats[number]) is not None}
        people = tuple([player for player in people if player not in resigned])
    return tuple(dict.fromkeys([*hosts, *people, *offered]))


def waits_since(table: Table, player: str) -> int | None:
    """Returns when the table began to wait for a player, in ms, or `None` if it does not wait for them.

    It waits for an action, for a seed that the player committed to, or for a tournament's entrant to appear.
    """
    if table.phase is not Phase.PLAYING:
        return None
    seat = seat_of(table, player)
    if seat is not None and seat in table.awaited:
        return table.started_at
    if reveals_until(table) is not None and _owes_seed(table, player, seat):
        return table.started_at
    return _turn_since(table, seat)


def _owes_seed(table: Table, player: str, seat: int | None) -> bool:
    awaited = unrevealed(table)
    return (seat is not None and seat in awaited) or (player == table.host and None in awaited)


def _turn_since(table: Table, seat: int | None) -> int | None:
    """Returns when the turn of the player in a seat began; `None` if a bot moves for the seat."""
    if table.phase is not Phase.PLAYING or seat is None or is_played_by_bot(table, seat):
        return None
    return table.owing_since[seat]


def news_of(before: Table, after: Table, player: str) -> tuple[NewsKind, ...]:
    """Returns the news for a player in one commit, in the order in which it happened.

    Args:
        before: the table before the commit, not between two of its events: a seat may seem to owe an action there that
            it never has to take.
    """
    if player not in people_of(after):
        return ()
    news: tuple[NewsKind, ...] = ()
    if player in after.offered and player not in before.offered:
        news = ("seat_offered",)
    if after.phase is not before.phase:
        news = (_phase_news(after),)
    seat = seat_of(after, player)
    # A further step of a turn, or another turn after a player's own move, is no news.
    is_own_doing = after.took_back == seat != before.took_back
    if _turn_since(after, seat) is not None and _turn_since(before, seat) is None and not is_own_doing:
        news += ("your_turn",)
    return news


def _phase_news(table: Table) -> NewsKind:
    if table.phase is Phase.ENDED:
        return "table_ended"
    return "table_started" if table.tournament is None else "round_opened"
