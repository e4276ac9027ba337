"""The projector process: follows the feed with a reader for each projection, the rater and the dispatcher.

A reader acknowledges entries only after it has handled them. So after a kill some are handled again, which changes
nothing. An entry that fails delays no other: it stays unacknowledged, `/metrics` shows its age, and it is tried
again every few seconds.
"""

import os
import signal
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

import structlog

from hoodwink.domain.projections import LOBBY
from hoodwink.service.adapters.process.disk_space import DiskSpace
from hoodwink.service.adapters.process.interpreter import exit_quickly, share_time_finely
from hoodwink.service.adapters.process.log_lines import write_logs
from hoodwink.service.adapters.process.repetitions import Repetitions
from hoodwink.service.application.ports import Clock, Feed, FeedEntry, StoreUnavailable
from hoodwink.service.application.projecting.projecting import GROUPS, RESULTS, group_of
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.application.streams.feed import REACTIONS
from hoodwink.service.application.work.clock_mover import OutageDispatcher
from hoodwink.service.application.work.dispatch import Dispatcher
from hoodwink.service.bootstrap import Service
from hoodwink.service.monitoring.folder import metrics_folder
from hoodwink.service.settings import Settings
from hoodwink.workers.archiver import archive_periodically
from hoodwink.workers.scrubber import scrub_periodically

log = structlog.get_logger(__name__)

JOBS = "jobs"
BATCH = 200
BLOCK_MS = 250  # a reader looks at least this often whether it has to stop
TICK_MS = 250
TRIM_SECONDS = 10.0
TRIMS_PER_TIDYING = 60
GONE_MS = 3_600_000
"""Silence after which a process counts as gone; a task takes at most a minute."""

FORGET_SECONDS = 60.0
MAX_FORGOTTEN = 50
"""Players or imports deleted before a pause, because each costs Redis a few commands."""

JOB_SEARCH_SECONDS = 1
"""Interval of the search for jobs whose workers were lost; new jobs announce themselves."""

CLAIM_IDLE_MS = 5_000
"""Time after which an unacknowledged entry is claimed, because its projector was killed or failed to handle it."""

_PAUSE_SECONDS = 0.5

PROJECTION_INTERVAL_SECONDS = 0.2
DISPATCH_INTERVAL_SECONDS = 0.005
"""Minimum time between reads under load, so that each read serves many commits."""

BUSY_ENTRIES = 5
"""Entries in one read after which the projector waits the whole interval; for fewer it waits in proportion."""

SECONDS_PER_EVENT = 0.001
"""Patience with a void, per earlier event of its rating stream; two busy cores took a quarter of that per table."""

Handle = Callable[[Sequence[FeedEntry]], None]
Beat = Callable[[str, float], None]
"""Records progress of a group, and how many seconds more than usual it may need for the next."""


class Reader:
    """Reads the feed as one consumer group until it is stopped; an entry that fails is tried again."""

    def __init__(
        self,
        *,
        feed: Feed,
        group: str,
        consumer: str,
        handle: Handle,
        clock: Clock,
        interval_seconds: float = 0.0,
    ) -> None:
        self._feed = feed
        self._group = group
        self._consumer = consumer
        self._handle = handle
        self._clock = clock
        self._interval_seconds = interval_seconds

    def run(self, stopping: threading.Event) -> None:
        """Reads, handles and acknowledges until `stopping` is set."""
        claim_at = 0
        while not stopping.is_set():
            try:
                if self._clock.elapsed_ms() >= claim_at:
                    claim_at = self._clock.elapsed_ms() + CLAIM_IDLE_MS
                    self._handle_and_ack(self._claim())
                entries = self._read()
                began = self._clock.elapsed_ms()
                self._handle_and_ack(entries)
                took = (self._clock.elapsed_ms() - began) / 1_000
                # Fewer and larger batches under load: each read, write and acknowledgement costs about the same for
                # any number of entries.
                pause = self._interval_seconds * min(1.0, len(entries) / BUSY_ENTRIES) - took
                if pause > 0:
                    stopping.wait(pause)
            except StoreUnavailable as error:
                log.warning("store unavailable", group=self._group, error=str(error))
                self._rewind(stopping)
            except Exception:
                log.exception("reading failed and will be tried again", group=self._group)
                self._rewind(stopping)

    def _rewind(self, stopping: threading.Event) -> None:
        """Makes the next read begin with the unacknowledged entries, so that none of a failed batch is skipped."""
        self._feed.rewind(group=self._group, consumer=self._consumer)
        stopping.wait(_PAUSE_SECONDS)

    def _read(self) -> list[FeedEntry]:
        return self._feed.read(
            group=self._group,
            consumer=self._consumer,
            partitions=self._feed.partitions,
            count=BATCH,
            block_ms=BLOCK_MS,
        )

    def _claim(self) -> list[FeedEntry]:
        return self._feed.claim(
            group=self._group,
            consumer=self._consumer,
            partitions=self._feed.partitions,
            count=BATCH,
            idle_ms=CLAIM_IDLE_MS,
        )

    def _handle_and_ack(self, entries: list[FeedEntry]) -> None:
        # An empty batch is handled, too: the dispatcher has to look for overdue work even if nothing happens.
        try:
            self._handle(entries)
            handled = entries
        except StoreUnavailable:
            raise
        except Exception:
            # One entry of the batch is at fault. Handled one by one, the others are not delayed by it.
            log.exception("batch failed", group=self._group)
            handled = [entry for entry in entries if self._is_handled(entry)]
        # Only now: an entry that is acknowledged before it is handled would be lost by a kill in between.
        if handled:
            self._feed.ack(self._group, handled)

    def _is_handled(self, entry: FeedEntry) -> bool:
        try:
            self._handle([entry])
        except StoreUnavailable:
            raise
        except Exception:
            stream = f"{entry.stream.category}:{entry.stream.id}"
            log.exception("entry failed", group=self._group, stream=stream, version=entry.version)
            return False
        return True


