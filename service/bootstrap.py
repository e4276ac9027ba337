"""The composition root: creates the parts of a service from its settings."""

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TypedDict, Unpack

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.service.adapters.limits.claims import RedisClaims
from hoodwink.service.adapters.outgoing.guard import Guard
from hoodwink.service.adapters.redis.connection import AsyncClient, Client, connect_async
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.tasks.broker import JOB_KEYS, TASK_KEYS
from hoodwink.service.adapters.tasks.task_queue import CeleryJobQueue
from hoodwink.service.application.audit.due_audit import DueAudit
from hoodwink.service.application.commands.entry_offers import EntryOffers
from hoodwink.service.application.commands.erasure import Erasure
from hoodwink.service.application.commands.forgetting import Forgetting
from hoodwink.service.application.commands.forks import Forks
from hoodwink.service.application.commands.hosted_tables import HostedTables
from hoodwink.service.application.commands.imports import Imports
from hoodwink.service.application.commands.rematches import Rematches
from hoodwink.service.application.commands.tournament_orders import TournamentOrders
from hoodwink.service.application.jobs.job_runs import JobDispatcher
from hoodwink.service.application.jobs.jobs import Jobs
from hoodwink.service.application.players.bots import Bots
from hoodwink.service.application.players.stored_players import CATEGORY as PLAYERS
from hoodwink.service.application.ports import Clock, Entropy, EventStore, StreamId
from hoodwink.service.application.projecting.projecting import Projector
from hoodwink.service.application.projecting.rating import Rater
from hoodwink.service.application.reading.advice import Adviser
from hoodwink.service.application.reading.leaderboards import Leaderboards
from hoodwink.service.application.reading.ledger import Ledger
from hoodwink.service.application.reading.queries import Queries
from hoodwink.service.application.reading.statements import Statements
from hoodwink.service.application.streams.aggregates import SERIES
from hoodwink.service.application.streams.seat_knowledge import SeatKnowledge
from hoodwink.service.application.streams.series import SeriesRepository
from hoodwink.service.application.work.archiver import Archiver
from hoodwink.service.application.work.clock_mover import ClockMover, OutageDispatcher
from hoodwink.service.application.work.dispatch import Dispatcher
from hoodwink.service.application.work.series_worker import SeriesWorker
from hoodwink.service.application.work.table_worker import TableWorker
from hoodwink.service.application.work.tasks import TaskQueue
from hoodwink.service.application.work.thinker import Thinker
from hoodwink.service.application.work.tournament_worker import TournamentWorker
from hoodwink.service.callers import Callers
from hoodwink.service.settings import Settings


class Given(TypedDict, total=False):
    """Parts that replace those created from the settings, such as fakes in tests."""

    client: Client
    store: RedisEventStore
    clock: Clock
    entropy: Entropy
    tasks: TaskQueue
    table_worker: TableWorker
    jobs: Jobs
    guard: Guard
    webhook_guard: Guard


