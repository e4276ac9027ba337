"""The open event streams of this process. Limits their number, their duration and slow clients."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Final, Protocol

import structlog

from hoodwink.domain.players import Player
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.http.framework.metrics import STREAMS
from hoodwink.service.http.framework.streaming import AnySubscription
from hoodwink.service.http.serving.sockets import cut_off, unsent_bytes
from hoodwink.service.http.serving.streams.frames import HEARTBEAT, OPENING
from hoodwink.service.http.serving.streams.places import Place, Places
from hoodwink.service.http.serving.streams.watcher import Stream

log = structlog.get_logger(__name__)

HEARTBEAT_SECONDS: Final = 15.0
MAX_SECONDS: Final = 900.0
SLOW_BYTES: Final = 64 * 1024
SLOW_SECONDS: Final = 10.0

Headers = Sequence[tuple[str, str]]


class Transport(Protocol):
    """The server's side of a streamed answer. It ends when the last reference to it is dropped."""

    def send_bytes(self, data: bytes) -> object:
        """Queues the bytes immediately. The queue has no limit."""
        ...


class Connection(Protocol):
    """The server's side of a request."""

    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Transport:
        """Sends the head of a streamed answer."""
        ...

    async def client_disconnect(self) -> None: ...


class StreamHub(Protocol):
    """The source of the streams' events; see `Hub`."""

    async def join(self, stream: Stream, subscription: AnySubscription) -> Callable[[], None]: ...
    async def close(self) -> None: ...


class OpenStream:
    """A streamed answer.

    Attributes:
        client: the client's address, `host:port`.
        actor: the player whose token opened the stream, as the player was then.
        is_idle: whether nothing has been written since the last heartbeat.
        slow_since: when the client stopped reading, on the clock of `Streams`; `None` while it reads.
    """

    def __init__(
        self, transport: Transport, client: str, actor: Player | None, ended: "asyncio.Future[None]"
    ) -> None:
        self._transport: Transport | None = transport
        self._ended = ended
        self.client = client
        self.actor = actor
        self.is_idle = False
        self.slow_since: float | None = None

    def write(self, chunk: bytes) -> None:
        """Sends the bytes, without waiting."""
        if self._transport is not None:
            self._transport.send_bytes(chunk)
            self.is_idle = False

    async def wait(self) -> None:
        await self._ended

    def end(self) -> None:
        """Ends the stream. Bytes written before are still sent."""
        self._transport = None  # granian has no call to end an answer: dropping the transport does it
        if not self._ended.done():
            self._ended.set_result(None)


class Streams:
    """Sends event streams. Call its methods on the event loop, except `take_place`."""

    def __init__(
        self,
        hub: StreamHub,
        *,
        players: Callable[[], Players],
        places: Places,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        slow_seconds: float = SLOW_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the places of streams, and the seconds for which a client may leave bytes unread.

        `players` returns the players. Their tokens are compared in a thread, because that may read from the store.
        """
        self._hub = hub
        self._players = players
        self._places = places
        self._heartbeat_seconds = heartbeat_seconds
        self._slow_seconds = slow_seconds
        self._clock = clock
        self._open: set[OpenStream] = set()
        self._next_heartbeat = 0.0

    def take_place(self, subscription: AnySubscription, address: str) -> Place:
        """Returns a place for a stream. `send` or its `release` frees it; see `Places.take`."""
        return self._places.take(subscription, address)

    async def send(
        self,
        connection: Connection,
        client: str,
        headers: Headers,
        subscription: AnySubscription,
    ) -> None:
        """Answers with a stream, and returns when it has ended."""
        try:
            await self._send(connection, client, headers, subscription)
        finally:
            subscription.place.release()

    async def _send(
        self, connection: Connection, client: str, headers: Headers, subscription: AnySubscription
    ) -> None:
        loop = asyncio.get_running_loop()
        stream = OpenStream(
            connection.response_stream(200, list(headers)), client, subscription.actor, loop.create_future()
        )
        place: Place = subscription.place
        # Threadsafe, because a newer stream takes the place in the thread that answers its request.
        place.begin(lambda: loop.call_soon_threadsafe(stream.end))
        # Before its token is compared, so that `check_tokens` finds the stream from here on.
        self._open.add(stream)
        gone = loop.create_task(_call_after(connection.client_disconnect, stream.end))
        age = loop.call_later(MAX_SECONDS, stream.end)
        running = STREAMS.labels(place.follower)
        running.inc()
        try:
            stream.write(OPENING)
            await self._watch(stream, subscription)
        finally:
            running.dec()
            stream.end()
            age.cancel()
            gone.cancel()
            self._open.discard(stream)

    async def _watch(self, stream: OpenStream, subscription: AnySubscription) -> None:
        try:
            await self._end_without_token([stream])  # the token may have ended since the request was read
            leave = await self._hub.join(stream, subscription)
        except (StoreUnavailable, NotFound) as error:
            log.warning("a stream could not start", error=str(error))
            return
        try:
            await stream.wait()
        finally:
            leave()

    async def check_tokens(self, changed: Collection[str] | None) -> None:
        """Ends the streams that were opened with a token that is no longer valid.

        Args:
            changed: the ids of the players who may have changed, or `None` if all may have.
        """
        await self._end_without_token(
            [
                stream
                for stream in self._open
                if stream.actor is not None and (changed is None or stream.actor.id in changed)
            ]
        )

    async def _end_without_token(self, streams: Iterable[OpenStream]) -> None:
        actors = {stream: stream.actor for stream in streams if stream.actor is not None}
        if actors:
            present = list(actors.values())
            still = await asyncio.to_thread(lambda: self._players().are_signed_in(present))
            for stream, is_signed_in in zip(actors, still, strict=True):
                if not is_signed_in:
                    stream.end()

    async def send_heartbeats(self) -> None:
        """Sends heartbeats to idle streams if it is time; call it about once a second."""
        now = self._clock()
        if now < self._next_heartbeat:
            return
        self._next_heartbeat = now + self._heartbeat_seconds
        # Only idle streams need one: on others, an unacknowledged event also shows that a client has vanished.
        for stream in self._open:
            if stream.is_idle:
                stream.write(HEARTBEAT)
            stream.is_idle = True

    async def cut_off_slow_clients(self) -> None:
        """Cuts off clients that do not read, because the server buffers their unread bytes without a limit.

        Call it about once a second, before `send_heartbeats`, which marks all streams as idle.
        """
        now = self._clock()
        # A stream without new bytes cannot have become slow, so thousands of quiet ones need no inspection.
        suspects = {stream.client: stream for stream in self._open if stream.slow_since or not stream.is_idle}
        waiting = unsent_bytes(suspects) if suspects else {}
        for client, stream in suspects.items():
            if waiting.get(client, 0) < SLOW_BYTES:
                stream.slow_since = None
            elif stream.slow_since is None:
                stream.slow_since = now
            elif now - stream.slow_since > self._slow_seconds:
                log.info("a slow reader was cut off", unsent=waiting[client])
                # `end` alone would leave the buffer in memory until the client has read it.
                cut_off({client})
                stream.end()

    async def close(self) -> None:
        """Ends all streams and refuses new ones."""
        self._places.close()
        for stream in list(self._open):
            stream.end()
        await self._hub.close()


async def _call_after(event: Callable[[], Awaitable[None]], function: Callable[[], None]) -> None:
    await event()
    function()
