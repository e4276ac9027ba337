"""The latency of an action at tables with few and with many events, measured alternately."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from bench.connection import Connection
from bench.driver import SEATS, Seat, Tally, play
from bench.figures import Bar, Effort, Figure, quantile
from bench.http import Samples
from bench.service import FSYNC, bench_service
from hoodwink.domain.kernel import CardChoice, Stage
from hoodwink.domain.tables.actor import HOST, WORKER
from hoodwink.domain.tables.commands import (
    DealRound,
    OpenTable,
    ScoreRound,
)
from hoodwink.domain.tables.state import stage_of, turn_of
from hoodwink.domain.tables.view import legal_actions_of
from hoodwink.service.application.commands import intents
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.tables import Intent, Tables
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis

RATIO_BAR: Final = Bar(1.1, is_ceiling=True)
SHARES: Final = (0.01, 0.1, 1.0)
"""The lengths of the compared tables, as shares of the longest."""

_OPTIONS: Final = {"five_card": True, "rounds": 20}
_DEAL: Final[Intent] = lambda _: (DealRound(), WORKER)  # noqa: E731
_SCORE: Final[Intent] = lambda _: (ScoreRound(), WORKER)  # noqa: E731


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the latency at each length, in this process and for a client, and the ratio of the longest to the shortest."""
    samples = Samples()
    versions = [round(share * effort.events) for share in SHARES]
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        EmbeddedRedis(folder=Path(folder) / "redis", fsync=FSYNC) as redis,
    ):
        service = Service(Settings(redis_url=redis.url))
        for _ in range(effort.repeats):
            _note(samples, "in process", time_in_process(service, versions, effort.actions))
            samples.add("cold", _cold_load(service, versions[-1]))
    with bench_service() as settings:
        for _ in range(effort.repeats):
            _note(samples, "client", asyncio.run(time_over_http(settings, versions, effort.actions)))
    yield from _figures(samples, versions, "in process")
    yield from _figures(samples, versions, "client")
    yield Figure(name=f"cold load of {versions[-1]:,} events", unit="ms", samples=samples["cold"])


def _note(samples: Samples, name: str, by_table: Sequence[Sequence[float]]) -> None:
    medians = [1e6 * quantile(durations, 0.5) for durations in by_table]
    for number, median in enumerate(medians):
        samples.add(f"{name} {number}", median)
    samples.add(f"{name} ratio", medians[-1] / medians[0])


def _figures(samples: Samples, versions: Sequence[int], name: str) -> Iterator[Figure]:
    for number, version in enumerate(versions):
        yield Figure(name=f"{name}, version {version:,}", unit="µs", samples=samples[f"{name} {number}"])
    yield Figure(
        name=f"{name}, version {versions[-1]:,} ÷ version {versions[0]:,}",
        unit="",
        samples=samples[f"{name} ratio"],
        bar=RATIO_BAR,
    )


# ------------------------------------------------------------------------------------ in this process


class _LongTable:
    """A table with many events before its start, and its players."""

    def __init__(self, service: Service, version: int) -> None:
        self._tables = service.tables
        self._players = [service.players.register(name=None).player for _ in range(SEATS)]
        self.id = _open_table(service, self._players[0].id)
        lengthen(service, self.id, version)
        for player in self._players:
            self._tables.execute(self.id, intents.sit_down(player, seat=None, seed=""))
        self._tables.execute(self.id, intents.start(self._players[0].id))

    def act(self, chance: Random) -> float:
        """Takes a random action; returns its duration in seconds."""
        table = self._tables.load(self.id).state
        while (stage := stage_of(table)) is not Stage.IN_PLAY:
            table = self._tables.execute(self.id, _DEAL if stage is Stage.TO_DEAL else _SCORE).after.state
        seat = turn_of(table).owes[0]
        action = chance.choice(legal_actions_of(table, seat, 0))
        assert not isinstance(action, CardChoice), "Blindside has none"
        intent = intents.act(self._players[seat].id, lambda _: action)
        began = time.perf_counter()
        self._tables.execute(self.id, intent)
        return time.perf_counter() - began


