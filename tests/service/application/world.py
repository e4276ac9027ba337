"""A service in one process on an empty Redis, a stopped clock, and workers that run on demand."""

import struct
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from random import Random
from types import MappingProxyType
from typing import Any

from hoodwink.domain.bots import pick_action
from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import Action
from hoodwink.domain.tables.actor import HOST, Actor
from hoodwink.domain.tables.commands import (
    OpenTable,
    StartTable,
    TakeSeat,
)
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import Table
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.keys import named
from hoodwink.service.application.ports import AppendResult, Commit, FeedEntry, IdempotencyKey, StreamId
from hoodwink.service.application.streams.feed import REACTIONS
from hoodwink.service.application.streams.tables import Accepted
from hoodwink.service.application.work.dispatch import Dispatcher, Job
from hoodwink.service.application.work.table_worker import BOTS_VISIT_MS, Visit
from hoodwink.service.application.work.tasks import NO_REQUESTS, Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from tests.service.databases import copied, new_redis

NOW = 1_750_000_000_000
HOUR_MS = 3_600_000
SEED = "5eed" * 16


class StandingClock:
    """A clock that changes only through a test."""

    def __init__(self) -> None:
        self.now = NOW

    def now_ms(self) -> int:
        return self.now

    def elapsed_ms(self) -> int:
        return self.now - NOW

    def wait(self, seconds: float) -> None:
        self.now += round(1_000 * seconds)


class EventfulClock(StandingClock):
    """A clock that calls a function on each wait."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self._meanwhile()


class FakeBroker:
    """The queue of a broker.

    Attributes:
        tasks: the tables waiting for a visit.
        sent: the tables of all tasks ever sent.
        others: all other tasks.
    """

    def __init__(self) -> None:
        self.tasks: deque[str] = deque()
        self.sent: list[str] = []
        self.others: deque[Job] = deque()

    def add(self, *table_ids: str) -> None:
        self.tasks.extend(table_ids)
        self.sent.extend(table_ids)

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        if task in {Task.RUN_TABLE, Task.RUN_BOTS}:
            self.add(*ids)
        else:
            self.others.extend(Job(task, id_) for id_ in ids)

    def waiting(self) -> Mapping[int, int]:
        return {0: len(self.tasks)}


def service_on(
    client: Any, clock: Any = None, *, given: Mapping[str, Any] = MappingProxyType({}), **settings: Any
) -> Service:
    """Returns a service on this Redis with some parts replaced."""
    return Service(Settings(**settings), client=client, clock=clock or StandingClock(), **given)


def visit_table(service: Service, table: str) -> Visit:
    """Lets a worker do the due work of any table."""
    visit = service.table_worker.run_due(table)
    if visit.next_task is not Task.RUN_BOTS:
        return visit
    return service.table_worker.run_bots(table, until=service.clock.elapsed_ms() + BOTS_VISIT_MS)


def legal_choice(service: Service, table: str, seat: int, chance: Random) -> Action:
    """Returns a random legal action of a seat."""
    loaded = service.tables.load(table).state
    legal = loaded.rulebook.legal_actions(loaded.state, seat, service.clock.now_ms())
    return pick_action(loaded.rulebook, chance.choice(legal), chance)


class World:
    """Does the work of all processes of a service, step by step."""

    def __init__(
        self,
        client: Any = None,
        clock: Any = None,
        *,
        given: Mapping[str, Any] = MappingProxyType({}),
        **settings: Any,
    ) -> None:
        self.clock = clock or StandingClock()
        self.client = client or new_redis()
        self.service = service_on(self.client, self.clock, given=given, **settings)
        self.broker = FakeBroker()
        self.dispatcher = self.new_dispatcher()
        self._chance = Random(1)

    def copy(self, **settings: Any) -> "World":
        """Returns a world on a copy of this one's Redis, at the same time, with processes that have empty caches."""
        world = World(copied(self.client), copy(self.clock), **settings)
        world._chance.setstate(self._chance.getstate())
        return world

    def new_dispatcher(self) -> Dispatcher:
        """Returns the dispatcher of a new process with an empty cache."""
        service = self.service
        return Dispatcher(
            due_times=service.due_times,
            tasks=self.broker,
            broker=self.broker,
            clock=service.clock,
            idle_times=service.idle_times,
        )

    # ---------------------------------------------------------------------------------- tables

    def table(
        self,
        *players: str,
        start: bool = True,
        table: str = "t1",
        committed: Mapping[str, str] = MappingProxyType({}),
        **opening: Any,
    ) -> str:
        """Opens a table and returns its id; `bot` is a random bot, `bot:LEVEL` another one, all others are people.

        `committed` contains the seeds of people and of the host `holly`.
        """
        commitments = {who: commitment(seed) for who, seed in committed.items()}
        command = OpenTable(
            table=table,
            game=opening.pop("game", "blindside"),
            seats=len(players),
            host="holly",
            turn_seconds=opening.pop("turn_seconds", 0),
            bot_delay=opening.pop("bot_delay", 0),
            round_pause=opening.pop("round_pause", 0),
            server_seed=SEED,
            seed_commitment=commitments.get("holly", ""),
            take_backs=opening.pop("take_backs", None),
            options=opening,
        )
        self.service.tables.open(table, command, by=HOST, key=IdempotencyKey(f"open {table}", ""))
        for seat, player in enumerate(players):
            is_bot = player.partition(":")[0] == "bot"
            policy = (player.partition(":")[2] or "random") if is_bot else None
            taken = TakeSeat(
                player=f"bot:{policy}" if is_bot else player,
                policy=policy,
                seat=seat,
                seed_commitment=commitments.get(player, ""),
            )
            self.do(table, taken, by="host" if is_bot else f"player:{seat}")
        if start:
            self.do(table, StartTable(), by="host")
        return table

    def do(self, table: str, command: Any, *, by: str) -> Accepted:
        return self.service.tables.execute(table, lambda _: (command, Actor(by)))

    def now_at(self, table: str) -> Table:
        return self.service.tables.load(table).state

    def is_valid(self, table: str) -> bool:
        return verify_log(export_log(table, self.service.tables.entries(table))).valid

    # ------------------------------------------------------------------------------- processes

    def read(self, group: str = REACTIONS, *, feed: RedisFeed | None = None) -> list[FeedEntry]:
        """Returns a group's new feed entries."""
        feed = feed or self.service.feed
        return feed.read(group=group, consumer="one", partitions=feed.partitions, count=100, block_ms=0)

    def dispatch(self, entries: Sequence[FeedEntry] | None = None) -> list[FeedEntry]:
        """Dispatches the given entries, or those of the feed, and returns them."""
        noted = self.read() if entries is None else list(entries)
        self.dispatcher.dispatch(noted)
        self.service.feed.ack(REACTIONS, noted)
        return noted

    def work(self) -> int:
        """Runs all tasks for tables; returns the number of steps."""
        steps = 0
        while self.broker.tasks:
            table = self.broker.tasks.popleft()
            visit = self.visit(table)
            if visit.next_task:
                self.broker.add(table)
            steps += visit.steps
        return steps

    def visit(self, table: str) -> Visit:
        return visit_table(self.service, table)

    def work_on_tournaments(self) -> None:
        """Runs all tasks for tournaments and series."""
        tournaments, series = self.service.tournament_worker, self.service.series_worker
        visits = {
            Task.RUN_TOURNAMENT: tournaments.run_due,
            Task.REPORT_TABLE: tournaments.report,
            Task.RUN_SERIES: series.run_due,
            Task.REPORT_TOURNAMENT: series.report,
        }
        while self.broker.others:
            task, id_ = self.broker.others.popleft()
            visits[task](id_)

    def settle(self) -> None:
        """Runs the dispatcher and the workers until nothing is due."""
        while self.dispatch() or self.broker.tasks or self.broker.others:
            self.work()
            self.work_on_tournaments()

    def choice(self, table: str, seat: int) -> Action:
        """Returns a random legal action of a seat."""
        return legal_choice(self.service, table, seat, self._chance)


