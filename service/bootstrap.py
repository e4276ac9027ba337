"""The one place where parts are wired together: settings in, working use cases out."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cached_property
from typing import TypedDict, Unpack

from domain.projections import PROJECTIONS, Projection
from service.adapters.clock import clock_on
from service.adapters.connection import AsyncClient, Client, connect, connect_async, ping
from service.adapters.due_times import RedisDueTimes
from service.adapters.event_store import RedisEventStore
from service.adapters.feed import RedisFeed
from service.adapters.feed_tail import FeedTail
from service.adapters.loop_connection import LoopConnection
from service.adapters.partitions import hold_partitions
from service.adapters.projection_store import RedisProjectionStore
from service.adapters.rollbacks import RedisRollbacks
from service.adapters.system import SystemEntropy
from service.adapters.vault import RedisVault
from service.application.administrators import Administrators
from service.application.aggregates import TABLE, TOURNAMENT
from service.application.audit import PATIENCE_SECONDS, Audit
from service.application.dispatch import Dispatcher, TaskQueue
from service.application.due_audit import DueAudit
from service.application.event_reader import EventReader
from service.application.forks import Forks
from service.application.identity import Identities
from service.application.imports import Imports
from service.application.leaderboards import Leaderboards
from service.application.ledger import Ledger
from service.application.log_audit import LogAudit, Notes
from service.application.players import Players
from service.application.ports import Clock, Entropy, EventStore
from service.application.projecting import Projector
from service.application.queries import Queries
from service.application.rating import Rater
from service.application.rating_audit import RatingAudit
from service.application.statements import Statements
from service.application.table_worker import TableWorker
from service.application.tables import Tables
from service.application.tournament_worker import TournamentWorker
from service.application.tournaments import Tournaments
from service.settings import Settings


class Given(TypedDict, total=False):
    """Parts that a service is given, rather than making them by its settings."""

    client: Client
    store: RedisEventStore
    clock: Clock
    entropy: Entropy
    tasks: TaskQueue
    table_worker: TableWorker


class Service:
    """Everything a process of the service may need, made when first asked for, unless it is given."""

    def __init__(
        self,
        settings: Settings,
        *,
        watched: Callable[[EventStore], EventStore] = lambda store: store,
        process: str = "command",
        **given: Unpack[Given],
    ) -> None:
        """Takes what a service is made of.

        Args:
            settings: where Redis is, and how this installation runs.
            watched: lets a process count what its tables ask of the store.
            process: what the process is called where several report, such as `api`.
            given: what is used instead of what the settings lead to, such as fakes in tests.
        """
        self.settings = settings
        self.watched = watched
        self.process = process
        vars(self).update(given)  # where a cached_property looks first

    @cached_property
    def client(self) -> Client:
        """The connection to the Redis that holds the events; raises `StoreUnavailable`."""
        assert self.settings.redis_url is not None, "whoever starts a process names its Redis"
        client = connect(self.settings.redis_url, on_connect=self._forget_people)
        hold_partitions(client=client, partitions=self.settings.partitions)
        return client

    @cached_property
    def store(self) -> RedisEventStore:
        return RedisEventStore(
            client=self.client, partitions=self.settings.partitions, on_failover=self._forget_people
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
            store=self.watched(self.store),
            clock=self.clock,
            entropy=self.entropy,
            rollbacks=self.rollbacks,
        )

    @cached_property
    def forks(self) -> Forks:
        return Forks(tables=self.tables, entropy=self.entropy)

    @cached_property
    def imports(self) -> Imports:
        return Imports(store=self.store, clock=self.clock, entropy=self.entropy, rollbacks=self.rollbacks)

    @cached_property
    def tournaments(self) -> Tournaments:
        return Tournaments(
            aggregate=TOURNAMENT,
            store=self.watched(self.store),
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
    def administrators(self) -> Administrators:
        return Administrators(self.settings.administrators)

    @cached_property
    def leaderboards(self) -> Leaderboards:
        return Leaderboards(reader=self.projection_store, players=self.players, clock=self.clock)

    @cached_property
    def players(self) -> Players:
        return Players(store=self.store, clock=self.clock, identities=self.identities)

    @cached_property
    def identities(self) -> Identities:
        return Identities(vault=RedisVault(client=self.client), entropy=self.entropy)

    @cached_property
    def entropy(self) -> Entropy:
        return SystemEntropy()

    @asynccontextmanager
    async def follow(self) -> AsyncIterator[FeedTail]:
        """Gives the newest end of the feed, over a connection of its own; raises `StoreUnavailable`."""
        assert self.settings.redis_url is not None, "whoever starts a process names its Redis"
        client = await connect_async(self.settings.redis_url)
        try:
            yield FeedTail(client=client, partitions=self.settings.partitions)
        finally:
            await client.aclose()

    def loop_connection(self) -> LoopConnection:
        """Returns what runs the requests of an event loop; it belongs to the loop that opens it."""
        url = self.settings.redis_url
        assert url is not None, "whoever starts a process names its Redis"

        async def ready() -> AsyncClient:
            # A request that makes one of these at its first use would be suspended in the middle of that, and until
            # Python 3.12 a cached_property keeps its lock meanwhile. So they are made before, in a thread.
            await asyncio.to_thread(lambda: (self.clock, self.tables, self.players))
            return await connect_async(url, reply_seconds=None)

        return LoopConnection(ready, on_loss=self._forget_people)

    def _forget_people(self) -> None:
        """Forgets whom the process knows, since a store that was away may come back without them.

        Tables are compared with the store at each use; people are not, for that would cost a round trip.
        """
        made = vars(self)
        if "players" in made:
            self.players.forget()
        if "identities" in made:
            self.identities.forget()

    def check_store(self) -> None:
        """Raises `StoreUnavailable` unless Redis answers."""
        ping(self.client)

    @cached_property
    def clock(self) -> Clock:
        """The clock, as late as those of the processes before; raises `StoreUnavailable`."""
        return clock_on(client=self.client, partitions=self.settings.partitions)

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
        """Returns what holds the rating streams against the tables' logs."""
        return RatingAudit(store=self.store, clock=self.clock, patience_seconds=patience_seconds)

    def log_audit(self, notes: Notes) -> LogAudit:
        """Returns what verifies every log, except those that the notes name."""
        return LogAudit(store=self.store, notes=notes)

    def due_audit(self, *, patience_seconds: float = PATIENCE_SECONDS) -> DueAudit:
        """Returns what holds the due times against the logs, and sets them right."""
        return DueAudit(
            store=self.store,
            records=self.due_times,
            clock=self.clock,
            abandon_after_ms=self.settings.abandon_after_ms,
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
            tables=self.tables,
            due_times=self.due_times,
            clock=self.clock,
            abandon_after_ms=self.settings.abandon_after_ms,
        )

    @cached_property
    def tasks(self) -> TaskQueue:
        assert self.settings.tasks_url is not None, "whoever starts a process names its broker"
        from service.adapters.task_queue import (  # noqa: PLC0415 - Celery is only for who sends tasks
            CeleryTaskQueue,
            celery_application,
        )

        return CeleryTaskQueue(celery_application(self.settings.tasks_url))

    @cached_property
    def dispatcher(self) -> Dispatcher:
        return Dispatcher(
            due_times=self.due_times,
            tasks=self.tasks,
            clock=self.clock,
            abandon_after_ms=self.settings.abandon_after_ms,
        )
