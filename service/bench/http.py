"""The core time of an action over HTTP, compared with a baseline on the same server; then rates and latencies."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from service.adapters.connection import connect
from service.bench.bench_service import FSYNC, bench_service
from service.bench.driver import SEATS
from service.bench.figures import Bar, Effort, Figure
from service.bench.load import MANY_ROUNDS, BaselineLoad, Outcome, PlayLoad, QuestionLoad, run_load
from service.bench.xadd import Yardstick, xadd_yardstick
from service.settings import Settings

ACTIONS_BAR: Final = Bar(4_000)
COST_BAR: Final = Bar(1.67, is_ceiling=True)

_WARM_UP_SHARE: Final = 0.3
_WATCHERS: Final = 4
_SHARED: Final = "a connection a table"
_APART: Final = "a connection a seat"
_WATCHED: Final = f"a connection a seat, {_WATCHERS} watchers a table"
_LONG: Final = f"a connection a table, {MANY_ROUNDS} rounds"
_SYNCED: Final = "synced to the disk before each answer"
_BASELINE: Final = "baseline"
QUESTIONS: Final = {
    "look": "",
    "legal actions": "/legal-actions",
    "look and legal actions in one request": "?include=legal_actions",
}
_ROLES: Final = ("api", "redis", "worker", "projector")

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
    """Yields the core time of an action and of a baseline request, then rates and latencies, and the yardsticks."""
    samples, yardstick, most = Samples(), xadd_yardstick(), max(effort.tables)
    with bench_service() as settings:
        measurements = _measurements(settings, effort, samples, yardstick)
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
    settings: Settings, effort: Effort, samples: Samples, yardstick: Yardstick
) -> list[Measurement]:
    """Returns the measurements of each repetition; the baseline is next to the load that is compared with it."""
    warm_up = _WARM_UP_SHARE * effort.seconds

    def played(tables: int, name: str, **more: int) -> Measurement:
        load = PlayLoad(
            settings=settings,
            tables=tables,
            warm_up=warm_up,
            seconds=effort.seconds,
            **more,
        )
        return lambda: samples.note(name, run_load(load))

    def synced() -> None:
        with connect(str(settings.redis_url)) as redis:
            redis.config_set("appendfsync", "always")
            played(most, _SYNCED)()
            redis.config_set("appendfsync", FSYNC)

    def baseline() -> None:
        load = BaselineLoad(settings=settings, connections=most, warm_up=warm_up, seconds=effort.seconds)
        samples.note(_BASELINE, run_load(load))

    def asked(name: str, below: str) -> Measurement:
        load = QuestionLoad(
            settings=settings, below=below, connections=most, warm_up=warm_up, seconds=effort.seconds
        )
        return lambda: samples.note(name, run_load(load))

    def xadd() -> None:
        samples.add("xadd", yardstick.measure(settings, effort.seconds))

    *few, most = sorted(effort.tables)
    return [
        *[played(tables, _tables(tables)) for tables in few],
        played(most, _LONG, rounds=MANY_ROUNDS),
        played(most, _WATCHED, connections=SEATS, watchers=_WATCHERS),
        played(most, _APART, connections=SEATS),
        synced,
        baseline,
        played(most, _tables(most)),
        xadd,
        *[asked(name, below) for name, below in QUESTIONS.items()],
    ]


def _costs(most: int, samples: Samples) -> Iterator[Figure]:
    """Yields the core time, which depends less than a rate on the client and on other processes of the machine."""
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
    for question in QUESTIONS:
        if spent := samples[f"{question} service"]:
            yield Figure(name=question, unit="core µs/request", samples=spent)


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
