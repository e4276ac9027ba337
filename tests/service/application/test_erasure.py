"""An erasure looks twice for what the player takes part in, and waits for the projections before each look."""

from typing import Any

import pytest

from hoodwink.service.application.commands.erasure import PATIENCE_MS, Erasure
from hoodwink.service.application.ports import Lag
from tests.service.application.world import StandingClock, fake_redis, service_on


@pytest.mark.parametrize(
    ("lag", "waited"),
    [(Lag(0, 0), 0), (Lag(3, 50), 100), (Lag(3, 250), 300), (Lag(3, 1_000_000), PATIENCE_MS)],
)
def test_it_waits_until_the_oldest_entry_that_is_left_is_younger_than_its_first_look(lag, waited):
    clock = StandingClock()
    service = service_on(fake_redis(), clock)
    feed: Any = type("LaggingFeed", (), {"lag": lambda _, group: lag})()
    ada = service.players.register(name="Ada").player
    queries: Any = service.queries
    looks, tables_of = [], queries.live_tables_of

    def looked(*given, **paging):
        looks.append(clock.elapsed_ms())
        return tables_of(*given, **paging)

    queries.live_tables_of = looked
    erasure = Erasure(
        players=service.players,
        queries=queries,
        tables=service.tables,
        tournaments=service.tournaments,
        imports=service.import_keeping,
        feed=feed,
        store=service.store,
        blocks=service.blocks,
        clock=clock,
    )

    assert erasure.erase(ada, None).is_erased
    assert looks == [waited, 2 * waited]
