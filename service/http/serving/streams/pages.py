"""Reads pages of events, and whole tables and tournaments, for the watchers of a process."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.proving.log import people_in_log
from hoodwink.domain.tables.state import people_at
from hoodwink.domain.tournaments.life import people_in
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.aggregates import AGGREGATES
from hoodwink.service.application.streams.history import Loaded, Position, before, events_after
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.http.framework.streaming import TableSubscription
from hoodwink.service.http.serving.streams.watcher import Page, StoreReader

PAGE: Final = 500

Asked: TypeAlias = Mapping[StreamId, tuple[Position, Collection[str]]]
"""The position after which to read each stream, and the people whose names are wanted besides those in the events."""


class Pages:
    """Reads what watchers receive. Every call may wait for the store, so call its methods in a thread."""

    def __init__(
        self,
        *,
        reader: Callable[[], StoreReader],
        tables: Callable[[], Tables],
        tournaments: Callable[[], Tournaments],
        players: Callable[[], Players],
    ) -> None:
        """See `Hub`."""
        self._reader = reader
        self._tables = tables
        self._tournaments = tournaments
        self._players = players

    def names(self, people: Collection[str]) -> PlayerNames:
        return self._players().names(people)

    def load(self, stream: StreamId) -> tuple[Loaded[Any], Names]:
        """Returns a table or tournament with its names. This may read the archive."""
        if stream.category == TableSubscription.category:
            table = self._tables().load(stream.id)
            return table, self.names(people_at(table.state))
        tournament = self._tournaments().load(stream.id)
        return tournament, self.names(people_in(tournament.state))

    def everywhere(self, asked: Asked) -> list[Page]:
        """Returns the page after each position. This may read the archive."""
        return self._pages(asked, archived=True)

    def in_memory(self, asked: Asked) -> list[Page]:
        """Returns the page after each position, as if there were no archive."""
        return self._pages(asked, archived=False)

    def _pages(self, asked: Asked, *, archived: bool) -> list[Page]:
        # The page begins with the event at the position itself, whose hash shows whether the history is the same.
        streams = {stream: before(position) for stream, (position, _) in asked.items()}
        pages = self._reader().read_each(streams, count=1 + PAGE, archived=archived)
        return [
            Page(
                events_after(AGGREGATES[stream.category].decode, position, page),
                self.names({*people, *people_in_log(page)}),
            )
            for page, (stream, (position, people)) in zip(pages, asked.items(), strict=True)
        ]
