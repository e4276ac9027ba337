"""The speed of rebuilding projections from the logs, and their lag behind the tables."""

import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from bench.figures import Bar, Effort, Figure, quantile
from bench.load import PlayLoad, run_load
from bench.replay import play_tables
from bench.service import FSYNC, bench_service
from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.projections.lobby import LOBBY
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import HOST, Actor, by_player
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.ports import Commit, IdempotencyKey, StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis

REBUILD_BAR: Final = Bar(10_000)
QUIET_BAR: Final = Bar(50, is_ceiling=True)
LOADED_BAR: Final = Bar(300, is_ceiling=True)

QUIET_TABLES: Final = 10
_PROBES: Final = 100
_PAUSE_SECONDS: Final = 0.02
_LOOK_SECONDS: Final = 0.001
_PATIENCE_SECONDS: Final = 30.0


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rate of a rebuild, then the lag at quiet tables and under load."""
    yield _rebuild(effort)
    with bench_service() as settings:
        service = Service(settings)
        tables = [_open(service, f"quiet{number}") for number in range(QUIET_TABLES)]
        yield _lag(
            f"lag at {QUIET_TABLES} quiet tables",
            tuple(_probe(service, tables) for _ in range(effort.repeats)),
            QUIET_BAR,
        )
        yield _lag(
            f"lag while {max(effort.tables)} tables are played over HTTP",
            tuple(_probe_under_load(service, tables, settings, effort) for _ in range(effort.repeats)),
            LOADED_BAR,
        )


def _lag(name: str, samples: tuple[float, ...], bar: Bar) -> Figure:
    return Figure(name=name, unit="ms", note="p95, from the answer to the lobby", samples=samples, bar=bar)


def _rebuild(effort: Effort) -> Figure:
    """Returns the rate at which a new projector computes every projection from stored logs."""
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        EmbeddedRedis(folder=Path(folder) / "redis", fsync=FSYNC) as redis,
    ):
        settings = Settings(redis_url=redis.url)
        count = _fill(Service(settings), effort.events)
        rates = []
        for _ in range(effort.repeats):
            projectors = Service(settings).projectors.values()
            began = time.perf_counter()
            for group in grouped_by_category(projectors):
                rebuild(group)
            rates.append(count / (time.perf_counter() - began))
    return Figure(
        name=f"cold rebuild of {len(PROJECTIONS)} projections",
        unit="events/s",
        note=f"{count:,} events of tables of every game",
        samples=tuple(rates),
        bar=REBUILD_BAR,
    )


def _fill(service: Service, events: int) -> int:
    """Stores tables with at least this many events of each game; returns the number of events stored."""
    count = 0
    for game in GAMES:
        for number, (_, entries) in enumerate(play_tables(game, events=events)):
            table = f"{game.replace('_', '')}{number}"
            commit = Commit(
                stream=StreamId("table", table),
                expected_version=0,
                entries=entries,
                key=IdempotencyKey("all together", ""),
            )
            service.store.append(commit)
            count += len(entries)
    return count


def _open(service: Service, name: str) -> str:
    opening = commands.OpenTable(
        table=name,
        game="blindside",
        seats=4,
        options={},
        host="bench",
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=service.entropy.server_seed(),
    )
    service.tables.open(name, opening, by=HOST, key=IdempotencyKey(f"open {name}", ""))
    return name


def _probe(service: Service, tables: list[str]) -> float:
    """Returns the 95th percentile of the time, in ms, until the lobby shows that a seat was taken or left."""
    lags = []
    for number in range(_PROBES):
        table = tables[number % len(tables)]
        sits = (number // len(tables)) % 2 == 0
        command = commands.TakeSeat(player="bench", seat=0) if sits else commands.LeaveSeat(0)
        accepted = service.tables.execute(table, partial(_as_player, command))
        version = accepted.after.state.version
        lags.append(1_000 * _wait_until_applied(service, table, version))
        time.sleep(_PAUSE_SECONDS)
    return quantile(lags, 0.95)


def _as_player(command: commands.TableCommand, _table: Table) -> tuple[commands.TableCommand, Actor]:
    return command, by_player(0)


def _wait_until_applied(service: Service, table: str, version: int) -> float:
    began, stream = time.perf_counter(), StreamId("table", table)
    while service.projection_store.applied(LOBBY.name, stream) < version:
        if time.perf_counter() - began > _PATIENCE_SECONDS:
            break
        time.sleep(_LOOK_SECONDS)
    return time.perf_counter() - began


def _probe_under_load(service: Service, tables: list[str], settings: Settings, effort: Effort) -> float:
    load = PlayLoad(settings=settings, tables=max(effort.tables), warm_up=1.0, seconds=effort.seconds + 3.0)
    playing = threading.Thread(target=run_load, args=(load,))
    playing.start()
    time.sleep(2.0)  # until the tables are in play
    try:
        return _probe(service, tables)
    finally:
        playing.join()
