"""All metrics in the Prometheus format."""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from hoodwink.service.application.limits import Bound, Limit, Rate
from hoodwink.service.bootstrap import Service
from hoodwink.service.monitoring.folding import fold_metrics
from hoodwink.service.monitoring.stored import StoredMetrics

METRICS_TYPE: Final = "text/plain"


class Exposition:
    """The counts of all processes of this machine, and the figures of the stores. Safe to share between threads."""

    def __init__(self, service: Service, *, hidden: Collection[str] = ()) -> None:
        """Takes the service whose stores are read, and the names of metrics to leave out."""
        # Not the library's registry, which only has the counts of this process.
        self._registry = CollectorRegistry()
        self._registry.register(_Counted(hidden))
        self._registry.register(_Build())
        self._registry.register(_Bounds(service.settings.bounds))
        self._registry.register(StoredMetrics(service))

    def text(self) -> bytes:
        """Returns the metrics. Figures of the stores may be `KEPT_SECONDS` old."""
        return generate_latest(self._registry)


class _Counted(Collector):
    def __init__(self, hidden: Collection[str]) -> None:
        self._hidden = hidden

    def collect(self) -> Iterator[Metric]:
        folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        # Without the folder there is only this process, which counts in the registry of the library.
        counted = MultiProcessCollector(None, folder) if folder else REGISTRY  # type: ignore[no-untyped-call]
        # Under the lock of the folding: a file folded during the collection would be counted twice or not at all.
        with fold_metrics(Path(folder)) if folder else nullcontext():
            yield from [metric for metric in counted.collect() if metric.name not in self._hidden]


class _Build(Collector):
    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily(
            "hoodwink_build_info", "The release that runs; always 1.", labels=["version"]
        )
        family.add_metric([version("hoodwink")], 1)
        yield family


class _Bounds(Collector):
    def __init__(self, bounds: Mapping[Limit, Bound]) -> None:
        self._bounds = bounds

    def collect(self) -> Iterator[Metric]:
        gauge = GaugeMetricFamily(
            "hoodwink_limit",
            "Limits in force: a count per period in seconds, or of simultaneous uses.",
            labels=["limit", "seconds"],
        )
        for limit, bound in self._bounds.items():
            count, seconds = (bound.count, str(bound.seconds)) if isinstance(bound, Rate) else (bound, "")
            gauge.add_metric([limit, seconds], count)
        yield gauge