def dispatching(dispatcher: Dispatcher, clock: Clock) -> Handle:
    """Returns a handler that records the due times of entries and, every `TICK_MS`, sends tasks for due work."""
    tick_at = 0

    def handle(entries: Sequence[FeedEntry]) -> None:
        nonlocal tick_at
        if entries:
            dispatcher.dispatch(entries)
        if clock.elapsed_ms() >= tick_at:
            tick_at = clock.elapsed_ms() + TICK_MS
            dispatcher.tick()

    return handle


def tidy_periodically(feed: Feed, tidy_broker: Callable[[], object], stopping: threading.Event) -> None:
    """Drops acknowledged entries every `TRIM_SECONDS`, and less often the remains of processes that are gone."""
    trims = 0
    while not stopping.wait(TRIM_SECONDS):
        try:
            if trims == 0:
                # A group of an earlier release, which no process reads any more, would keep every entry forever.
                feed.keep(GROUPS)
            feed.trim()
            trims += 1
            if trims % TRIMS_PER_TIDYING == 1:
                feed.forget_consumers(idle_ms=GONE_MS)
                tidy_broker()
        except StoreUnavailable as error:
            log.warning("could not tidy the feed and the broker", error=str(error))
        except Exception:
            log.exception("could not tidy the feed and the broker")


def watch_disk(disk: DiskSpace, stopping: threading.Event) -> None:
    """Logs a warning while little space is left on the data disk, at growing intervals."""
    repetitions = Repetitions()
    while not stopping.wait(TRIM_SECONDS):
        if (warning := disk.warning) and repetitions.is_due("disk"):
            log.warning(warning)


def forget_periodically(what: str, forget: Callable[[], bool], stopping: threading.Event) -> None:
    """Deletes players who never played, or expired imports, a few at a time, every `FORGET_SECONDS`."""
    pause = FORGET_SECONDS
    while not stopping.wait(pause):
        pause = FORGET_SECONDS
        try:
            if forget():
                pause = _PAUSE_SECONDS
        except StoreUnavailable as error:
            log.warning("could not delete old records", what=what, error=str(error))
        except Exception:
            log.exception("could not delete old records", what=what)


def dispatch_jobs(service: Service, stopping: threading.Event, beat: Callable[[], None]) -> None:
    """Sends tasks for jobs as soon as they are queued, and again when a worker was lost."""
    while not stopping.is_set():
        try:
            service.job_store.await_job(JOB_SEARCH_SECONDS)
            service.job_dispatcher.dispatch()
            beat()
        except StoreUnavailable as error:
            log.warning("could not dispatch jobs", error=str(error))
            stopping.wait(_PAUSE_SECONDS)
        except Exception:
            log.exception("could not dispatch jobs")
            stopping.wait(_PAUSE_SECONDS)


def await_store(service: Service, stopping: threading.Event) -> None:
    """Waits until the store answers, which may take a while after a restart, because Redis loads its data first."""
    while not stopping.is_set():
        try:
            service.check_store()
        except StoreUnavailable as error:
            log.warning("store unavailable", error=str(error))
            stopping.wait(_PAUSE_SECONDS)
        else:
            return


def main() -> None:
    """Runs every reader in its own thread until SIGTERM or SIGINT."""
    settings, stopping = Settings.from_environment(os.environ), threading.Event()
    write_logs(settings.log_level, part="projector", style=settings.log_format)
    share_time_finely()  # tasks do not wait for the projections
    exit_quickly()
    service = Service(settings, process="projector")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    with metrics_folder():
        _run(service, stopping)


