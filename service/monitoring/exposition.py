"""All metrics in the format of Prometheus."""

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
    """What all processes of this machine have counted, and what the stores tell. Safe to share between threads."""

    def __init__(self, service: Service, *, hidden: Collection[str] = ()) -> None:
        """Takes the parts with which to ask the stores, and the names of the metrics to leave out."""
        self._registry = CollectorRegistry()
        self._registry.register(_Counted(hidden))
        self._registry.register(_Build())
        self._registry.register(_Bounds(service.settings.bounds))
        self._registry.register(StoredMetrics(service))

    def text(self) -> bytes:
        """Returns the metrics; what the stores told a moment ago is not asked again."""
        return generate_latest(self._registry)


class _Counted(Collector):
    """Reports what processes counted."""

    def __init__(self, hidden: Collection[str]) -> None:
        self._hidden = hidden

    def describe(self) -> tuple[()]:
        return ()

    def collect(self) -> Iterator[Metric]:
        folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        counted = MultiProcessCollector(None, folder) if folder else REGISTRY  # type: ignore[no-untyped-call]
        with fold_metrics(Path(folder)) if folder else nullcontext():
            yield from [metric for metric in counted.collect() if metric.name not in self._hidden]


class _Build(Collector):
    """Reports the release."""

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily(
            "hoodwink_build_info", "The release that runs; always 1.", labels=["version"]
        )
        family.add_metric([version("hoodwink")], 1)
        yield family


class _Bounds(Collector):
    """Reports the bounds that the settings specify."""

    def __init__(self, bounds: Mapping[Limit, Bound]) -> None:
        self._bounds = bounds

    def collect(self) -> Iterator[Metric]:
        gauge = GaugeMetricFamily(
            "hoodwink_limit",
            "The limits that are in force: a number per period in seconds, or at the same time.",
            labels=["limit", "seconds"],
        )
        for limit, bound in self._bounds.items():
            count, seconds = (bound.count, str(bound.seconds)) if isinstance(bound, Rate) else (bound, "")
            gauge.add_metric([limit, seconds], count)
        yield gauge