class Service(Callers):
    """All parts of a service, created on first use unless they are given."""

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
            metered: wraps the event store that tables and tournaments use, for metrics.
            process: the name of the process for metrics and records, such as `api`.
            given: parts to use instead of those created from the settings.
        """
        super().__init__(settings, process, metered)
        # Metrics are created only in the processes that count them.
        self.fell_back: Callable[[str], None] = lambda _level: None
        self.thought: Callable[[str, int], None] = lambda _level, _ms: None
        vars(self).update(given)  # `cached_property` computes nothing that it finds in there

    @cached_property
    def archiver(self) -> Archiver | None:
        if self.archive is None:
            return None
        return Archiver(
            archive=self.archive,
            partitions=range(self.settings.partitions),
            clock=self.clock,
            due_at=lambda kind, id_: self.due_times.find(kind, id_).at,
        )

    @cached_property
    def clock_mover(self) -> ClockMover:
        return ClockMover(outages=self.outages, tables=self.tables, tournaments=self.tournaments)

    @cached_property
    def outage_dispatcher(self) -> OutageDispatcher:
        return OutageDispatcher(
            outages=self.outages, due_times=self.due_times, tasks=self.tasks, clock=self.clock
        )

    @cached_property
    def forks(self) -> Forks:
        return Forks(tables=self.tables, entropy=self.entropy)

    @cached_property
    def rematches(self) -> Rematches:
        return Rematches(
            tables=self.tables,
            players=self.players,
            blocks=self.blocks,
            identities=self.identities,
            entropy=self.entropy,
        )

    @cached_property
    def imports(self) -> Imports:
        return Imports(
            store=self.store,
            players=self.players,
            clock=self.clock,
            rollbacks=self.rollbacks,
            keeping=self.import_retention,
        )

    @cached_property
    def tournament_orders(self) -> TournamentOrders:
        return TournamentOrders(
            tournaments=self.tournaments,
            arrangements=self.arrangements,
            ratings=self.queries.ratings_of_entrants,
        )

    @cached_property
    def series(self) -> SeriesRepository:
        # Without outages: nobody has to act in a series in time.
        return SeriesRepository(
            aggregate=SERIES,
            store=self.metered(self.store),
            clock=self.clock,
            rollbacks=self.rollbacks,
            cached=500,
        )

    @cached_property
    def series_worker(self) -> SeriesWorker:
        return SeriesWorker(
            series=self.series,
            tournaments=self.tournaments,
            players=self.players,
            hosted=self.hosted_tables,
            entropy=self.entropy,
            due_times=self.due_times,
            clock=self.clock,
        )

    @cached_property
    def hosted_tables(self) -> HostedTables:
        return HostedTables(
            reader=self.projection_store,
            claims=RedisClaims(client=self.client),
            bounds=self.settings.bounds,
            tables=self.tables,
            tournaments=self.tournaments,
            series=self.series,
        )

    @cached_property
    def tournament_worker(self) -> TournamentWorker:
        return TournamentWorker(
            tournaments=self.tournaments,
            tables=self.tables,
            due_times=self.due_times,
            clock=self.clock,
            jobs=self.jobs,
            outages=self.outages,
            ratings=self.queries.ratings_of_entrants,
        )

    @cached_property
    def queries(self) -> Queries:
        return Queries(
            reader=self.projection_store, tables=self.tables, owners=self.players.owners, clock=self.clock
        )

    @cached_property
    def leaderboards(self) -> Leaderboards:
        return Leaderboards(reader=self.projection_store, players=self.players, clock=self.clock)

    @cached_property
    def entry_offers(self) -> EntryOffers:
        return EntryOffers(
            players=self.players,
            blocks=self.blocks,
            leaderboards=self.leaderboards,
            queries=self.queries,
            tournaments=self.tournaments,
        )

    @cached_property
    def erasure(self) -> Erasure:
        return Erasure(
            players=self.players,
            queries=self.queries,
            tables=self.tables,
            tournaments=self.tournaments,
            imports=self.import_retention,
            feed=self.feed,
            store=self.store,
            blocks=self.blocks,
            subscriptions=self.subscriptions,
            webhooks=self.webhooks,
            bots=self.bots,
            sessions=self.session_notes,
            passkeys=self.passkey_store,
            clock=self.clock,
        )

    @cached_property
    def bots(self) -> Bots:
        return Bots(
            players=self.players,
            descriptions=self.bot_descriptions,
            online=self.presence,
            # No more rows are read than the answer needs.
            is_busy=lambda bot, most: (
                len(self.queries.live_tables_of(bot, before=None, count=most).rows) == most
            ),
            keep=self.newcomers.keep,
            confirm=lambda player: self.store.confirm(StreamId(PLAYERS, player)),
            clock=self.clock,
        )

    @cached_property
    def forgetting(self) -> Forgetting:
        return Forgetting(
            newcomers=self.newcomers,
            players=self.players,
            leave=self.erasure.leave,
            erase_description=self.bots.erase_descriptions,
            clock=self.clock,
            after_ms=self.settings.forget_after_ms,
        )

    def loop_connection(self) -> LoopConnection:
        """Returns the connection for requests on an event loop; it belongs to the loop that opens it."""
        url = self.settings.redis_url
        assert url is not None, "the start of a process sets the address of Redis"

        async def ready() -> AsyncClient:
            # If a request created one of these parts, it would be suspended halfway. Other requests could then see a half
            # created part, and before Python 3.12 they would block on the lock of cached_property. So a thread creates them.
            await asyncio.to_thread(
                lambda: (
                    self.clock,
                    self.tables,
                    self.tournaments,
                    self.players,
                    self.hosted_tables,
                    self.session_uses,
                    self.limits,
                )
            )
            # No timeout in redis-py, because LoopConnection has its own.
            return await connect_async(url, reply_seconds=None)

        return LoopConnection(ready, on_loss=self._forget_players)

    @cached_property
    def rater(self) -> Rater:
        return Rater(
            store=self.store, event_reader=self.event_reader, owners=self.players.owners, clock=self.clock
        )

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

    def due_audit(self) -> DueAudit:
        """Returns the audit that compares the due times with the logs and corrects them."""
        return DueAudit(
            store=self.store,
            records=self.due_times,
            clock=self.clock,
            idle_times=self.idle_times,
            reports_due_at={
                "report": self.tournament_worker.report_due_at,
                "result": self.series_worker.result_due_at,
            },
            partitions=range(self.settings.partitions),
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
            idle_times=self.idle_times,
            outages=self.outages,
            thoughts=self.thoughts,
            fell_back=self.fell_back,
        )

    @cached_property
    def thinker(self) -> Thinker:
        return Thinker(
            tables=self.tables,
            thoughts=self.thoughts,
            clock=self.clock,
            knowledge=SeatKnowledge(self.tables),
            timed=self.thought,
        )

    @cached_property
    def adviser(self) -> Adviser:
        return Adviser(tables=self.tables, players=self.players, clock=self.clock)

    @cached_property
    def dispatcher(self) -> Dispatcher:
        return Dispatcher(
            due_times=self.due_times,
            tasks=self.tasks,
            broker=self.brokers[TASK_KEYS],
            clock=self.clock,
            idle_times=self.idle_times,
        )

    @cached_property
    def job_dispatcher(self) -> JobDispatcher:
        return JobDispatcher(
            store=self.job_store, queue=CeleryJobQueue(self.brokers[JOB_KEYS]), clock=self.clock
        )
