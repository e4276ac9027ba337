"""Metrics that no process counts. They are read from the stores on request."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import RedisError, ResponseError

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import STATISTICS, phase_counter
from hoodwink.domain.tables.state import Phase
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.tasks.broker import TASK_KEYS
from hoodwink.service.application.commands.import_shelf import Reason
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.projecting.projecting import lags
from hoodwink.service.bootstrap import Service

Samples: TypeAlias = Iterable[tuple[tuple[str, ...], float]]
"""Label values, and the metric's value."""


class _Reading(NamedTuple):
    """A figure of `INFO`, and how to read it."""

    name: str
    meaning: str
    section: str
    field: str


_READINGS: Final = (
    _Reading("memory_used_bytes", "Memory used by Redis for its data.", "memory", "used_memory"),
    _Reading("memory_peak_bytes", "Peak of that memory.", "memory", "used_memory_peak"),
    _Reading("memory_max_bytes", "Limit of that memory; 0 for no limit.", "memory", "maxmemory"),
    _Reading(
        "memory_fragmentation_ratio",
        "Memory that Redis takes from the system, divided by the memory of its data.",
        "memory",
        "mem_fragmentation_ratio",
    ),
    _Reading("aof_enabled", "1 if Redis keeps an append-only file.", "persistence", "aof_enabled"),
    _Reading("aof_last_write_ok", "1 if its last write succeeded.", "persistence", "aof_last_write_status"),
    _Reading(
        "aof_last_rewrite_ok", "1 if its last rewrite succeeded.", "persistence", "aof_last_bgrewrite_status"
    ),
    _Reading(
        "aof_pending_fsyncs", "Syncs that have not started yet.", "persistence", "aof_pending_bio_fsync"
    ),
    _Reading("aof_delayed_fsyncs", "Syncs that delayed a write.", "persistence", "aof_delayed_fsync"),
    _Reading("last_save_ok", "1 if the last snapshot succeeded.", "persistence", "rdb_last_bgsave_status"),
    _Reading(
        "last_save_seconds",
        "When a snapshot last succeeded, as a Unix time.",
        "persistence",
        "rdb_last_save_time",
    ),
    _Reading("replicas", "Connected replicas.", "replication", "connected_slaves"),
    _Reading("uptime_seconds", "Seconds since Redis was started.", "server", "uptime_in_seconds"),
)
_PROCESSES: Final = ("api", "worker", "jobs", "thinkers", "pushes", "projector")
_SECTIONS: Final = sorted({reading.section for reading in _READINGS})


KEPT_SECONDS: Final = 2.0
"""Anybody can request the metrics if the API serves them, and GET requests have no limit, so readings are reused."""


class StoredMetrics(Collector):
    """Reads the metrics of the store, the broker and Redis itself. Scrapes within `KEPT_SECONDS` share a reading."""

    def __init__(self, service: Service, clock: Callable[[], float] = time.monotonic) -> None:
        self._service = service
        self._clock = clock
        self._lock = Lock()
        self._kept: tuple[Metric, ...] = ()
        self._kept_until = -inf

    def collect(self) -> Iterable[Metric]:
        """Returns the metrics. If a store does not answer, its own are missing."""
        with self._lock:  # the first of several simultaneous scrapes reads, and the others wait for it
            if self._clock() >= self._kept_until:
                self._kept = tuple(self._read())
                # From the end of the reading, or scrapes would keep a slow Redis busy.
                self._kept_until = self._clock() + KEPT_SECONDS
            return self._kept

    def _read(self) -> Iterator[Metric]:
        up = dict.fromkeys(("events", "broker"), 1)
        for store, read in (("events", self._from_store), ("broker", self._from_broker)):
            try:
                yield from read()
            except (StoreUnavailable, RedisError):
                up[store] = 0  # a failed scrape would hide the metrics that matter during an outage
        meaning = "1 if the Redis with the events, or the one with the tasks, answers."
        yield _gauge(
            "hoodwink_store_up", meaning, ("store",), [((store,), is_up) for store, is_up in up.items()]
        )

    def _from_store(self) -> Iterator[Metric]:
        yield from _feed(self._service)
        yield from _due(self._service)
        yield from _imports(self._service)
        yield _tables(self._service)
        yield from _jobs(self._service)
        yield _vanished(self._service.rollbacks.counts())
        yield from _redis(_nodes(self._service.client))
        if (free := self._service.disk_space.free) is not None:
            meaning = "Free space on the disk with the data of the embedded Redis."
            yield _gauge("hoodwink_disk_free_bytes", meaning, (), [((), free)])

    def _from_broker(self) -> Iterator[Metric]:
        waiting = [
            ((str(priority),), count)
            for priority, count in self._service.brokers[TASK_KEYS].waiting().items()
        ]
        yield _gauge("hoodwink_tasks_waiting", "Tasks that no worker has taken yet.", ("priority",), waiting)


