"""The delay until the last of many watchers has an event, and the effect of watchers on the rate of play."""

from collections.abc import Iterator
from typing import Final

from bench.figures import Bar, Effort, Figure, quantile
from bench.http import Samples
from bench.load import FanOutLoad, PlayLoad, run_load
from bench.service import bench_service

RATIO_BAR: Final = Bar(0.85)

_PAUSE: Final = 0.05
_WARM_UP_SHARE: Final = 0.3


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the fan-out to the watchers of one table, and the rate of play with and without watchers."""
    samples, tables = Samples(), max(effort.tables)
    with bench_service() as settings:
        for number in range(effort.repeats):
            late = run_load(
                FanOutLoad(settings=settings, watchers=effort.watchers, actions=effort.actions, pause=_PAUSE)
            ).late_ms
            samples.add("p50", quantile(late, 0.5))
            samples.add("p95", quantile(late, 0.95))
            both = (0, effort.watchers // tables)
            for watchers in both if number % 2 else reversed(both):
                load = PlayLoad(
                    settings=settings,
                    tables=tables,
                    watchers=watchers,
                    warm_up=_WARM_UP_SHARE * effort.seconds,
                    seconds=effort.seconds,
                )
                samples.note("watched" if watchers else "alone", run_load(load))
    yield from _figures(effort, samples)


def _figures(effort: Effort, samples: Samples) -> Iterator[Figure]:
    watchers, tables = effort.watchers, max(effort.tables)
    delay = f"from an answer to the last of {watchers} watchers"
    yield Figure(name=f"{delay}, p50", unit="ms", samples=samples["p50"])
    yield Figure(name=f"{delay}, p95", unit="ms", samples=samples["p95"])
    many = f"{tables} tables, {watchers // tables} watchers each"
    yield Figure(name=f"{tables} tables", unit="actions/s", samples=samples["alone rate"])
    yield Figure(name=many, unit="actions/s", samples=samples["watched rate"])
    pairs = zip(samples["watched rate"], samples["alone rate"], strict=True)
    yield Figure(
        name=f"{many} ÷ none",
        unit="",
        samples=tuple([watched / alone for watched, alone in pairs]),
        bar=RATIO_BAR,
    )
