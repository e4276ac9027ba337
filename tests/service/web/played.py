"""Tables played by bots in memory, with the messages that a page of one seat gets, but without a service."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from hoodwink.domain.kernel import without_name
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.proving.verify import TABLE
from hoodwink.domain.tables.state import Phase
from hoodwink.domain.tables.view import view_table
from hoodwink.service.application.reading.seen import event_records, legal_of_viewer
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.simulation.tables import BotTable

LONG_AGO = 1_750_000_000_000


def messages(
    game: str, *, seats: int, options: Mapping[str, Any], seed: str, policy: str = "steady", viewer: int = 0
) -> Iterator[dict[str, Any]]:
    """Yields `events`, `view` and `legal_actions` of each step like the stream of a table."""
    table = BotTable(
        game=game, seats=seats, options=options, policies=[policy] * seats, seed=seed, start_ms=LONG_AGO
    )
    heard = 0
    while True:
        entries = decoded(table.entries[heard:], TABLE.decode)
        heard = len(table.entries)
        now = table.entries[-1].at
        yield msgspec.json.decode(
            encode(
                {
                    "events": event_records(table.table, entries, viewer, without_name, words=True),
                    "view": view_table(table.table, viewer, now=now),
                    "legal_actions": legal_of_viewer(table.table, viewer, now),
                }
            )
        )
        if table.table.phase is Phase.ENDED:
            return
        table.step()