def _run(service: Service, stopping: threading.Event) -> None:
    # prometheus_client looks up the metrics' folder when it is imported, so import it only after the folder is chosen.
    from hoodwink.service.monitoring.processes import Heartbeats, count_start  # noqa: PLC0415
    from hoodwink.service.monitoring.server import serve_metrics  # noqa: PLC0415

    heartbeats = Heartbeats("projector", (*GROUPS, JOBS))
    count_start("projector")
    serve_metrics(service.settings, lambda _: heartbeats.fault())
    await_store(service, stopping)
    if stopping.is_set():
        return
    threads = [
        threading.Thread(
            target=_reader(service, group, handle).run,
            args=(stopping,),
            name=group,
        )
        for group, handle in handlers_of(service, heartbeats.beat).items()
    ]
    tidy = partial(tidy_periodically, service.feed, partial(_tidy_brokers, service), stopping)
    threads.append(threading.Thread(target=tidy, name="tidy"))
    forget = partial(service.forgetting.forget, count=MAX_FORGOTTEN)
    for what, work in (("players", forget), ("imports", partial(_tidy_imports, service))):
        threads.append(
            threading.Thread(target=forget_periodically, args=(what, work, stopping), name=f"forget {what}")
        )
    threads.append(
        threading.Thread(
            target=dispatch_jobs, args=(service, stopping, partial(heartbeats.beat, JOBS)), name=JOBS
        )
    )
    for name, keep_doing in (("scrub", scrub_periodically), ("archive", archive_periodically)):
        threads.append(threading.Thread(target=keep_doing, args=(service, stopping), name=name))
    disk = partial(watch_disk, service.disk_space, stopping)
    threads.append(threading.Thread(target=disk, name="disk"))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _tidy_imports(service: Service) -> bool:
    return service.import_retention.tidy(count=MAX_FORGOTTEN)


def _tidy_brokers(service: Service) -> None:
    for broker in service.brokers.values():
        broker.tidy(after_seconds=GONE_MS // 1_000)


def handlers_of(service: Service, beat: Beat) -> dict[str, Handle]:
    """Returns the handler of each group. It beats after each turn, and during a long one before each batch of events."""
    projections = defaultdict[str, list[Handle]](list)
    for projector in service.projectors.values():
        group = group_of(projector.projection)
        projector.progressed = _progressing(beat, group)
        projections[group].append(projector.project)
    handlers = {
        REACTIONS: combined(
            dispatching(service.dispatcher, service.clock), _watching(service.outage_dispatcher)
        ),
        RATER: combined(
            service.rater.rate,
            *projections[RATER],
            _telling("players", service.call_watch.watch),
            _telling("webhooks", service.webhook_watch.watch),
        ),
        LOBBY.name: combined(*projections[LOBBY.name]),
        RESULTS: independent(*projections[RESULTS]),
    }
    return {group: combined(handle, _beating(beat, group)) for group, handle in handlers.items()}


def _telling(whom: str, watch: Handle) -> Handle:
    def watch_entries(entries: Sequence[FeedEntry]) -> None:
        try:
            watch(entries)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("could not look for calls", whom=whom)  # ratings must not wait for pushes

    return watch_entries


def _watching(outages: OutageDispatcher) -> Handle:
    return lambda _: outages.tick()


def _beating(beat: Beat, group: str) -> Handle:
    return lambda _: beat(group, 0)


def _progressing(beat: Beat, group: str) -> Callable[[int], None]:
    return lambda known: beat(group, known * SECONDS_PER_EVENT)


def combined(*handles: Handle) -> Handle:
    """Returns a handler that passes the entries to several handlers in order."""

    def handle_all(entries: Sequence[FeedEntry]) -> None:
        for handle in handles:
            handle(entries)

    return handle_all


def independent(*handles: Handle) -> Handle:
    """Returns a handler that passes the entries to several handlers; a fault in one keeps them from none of the others."""

    def handle_each(entries: Sequence[FeedEntry]) -> None:
        faults = list[Exception]()
        for handle in handles:
            try:
                handle(entries)
            except StoreUnavailable:
                raise
            except Exception as fault:  # noqa: BLE001 - raised below, so that the entries are tried again
                faults.append(fault)
        if faults:
            raise faults[0]

    return handle_each


def _reader(service: Service, group: str, handle: Handle) -> Reader:
    return Reader(
        feed=service.feed,
        group=group,
        consumer=socket.gethostname(),  # the same after a restart, so that it gets its unacknowledged entries again
        handle=handle,
        clock=service.clock,
        interval_seconds=DISPATCH_INTERVAL_SECONDS if group == REACTIONS else PROJECTION_INTERVAL_SECONDS,
    )
