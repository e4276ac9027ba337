"""The delay until the last of many watchers has an event, and what watchers cost those who play."""

from collections.abc import Iterator
from typing import Final

from bench.figures import Bar, Effort, Figure, quantile
from bench.http import Samples
from bench.load import MAX_ROUNDS, FanOutLoad, PlayLoad, run_load
from bench.service import bench_service
from hoodwink.service.settings import Settings

RATIO_BAR: Final = Bar(0.85)
COST_BAR: Final = Bar(20, is_ceiling=True)
CROWD_BAR: Final = Bar(250, is_ceiling=True)
RECONNECTING_BAR: Final = Bar(200, is_ceiling=True)

_PAUSE: Final = 0.05
_CROWDED_PAUSE: Final = 0.5
_WARM_UP_SHARE: Final = 0.3


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the fan-out to watchers, and the rate, cost and latency of play with and without them."""
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
                    rounds=MAX_ROUNDS,  # or a third of the cost would be that of opening the streams
                    warm_up=_WARM_UP_SHARE * effort.seconds,
                    seconds=effort.seconds,
                )
                samples.note("watched" if watchers else "alone", run_load(load))
            _measure_crowds(settings, effort, samples)
    yield from _figures(effort, samples)


def _measure_crowds(settings: Settings, effort: Effort, samples: Samples) -> None:
    tables = max(effort.tables)

    def crowd(watchers: int, reconnecting: int) -> FanOutLoad:
        return FanOutLoad(
            settings=settings,
            watchers=watchers,
            actions=effort.actions * 5,
            pause=_CROWDED_PAUSE,
            tables=tables,
            reconnecting=reconnecting,
        )

    samples.add("crowd", quantile(run_load(crowd(effort.crowd // tables, 0)).late_ms, 0.95))
    samples.add("reconnecting", run_load(crowd(0, effort.reconnecting)).worst_ms)


def _figures(effort: Effort, samples: Samples) -> Iterator[Figure]:
    watchers, tables = effort.watchers, max(effort.tables)
    delay = f"from a response to the last of {watchers} watchers"
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
    costs = zip(samples["watched service"], samples["alone service"], strict=True)
    if differences := tuple([watched - alone for watched, alone in costs]):
        yield Figure(name=f"{many}, cost", unit="core µs/action", samples=differences, bar=COST_BAR)
    yield Figure(
        name=f"{effort.crowd} watchers of {tables} tables, {tables / _CROWDED_PAUSE:.0f} actions/s, p95",
        unit="ms",
        samples=samples["crowd"],
        bar=CROWD_BAR,
    )
    yield Figure(
        name=f"{effort.reconnecting} watchers reconnect at once, slowest action",
        unit="ms",
        samples=samples["reconnecting"],
        bar=RECONNECTING_BAR,
    )
