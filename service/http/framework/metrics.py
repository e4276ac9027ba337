"""The API's metrics, added up over all its processes in the folder `PROMETHEUS_MULTIPROC_DIR`."""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from time import perf_counter
from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.application.limits import Bound, Limit, Rate
from service.application.ports import AppendResult, Commit, Conflict, EventStore, Lag

METRICS_TYPE: Final = "text/plain"

REQUESTS: Final = Counter(
    "hoodwink_http_requests", "Requests answered, by operation and status.", ["operation", "status"]
)
CONFLICTS: Final = Counter("hoodwink_append_conflicts", "Appends refused because another was faster.")
LATENCY: Final = Histogram(
    "hoodwink_action_seconds",
    "Time to answer an action that a seat asked for, by what came of it.",
    ["outcome"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
LIMITED: Final = Counter("hoodwink_limited", "Requests refused because they were beyond a limit.", ["limit"])
STREAMS: Final = Gauge(
    "hoodwink_event_streams",
    "Streams of events being sent, by who follows: seated players, also their own news, signed-in ones, or anonymous.",
    ["follower"],
    multiprocess_mode="livesum",
)
IDLE_CUT_OFF: Final = Counter(
    "hoodwink_idle_connections_cut_off", "Connections without a request that were cut off, beyond a bound."
)


class MeteredStore:
    """An event store that counts conflicts."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.read = store.read
        self.version = store.version
        self.known = store.known
        self.streams = store.streams

    def append(self, commit: Commit) -> AppendResult:
        """Stores a commit; see `EventStore`."""
        answer = self._store.append(commit)
        if isinstance(answer, Conflict):
            CONFLICTS.inc()
        return answer


@cache
def _actions(outcome: str) -> Histogram:
    return LATENCY.labels(outcome)


def count_action(outcome: str, started: float) -> None:
    """Counts an action and its duration since `started`, a reading of `perf_counter`."""
    _actions(outcome).observe(perf_counter() - started)


@cache
def _requests(operation: str, status: int) -> Counter:
    return REQUESTS.labels(operation, str(status))


def count_request(operation: str, status: int) -> None:
    """Counts a request that was answered."""
    _requests(operation, status).inc()


@cache
def _limited(limit: Limit) -> Counter:
    return LIMITED.labels(limit)


def count_limited(limit: Limit) -> None:
    """Counts a request that was beyond a limit."""
    _limited(limit).inc()


def exposition(lags: Mapping[str, Lag], vanished: Mapping[str, int]) -> bytes:
    """Returns all metrics in the format of Prometheus.

    Args:
        lags: the lag of each reader of the feed.
        vanished: for each kind of process, the number of events it remembered that the store no longer had.
    """
    return _counted() + generate_latest(_Lags(lags)) + generate_latest(_Vanished(vanished))


def exposition_of(bounds: Mapping[Limit, Bound]) -> bytes:
    """Returns the bounds of limits in the format of Prometheus."""
    return generate_latest(_Bounds(bounds))


def _counted() -> bytes:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


class _Lags(Collector):
    """Reports the present lag of the feed's readers, which no process counts."""

    def __init__(self, lags: Mapping[str, Lag]) -> None:
        self._lags = lags

    def collect(self) -> Iterator[Metric]:
        entries = GaugeMetricFamily(
            "hoodwink_feed_lag_entries",
            "Commits that a reader of the feed has not processed yet.",
            labels=["group"],
        )
        age = GaugeMetricFamily(
            "hoodwink_feed_lag_seconds",
            "Age of the oldest of these commits; it grows if the reader stalls.",
            labels=["group"],
        )
        for group, lag in self._lags.items():
            entries.add_metric([group], lag.entries)
            age.add_metric([group], lag.age_ms / 1000)
        yield entries
        yield age


class _Vanished(Collector):
    """Reports the vanished events that all processes, also those of other machines, have counted in the store."""

    def __init__(self, vanished: Mapping[str, int]) -> None:
        self._vanished = vanished

    def collect(self) -> Iterator[Metric]:
        counter = CounterMetricFamily(
            "hoodwink_vanished_events",
            "Events that processes remembered and the store no longer had, counted by each process that noticed; "
            "not the number of events lost.",
            labels=["process"],
        )
        for process, events in self._vanished.items():
            counter.add_metric([process], events)
        yield counter


class _Bounds(Collector):
    """Reports the bounds that the settings specify."""

    def __init__(self, bounds: Mapping[Limit, Bound]) -> None:
        self._bounds = bounds

    def collect(self) -> Iterator[Metric]:
        gauge = GaugeMetricFamily(
            "hoodwink_limit",
            "The bounds of the limits that are not lifted: so many in so many seconds, or at the same time.",
            labels=["limit", "seconds"],
        )
        for limit, bound in self._bounds.items():
            count, seconds = (bound.count, str(bound.seconds)) if isinstance(bound, Rate) else (bound, "")
            gauge.add_metric([limit, seconds], count)
        yield gauge
