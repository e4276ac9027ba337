"""A player's tables, as the API lists and streams them."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from hoodwink.domain.kernel import Names, bot_name
from hoodwink.domain.tables.attention import waits_since
from hoodwink.domain.tables.events import TournamentPlace
from hoodwink.domain.tables.state import (
    Phase,
    Result,
    Table,
    deadline_of,
    seat_of,
    turn_of,
)
from hoodwink.service.application.reading.my_tables import ID_DIGITS, MAX_TABLES, TableNow, Told
from hoodwink.service.application.streams.history import Position
from hoodwink.service.http.messages.fields import MAX_DIGITS

MAX_TOLD: Final = 2 * MAX_TABLES
"""The maximum number of tables in the id of an event: all live ones, and as many that have just ended."""


class Opponent(msgspec.Struct, frozen=True, gc=False):
    """Another player or bot at the table; `policy` is `null` for a person."""

    seat: int
    player: str
    name: str
    policy: str | None


class LastEvent(msgspec.Struct, frozen=True, gc=False):
    """The last event of a table; `at` is in milliseconds since the epoch."""

    type: str
    at: int


class MyTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table where you have a seat, are offered one, or are the host.

    Attributes:
        version: the number of events so far.
        round: rounds dealt so far.
        seat: your seat; `null` for a host without one.
        offered_seat: the seat that is offered to you, or `null`.
        opponents: the other players and bots.
        owes: the seats that owe an action.
        waits_since: the time since which the table has waited for you, in milliseconds since the epoch: for your
            action, for the seed that you committed to, or for you to appear at a tournament's table. `null` if it
            does not wait for you.
        deadline: when your turn clock runs out, in milliseconds since the epoch; `null` if none runs.
        tournament: the place of the table in a tournament, or `null`.
        result: how the table ended, or `null`.
        last_event: the last event; `null` if you may not know that it happened.
    """

    id: str
    version: int
    game: str
    phase: Phase
    round: int
    host: str
    seat: int | None
    offered_seat: int | None
    opponents: tuple[Opponent, ...]
    owes: tuple[int, ...]
    waits_since: int | None
    deadline: int | None
    tournament: TournamentPlace | None
    result: Result | None
    last_event: LastEvent | None


class MyTablesAnswer(msgspec.Struct, frozen=True, gc=False):
    """Your tables.

    Attributes:
        now: the time of the service, in milliseconds since the epoch.
        cursor: the cursor of the next page; `null` on the last one.
    """

    now: int
    tables: tuple[MyTable, ...]
    cursor: str | None = None


class NewsAnswer(msgspec.Struct, frozen=True, gc=False):
    """News of one of your tables, in a live stream.

    Attributes:
        now: the time of the service, in milliseconds since the epoch.
    """

    now: int
    table: MyTable


class OfferingTournament(msgspec.Struct, frozen=True, gc=False):
    """A tournament that offers you something."""

    id: str
    name: str


class TournamentOfferAnswer(msgspec.Struct, frozen=True, gc=False):
    """A tournament offers you an entry, or the place of an entrant, in a live stream.

    Attributes:
        now: the time of the service, in milliseconds since the epoch.
    """

    now: int
    tournament: OfferingTournament


def my_table(now: TableNow, player: str) -> MyTable:
    """Returns a table as the player may see it in a list."""
    table = now.state
    seat = seat_of(table, player)
    return MyTable(
        id=table.id,
        version=table.version,
        game=table.game,
        phase=table.phase,
        round=table.round,
        host=table.host,
        seat=seat,
        offered_seat=table.offered.index(player) if player in table.offered else None,
        opponents=_opponents(table, seat, now.names),
        owes=turn_of(table).owes,
        waits_since=waits_since(table, player),
        deadline=None if seat is None else deadline_of(table, seat),
        tournament=table.tournament,
        result=table.result,
        last_event=_last_event(now, seat),
    )


def my_tables(
    tables: Iterable[TableNow], player: str, *, now: int, cursor: str | None = None
) -> MyTablesAnswer:
    return MyTablesAnswer(now, tuple([my_table(table, player) for table in tables]), cursor)


def _opponents(table: Table, own: int | None, names: Names) -> tuple[Opponent, ...]:
    others = [(seat, who) for seat, who in enumerate(table.seats) if who is not None and seat != own]
    return tuple([_opponent(seat, who.player, who.policy, names) for seat, who in others])


def _opponent(seat: int, player: str, policy: str | None, names: Names) -> Opponent:
    name = names(player) if policy is None else bot_name(policy)
    return Opponent(seat, player, name, policy)


def _last_event(now: TableNow, seat: int | None) -> LastEvent | None:
    # Even its type and time would tell others that somebody has acted in secret.
    event = now.last.event
    is_known = event.is_known_to("spectator" if seat is None else seat)
    return LastEvent(event.wire, now.last.entry.at) if is_known else None


# Only characters that need no escape in an address, where the text is sent as `last_event_id`.
TOLD_PATTERN: Final = (
    f"^[0-9]{{1,{MAX_DIGITS}}}"
    f"([.][a-z0-9]{{4,{ID_DIGITS}}}-[0-9]{{1,{MAX_DIGITS}}}-[0-9a-f]{{{ID_DIGITS}}}){{0,{MAX_TOLD}}}$"
)
"""The form of the texts that `told_text` returns."""

_TOLD: Final = re.compile(TOLD_PATTERN)


def told_text(told: Told) -> str:
    """Returns the news that a client has received, as the id of an event from which it can resume.

    >>> told_text(Told(1750000000000, (("dq2mhyhf", Position(12, "5e8dd316")), ("k7xw3asq", Position(4, "0a1b2c3d")))))
    '1750000000000.dq2mhyhf-12-5e8dd316.k7xw3asq-4-0a1b2c3d'
    """
    parts = [f"{table}-{position.version}-{position.head}" for table, position in told.tables]
    return ".".join([str(told.settled_at), *parts])


def parse_told(text: str) -> Told | None:
    """Parses the id of an event; `None` if it is not valid."""
    if not _TOLD.fullmatch(text):
        return None
    settled_at, *parts = text.split(".")
    named = [part.split("-") for part in parts]
    return Told(int(settled_at), tuple([(table, Position(int(at), head)) for table, at, head in named]))
