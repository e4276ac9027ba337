"""The speed of rebuilding projections from the logs and of auditing, and the lag of projections behind the tables."""

import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, groupby, islice, takewhile
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
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import Appended, Commit, IdempotencyKey, StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.auditing import audit_all
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.workers.scrubber import NoNotes

REPLAY_BAR: Final = Bar(50_000)
QUIET_BAR: Final = Bar(50, is_ceiling=True)
LOADED_BAR: Final = Bar(300, is_ceiling=True)

QUIET_TABLES: Final = 10
_PROBES: Final = 100
_PAUSE_SECONDS: Final = 0.02
_LOOK_SECONDS: Final = 0.001
_PATIENCE_SECONDS: Final = 30.0


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rates of a rebuild and of an audit, then the lag at quiet tables and under load."""
    yield from _replays(effort)
    with bench_service() as settings:
        service = Service(settings)
        tables = [_open(service, f"quiet{number}") for number in range(QUIET_TABLES)]
        yield _lag(
            f"lag at {QUIET_TABLES} quiet tables",
            [_lags(service, islice(cycle(tables), _PROBES)) for _ in range(effort.repeats)],
            QUIET_BAR,
        )
        yield _lag(
            f"lag while {max(effort.tables)} tables are played over HTTP",
            [_lags_under_load(service, tables, settings, effort) for _ in range(effort.repeats)],
            LOADED_BAR,
        )


def _lag(name: str, repeats: list[list[float]], bar: Bar) -> Figure:
    samples = tuple(quantile(lags, 0.95) for lags in repeats)
    return Figure(name=name, unit="ms", note="p95, from the response to the lobby", samples=samples, bar=bar)


def _replays(effort: Effort) -> Iterator[Figure]:
    """Yields the rates at which a new process rebuilds every projection from stored logs, and audits everything."""
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        EmbeddedRedis(folder=Path(folder) / "redis", fsync=FSYNC) as redis,
    ):
        settings = Settings(redis_url=redis.url)
        count = _fill(Service(settings), effort.events)
        rebuilt, audited = list[float](), list[float]()
        for _ in range(effort.repeats):
            service = Service(settings)
            began = time.perf_counter()
            for group in grouped_by_category(service.projectors.values()):
                rebuild(group)
            rebuilt.append(count / (time.perf_counter() - began))
            audited.append(_audit_rate(Service(settings), count))
    note = f"{count:,} events of tables of every game"
    yield Figure(
        name=f"cold rebuild of {len(PROJECTIONS)} projections",
        unit="events/s",
        note=note,
        samples=tuple(rebuilt),
        bar=REPLAY_BAR,
    )
    yield Figure(
        name="audit, CPU time of one process",
        unit="events/s",
        note=note,
        samples=tuple(audited),
        bar=REPLAY_BAR,
    )


def _audit_rate(service: Service, events: int) -> float:
    began = time.process_time()
    found = audit_all(service, NoNotes())
    assert not found, found[0]
    return events / (time.process_time() - began)


def _fill(service: Service, events: int) -> int:
    """Stores tables with at least this many events of each game; returns the number of events stored."""
    count = 0
    for game in GAMES:
        for table, entries in play_tables(game, events=events):
            # Each command by itself, as a service would have stored it.
            for cmd, group in groupby(entries, key=lambda entry: entry.cmd):
                commit = tuple(group)
                before = entries[commit[0].version - 2] if commit[0].version > 1 else None
                stored = service.store.append(
                    Commit(
                        stream=StreamId("table", table),
                        expected_version=commit[0].version - 1,
                        expected_head=before.hash if before else "",
                        entries=commit,
                        key=IdempotencyKey(cmd, ""),
                    )
                )
                assert isinstance(stored, Appended)
            count += len(entries)
    # A running service keeps the feed of the last minute only.
    service.client.delete(*Keys(service.settings.partitions).feeds)
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


def _lags(service: Service, tables: Iterable[str]) -> list[float]:
    """Returns for each table the time, in ms, until the lobby shows that its first seat was taken or left."""
    lags = []
    for table in tables:
        version = service.tables.execute(table, _sit_or_leave).after.state.version
        lags.append(1_000 * _wait_until_applied(service, table, version))
        time.sleep(_PAUSE_SECONDS)
    return lags


def _sit_or_leave(table: Table) -> tuple[commands.TableCommand, Actor]:
    sits = table.seats[0] is None
    return commands.TakeSeat(player="bench", seat=0) if sits else commands.LeaveSeat(0), by_player(0)


def _wait_until_applied(service: Service, table: str, version: int) -> float:
    began, stream = time.perf_counter(), StreamId("table", table)
    while service.projection_store.applied(LOBBY.name, stream) < version:
        if time.perf_counter() - began > _PATIENCE_SECONDS:
            break
        time.sleep(_LOOK_SECONDS)
    return time.perf_counter() - began


def _lags_under_load(service: Service, tables: list[str], settings: Settings, effort: Effort) -> list[float]:
    load = PlayLoad(settings=settings, tables=max(effort.tables), warm_up=1.0, seconds=effort.seconds + 3.0)
    with ThreadPoolExecutor() as pool:
        playing = pool.submit(run_load, load)
        time.sleep(2.0)  # until the tables are in play
        lags = _lags(service, takewhile(lambda _: not playing.done(), cycle(tables)))
        playing.result()  # raises if there was no load
    return lags
