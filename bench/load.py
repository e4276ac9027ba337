"""A process that puts load on a service over HTTP: `python -m bench.load`.

It reads the load from standard input and writes its outcome to standard output, both as JSON.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import uvloop

from bench.baseline import PATH
from bench.connection import Connection, Refused, Watcher, follow, head, with_json
from bench.driver import SEATS, Seat, Tally, open_table, play, register, wait_for_deal
from bench.figures import quantile
from bench.service import core_seconds_between, usages
from hoodwink.service.adapters.process.interpreter import python_module
from hoodwink.service.settings import Settings

Timings: TypeAlias = Sequence[tuple[float, float]]

MAX_ROUNDS: Final = 20
"""The most rounds that a table can have."""


class PlayLoad(msgspec.Struct, frozen=True, kw_only=True, tag="play"):
    """Tables of Blindside: `tables` of them at the same time, each followed by another one.

    Attributes:
        settings: of the service.
        warm_up, seconds: the durations of play before and during the measurement.
        watchers: per table.
        connections: shared by the players of a table.
        rounds: per table, at most `MAX_ROUNDS`.
    """

    settings: Settings
    tables: int
    warm_up: float
    seconds: float
    watchers: int = 0
    connections: int = 1
    rounds: int = SEATS


class BaselineLoad(msgspec.Struct, frozen=True, kw_only=True, tag="baseline"):
    """Requests to the baseline, one after the other on each connection.

    Attributes:
        settings: of the service, with the port of the baseline's server.
        server: the process id of that server.
    """

    settings: Settings
    server: int
    connections: int
    warm_up: float
    seconds: float


class QueryLoad(msgspec.Struct, frozen=True, kw_only=True, tag="query"):
    """The same request for a table in play, by one of its players, one after the other on each connection.

    Attributes:
        below: the rest of the path after the table's.
    """

    settings: Settings
    below: str
    connections: int
    warm_up: float
    seconds: float


class FanOutLoad(msgspec.Struct, frozen=True, kw_only=True, tag="fan_out"):
    """Tables with many watchers, and a pause before each action.

    Attributes:
        watchers: of each table.
        actions: at all tables together, after which the load ends.
        reconnecting: further watchers, who all come at the same time and leave again, until the load ends.
    """

    settings: Settings
    watchers: int
    actions: int
    pause: float
    tables: int = 1
    reconnecting: int = 0


Load: TypeAlias = PlayLoad | BaselineLoad | QueryLoad | FanOutLoad


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a load.

    Attributes:
        rate: responses per second; when tables are played, only responses to actions.
        p50_ms, p99_ms, worst_ms: quantiles of the response time, and the longest.
        deal_ms: the median time from the last action of a round to the next deal; 0 if there was none.
        core_us: microseconds of CPU time per response, by the role of the process.
        late_ms: for each action, the time from its response until the last watcher has its event.
    """

    rate: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    worst_ms: float = 0.0
    deal_ms: float = 0.0
    core_us: dict[str, float] = {}
    late_ms: tuple[float, ...] = ()


class Followed(NamedTuple):
    """A table of a fan-out load, with the time of each response by its version."""

    id: str
    seats: Sequence[Seat]
    watchers: Sequence[Watcher]
    answered: dict[int, float]


class LoadFailed(Exception):
    """Raised when a load has no result; the message says why."""


