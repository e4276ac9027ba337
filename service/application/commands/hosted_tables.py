"""The tables, tournaments and offers that a host has, which limits bound.

They are read from projections, which follow with a short delay. What was begun a moment ago is claimed in the store first,
so that requests in quick succession, through any process, are counted exactly.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.projections import LOBBY, TOURNAMENTS, live_index, organised_index
from hoodwink.domain.tables.state import Phase, seat_of
from hoodwink.domain.tournaments import life
from hoodwink.service.application.commands import intents
from hoodwink.service.application.errors import LimitReached, NotFound
from hoodwink.service.application.limits import LASTING_RETRY_SECONDS, Bound, Limit
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.projecting.projections import ProjectionReader
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments

CLAIM_MS: Final = 10_000
"""How long a claim counts: much longer than projections take to show what was begun."""

_OVER: Final = frozenset({life.Phase.FINISHED, life.Phase.CANCELLED})
_MAX: Final = 1_000
"""The most live tables of a player that are looked at: those with the latest changes in the lobby."""


class Claimed(NamedTuple):
    """What came of a claim.

    Attributes:
        is_new: whether it was counted; it was not if it had been claimed or counted before.
        is_full: whether there were too many.
        unseen: other claims, which the caller has not counted.
    """

    is_new: bool
    is_full: bool
    unseen: tuple[str, ...]


class Claims(Protocol):
    """What hosts have begun a moment ago. Every call may raise `StoreUnavailable`."""

    def claim(
        self, limit: Limit, host: str, what: str, *, counted: Collection[str], bound: int, stays_ms: int
    ) -> Claimed:
        """Claims one more, unless there are as many as the bound: those that the caller has counted, and other claims."""
        ...

    def drop(self, limit: Limit, host: str, *what: str) -> None: ...


class _Seat(msgspec.Struct, frozen=True, gc=False):
    policy: str | None
    resigned: bool


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The part of a row of the lobby that is needed here."""

    id: str
    host: str
    phase: Phase
    seats: tuple[_Seat | None, ...]
    free_seats: tuple[int, ...]


class _Organised(msgspec.Struct, frozen=True, gc=False):
    id: str


class HostedTables:
    """Counts the tables of hosts that have not ended, the offers there, and their tournaments that are not over."""

    def __init__(
        self,
        *,
        reader: ProjectionReader,
        claims: Claims,
        bounds: Mapping[Limit, Bound],
        tables: Tables,
        tournaments: Tournaments,
    ) -> None:
        """Takes what it needs.

        Args:
            reader: of the projections.
            claims: what was begun a moment ago.
            bounds: of the limits that are not lifted.
            tables, tournaments: those that were begun.
        """
        self._reader = reader
        self._claims = claims
        self._bounds = bounds
        self._tables = tables
        self._tournaments = tournaments

    def admit(self, limit: Limit, host: str, what: str) -> Callable[[], None]:
        """Counts one more table, tournament or offer of a host; one that is counted already is not counted again.

        Returns a function that takes it back. Raises `LimitReached`, and then counts nothing.
        """
        bound = self._bounds.get(limit)
        if not isinstance(bound, int):
            return _nothing
        counted = self.live(limit, host)

        def claim() -> Claimed:
            return self._claims.claim(limit, host, what, counted=counted, bound=bound, stays_ms=CLAIM_MS)

        claimed = claim()
        if claimed.is_full:
            # Only a refusal looks at the tables themselves: what ended right after its beginning has left room.
            over = [begun for begun in claimed.unseen if self._has_ended(limit, begun)]
            self._claims.drop(limit, host, *over)
            claimed = claim() if over else claimed
        if claimed.is_full:
            raise LimitReached(limit, bound, LASTING_RETRY_SECONDS)
        return (lambda: self._claims.drop(limit, host, what)) if claimed.is_new else _nothing

    def live(self, limit: Limit, host: str) -> frozenset[str]:
        """Returns a host's tables, tournaments or offers that count against a limit, where the projections show them."""
        if limit is Limit.TOURNAMENTS_PER_HOST:
            page = self._reader.page(TOURNAMENTS.name, organised_index(host), before=None, count=_MAX)
            return frozenset(msgspec.json.decode(row, type=_Organised).id for row in page.rows)
        page = self._reader.page(LOBBY.name, live_index(host), before=None, count=_MAX)
        hosted = [row for row in map(_row, page.rows) if row.host == host]
        if limit is Limit.OFFERS_PER_HOST:
            return frozenset(offer for row in hosted if _has_offers(row) for offer in self._offers(row.id))
        if limit is Limit.BOT_TABLES_PER_HOST:
            hosted = list(filter(_is_left_to_bots, hosted))
        return frozenset(row.id for row in hosted)

    def forget_offer(self, host: str, table: str, player: str) -> None:
        """Makes room for another offer of a host, after this one was declined, withdrawn or accepted."""
        with suppress(StoreUnavailable):  # the claim lapses by itself, and the seat is free already
            self._claims.drop(Limit.OFFERS_PER_HOST, host, offer_of(table, player))

    def decline_offers(self, host: str, player: str) -> None:
        """Declines a host's open offers to a player, where the projections show them."""
        for offer in self.live(Limit.OFFERS_PER_HOST, host):
            table, offered_to = offer.split(":")
            if offered_to == player:
                with suppress(RuleViolation, NotFound):  # it was answered a moment ago
                    self._tables.execute(table, intents.decline(player))
                self.forget_offer(host, table, player)

    def _offers(self, table_id: str) -> list[str]:
        table = self._tables.load(table_id).state
        if table.phase is not Phase.OPEN:
            return []
        return [offer_of(table_id, player) for player in table.offered if player is not None]

    def _has_ended(self, limit: Limit, begun: str) -> bool:
        try:
            if limit is Limit.TOURNAMENTS_PER_HOST:
                return self._tournaments.load(begun).state.phase in _OVER
            if limit is Limit.OFFERS_PER_HOST:
                return self._is_answered(*begun.split(":"))
            return self._tables.load(begun).state.phase is Phase.ENDED
        except NotFound:
            return False  # its command is on the way

    def _is_answered(self, table_id: str, player: str) -> bool:
        """Returns whether an offer was accepted or can no longer be; one that is not there may be on its way."""
        table = self._tables.load(table_id).state
        return table.phase is not Phase.OPEN or seat_of(table, player) is not None


def offer_of(table: str, player: str) -> str:
    """Returns the name under which the offer of a seat is counted."""
    return f"{table}:{player}"


def _nothing() -> None:
    """Takes nothing back."""


def _row(row: bytes) -> _Row:
    return msgspec.json.decode(row, type=_Row)


def _has_offers(row: _Row) -> bool:
    return row.phase is Phase.OPEN and len(row.free_seats) < row.seats.count(None)


def _is_left_to_bots(row: _Row) -> bool:
    """Returns whether no person plays at the table, as `hoodwink.domain.tables.state.is_left_to_bots` does."""
    return row.phase is Phase.PLAYING and all(
        seat is None or seat.policy is not None or seat.resigned for seat in row.seats
    )
