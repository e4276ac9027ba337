"""The CPU time of an action over HTTP, compared with a baseline on the same server; then rates and latencies."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from bench.baseline import BaselineServer, baseline_server
from bench.driver import SEATS
from bench.figures import Bar, Effort, Figure
from bench.load import MAX_ROUNDS, BaselineLoad, Load, Outcome, PlayLoad, QueryLoad, run_load
from bench.service import FSYNC, bench_service
from bench.xadd import Yardstick, xadd_yardstick
from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.settings import Settings

ACTIONS_BAR: Final = Bar(4_000)
COST_BAR: Final = Bar(1.67, is_ceiling=True)

_WARM_UP_SHARE: Final = 0.3
_WATCHERS: Final = 4
_SHARED: Final = "a connection a table"
_APART: Final = "a connection a seat"
_WATCHED: Final = f"a connection a seat, {_WATCHERS} watchers a table"
_LONG: Final = f"a connection a table, {MAX_ROUNDS} rounds"
_SYNCED: Final = "synced to disk before each response"
_BASELINE: Final = "baseline"
QUERIES: Final = {
    "look": "",
    "legal actions": "/legal-actions",
    "look and legal actions in one request": "?include=legal_actions",
}
_ROLES: Final = ("api", "redis", "worker", "jobs", "thinkers", "pushes", "projector")

Measurement = Callable[[], None]


class Samples:
    """The samples of all repetitions, by name."""

    def __init__(self) -> None:
        self._kept: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, name: str, value: float) -> None:
        self._kept[name].append(value)

    def note(self, name: str, outcome: Outcome) -> None:
        """Adds all results of a load."""
        self.add(f"{name} rate", outcome.rate)
        self.add(f"{name} p50", outcome.p50_ms)
        self.add(f"{name} p99", outcome.p99_ms)
        self.add(f"{name} deal", outcome.deal_ms)
        for role, spent in outcome.core_us.items():
            self.add(f"{name} {role}", spent)
        if service := [spent for role, spent in outcome.core_us.items() if role != "client"]:
            self.add(f"{name} service", sum(service))

    def __getitem__(self, name: str) -> tuple[float, ...]:
        return tuple(self._kept[name])


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the CPU time of an action and of a baseline request, then rates and latencies, and the yardsticks."""
    samples, yardstick, most = Samples(), xadd_yardstick(), max(effort.tables)
    with bench_service() as settings, baseline_server(settings) as server:
        measurements = _measurements(settings, server, effort, samples, yardstick)
        for number in range(effort.repeats):
            for measurement in measurements if number % 2 else reversed(measurements):
                measurement()
    yield from _costs(most, samples)
    for tables in effort.tables:
        yield from _speed(tables, samples, bar=ACTIONS_BAR if tables == most else None)
    for name in (_LONG, _APART, _WATCHED, _SYNCED):
        yield _rate(f"{_tables(most)}, {name}", samples[f"{name} rate"])
    yield Figure(
        name=f"{_BASELINE}: Flask, marshmallow, one XADD, {most} connections",
        unit="requests/s",
        samples=samples[f"{_BASELINE} rate"],
    )
    yield Figure(name=f"{_BASELINE}, p99", unit="ms", samples=samples[f"{_BASELINE} p99"])
    yield Figure(name="XADD alone", unit="commands/s", samples=samples["xadd"], note=yardstick.name)


def _measurements(
    settings: Settings, server: BaselineServer, effort: Effort, samples: Samples, yardstick: Yardstick
) -> list[Measurement]:
    """Returns the measurements of each repetition; the baseline is next to the load that is compared with it."""
    *few, most = sorted(effort.tables)
    seconds, warm_up = effort.seconds, _WARM_UP_SHARE * effort.seconds

    def play(tables: int, **more: int) -> PlayLoad:
        return PlayLoad(settings=settings, tables=tables, warm_up=warm_up, seconds=seconds, **more)

    def query(below: str) -> QueryLoad:
        return QueryLoad(settings=settings, below=below, connections=most, warm_up=warm_up, seconds=seconds)

    def measure(name: str, load: Load) -> Measurement:
        return lambda: samples.note(name, run_load(load))

    def measure_synced() -> None:
        with connect(str(settings.redis_url)) as redis:
            redis.config_set("appendfsync", "always")
            samples.note(_SYNCED, run_load(play(most)))
            redis.config_set("appendfsync", FSYNC)

    baseline = BaselineLoad(
        settings=server.settings, server=server.process, connections=most, warm_up=warm_up, seconds=seconds
    )
    return [
        *[measure(_tables(tables), play(tables)) for tables in few],
        measure(_LONG, play(most, rounds=MAX_ROUNDS)),
        measure(_WATCHED, play(most, connections=SEATS, watchers=_WATCHERS)),
        measure(_APART, play(most, connections=SEATS)),
        measure_synced,
        measure(_BASELINE, baseline),
        measure(_tables(most), play(most)),
        lambda: samples.add("xadd", yardstick.measure(settings, seconds)),
        *[measure(name, query(below)) for name, below in QUERIES.items()],
    ]


def _costs(most: int, samples: Samples) -> Iterator[Figure]:
    """Yields CPU times, which depend less than rates on the client and on other processes."""
    action, unit = _tables(most), "core µs/action"
    for name, conditions in ((action, _SHARED), (_LONG, _LONG), (_APART, _APART), (_WATCHED, _WATCHED)):
        if spent := samples[f"{name} service"]:
            yield Figure(name=f"{action}, {conditions}", unit=unit, samples=spent)
    if spent := samples[f"{_BASELINE} service"]:
        yield Figure(name=_BASELINE, unit="core µs/request", samples=spent)
        ratios = _by_pairs(samples[f"{action} service"], spent)
        yield Figure(name=f"{action} ÷ {_BASELINE}, by core µs", unit="", samples=ratios, bar=COST_BAR)
    for role in (*_ROLES, "client"):
        if spent := samples[f"{action} {role}"]:
            yield Figure(name=f"{action}: {role}", unit=unit, samples=spent)
    for role in ("api", "redis", "client"):
        if spent := samples[f"{_BASELINE} {role}"]:
            yield Figure(name=f"{_BASELINE}: {role}", unit="core µs/request", samples=spent)
    for query in QUERIES:
        if spent := samples[f"{query} service"]:
            yield Figure(name=query, unit="core µs/request", samples=spent)


def _speed(tables: int, samples: Samples, *, bar: Bar | None) -> Iterator[Figure]:
    name = _tables(tables)
    yield _rate(name, samples[f"{name} rate"], bar)
    yield Figure(name=f"{name}, p50", unit="ms", samples=samples[f"{name} p50"])
    yield Figure(name=f"{name}, p99", unit="ms", samples=samples[f"{name} p99"])
    yield Figure(name=f"{name}, last action to next deal", unit="ms", samples=samples[f"{name} deal"])


def _tables(tables: int) -> str:
    return "1 table" if tables == 1 else f"{tables} tables"


def _rate(name: str, samples: tuple[float, ...], bar: Bar | None = None) -> Figure:
    return Figure(name=name, unit="actions/s", samples=samples, bar=bar)


def _by_pairs(above: tuple[float, ...], below: tuple[float, ...]) -> tuple[float, ...]:
    return tuple([numerator / denominator for numerator, denominator in zip(above, below, strict=True)])
