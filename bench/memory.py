"""The memory per event and per player in Redis, and the memory of the service's processes after a load."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

from bench.figures import Effort, Figure
from bench.load import PlayLoad, run_load
from bench.service import bench_service, usages
from hoodwink.domain.bots import pick_action
from hoodwink.domain.games import GAMES
from hoodwink.domain.players import Player
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.commands import OpenTable
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.commands import intents
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.ports import IdempotencyKey, StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.application.work.table_worker import BOTS_VISIT_MS
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis

_SHARE_OF_EVENTS: Final = 0.25
"""Share of the effort's events that are played for each game."""

_SEATS: Final = 4
_MEGABYTE: Final = 1_000_000


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the bytes per event for each game and each kind of key, the bytes per player, and the memory of each process."""
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        EmbeddedRedis(folder=Path(folder) / "redis") as redis,
    ):
        settings = Settings(redis_url=redis.url)
        for game in GAMES:
            for players in ("bots", "people"):
                sizes = bytes_per_event(
                    settings, game, _SHARE_OF_EVENTS * effort.events, of_people=players == "people"
                )
                for what, size in sizes.items():
                    yield Figure(name=f"{game}, {players}: {what}", unit="bytes/event", samples=(size,))
        yield Figure(name="a registered player", unit="bytes", samples=(bytes_per_player(settings),))
    yield from _processes(effort)


def bytes_per_player(settings: Settings, count: int = 500) -> float:
    """Returns the bytes of all keys in a new Redis for each player who has done nothing else."""
    service = Service(settings)
    service.client.flushall()
    for number in range(count):
        service.players.register(name=f"Player {number}")
    feeds = Keys(service.settings.partitions).players
    kept = service.client.scan_iter("hw:{p*}:*")
    return (_size(service, *kept) - _size(service, *feeds)) / count


def bytes_per_event(
    settings: Settings, game: str, events: float, *, of_people: bool = False
) -> dict[str, float]:
    """Returns the bytes in a new Redis for each event of tables by kind of key.

    Bots played there, or people, whose commands have idempotency keys.
    """
    service = Service(settings)
    service.client.flushall()
    people = [service.players.register(name=f"Player {seat}").player for seat in range(_SEATS)]
    before = _used_memory(service)
    tables = list[StreamId]()
    while sum(map(service.store.version, tables)) < events:
        tables.append(_play_table(service, game, people if of_people else ()))
    for group in grouped_by_category(service.projectors.values()):
        rebuild(group)
    count = sum(map(service.store.version, tables))
    sizes = {kind: size / count for kind, size in _sizes(service, tables).items()}
    return sizes | {"the total in INFO": (_used_memory(service) - before) / count}


def _sizes(service: Service, tables: list[StreamId]) -> Mapping[str, int]:
    keys = Keys(service.settings.partitions)
    rows = [key for name in service.projectors for key in service.client.scan_iter(f"hw:{{p*}}:{name}:*")]
    return {
        "the event itself": _size(service, *map(keys.stream, tables)),
        "the command index": _size(service, *map(keys.commands, tables)),
        "the feed, until it is trimmed": _size(service, *keys.feeds),
        "projections": _size(service, *rows),
    }


def _size(service: Service, *keys: str | bytes) -> int:
    return sum(service.client.memory_usage(key, samples=0) or 0 for key in keys)


def _used_memory(service: Service) -> int:
    return int(service.client.info("memory")["used_memory"])


def _play_table(service: Service, game: str, people: Sequence[Player]) -> StreamId:
    rulebook, chance = GAMES[game], Random(1)  # noqa: S311 - the same shuffles at every table
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
    for seat in range(seats):
        if people:
            service.tables.execute(table, intents.sit_down(people[seat], seat=seat), key=_key(service))
        else:
            service.tables.execute(table, intents.seat_bot("bench", policy="random", seat=None, seed=""))
    service.tables.execute(table, intents.start("bench"))
    while (loaded := service.tables.load(table).state).phase is Phase.PLAYING:
        if not people:
            service.table_worker.run_bots(table, until=service.clock.elapsed_ms() + BOTS_VISIT_MS)
        elif not _act(service, loaded, people, chance):
            service.table_worker.run_due(table)
    return StreamId("table", table)


def _act(service: Service, table: Table, people: Sequence[Player], chance: Random) -> bool:
    """Takes a random action of the first person who may act; returns whether there is one."""
    rulebook, now = table.rulebook, service.clock.now_ms()
    legal = [
        (seat, action)
        for seat in range(len(table.seats))
        for action in rulebook.legal_actions(table.state, seat, now)
    ]
    if not legal:
        return False
    seat, chosen = chance.choice([one for one in legal if one[0] == legal[0][0]])
    action = pick_action(rulebook, chosen, chance)
    service.tables.execute(table.id, intents.act(people[seat].id, lambda _: action), key=_key(service))
    return True


def _key(service: Service) -> IdempotencyKey:
    return idempotency_key("bench", service.identities.key_or_fresh(None), b"request")


def _processes(effort: Effort) -> Iterator[Figure]:
    with bench_service() as settings:
        run_load(PlayLoad(settings=settings, tables=max(effort.tables), warm_up=0.0, seconds=effort.seconds))
        usage_by_role = usages(settings)
    for role, usage in usage_by_role.items():
        count = f", {usage.processes} processes" if usage.processes > 1 else ""
        yield Figure(name=f"{role}{count}", unit="MB", samples=(usage.bytes / _MEGABYTE,))
