"""Opens tables, and limits how many tables and tournaments are opened."""

from collections.abc import Callable
from contextlib import suppress

from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.commands import OpenTable
from hoodwink.service.application.errors import LimitReached, NotFound
from hoodwink.service.application.limits import OPENING_SERIES, OPENING_TABLE, OPENING_TOURNAMENT, Limit
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.streams.tables import Accepted
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import Call

TABLE_CODES = tuple(limit.code for limit in OPENING_TABLE)
"""The refusals of an operation that opens a table."""

SERIES_CODES = tuple(limit.code for limit in OPENING_SERIES)
"""The refusals of the operation that opens a series."""

TOURNAMENT_CODES = tuple(limit.code for limit in OPENING_TOURNAMENT)
"""The refusals of the operation that opens a tournament."""


def open_table(service: Service, call: Call) -> tuple[str, Accepted]:
    """Opens the table in the body of the request; returns its id, the same for a repeated request, and the effect."""
    identities, form = service.identities, call.form
    key = identities.key_or_fresh(call.key)
    opened = identities.table_id(call.actor.id, key)
    count_opening(service, call, opened)
    is_private = form.get("private", False)
    watch = form.get("watch", "invited" if is_private else "everyone")
    command = OpenTable(
        table=opened,
        game=form["game"],
        seats=form["seats"],
        options=form.get("options", {}),
        host=call.actor.id,
        turn_seconds=form.get("turn_seconds"),
        bot_delay=form.get("bot_delay"),
        round_pause=form.get("round_pause"),
        # Drawn in vain by a repeated request, which gets the first result.
        server_seed=service.entropy.server_seed(),
        seed_commitment=form.get("seed_commitment", ""),
        # By default only what everybody may see, because ratings name their tables.
        rated=form.get("rated", not is_private and watch == "everyone"),
        private=is_private,
        watch=watch,
        take_backs=form.get("take_backs"),
    )
    by_key = idempotency_key(call.actor.id, key, call.raw)
    return opened, service.tables.open(opened, command, by=HOST, key=by_key)


def count_opening(service: Service, call: Call, table: str) -> None:
    """Counts the opening of a table; raises `LimitReached`.

    A repeated request opens nothing and is never refused: its client may have missed the first answer, and waiting
    would not help a host who is at the limit.
    """
    _count(service, call, OPENING_TABLE, table, service.tables.load)


def count_tournament(service: Service, call: Call, tournament: str) -> None:
    """Counts the opening of a tournament; see `count_opening`."""
    _count(service, call, OPENING_TOURNAMENT, tournament, service.tournaments.load)


def count_series(service: Service, call: Call, series: str) -> None:
    """Counts the opening of a series; see `count_opening`."""
    _count(service, call, OPENING_SERIES, series, service.series.load)


def count_bot_table(service: Service, host: str, table: str) -> None:
    """Counts the start of a table at which only bots play; raises `LimitReached`."""
    service.hosted_tables.admit(Limit.BOT_TABLES_PER_HOST, host, table)


def _count(
    service: Service, call: Call, limits: tuple[Limit, ...], opened: str, load: Callable[[str], object]
) -> None:
    address = counted_as(call.request.address)
    of_host, *rates = limits
    try:
        take_back = service.hosted_tables.admit(of_host, call.actor.id, opened)
        try:
            service.limits.admit_all(
                [(limit, address if limit.is_per_address else call.actor.id) for limit in rates]
            )
        except LimitReached:
            take_back()  # otherwise a table that does not exist would count for some seconds
            raise
    except LimitReached:
        # The id follows from the idempotency key, so if there is such a table, the request is a repetition. Only
        # refusals pay for this look.
        with suppress(NotFound):
            load(opened)
            return
        raise