def run_load(load: Load) -> Outcome:
    """Runs a load in another process and returns its results; raises `LoadFailed`."""
    done = subprocess.run(
        python_module("bench.load"),
        input=msgspec.json.encode(load),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise LoadFailed(done.stderr.decode().strip())
    return msgspec.json.decode(done.stdout, type=Outcome)


def main() -> None:
    """Runs the load that standard input describes."""
    load: Load = msgspec.json.decode(sys.stdin.buffer.read(), type=Load)
    try:
        outcome = uvloop.run(_run(load))
    except (OSError, Refused) as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(msgspec.json.encode(outcome))


def _run(load: Load) -> Coroutine[Any, Any, Outcome]:
    match load:
        case PlayLoad():
            return _play(load)
        case BaselineLoad():
            return _baseline(load)
        case QueryLoad():
            return _query(load)
        case FanOutLoad():
            return _fan_out(load)


async def _play(load: PlayLoad) -> Outcome:
    tally = Tally()

    async def table_after_table(number: int) -> None:
        chance = Random(number)  # noqa: S311 - the same each time
        # Tables that started together would all wait for a deal at the same time.
        await asyncio.sleep(load.warm_up * number / load.tables)
        seats = await _register_players(load.settings, load.connections)
        while True:
            table = await open_table(seats, load.rounds)
            watchers = [await follow(load.settings, table) for _ in range(load.watchers)]
            await play(seats, tally, chance)
            for watcher in watchers:
                await watcher.wait_until_ended()

    coroutines = [table_after_table(number) for number in range(load.tables)]
    return await _measure(load, coroutines, tally.actions, tally.deals)


async def _baseline(load: BaselineLoad) -> Outcome:
    return await _repeat(load, with_json(head("POST", PATH), b'{"type":"keep","card":"9S"}'))


async def _query(load: QueryLoad) -> Outcome:
    seats = await _register_players(load.settings, 1)
    await open_table(seats)
    await wait_for_deal(seats[0], Tally())
    return await _repeat(load, seats[0].get_request(load.below))


async def _repeat(load: BaselineLoad | QueryLoad, request: bytes) -> Outcome:
    """Sends the request again and again on each connection."""
    answers: list[tuple[float, float]] = []

    async def request_after_request() -> None:
        connection = await _connect(load.settings)
        while True:
            began = time.perf_counter()
            await connection.ask_checked(request)
            ended = time.perf_counter()
            answers.append((ended, ended - began))

    return await _measure(load, [request_after_request() for _ in range(load.connections)], answers, [])


async def _measure(
    load: PlayLoad | BaselineLoad | QueryLoad,
    coroutines: Sequence[Awaitable[None]],
    answers: Timings,
    deals: Timings,
) -> Outcome:
    """Runs endless coroutines together, and measures their work after the warm-up."""
    working = asyncio.gather(*coroutines)
    await _run_for(working, load.warm_up)
    server = load.server if isinstance(load, BaselineLoad) else None
    before, own, since = usages(load.settings, server), time.process_time(), time.perf_counter()
    await _run_for(working, load.seconds)
    until, own, after = time.perf_counter(), time.process_time() - own, usages(load.settings, server)
    working.cancel()
    durations = [took for at, took in answers if since <= at < until]
    waits = [took for at, took in deals if since <= at < until]
    used = core_seconds_between(before, after) | {"client": own}
    return Outcome(
        rate=len(durations) / (until - since),
        p50_ms=1000 * quantile(durations, 0.5),
        p99_ms=1000 * quantile(durations, 0.99),
        deal_ms=1000 * quantile(waits, 0.5) if waits else 0.0,
        core_us={role: 1e6 * seconds / len(durations) for role, seconds in used.items()},
    )


async def _run_for(working: "asyncio.Future[Any]", seconds: float) -> None:
    """Returns after some time; raises the exception that ended the work."""
    done, _ = await asyncio.wait([working], timeout=seconds)
    for failed in done:
        failed.result()


async def _fan_out(load: FanOutLoad) -> Outcome:
    tally, enough = Tally(), asyncio.Event()
    followed = [await _open_followed(load) for _ in range(load.tables)]

    def note(table: Followed, version: int) -> None:
        table.answered[version] = time.perf_counter()
        if len(tally.actions) == load.actions:
            enough.set()

    playing = [
        asyncio.create_task(_play_slowly(table, tally, load.pause, Random(number), note))  # noqa: S311 - the same each time
        for number, table in enumerate(followed)
    ]
    coming = asyncio.create_task(_come_and_go(load, [table.id for table in followed]))
    await asyncio.wait([*playing, asyncio.create_task(enough.wait())], return_when=asyncio.FIRST_COMPLETED)
    for task in (*playing, coming):
        if task.done():
            await task
        task.cancel()
    late: list[float] = []
    for table in followed:
        for watcher in table.watchers if table.answered else ():
            await watcher.wait_for(max(table.answered))
        late += lateness_ms(table.answered, table.watchers) if table.watchers else ()
    durations = [took for _, took in tally.actions]
    return Outcome(
        late_ms=tuple(late), p99_ms=1000 * quantile(durations, 0.99), worst_ms=1000 * max(durations)
    )


async def _open_followed(load: FanOutLoad) -> Followed:
    seats = await _register_players(load.settings, 1)
    table = await open_table(seats, MAX_ROUNDS)
    watchers = await asyncio.gather(*[follow(load.settings, table) for _ in range(load.watchers)])
    return Followed(table, seats, watchers, {})


async def _play_slowly(
    table: Followed, tally: Tally, pause: float, chance: Random, note: Callable[[Followed, int], None]
) -> None:
    await asyncio.sleep(pause * chance.random())
    await play(
        table.seats,
        tally,
        chance,
        before_each=lambda: asyncio.sleep(pause),
        after_each=lambda version: note(table, version),
    )


async def _come_and_go(load: FanOutLoad, tables: Sequence[str]) -> None:
    """Lets the reconnecting watchers come all at the same time, again and again."""
    while load.reconnecting:
        watchers = await asyncio.gather(
            *[follow(load.settings, tables[number % len(tables)]) for number in range(load.reconnecting)]
        )
        for watcher in watchers:
            watcher.leave()
        await asyncio.sleep(load.pause)


def lateness_ms(answered: dict[int, float], watchers: Sequence[Watcher]) -> list[float]:
    """Returns for each action the milliseconds from its response until the last watcher had its event."""
    return [
        1000 * max(0.0, max(watcher.arrival_of(version) for watcher in watchers) - at)
        for version, at in answered.items()
    ]


async def _register_players(settings: Settings, connections: int) -> list[Seat]:
    """Returns the new players of a table, who share the given number of connections."""
    shared = [await _connect(settings) for _ in range(connections)]
    return [await register(shared[seat % connections]) for seat in range(SEATS)]


async def _connect(settings: Settings) -> Connection:
    return await Connection.connect(settings.host, settings.port)


if __name__ == "__main__":
    main()
