"""Actions a second over HTTP, beside the least that this server, this framework and this Redis can cost."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from service.adapters.connection import connect
from service.bench.driver import SEATS
from service.bench.figures import Bar, Effort, Figure
from service.bench.house import FSYNC, house
from service.bench.load import FloorLoad, Outcome, PlayLoad, put
from service.bench.xadd import Yardstick, xadd_yardstick
from service.settings import Settings

ACTIONS_BAR: Final = Bar(4_000)
RATIO_BAR: Final = Bar(0.6)

_WARM_UP_SHARE: Final = 0.3
_EVERY_SEAT: Final = "every seat on a connection of its own"
_SYNCED: Final = "synced to the disk before each answer"

Turn = Callable[[], None]


class Samples:
    """What each repetition gave, by name."""

    def __init__(self) -> None:
        self._kept: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, name: str, value: float) -> None:
        self._kept[name].append(value)

    def note(self, name: str, outcome: Outcome) -> None:
        """Keeps all that came of a load."""
        self.add(f"{name} rate", outcome.rate)
        self.add(f"{name} p50", outcome.p50_ms)
        self.add(f"{name} p99", outcome.p99_ms)
        self.add(f"{name} deal", outcome.deal_ms)
        for role, spent in outcome.core_us.items():
            self.add(f"{name} {role}", spent)
        if len(outcome.core_us) > 1:
            self.add(f"{name} whole", sum(outcome.core_us.values()))

    def __getitem__(self, name: str) -> tuple[float, ...]:
        return tuple(self._kept[name])


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields rate and latency at each number of tables, the two yardsticks, and what each process used."""
    samples, yardstick, most = Samples(), xadd_yardstick(), max(effort.tables)
    with house() as settings:
        turns = _turns(settings, effort, samples, yardstick)
        for number in range(effort.repeats):
            for turn in turns if number % 2 else reversed(turns):
                turn()
    for tables in effort.tables:
        yield from _at_once(tables, samples, bar=ACTIONS_BAR if tables == most else None)
    yield _rate(f"{_at(most)}, {_EVERY_SEAT}", samples[f"{most} apart rate"])
    yield _rate(f"{_at(most)}, {_SYNCED}", samples[f"{most} synced rate"])
    yield from _yardsticks(most, samples, yardstick)
    yield from _ratios(most, samples)
    yield from _costs(most, samples)


def _turns(settings: Settings, effort: Effort, samples: Samples, yardstick: Yardstick) -> list[Turn]:
    """Returns what is measured in each repetition; the floor next to what is held against it."""

    def played(tables: int, name: str, connections: int = 1) -> Turn:
        load = PlayLoad(
            settings=settings,
            tables=tables,
            connections=connections,
            warm_up=_WARM_UP_SHARE * effort.seconds,
            seconds=effort.seconds,
        )
        return lambda: samples.note(name, put(load))

    def synced() -> None:
        with connect(str(settings.redis_url)) as redis:
            redis.config_set("appendfsync", "always")
            played(most, f"{most} synced")()
            redis.config_set("appendfsync", FSYNC)

    def floor() -> None:
        load = FloorLoad(
            settings=settings,
            connections=max(effort.tables),
            warm_up=_WARM_UP_SHARE * effort.seconds,
            seconds=effort.seconds,
        )
        samples.note("floor", put(load))

    def xadd() -> None:
        samples.add("xadd", yardstick.measure(settings, effort.seconds))

    *few, most = sorted(effort.tables)
    return [
        *[played(tables, f"{tables}") for tables in few],
        played(most, f"{most} apart", SEATS),
        synced,
        floor,
        played(most, f"{most}"),
        xadd,
    ]


def _at_once(tables: int, samples: Samples, *, bar: Bar | None) -> Iterator[Figure]:
    name = _at(tables)
    yield _rate(name, samples[f"{tables} rate"], bar)
    yield Figure(name=f"{name}, p50", unit="ms", samples=samples[f"{tables} p50"])
    yield Figure(name=f"{name}, p99", unit="ms", samples=samples[f"{tables} p99"])
    yield Figure(name=f"{name}, last action to next deal", unit="ms", samples=samples[f"{tables} deal"])


def _at(tables: int) -> str:
    return "1 table" if tables == 1 else f"{tables} tables"


def _rate(name: str, samples: tuple[float, ...], bar: Bar | None = None) -> Figure:
    return Figure(name=name, unit="actions/s", samples=samples, bar=bar)


def _yardsticks(most: int, samples: Samples, yardstick: Yardstick) -> Iterator[Figure]:
    yield Figure(
        name=f"floor: Flask, marshmallow, one XADD, {most} connections",
        unit="requests/s",
        samples=samples["floor rate"],
    )
    yield Figure(name="floor, p99", unit="ms", samples=samples["floor p99"])
    yield Figure(name="XADD alone", unit="commands/s", samples=samples["xadd"], note=yardstick.name)


def _ratios(most: int, samples: Samples) -> Iterator[Figure]:
    for name, bar in ((f"{most}", RATIO_BAR), (f"{most} apart", None)):
        apart = f", {_EVERY_SEAT}" if bar is None else ""
        ratios = _by_pairs(samples[f"{name} rate"], samples["floor rate"])
        yield Figure(name=f"{_at(most)}{apart} ÷ floor", unit="", samples=ratios, bar=bar)
    if whole := samples["floor whole"]:
        ratios = _by_pairs(whole, samples[f"{most} whole"])
        yield Figure(name=f"{_at(most)} ÷ floor, by time on a core", unit="", samples=ratios)


def _by_pairs(above: tuple[float, ...], below: tuple[float, ...]) -> tuple[float, ...]:
    return tuple([one / other for one, other in zip(above, below, strict=True)])


def _costs(most: int, samples: Samples) -> Iterator[Figure]:
    """Yields what one action takes of a core in each process, beside what a request of the floor takes."""
    for role in ("api", "redis", "worker", "projector", "client"):
        if spent := samples[f"{most} {role}"]:
            yield Figure(name=f"{_at(most)}: {role}", unit="core µs/action", samples=spent)
    for role in ("api", "redis", "client"):
        if spent := samples[f"floor {role}"]:
            yield Figure(name=f"floor: {role}", unit="core µs/request", samples=spent)
