"""Limits for the tables, tournaments, series and offers of a host.

They are read from projections, which lag a little. So each new one is first claimed in the store, which counts
requests in quick succession exactly, through any process.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.projections import LOBBY, SERIES, TOURNAMENTS, live_index, organised_index
from hoodwink.domain.series import SeasonPhase
from hoodwink.domain.tables.state import Phase, seat_of
from hoodwink.domain.tournaments import life
from hoodwink.service.application.commands import intents
from hoodwink.service.application.errors import LimitReached, NotFound
from hoodwink.service.application.limits import LASTING_RETRY_SECONDS, Bound, Limit
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.projecting.projections import ProjectionReader
from hoodwink.service.application.streams.series import SeriesRepository
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments

CLAIM_MS: Final = 10_000
"""How long a claim counts: much longer than projections take to show a new table."""

_OVER: Final = frozenset({life.Phase.FINISHED, life.Phase.CANCELLED})
_ORGANISED: Final = MappingProxyType({Limit.TOURNAMENTS_PER_HOST: TOURNAMENTS, Limit.SERIES_PER_HOST: SERIES})
"""The projections that list what an organiser has."""

_MAX_ROWS: Final = 1_000
"""The number of a player's live tables that are counted: those with the latest changes."""


class Claimed(NamedTuple):
    """The result of a claim.

    Attributes:
        is_new: whether it was counted now, and not before by a claim or by the caller.
        is_full: whether the bound was reached.
        unseen: claims that the caller has not counted.
    """

    is_new: bool
    is_full: bool
    unseen: tuple[str, ...]


class Claims(Protocol):
    """Recent claims of hosts. Every call may raise `StoreUnavailable`."""

    def claim(
        self, limit: Limit, host: str, what: str, *, counted: Collection[str], bound: int, stays_ms: int
    ) -> Claimed:
        """Claims one more, unless the caller's count and the other claims have reached the bound."""
        ...

    def drop(self, limit: Limit, host: str, *what: str) -> None: ...


