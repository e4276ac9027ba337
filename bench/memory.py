"""The memory per event in Redis, and the memory of the service's processes after some work."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

from bench.figures import Effort, Figure
from bench.load import PlayLoad, run_load
from bench.service import bench_service, usages
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.commands import OpenTable
from hoodwink.domain.tables.state import Phase
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.commands import intents
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.application.work.table_worker import BOTS_VISIT_MS
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis

_SHARE: Final = 0.25
_SEATS: Final = 4
_MEGABYTE: Final = 1_000_000


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the bytes per event for each game and each kind of key, and the memory of each process."""
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        EmbeddedRedis(folder=Path(folder) / "redis") as redis,
    ):
        for game in GAMES:
            for what, size in bytes_per_event(
                Settings(redis_url=redis.url), game, _SHARE * effort.events
            ).items():
                yield Figure(name=f"{game}: {what}", unit="bytes/event", samples=(size,))
    yield from _processes(effort)


def bytes_per_event(settings: Settings, game: str, events: float) -> dict[str, float]:
    """Returns the bytes in a new Redis for each event of tables that bots played, by kind of key."""
    service = Service(settings)
    service.client.flushall()
    before = _used_memory(service)
    tables = list[StreamId]()
    while sum(map(service.store.version, tables)) < events:
        tables.append(_play_table(service, game))
    for group in grouped_by_category(service.projectors.values()):
        rebuild(group)
    count = sum(map(service.store.version, tables))
    sizes = {what: size / count for what, size in _sizes(service, tables).items()}
    return sizes | {"all that INFO counts": (_used_memory(service) - before) / count}


def _sizes(service: Service, tables: list[StreamId]) -> Mapping[str, int]:
    keys = Keys(service.settings.partitions)
    kept = [key for name in service.projectors for key in service.client.scan_iter(f"hw:{{p*}}:{name}:*")]
    return {
        "the event itself": _size(service, *map(keys.stream, tables)),
        "the command index": _size(service, *map(keys.commands, tables)),
        "the feed, until it is trimmed": _size(service, *keys.feeds),
        "projections": _size(service, *kept),
    }


def _size(service: Service, *keys: str | bytes) -> int:
    return sum(service.client.memory_usage(key, samples=0) or 0 for key in keys)


def _used_memory(service: Service) -> int:
    return int(service.client.info("memory")["used_memory"])


def _play_table(service: Service, game: str) -> StreamId:
    rulebook, chance = GAMES[game], Random(1)  # noqa: S311 - it only names a table
    seats = min(rulebook.seats[1], max(rulebook.seats[0], _SEATS))
    key = service.identities.key_or_fresh(None)
    table = service.identities.table_id("bench", key)
    command = OpenTable(
        table=table,
        game=game,
        seats=seats,
        options={},
        host="bench",
        turn_seconds=0,
        bot_delay=0,
        round_pause=0,
        server_seed=f"{chance.getrandbits(256):064x}",
    )
    service.tables.open(table, command, by=HOST, key=idempotency_key("bench", key, b""))
    for _ in range(seats):
        service.tables.execute(table, intents.seat_bot("bench", policy="random", seat=None, seed=""))
    service.tables.execute(table, intents.start("bench"))
    while service.tables.load(table).state.phase is Phase.PLAYING:
        service.table_worker.run_bots(table, until=service.clock.elapsed_ms() + BOTS_VISIT_MS)
    return StreamId("table", table)


def _processes(effort: Effort) -> Iterator[Figure]:
    with bench_service() as settings:
        run_load(PlayLoad(settings=settings, tables=max(effort.tables), warm_up=0.0, seconds=effort.seconds))
        found = usages(settings)
    for role, usage in found.items():
        many = f", {usage.processes} processes" if usage.processes > 1 else ""
        yield Figure(
            name=f"{role}{many}",
            unit="MB",
            samples=(usage.bytes / _MEGABYTE,),
        )
