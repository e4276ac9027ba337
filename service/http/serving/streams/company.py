"""Tells the watchers of tables which players are connected and what they say, and notes who is connected here."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Final

import structlog

from hoodwink.service.application.ports import FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.http.serving.streams.channel import Channel
from hoodwink.service.http.serving.streams.watcher import Presence

log = structlog.get_logger(__name__)

_UNRECORDED: Final = "the connected players could not be recorded"


def pass_on(entries: Iterable[FeedEntry], channels: Mapping[StreamId, Channel]) -> list[FeedEntry]:
    """Passes what players said to the watchers of their tables; returns the entries that point to commits."""
    rest = []
    for entry in entries:
        if not entry.said:
            rest.append(entry)
        elif entry.stream in channels:
            channels[entry.stream].tell(entry.said)
    return rest


class Company:
    """Who is at the tables. Its methods only log if the store is unavailable. Call them on the event loop."""

    def __init__(self, presence: Callable[[], Presence], now_ms: Callable[[], int], thread: Executor) -> None:
        self._presence = presence
        self._now_ms = now_ms
        self._thread = thread

    async def meet(self, channels: Collection[Channel]) -> None:
        """Notes that the seated players who follow these tables are connected, and tells watchers who else is."""
        seated = {channel.stream.id: players for channel in channels if (players := channel.players)}
        told = [channel for channel in channels if channel.company]
        if not seated and not told:
            return
        try:
            connected = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._note, seated, [channel.stream.id for channel in told]
            )
        except StoreUnavailable as error:
            log.warning(_UNRECORDED, error=str(error))
            return
        for channel in told:
            channel.tell_connected(connected[channel.stream.id])

    def depart(self, table: str, player: str) -> None:
        """Notes that the player's last stream here has ended, without waiting for the store."""
        # In the thread of `_note`: a note that was taken earlier must not come later and extend the time again.
        self._thread.submit(self._depart, table, player)

    def _depart(self, table: str, player: str) -> None:
        try:
            self._presence().note_departure(table, player, now=self._now_ms())
        except StoreUnavailable as error:
            log.warning(_UNRECORDED, error=str(error))

    def _note(self, seated: Mapping[str, set[str]], told: Sequence[str]) -> Mapping[str, frozenset[str]]:
        presence, now = self._presence(), self._now_ms()
        presence.note(seated, now=now)
        return presence.connected_each(told, now=now)