class _Seat(msgspec.Struct, frozen=True, gc=False):
    policy: str | None
    resigned: bool


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The fields of a lobby row that are needed here."""

    id: str
    host: str
    phase: Phase
    seats: tuple[_Seat | None, ...]
    free_seats: tuple[int, ...]


class _Organised(msgspec.Struct, frozen=True, gc=False):
    id: str


class HostedTables:
    """Counts the live tables, open offers and running tournaments of hosts."""

    def __init__(
        self,
        *,
        reader: ProjectionReader,
        claims: Claims,
        bounds: Mapping[Limit, Bound],
        tables: Tables,
        tournaments: Tournaments,
        series: SeriesRepository,
    ) -> None:
        self._reader = reader
        self._claims = claims
        self._bounds = bounds
        self._tables = tables
        self._tournaments = tournaments
        self._series = series

    def admit(self, limit: Limit, host: str, what: str) -> Callable[[], None]:
        """Counts one more table, tournament or offer of a host, unless it is counted already.

        Returns a function that takes this back. If it raises `LimitReached`, it has counted nothing.
        """
        bound = self._bounds.get(limit)
        if not isinstance(bound, int):  # the limit is off
            return _nothing
        # A table in both the projection and the claims counts once: the claims leave out the counted ones.
        counted = self.live(limit, host)

        def claim() -> Claimed:
            return self._claims.claim(limit, host, what, counted=counted, bound=bound, stays_ms=CLAIM_MS)

        claimed = claim()
        if claimed.is_full:
            # A table that ended right after its opening has left room, but its claim still counts. To load the
            # claimed tables is costly, so only a refusal does it.
            over = [begun for begun in claimed.unseen if self._has_ended(limit, begun)]
            self._claims.drop(limit, host, *over)
            claimed = claim() if over else claimed
        if claimed.is_full:
            raise LimitReached(limit, bound, LASTING_RETRY_SECONDS)
        # A repeated request must not take back the claim of its first attempt, which may have succeeded.
        return (lambda: self._claims.drop(limit, host, what)) if claimed.is_new else _nothing

    def live(self, limit: Limit, host: str) -> frozenset[str]:
        """Returns the host's tables, tournaments or offers that count against a limit, according to the projections."""
        if limit in _ORGANISED:
            projection = _ORGANISED[limit].name
            page = self._reader.page(projection, organised_index(host), before=None, count=_MAX_ROWS)
            return frozenset(msgspec.json.decode(row, type=_Organised).id for row in page.rows)
        page = self._reader.page(LOBBY.name, live_index(host), before=None, count=_MAX_ROWS)
        # The index also has the tables at which the host only has a seat, or is offered one.
        hosted = [row for row in map(_row, page.rows) if row.host == host]
        if limit is Limit.OFFERS_PER_HOST:
            return frozenset(offer for row in hosted if _has_offers(row) for offer in self._offers(row.id))
        if limit is Limit.BOT_TABLES_PER_HOST:
            hosted = list(filter(_is_left_to_bots, hosted))
        return frozenset(row.id for row in hosted)

    def forget_offer(self, host: str, table: str, player: str) -> None:
        """Makes room for another offer of a host, after this one was answered or withdrawn."""
        with suppress(StoreUnavailable):  # the claim lapses by itself, and the seat is free already
            self._claims.drop(Limit.OFFERS_PER_HOST, host, offer_of(table, player))

    def decline_offers(self, host: str, player: str) -> None:
        """Declines a host's open offers to a player, according to the projections."""
        for offer in self.live(Limit.OFFERS_PER_HOST, host):
            table, offered_to = offer.split(":")
            if offered_to == player:
                with suppress(RuleViolation, NotFound):  # it was answered a moment ago
                    self._tables.execute(table, intents.decline(player))
                self.forget_offer(host, table, player)

    def _offers(self, table_id: str) -> list[str]:
        # Rows of the lobby are public and do not say to whom a seat is offered, so the table is loaded.
        table = self._tables.load(table_id).state
        if table.phase is not Phase.OPEN:
            return []
        return [offer_of(table_id, player) for player in table.offered if player is not None]

    def _has_ended(self, limit: Limit, begun: str) -> bool:
        try:
            if limit is Limit.SERIES_PER_HOST:
                return self._series.load(begun).state.phase is SeasonPhase.ENDED
            if limit is Limit.TOURNAMENTS_PER_HOST:
                return self._tournaments.load(begun).state.phase in _OVER
            if limit is Limit.OFFERS_PER_HOST:
                return self._is_answered(*begun.split(":"))
            return self._tables.load(begun).state.phase is Phase.ENDED
        except NotFound:
            return False  # claimed, but its command is not stored yet

    def _is_answered(self, table_id: str, player: str) -> bool:
        """Returns whether an offer was accepted or can no longer be."""
        # An offer that is not at the table does not count as answered: its command may not be stored yet.
        table = self._tables.load(table_id).state
        return table.phase is not Phase.OPEN or seat_of(table, player) is not None


def offer_of(table: str, player: str) -> str:
    """Returns the name by which the offer of a seat is counted."""
    return f"{table}:{player}"


def _nothing() -> None:
    """Does nothing."""


def _row(row: bytes) -> _Row:
    return msgspec.json.decode(row, type=_Row)


def _has_offers(row: _Row) -> bool:
    # The row of an offered seat has no occupant, and nobody else may take it.
    return row.phase is Phase.OPEN and len(row.free_seats) < row.seats.count(None)


def _is_left_to_bots(row: _Row) -> bool:
    """Returns whether no person plays at the table, like `hoodwink.domain.tables.state.is_left_to_bots`."""
    return row.phase is Phase.PLAYING and all(
        seat is None or seat.policy is not None or seat.resigned for seat in row.seats
    )