def add_malformed_entry(service: Service, stream: StreamId) -> None:
    """Adds an entry to a stream as somebody with redis-cli does."""
    service.client.xadd(service.store._keys.stream(stream), {"a": "b"})


def lose_archived(service: Service, stream: StreamId) -> None:
    """Replaces a stream by the tombstone of a log whose file is lost."""
    keys, (last,) = service.store._keys, service.store.read(stream)[-1:]
    tombstone = struct.pack(">I32sIIII", last.version, bytes.fromhex(last.hash), 202611, 1, 0, 1)
    service.client.hset(keys.archived(stream), named(stream), tombstone)
    service.client.delete(keys.stream(stream), keys.commands(stream))


def put_back(service: Service, id_: str, length: int, *, category: str = "table") -> None:
    """Keeps only the first events of a stream and their keys, like a store that was rolled back.

    Due times and projections stay, so that stale ones are tested, too.
    """
    stream = StreamId(category, id_)
    key, commands = service.store._keys.stream(stream), service.store._keys.commands(stream)
    kept: Any = service.client.xrange(key, count=length) if length else []
    # One transaction: concurrent readers must not see an even shorter stream.
    with service.client.pipeline(transaction=True) as pipeline:
        pipeline.delete(key, commands)
        for entry_id, fields in kept:
            pipeline.xadd(key, fields, id=entry_id)
        pipeline.execute()


class RecordedRollbacks:
    """Records the rollbacks reported by a process.

    Attributes:
        vanished: table, first and last vanished version.
    """

    def __init__(self) -> None:
        self.vanished: list[tuple[str, int, int]] = []

    def notice(self, stream: StreamId, *, first: int, last: int) -> None:
        self.vanished.append((stream.id, first, last))


class Recorder(RedisEventStore):
    """An event store that records its commits, to store them again elsewhere."""

    def __init__(self, client: Any) -> None:
        super().__init__(client=client)
        self.commits: list[Commit] = []

    def append(self, commit: Commit) -> AppendResult:
        self.commits.append(commit)
        return super().append(commit)
