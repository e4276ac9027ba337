"""Reads archived logs for watchers in threads of their own, so that a slow archive delays no live events."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

import structlog

from hoodwink.service.application.ports import StreamId, is_outage
from hoodwink.service.http.serving.streams.channel import Channel

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

_THREADS: Final = 4


class ArchiveReadings:
    """The readings of a hub that may take long. Call its methods on the event loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, "hub-archive")
        self._tasks: dict[StreamId, asyncio.Task[None]] = {}

    async def run(self, function: Callable[[A], R], argument: A) -> R:
        """Returns the result of a function that may read the archive."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, argument)

    def begin(self, channel: Channel, advance: Callable[[Channel], Awaitable[None]]) -> None:
        """Advances a channel in a task of its own, unless there is one already."""
        # Events during a slow reading are not lost: the hub reads all streams again every `CHECK_SECONDS`.
        if channel.stream not in self._tasks:
            task = asyncio.get_running_loop().create_task(_advance_or_close(channel, advance))
            self._tasks[channel.stream] = task
            task.add_done_callback(lambda _: self._tasks.pop(channel.stream))

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _advance_or_close(channel: Channel, advance: Callable[[Channel], Awaitable[None]]) -> None:
    try:
        await advance(channel)
    except Exception as error:  # noqa: BLE001 - a damaged log may raise anything
        if is_outage(error):  # the next check tries again
            log.warning("a log cannot be read", id=channel.stream.id, error=str(error))
        else:
            close_damaged(channel, error)


def close_damaged(channel: Channel, error: Exception) -> None:
    """Ends the streams of a log that cannot be read."""
    log.error("a log cannot be followed", id=channel.stream.id, exc_info=error)
    channel.close()
