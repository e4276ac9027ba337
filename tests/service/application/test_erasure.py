"""An erasure searches twice for the player's tables and tournaments, each time after the projections caught up."""

from typing import Any

import pytest

from hoodwink.service.application.commands.erasure import PATIENCE_MS, Erasure
from hoodwink.service.application.ports import Lag
from tests.service.application.world import StandingClock, service_on
from tests.service.databases import new_redis


@pytest.mark.parametrize(
    ("lag", "waited"),
    [(Lag(0, 0), 0), (Lag(3, 50), 100), (Lag(3, 250), 300), (Lag(3, 1_000_000), PATIENCE_MS)],
)
def test_an_erasure_waits_for_entries_older_than_its_start(lag, waited):
    clock = StandingClock()
    service = service_on(new_redis(), clock)
    feed: Any = type("LaggingFeed", (), {"lag": lambda _, group: lag})()
    ada = service.players.register(name="Ada").player
    queries: Any = service.queries
    looks, tables_of = [], queries.live_tables_of

    def record_look(*given, **paging):
        looks.append(clock.elapsed_ms())
        return tables_of(*given, **paging)

    queries.live_tables_of = record_look
    erasure = Erasure(
        players=service.players,
        queries=queries,
        tables=service.tables,
        tournaments=service.tournaments,
        imports=service.import_retention,
        feed=feed,
        store=service.store,
        blocks=service.blocks,
        subscriptions=service.subscriptions,
        webhooks=service.webhooks,
        bots=service.bots,
        sessions=service.session_notes,
        passkeys=service.passkey_store,
        clock=clock,
    )

    assert erasure.erase(ada, None).is_erased
    assert looks == [waited, 2 * waited]
