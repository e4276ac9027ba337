"""A process that puts load on a service over HTTP: `python -m service.bench.load`.

It reads the load from standard input and writes its outcome to standard output, both as JSON.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import msgspec
import uvloop

from service.bench.connection import Connection, Refused, head, with_json
from service.bench.driver import SEATS, Seat, Tally, dealt, opened, play, registered
from service.bench.figures import quantile
from service.bench.process_usage import spent, usages
from service.bench.watcher import Watcher, follow
from service.http.serving.baseline import PATH
from service.settings import Settings

Moments: TypeAlias = Sequence[tuple[float, float]]

MANY_ROUNDS: Final = 20
"""The most rounds that a table can have."""


class PlayLoad(msgspec.Struct, frozen=True, kw_only=True, tag="play"):
    """Tables of Blindside; `tables` of them are played together, and each is followed by another one.

    Attributes:
        settings: those of the service.
        warm_up, seconds: how long to play before the measurement, and during it.
        watchers: the number of watchers of each table.
        connections: the number of connections that the players of a table share.
        rounds: the number of rounds of each table, at most `MANY_ROUNDS`.
    """

    settings: Settings
    tables: int
    warm_up: float
    seconds: float
    watchers: int = 0
    connections: int = 1
    rounds: int = SEATS


class BaselineLoad(msgspec.Struct, frozen=True, kw_only=True, tag="baseline"):
    """Requests to the baseline, one after the other on each connection."""

    settings: Settings
    connections: int
    warm_up: float
    seconds: float


class QuestionLoad(msgspec.Struct, frozen=True, kw_only=True, tag="question"):
    """The same question about a table in play, by one of its players, one after the other on each connection.

    Attributes:
        below: what follows on the table's path.
    """

    settings: Settings
    below: str
    connections: int
    warm_up: float
    seconds: float


class FanOutLoad(msgspec.Struct, frozen=True, kw_only=True, tag="fan_out"):
    """One table that all watchers follow, with a pause before each action."""

    settings: Settings
    watchers: int
    actions: int
    pause: float


Load: TypeAlias = PlayLoad | BaselineLoad | QuestionLoad | FanOutLoad


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a load.

    Attributes:
        rate: answers per second; where tables are played, only those to actions.
        p50_ms, p99_ms: quantiles of the time from a request to its answer.
        deal_ms: the median time from the last action of a round to the next deal; 0 if there was none.
        core_us: the microseconds on a core for each answer, by the role of the process.
        late_ms: for each action, the time from its answer until the last watcher has its event.
    """

    rate: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    deal_ms: float = 0.0
    core_us: dict[str, float] = {}
    late_ms: tuple[float, ...] = ()


class LoadFailed(Exception):
    """Raised when a load has no result; the message says why."""


