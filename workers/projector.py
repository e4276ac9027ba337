"""The process that follows the feed: projections, the rater and the dispatch of work, as readers of their own.

A reader acknowledges what it has carried out and nothing before, so a killed projector repeats
itself; what it repeats changes nothing. An entry that fails holds up nobody but itself: it stays
unacknowledged, where `/metrics` shows it growing old, and is tried again every few seconds.
"""

import os
import signal
import socket
import threading
from collections.abc import Callable, Sequence

import structlog

from service.adapters.log_lines import write_logs
from service.application.dispatch import GROUP, Dispatcher
from service.application.ports import Clock, Feed, FeedEntry, StoreUnavailable
from service.application.projecting import GROUPS
from service.application.rating import RATER
from service.bootstrap import Service
from service.settings import Settings

log = structlog.get_logger(__name__)

BATCH = 200
BLOCK_MS = 250
TICK_MS = 250
TRIM_SECONDS = 10.0
CLAIM_IDLE_MS = 5_000
"""What nobody acknowledged for so long is taken over: from a projector that is gone, or as failed before."""

_PAUSE_SECONDS = 0.5

PROJECTION_REST_SECONDS = 0.2
DISPATCH_REST_SECONDS = 0.025
"""How long a reader takes over a read that brought much, at least: under load the next then serves many commits."""

MUCH = 5
"""So many entries are much; fewer take less in proportion."""

Handle = Callable[[Sequence[FeedEntry]], None]


class Reader:
    """Follows the feed as one group until told to stop; whatever fails is tried again."""

    def __init__(
        self,
        *,
        feed: Feed,
        group: str,
        consumer: str,
        handle: Handle,
        clock: Clock,
        rest_seconds: float = 0.0,
    ) -> None:
        self._feed = feed
        self._group = group
        self._consumer = consumer
        self._handle = handle
        self._clock = clock
        self._rest_seconds = rest_seconds

    def run(self, stopping: threading.Event) -> None:
        """Reads, handles and acknowledges until `stopping` is set."""
        claim_at = 0
        while not stopping.is_set():
            try:
                if self._clock.elapsed_ms() >= claim_at:
                    claim_at = self._clock.elapsed_ms() + CLAIM_IDLE_MS
                    self._take(self._claimed())
                entries = self._new()
                began = self._clock.elapsed_ms()
                taken = self._take(entries)
                took = (self._clock.elapsed_ms() - began) / 1_000
                rest = self._rest_seconds * min(1.0, taken / MUCH) - took
                if rest > 0:
                    stopping.wait(rest)
            except StoreUnavailable as error:
                log.warning("store unavailable", group=self._group, error=str(error))
                self._begin_again(stopping)
            except Exception:
                log.exception("reading failed and will be tried again", group=self._group)
                self._begin_again(stopping)

    def _begin_again(self, stopping: threading.Event) -> None:
        self._feed.rewind(group=self._group, consumer=self._consumer)
        stopping.wait(_PAUSE_SECONDS)

    def _new(self) -> list[FeedEntry]:
        return self._feed.read(
            group=self._group,
            consumer=self._consumer,
            partitions=self._feed.partitions,
            count=BATCH,
            block_ms=BLOCK_MS,
        )

    def _claimed(self) -> list[FeedEntry]:
        return self._feed.claim(
            group=self._group,
            consumer=self._consumer,
            partitions=self._feed.partitions,
            count=BATCH,
            idle_ms=CLAIM_IDLE_MS,
        )

    def _take(self, entries: list[FeedEntry]) -> int:
        try:
            self._handle(entries)
            done = entries
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("batch failed", group=self._group)
            done = [entry for entry in entries if self._has_handled(entry)]
        if done:
            self._feed.ack(self._group, done)
        return len(entries)

    def _has_handled(self, entry: FeedEntry) -> bool:
        try:
            self._handle([entry])
        except StoreUnavailable:
            raise
        except Exception:
            place = f"{entry.stream.category}:{entry.stream.id}"
            log.exception("entry failed", group=self._group, stream=place, version=entry.version)
            return False
        return True


def dispatching(dispatcher: Dispatcher, clock: Clock) -> Handle:
    """Returns a handler that notes what is due, and now and then looks for what is overdue."""
    tick_at = 0

    def handle(entries: Sequence[FeedEntry]) -> None:
        nonlocal tick_at
        if entries:
            dispatcher.note(entries)
        if clock.elapsed_ms() >= tick_at:
            tick_at = clock.elapsed_ms() + TICK_MS
            dispatcher.tick()

    return handle


def trim_for_ever(feed: Feed, stopping: threading.Event) -> None:
    """Drops what every group has acknowledged, every few seconds, and first the groups of an earlier release."""
    is_first = True
    while not stopping.wait(TRIM_SECONDS):
        try:
            if is_first:
                feed.keep(GROUPS)
            feed.trim()
            is_first = False
        except StoreUnavailable as error:
            log.warning("could not trim the feed", error=str(error))
        except Exception:
            log.exception("could not trim the feed")


def await_store(service: Service, stopping: threading.Event) -> None:
    """Returns when the store answers; one that was killed loads its data first, which takes a while."""
    while not stopping.is_set():
        try:
            service.check_store()
        except StoreUnavailable as error:
            log.warning("store unavailable", error=str(error))
            stopping.wait(_PAUSE_SECONDS)
        else:
            return


def main() -> None:
    """Runs every reader in a thread until SIGTERM or SIGINT."""
    settings, stopping = Settings.from_environment(os.environ), threading.Event()
    write_logs(settings.log_level)
    service = Service(settings, process="projector")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    await_store(service, stopping)
    if stopping.is_set():
        return
    handlers = handlers_of(service)
    threads = [
        threading.Thread(target=_reader(service, group, handle).run, args=(stopping,), name=group)
        for group, handle in handlers.items()
    ]
    threads.append(threading.Thread(target=trim_for_ever, args=(service.feed, stopping), name="trim"))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def handlers_of(service: Service) -> dict[str, Handle]:
    """Returns what each group does with its entries."""
    projects = {name: one.project for name, one in service.projectors.items()}
    shared = [project for name, project in projects.items() if name not in GROUPS]
    return {
        GROUP: dispatching(service.dispatcher, service.clock),
        RATER: in_turn(service.rater.note, *shared),
        **{name: project for name, project in projects.items() if name in GROUPS},
    }


def in_turn(*handles: Handle) -> Handle:
    """Returns a handler that hands the entries to several."""

    def handle(entries: Sequence[FeedEntry]) -> None:
        for each in handles:
            each(entries)

    return handle


def _reader(service: Service, group: str, handle: Handle) -> Reader:
    rest = DISPATCH_REST_SECONDS if group == GROUP else PROJECTION_REST_SECONDS
    return Reader(
        feed=service.feed,
        group=group,
        consumer=socket.gethostname(),
        handle=handle,
        clock=service.clock,
        rest_seconds=rest,
    )


if __name__ == "__main__":
    main()
