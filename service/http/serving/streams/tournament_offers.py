"""Tells players on their own streams that a tournament offers them an entry (T-28) or the place of an entrant (T-19).

These messages have no ids: a player who was not connected finds the offer in the list of their tournaments.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable

import structlog

from hoodwink.domain.tournaments.life.events import EntriesOffered, PlaceOffered
from hoodwink.domain.tournaments.life.facts import setup_of
from hoodwink.service.application.ports import Clock, FeedEntry
from hoodwink.service.application.streams.aggregates import TOURNAMENT
from hoodwink.service.application.streams.feed import entries_of
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.application.work.calling import OFFERS
from hoodwink.service.http.serving.streams.frames import offer_frame
from hoodwink.service.http.serving.streams.personal_streams import PersonalStream

log = structlog.get_logger(__name__)


class TournamentOffers:
    """Follows the feed for the personal streams of this process. Call its methods on the event loop."""

    def __init__(
        self,
        *,
        tournaments: Callable[[], Tournaments],
        people: Collection[PersonalStream],
        clock: Callable[[], Clock],
    ) -> None:
        """`people` are the open streams, at any time."""
        self._tournaments = tournaments
        self._people = people
        self._clock = clock
        self._telling = set[asyncio.Task[None]]()

    def notice(self, entries: Iterable[FeedEntry]) -> None:
        """Begins to tell the players of offers that the feed names."""
        for entry in entries_of(TOURNAMENT.category, entries) if self._people else ():
            if not OFFERS.isdisjoint(entry.types):
                # Nobody waits for this, because a large tournament takes long to read.
                task = asyncio.get_running_loop().create_task(self._tell(entry))
                # The event loop keeps only weak references to tasks.
                self._telling.add(task)
                task.add_done_callback(self._telling.discard)

    async def _tell(self, entry: FeedEntry) -> None:
        try:
            players, frame = await asyncio.to_thread(self._read, entry)
        except Exception:  # the player still finds the offer in a list
            log.exception("could not tell players of an offer", tournament=entry.stream.id)
            return
        for person in self._people:
            if person.player in players:
                person.stream.write(frame)

    def _read(self, entry: FeedEntry) -> tuple[Collection[str], bytes]:
        """Returns the players to whom a commit offers something, and the message."""
        after = entry.first_version - 1
        commit = self._tournaments().history(entry.stream.id, after=after, count=entry.version - after)
        players = set[str]()
        for recorded in commit:
            if isinstance(recorded.event, EntriesOffered):
                players.update(recorded.event.players)
            elif isinstance(recorded.event, PlaceOffered):
                players.add(recorded.event.player)
        name = setup_of(self._tournaments().load(entry.stream.id).state).name
        return players, offer_frame(entry.stream.id, name, now=self._clock().now_ms())
