"""What opening a table or a tournament counts against."""

from collections.abc import Callable
from contextlib import suppress

from service.application.errors import LimitReached, NotFound
from service.application.limits import OPENING, Limit
from service.bootstrap import Service
from service.http.framework.client_address import counted_as
from service.http.framework.operations import Call

OPENING_CODES = tuple(limit.code for limit in OPENING)
"""The refusals of an operation that opens a table."""


def count_opening(service: Service, call: Call, table: str) -> None:
    """Counts the opening of a table; raises `LimitReached`.

    A repeated request is never refused, for it opens nothing: its client may not have its first result, and as long as
    the host has so many tables, waiting would not help.
    """
    _count(service, call, OPENING, lambda: service.tables.load(table))


def count_tournament(service: Service, call: Call, tournament: str) -> None:
    """Counts the opening of a tournament like that of a table; see `count_opening`."""
    limits = (Limit.TABLES_PER_PLAYER, Limit.TABLES_PER_ADDRESS)
    _count(service, call, limits, lambda: service.tournaments.load(tournament))


def _count(service: Service, call: Call, limits: tuple[Limit, ...], opened: Callable[[], object]) -> None:
    address = counted_as(call.request.address)
    try:
        for limit in limits:
            service.limits.admit(limit, address if limit.is_per_address else call.asker.id)
    except LimitReached:
        with suppress(NotFound):
            opened()
            return
        raise
