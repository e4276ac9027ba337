"""The composition root: makes the parts of a service from its settings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cached_property
from typing import TypedDict, Unpack

from redis import Redis

from domain.projections import PROJECTIONS, Projection
from service.adapters.broker import Broker
from service.adapters.clock import clock_on
from service.adapters.connection import AsyncClient, Client, connect, connect_async
from service.adapters.counters import Counters
from service.adapters.due_times import RedisDueTimes
from service.adapters.event_store import RedisEventStore
from service.adapters.feed import RedisFeed
from service.adapters.feed_tail import FeedTail
from service.adapters.gathering import gather, is_gathered
from service.adapters.keys import Keys
from service.adapters.loop_connection import LoopConnection
from service.adapters.newcomers import RedisNewcomers
from service.adapters.partitions import hold_partitions
from service.adapters.presence import RedisPresence
from service.adapters.projection_store import RedisProjectionStore
from service.adapters.replication import wait_for
from service.adapters.rollbacks import RedisRollbacks
from service.adapters.shared_counts import SharedCounts
from service.adapters.system import SystemEntropy
from service.adapters.vault import RedisVault
from service.adapters.write_check import check_writes
from service.application.administrators import Administrators
from service.application.aggregates import TABLE, TOURNAMENT
from service.application.audit import PATIENCE_SECONDS, Audit
from service.application.dispatch import Dispatcher, IdleTimes, TaskQueue
from service.application.due_audit import DueAudit
from service.application.erasure import Erasure
from service.application.event_reader import EventReader
from service.application.forgetting import Forgetting
from service.application.forks import Forks
from service.application.hosted_tables import HostedTables
from service.application.identity import Identities
from service.application.imports import Imports
from service.application.leaderboards import Leaderboards
from service.application.ledger import Ledger
from service.application.log_audit import LogAudit, Notes
from service.application.my_tables import MyTables
from service.application.players import Players
from service.application.ports import Clock, Entropy, EventStore
from service.application.projecting import Projector
from service.application.queries import Queries
from service.application.rating import Rater
from service.application.rating_audit import RatingAudit
from service.application.rematches import Rematches
from service.application.statements import Statements
from service.application.stream_tokens import StreamTokens
from service.application.table_worker import TableWorker
from service.application.tables import Tables
from service.application.tournament_worker import TournamentWorker
from service.application.tournaments import Tournaments
from service.settings import Settings


class Given(TypedDict, total=False):
    """The parts that a service can be given instead of making them from its settings."""

    client: Client
    store: RedisEventStore
    clock: Clock
    entropy: Entropy
    tasks: TaskQueue
    table_worker: TableWorker


class Service:
    """All parts of a service, each made when it is first used, unless it is given."""

    def __init__(
        self,
        settings: Settings,
        *,
        metered: Callable[[EventStore], EventStore] = lambda store: store,
        process: str = "command",
        **given: Unpack[Given],
    ) -> None:
        """Takes the settings and the parts of a service.

        Args:
            settings: the address of Redis, and the settings of this installation.
            metered: wraps the event store, so that a process can count what its tables ask of it.
            process: the name of the process where several report, such as `api`.
            given: parts to use instead of those made from the settings, such as fakes in tests.
        """
        self.settings = settings
        self.metered = metered
        self.process = process
        vars(self).update(given)  # a cached_property returns what it finds there

    @cached_property
    def client(self) -> Client:
        """The connection to the Redis that holds the events; raises `StoreUnavailable`."""
        assert self.settings.redis_url is not None, "the start of a process sets the address of Redis"
        assert not is_gathered(), "parts are made in a thread, where nothing else sees them half made"
        client = connect(self.settings.redis_url, on_connect=self._forget_players)
        hold_partitions(client=client, partitions=self.settings.partitions)
        return client

    @cached_property
    def store(self) -> RedisEventStore:
        replicas, seconds = self.settings.replicas, self.settings.replicas_seconds
        return RedisEventStore(
            client=self.client,
            partitions=self.settings.partitions,
            on_loss=self._forget_players,
            wait=wait_for(self.client, replicas=replicas, seconds=seconds) if replicas else None,
        )

    @cached_property
    def rollbacks(self) -> RedisRollbacks:
        return RedisRollbacks(client=self.client, process=self.process)

    @cached_property
    def feed(self) -> RedisFeed:
        return RedisFeed(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def projection_store(self) -> RedisProjectionStore:
        return RedisProjectionStore(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def tables(self) -> Tables:
        return Tables(
            aggregate=TABLE,
            store=self.metered(self.store),
            clock=self.clock,
            entropy=self.entropy,
            rollbacks=self.rollbacks,
        )

    @cached_property
    def forks(self) -> Forks:
        return Forks(tables=self.tables, entropy=self.entropy)

    @cached_property
    def presence(self) -> RedisPresence:
        return RedisPresence(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def rematches(self) -> Rematches:
        return Rematches(
            tables=self.tables, players=self.players, identities=self.identities, entropy=self.entropy
        )

    @cached_property
    def imports(self) -> Imports:
        return Imports(
            store=self.store,
            players=self.players,
            clock=self.clock,
            entropy=self.entropy,
            rollbacks=self.rollbacks,
        )

    @cached_property
    def tournaments(self) -> Tournaments:
        return Tournaments(
            aggregate=TOURNAMENT,
            store=self.metered(self.store),
            clock=self.clock,
            entropy=self.entropy,
            rollbacks=self.rollbacks,
            cached=500,
        )

    @cached_property
    def tournament_worker(self) -> TournamentWorker:
        return TournamentWorker(
            tournaments=self.tournaments, tables=self.tables, due_times=self.due_times, clock=self.clock
        )

    @cached_property
    def queries(self) -> Queries:
        return Queries(reader=self.projection_store, tables=self.tables, clock=self.clock)

    @cached_property
    def my_tables(self) -> MyTables:
        return MyTables(reader=self.projection_store, tables=self.tables, players=self.players, gather=gather)

    @cached_property
    def limits(self) -> Counters:
        return Counters(self.settings.bounds)

    @cached_property
    def shared_counts(self) -> SharedCounts:
        return SharedCounts(
            self.limits,
            client=self.client,
            process=self.entropy.command_id(),
            hosted=HostedTables(reader=self.projection_store).numbers,
        )

    @cached_property
    def administrators(self) -> Administrators:
        return Administrators(self.settings.administrators)

    @cached_property
    def leaderboards(self) -> Leaderboards:
        return Leaderboards(reader=self.projection_store, players=self.players, clock=self.clock)

    @cached_property
    def players(self) -> Players:
        return Players(store=self.store, clock=self.clock, identities=self.identities)

    @cached_property
    def erasure(self) -> Erasure:
        return Erasure(
            players=self.players,
            queries=self.queries,
            tables=self.tables,
            tournaments=self.tournaments,
            feed=self.feed,
            store=self.store,
            clock=self.clock,
        )

    @cached_property
    def forgetting(self) -> Forgetting:
        return Forgetting(
            newcomers=RedisNewcomers(client=self.client, partitions=self.settings.partitions),
            players=self.players,
            leave=self.erasure.leave,
            clock=self.clock,
            after_ms=self.settings.forget_after_ms,
        )

    @cached_property
    def stream_tokens(self) -> StreamTokens:
        return StreamTokens(players=self.players, identities=self.identities, clock=self.clock)

    @cached_property
    def identities(self) -> Identities:
        return Identities(vault=RedisVault(client=self.client), entropy=self.entropy)

    @cached_property
    def entropy(self) -> Entropy:
        return SystemEntropy()

    def follow(self) -> AbstractAsyncContextManager[FeedTail]:
        """Opens the newest end of the feed over a connection of its own; raises `StoreUnavailable`."""
        keys = Keys(self.settings.partitions)
        return self._tail(keys.feeds, keys.quiet)

    def follow_players(self) -> AbstractAsyncContextManager[FeedTail]:
        """Opens the newest end of the changes of players over a connection of its own; raises `StoreUnavailable`."""
        return self._tail(Keys(self.settings.partitions).players)

    @asynccontextmanager
    async def _tail(self, *feeds: Sequence[str]) -> AsyncIterator[FeedTail]:
        assert self.settings.redis_url is not None, "the start of a process sets the address of Redis"
        client = await connect_async(self.settings.redis_url)
        try:
            yield FeedTail(client=client, feeds=feeds)
        finally:
            await client.aclose()

    def loop_connection(self) -> LoopConnection:
        """Returns the connection that runs requests on an event loop; it belongs to the loop that opens it."""
        url = self.settings.redis_url
        assert url is not None, "the start of a process sets the address of Redis"

        async def ready() -> AsyncClient:
            # A request that made one of these parts would be suspended in the middle, another request could see it half
            # made, and until Python 3.12 cached_property would hold its lock. So they are made first, in a thread.
            await asyncio.to_thread(lambda: (self.clock, self.tables, self.players, self.limits))
            return await connect_async(url, reply_seconds=None)

        return LoopConnection(ready, on_loss=self._forget_players)

    def _forget_players(self) -> None:
        """Empties the caches of players and tokens.

        A store that was away may have been restored from an older copy without some of them. Cached tables are compared
        with the store at each use; players are not, because that would cost a round trip.
        """
        made = vars(self)
        if "players" in made:
            self.players.forget()
        if "identities" in made:
            self.identities.forget()

    def check_store(self) -> None:
        """Raises `StoreUnavailable` unless Redis answers and accepts writes."""
        check_writes(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def clock(self) -> Clock:
        """The clock, not earlier than the last time that another process used; raises `StoreUnavailable`."""
        return clock_on(client=self.client, partitions=self.settings.partitions)

    @property
    def idle_times(self) -> IdleTimes:
        return IdleTimes(self.settings.open_after_ms, self.settings.abandon_after_ms)

    @cached_property
    def due_times(self) -> RedisDueTimes:
        return RedisDueTimes(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def event_reader(self) -> EventReader:
        return EventReader(self.store, rollbacks=self.rollbacks)

    @cached_property
    def rater(self) -> Rater:
        return Rater(store=self.store, event_reader=self.event_reader, clock=self.clock)

    @cached_property
    def projectors(self) -> dict[str, Projector]:
        return {
            projection.name: Projector(
                projection=projection,
                event_reader=self.event_reader,
                target=self.projection_store,
                clock=self.clock,
                gather=gather,
            )
            for projection in PROJECTIONS
        }

    def audit(self, projection: Projection, *, patience_seconds: float = PATIENCE_SECONDS) -> Audit:
        """Returns the audit of a projection."""
        return Audit(
            projection=projection,
            store=self.store,
            target=self.projection_store,
            clock=self.clock,
            patience_seconds=patience_seconds,
        )

    def rating_audit(self, *, patience_seconds: float = PATIENCE_SECONDS) -> RatingAudit:
        """Returns the audit that compares the rating streams with the tables' logs."""
        return RatingAudit(store=self.store, clock=self.clock, patience_seconds=patience_seconds)

    def log_audit(self, notes: Notes) -> LogAudit:
        """Returns the audit that verifies every log, except those that the notes name."""
        return LogAudit(store=self.store, notes=notes)

    def due_audit(self, *, patience_seconds: float = PATIENCE_SECONDS) -> DueAudit:
        """Returns the audit that compares the due times with the logs and corrects them."""
        return DueAudit(
            store=self.store,
            records=self.due_times,
            clock=self.clock,
            idle_times=self.idle_times,
            report_due_at=self.tournament_worker.report_due_at,
            patience_seconds=patience_seconds,
        )

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(reader=self.projection_store, store=self.store)

    @cached_property
    def statements(self) -> Statements:
        return Statements(ledger=self.ledger)

    @cached_property
    def table_worker(self) -> TableWorker:
        return TableWorker(
            tables=self.tables, due_times=self.due_times, clock=self.clock, idle_times=self.idle_times
        )

    @cached_property
    def tasks(self) -> TaskQueue:
        assert self.settings.tasks_url is not None, "the start of a process sets the address of the broker"
        from service.adapters.task_queue import (  # noqa: PLC0415 - only processes that send tasks need Celery
            CeleryTaskQueue,
            celery_application,
        )

        return CeleryTaskQueue(celery_application(self.settings.tasks_url))

    @cached_property
    def broker(self) -> Broker:
        """What Celery keeps in Redis; raises `StoreUnavailable`."""
        client = connect(self.settings.broker_url) if self.settings.broker_url else self.client
        assert isinstance(client, Redis), "a cluster can be no broker"
        return Broker(client)

    @cached_property
    def dispatcher(self) -> Dispatcher:
        return Dispatcher(
            due_times=self.due_times,
            tasks=self.tasks,
            broker=self.broker,
            clock=self.clock,
            idle_times=self.idle_times,
        )
