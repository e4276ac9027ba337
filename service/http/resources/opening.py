"""What opening a table or a tournament counts against."""

from collections.abc import Callable
from contextlib import suppress

from service.application.errors import LimitReached, NotFound
from service.application.limits import OPENING_TABLE, OPENING_TOURNAMENT, Limit
from service.bootstrap import Service
from service.http.framework.client_address import counted_as
from service.http.framework.operations import Call

TABLE_CODES = tuple(limit.code for limit in OPENING_TABLE)
"""The refusals of an operation that opens a table."""

TOURNAMENT_CODES = tuple(limit.code for limit in OPENING_TOURNAMENT)
"""The refusals of the operation that opens a tournament."""


def count_opening(service: Service, call: Call, table: str) -> None:
    """Counts the opening of a table; raises `LimitReached`.

    A repeated request is never refused, for it opens nothing: its client may not have its first result, and as long as
    the host has so many tables, waiting would not help.
    """
    _count(service, call, OPENING_TABLE, lambda: service.tables.load(table))


def count_tournament(service: Service, call: Call, tournament: str) -> None:
    """Counts the opening of a tournament; see `count_opening`."""
    _count(service, call, OPENING_TOURNAMENT, lambda: service.tournaments.load(tournament))


def _count(service: Service, call: Call, limits: tuple[Limit, ...], opened: Callable[[], object]) -> None:
    address = counted_as(call.request.address)
    try:
        service.limits.admit_all(
            [(limit, address if limit.is_per_address else call.asker.id) for limit in limits]
        )
    except LimitReached:
        with suppress(NotFound):
            opened()
            return
        raise