def _open_table(service: Service, host: str) -> str:
    key = service.identities.key_or_fresh(None)
    table = service.identities.table_id(host, key)
    command = OpenTable(
        table=table,
        game="blindside",
        seats=SEATS,
        options=_OPTIONS,
        host=host,
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=service.entropy.server_seed(),
    )
    service.tables.open(table, command, by=HOST, key=idempotency_key(host, key, b""))
    return table


def lengthen(service: Service, table: str, version: int) -> None:
    """Lets a player sit down and leave until the table, before its start, has this version or the previous one."""
    player = service.players.register(name=None).player
    sit, leave = intents.sit_down(player, seat=0, seed=""), intents.leave(player.id, 0)
    for _ in range((version - service.tables.load(table).state.version) // 2):
        service.tables.execute(table, sit)
        service.tables.execute(table, leave)


def time_in_process(service: Service, versions: Sequence[int], actions: int) -> list[list[float]]:
    """Returns the duration of each action, in seconds, at a new table of each length."""
    chance = Random(1)  # noqa: S311 - the same each time
    tables = [_LongTable(service, version) for version in versions]
    durations: list[list[float]] = [[] for _ in tables]
    for _ in range(actions):
        for table, times in zip(tables, durations, strict=True):
            times.append(table.act(chance))
    return durations


def _cold_load(service: Service, version: int) -> float:
    """Returns the milliseconds that a process needs to load a long table for the first time."""
    table = _open_table(service, "nobody")
    lengthen(service, table, version)
    fresh = Tables(
        aggregate=TABLE,
        store=service.store,
        clock=service.clock,
        rollbacks=service.rollbacks,
    )
    began = time.perf_counter()
    fresh.load(table)
    return 1000 * (time.perf_counter() - began)


# --------------------------------------------------------------------------------- as a client sees it


async def time_over_http(settings: Settings, versions: Sequence[int], actions: int) -> list[list[float]]:
    """Returns the duration of each action, in seconds, at a new table of each length."""
    service, turns, tallies = Service(settings), _Turns(len(versions)), [Tally() for _ in versions]
    connections = [await Connection.connect(settings.host, settings.port) for _ in versions]
    seats = [
        await _seat_players(service, connection, version)
        for connection, version in zip(connections, versions, strict=True)
    ]
    playing = [
        asyncio.create_task(
            play(
                seats[number],
                tally,
                Random(1),  # noqa: S311 - the same each time
                before_each=turns.gate_of(number),
                after_each=turns.pass_on_after(number),
            )
        )
        for number, tally in enumerate(tallies)
    ]
    while min(len(tally.actions) for tally in tallies) < actions:
        done, _ = await asyncio.wait(playing, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
        for failed in done:
            failed.result()
    for task in playing:
        task.cancel()
    for connection in connections:
        connection.close()
    return [[took for _, took in tally.actions[:actions]] for tally in tallies]


async def _seat_players(service: Service, connection: Connection, version: int) -> list[Seat]:
    """Returns the players of a table with many events before its start."""
    registered = [service.players.register(name=None) for _ in range(SEATS)]
    table = _open_table(service, registered[0].player.id)
    lengthen(service, table, version)
    seats = [Seat(connection, player.token) for player in registered]
    for seat in seats:
        seat.sit_at(table)
        await seat.take_seat()
    await seats[0].start()
    return seats


class _Turns:
    """Lets the tables act in turn, again and again."""

    def __init__(self, count: int) -> None:
        self._gates = [asyncio.Semaphore(number == 0) for number in range(count)]

    def gate_of(self, number: int) -> Callable[[], Awaitable[object]]:
        return self._gates[number].acquire

    def pass_on_after(self, number: int) -> Callable[[int], None]:
        gate = self._gates[(number + 1) % len(self._gates)]
        return lambda _: gate.release()