def _gauge(name: str, meaning: str, labels: Iterable[str], samples: Samples) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=tuple(labels))
    for values, value in samples:
        family.add_metric(values, value)
    return family


def _feed(service: Service) -> Iterator[Metric]:
    found = lags(service.feed)
    yield _gauge(
        "hoodwink_feed_lag_entries",
        "Commits that a reader of the feed has not processed yet.",
        ("group",),
        [((group,), lag.entries) for group, lag in found.items()],
    )
    yield _gauge(
        "hoodwink_feed_lag_seconds",
        "Age of the oldest of these commits; it grows if the reader stalls.",
        ("group",),
        [((group,), lag.age_ms / 1000) for group, lag in found.items()],
    )


def _due(service: Service) -> Iterator[Metric]:
    now = service.clock.now_ms()
    backlogs = service.due_times.backlogs(now)
    yield _gauge(
        "hoodwink_due_recorded",
        "Tables and tournaments with a due time, by kind of work; work at tables without people has the kind bots.",
        ("kind",),
        [((kind,), backlog.recorded) for kind, backlog in backlogs.items()],
    )
    yield _gauge(
        "hoodwink_due",
        "Tables and tournaments whose due time has come.",
        ("kind",),
        [((kind,), backlog.due) for kind, backlog in backlogs.items()],
    )
    yield _gauge(
        "hoodwink_due_oldest_seconds",
        "How long the oldest of these has been due; it grows if no worker does the work. Bots wait for all other work.",
        ("kind",),
        [((kind,), _age(backlog.oldest, now)) for kind, backlog in backlogs.items()],
    )


def _jobs(service: Service) -> Iterator[Metric]:
    store = service.job_store
    yield _gauge("hoodwink_jobs_unended", "Waiting and running jobs.", (), [((), store.unended())])
    meaning = "Bytes of the inputs and outcomes of all jobs in Redis."
    yield _gauge("hoodwink_jobs_bytes", meaning, (), [((), store.bytes_held())])


def _imports(service: Service) -> Iterator[Metric]:
    found = service.import_retention.figures()
    yield _gauge("hoodwink_imports", "Imported logs.", (), [((), found.imports)])
    yield _gauge("hoodwink_imports_bytes", "Bytes of all imported logs.", (), [((), found.size)])
    limit, meaning = service.settings.imports_megabytes << 20, "Limit of the bytes of all imported logs."
    yield _gauge("hoodwink_imports_bytes_max", meaning, (), [((), limit)])
    removed = CounterMetricFamily("hoodwink_imports_removed", "Removed imported logs.", labels=["reason"])
    for reason in Reason:  # all of them, from zero; see `_vanished`
        removed.add_metric([reason], found.removed.get(reason, 0))
    yield removed


def _age(since: int | None, now: int) -> float:
    return 0.0 if since is None else (now - since) / 1000


def _tables(service: Service) -> Metric:
    # From the projection: counting the tables themselves would read every stream.
    counted = [(game, phase) for game in GAMES for phase in Phase]
    names = [phase_counter(game, phase) for game, phase in counted]
    counters = service.projection_store.counters(STATISTICS.name, names)
    return _gauge(
        "hoodwink_tables",
        "Tables in each phase.",
        ("game", "phase"),
        [((game, str(phase)), count) for (game, phase), count in zip(counted, counters, strict=True)],
    )


def _vanished(vanished: Mapping[str, int]) -> Metric:
    counter = CounterMetricFamily(
        "hoodwink_vanished_events",
        "Events that processes remembered and the store no longer had, counted by each process that noticed; "
        "not the number of events lost.",
        labels=["process"],
    )
    # From zero: Prometheus sees no increase in a counter that first appears with the value 1.
    for process, events in (dict.fromkeys(_PROCESSES, 0) | dict(vanished)).items():
        counter.add_metric([process], events)
    return counter


def _nodes(client: Client) -> Mapping[str, Redis]:
    """Returns a client for each server, by its name in the metrics."""
    if not isinstance(client, RedisCluster):
        return {"events": client}
    primaries: Any = client.get_primaries()  # type: ignore[no-untyped-call]
    return {node.name: client.get_redis_connection(node) for node in primaries}


def _redis(nodes: Mapping[str, Redis]) -> Iterator[Metric]:
    found = {name: _info(node) for name, node in nodes.items()}
    for reading in _READINGS:
        samples = [
            ((name,), _number(info[reading.field])) for name, info in found.items() if reading.field in info
        ]
        yield _gauge(f"hoodwink_redis_{reading.name}", reading.meaning, ("node",), samples)


def _info(node: Any) -> Mapping[str, Any]:
    try:
        return {name: value for section in _SECTIONS for name, value in node.info(section).items()}
    except ResponseError:  # hosted servers may forbid `INFO`
        return {}


def _number(value: Any) -> float:
    """Returns a number from `INFO`, with 1 for `ok` and 0 for any other word."""
    return float(value == "ok") if isinstance(value, str) else float(value)