def run_load(load: Load) -> Outcome:
    """Puts a load on a service from another process and returns its results; raises `LoadFailed`."""
    done = subprocess.run(
        [sys.executable, "-m", "service.bench.load"],
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
        outcome = uvloop.run(_outcome_of(load))
    except (OSError, Refused) as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(msgspec.json.encode(outcome))


def _outcome_of(load: Load) -> Coroutine[Any, Any, Outcome]:
    match load:
        case PlayLoad():
            return _play(load)
        case BaselineLoad():
            return _baseline(load)
        case QuestionLoad():
            return _question(load)
        case FanOutLoad():
            return _fan_out(load)


async def _play(load: PlayLoad) -> Outcome:
    tally = Tally()

    async def table_after_table(number: int) -> None:
        chance = Random(number)  # noqa: S311 - the same each time
        # Tables that started together would all wait for a deal at the same time.
        await asyncio.sleep(load.warm_up * number / load.tables)
        seats = await _players(load.settings, load.connections)
        while True:
            table = await opened(seats, load.rounds)
            watchers = [await follow(load.settings, table) for _ in range(load.watchers)]
            await play(seats, tally, chance)
            for watcher in watchers:
                await watcher.ended()

    works = [table_after_table(number) for number in range(load.tables)]
    return await _measured(load, works, tally.actions, tally.deals)


async def _baseline(load: BaselineLoad) -> Outcome:
    return await _asked(load, with_json(head("POST", PATH), b'{"type":"keep","card":"9S"}'))


async def _question(load: QuestionLoad) -> Outcome:
    seats = await _players(load.settings, 1)
    await opened(seats)
    await dealt(seats[0], Tally())
    return await _asked(load, seats[0].question(load.below))


async def _asked(load: BaselineLoad | QuestionLoad, request: bytes) -> Outcome:
    """Sends the request again and again on each connection."""
    moments: list[tuple[float, float]] = []

    async def request_after_request() -> None:
        connection = await _connected(load.settings)
        while True:
            began = time.perf_counter()
            await connection.ask_checked(request)
            ended = time.perf_counter()
            moments.append((ended, ended - began))

    return await _measured(load, [request_after_request() for _ in range(load.connections)], moments, [])


async def _measured(
    load: PlayLoad | BaselineLoad | QuestionLoad,
    works: Sequence[Awaitable[None]],
    moments: Moments,
    deals: Moments,
) -> Outcome:
    """Runs endless coroutines together, and measures what they do after the warm-up."""
    working = asyncio.gather(*works)
    await _let_go_on(working, load.warm_up)
    before, own, since = usages(load.settings), time.process_time(), time.perf_counter()
    await _let_go_on(working, load.seconds)
    until, own, after = time.perf_counter(), time.process_time() - own, usages(load.settings)
    working.cancel()
    taken = [took for at, took in moments if since <= at < until]
    waited = [took for at, took in deals if since <= at < until]
    used = spent(before, after) | {"client": own}
    return Outcome(
        rate=len(taken) / (until - since),
        p50_ms=1000 * quantile(taken, 0.5),
        p99_ms=1000 * quantile(taken, 0.99),
        deal_ms=1000 * quantile(waited, 0.5) if waited else 0.0,
        core_us={role: 1e6 * seconds / len(taken) for role, seconds in used.items()},
    )


async def _let_go_on(working: "asyncio.Future[Any]", seconds: float) -> None:
    """Returns after some time; raises the exception that ended the work."""
    done, _ = await asyncio.wait([working], timeout=seconds)
    for failed in done:
        failed.result()


async def _fan_out(load: FanOutLoad) -> Outcome:
    seats = await _players(load.settings, SEATS)
    table = await opened(seats, MANY_ROUNDS)
    watchers = [await follow(load.settings, table) for _ in range(load.watchers)]
    answered: dict[int, float] = {}
    enough = asyncio.Event()

    def note(version: int) -> None:
        answered[version] = time.perf_counter()
        if len(answered) == load.actions:
            enough.set()

    playing = asyncio.create_task(_play_slowly(seats, load.pause, note))
    await asyncio.wait([playing, asyncio.create_task(enough.wait())], return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        await playing
    playing.cancel()
    for watcher in watchers:
        await watcher.has_seen(max(answered))
    return Outcome(late_ms=tuple(lateness(answered, watchers)))


async def _play_slowly(seats: Sequence[Seat], pause: float, note: Callable[[int], None]) -> None:
    chance = Random(1)  # noqa: S311 - the same each time
    await play(seats, Tally(), chance, before_each=lambda: asyncio.sleep(pause), after_each=note)


def lateness(answered: dict[int, float], watchers: Sequence[Watcher]) -> list[float]:
    """Returns for each action the milliseconds from its answer until the last watcher had its event."""
    return [
        1000 * max(0.0, max(watcher.seen_at(version) for watcher in watchers) - at)
        for version, at in answered.items()
    ]


async def _players(settings: Settings, connections: int) -> list[Seat]:
    """Returns the new players of a table, who share so many connections."""
    shared = [await _connected(settings) for _ in range(connections)]
    return [await registered(shared[seat % connections]) for seat in range(SEATS)]


async def _connected(settings: Settings) -> Connection:
    return await Connection.connect(settings.host, settings.port)


if __name__ == "__main__":
    main()
