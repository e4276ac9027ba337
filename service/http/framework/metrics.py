"""The API's metrics."""

from functools import cache
from time import perf_counter
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import AppendResult, Commit, Conflict, EventStore

REQUESTS: Final = Counter(
    "hoodwink_http_requests", "Requests, by operation and status.", ["operation", "status"]
)
CONFLICTS: Final = Counter(
    "hoodwink_append_conflicts", "Appends rejected because another process appended first."
)
LATENCY: Final = Histogram(
    "hoodwink_action_seconds",
    "Seconds to answer an action, by outcome.",
    ["outcome"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
LIMITED: Final = Counter("hoodwink_limited", "Requests rejected by a limit.", ["limit"])
# Without `_total`, which only the samples of a counter have.
FOR_OPERATORS: Final = frozenset(
    {"hoodwink_http_requests", "hoodwink_append_conflicts", "hoodwink_action_seconds", "hoodwink_limited"}
)
"""The metrics that only operators may see.

On a quiet service they would reveal that somebody's action was refused, which nobody else may know (CO-36).
"""

STREAMS: Final = Gauge(
    "hoodwink_event_streams",
    "Open event streams, by follower: players from their seats, other players, or anonymous.",
    ["follower"],
    multiprocess_mode="livesum",  # the streams of a process that was killed are gone
)
IDLE_CUT_OFF: Final = Counter(
    "hoodwink_idle_connections_cut_off", "Idle connections closed because there were too many."
)


class MeteredStore:
    """An event store that counts conflicts."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        # Bound methods, so that only `append` costs another call.
        self.read = store.read
        self.version = store.version
        self.known = store.known
        self.confirm = store.confirm
        self.confirm_all = store.confirm_all
        self.streams = store.streams

    def append(self, commit: Commit) -> AppendResult:
        answer = self._store.append(commit)
        if isinstance(answer, Conflict):
            CONFLICTS.inc()
        return answer


@cache  # `labels` takes a lock and builds a key each time
def _actions(outcome: str) -> Histogram:
    return LATENCY.labels(outcome)


def count_action(outcome: str, started: float) -> None:
    """Counts an action and its duration since `started`, a reading of `perf_counter`."""
    _actions(outcome).observe(perf_counter() - started)


@cache
def _requests(operation: str, status: int) -> Counter:
    return REQUESTS.labels(operation, str(status))


def count_request(operation: str, status: int) -> None:
    _requests(operation, status).inc()


@cache
def _limited(limit: Limit) -> Counter:
    return LIMITED.labels(limit)


def count_limited(limit: Limit) -> None:
    _limited(limit).inc()
