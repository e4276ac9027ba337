"""The composition root: creates the parts of a service from its settings."""

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TypedDict, Unpack

from hoodwink.domain.projections import PROJECTIONS, Projection
from hoodwink.domain.tables.proving.proof import Checked, uncounted
from hoodwink.service.adapters.limits.shared_counts import SharedCounts
from hoodwink.service.adapters.redis.connection import AsyncClient, Client, connect_async
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.import_shelf import RedisImportShelf
from hoodwink.service.adapters.store.installation_secret import InstallationSecret
from hoodwink.service.adapters.store.people.newcomers import RedisNewcomers
from hoodwink.service.adapters.store.reasons import RedisReasons
from hoodwink.service.adapters.store.stored_records import RedisStoredRecords
from hoodwink.service.adapters.tasks.arrangement_store import RedisArrangementStore
from hoodwink.service.adapters.tasks.pulse import RedisHeart
from hoodwink.service.application.audit.audit import PATIENCE_SECONDS, Audit
from hoodwink.service.application.audit.due_audit import DueAudit
from hoodwink.service.application.audit.log_audit import LogAudit, Notes
from hoodwink.service.application.audit.rating_audit import RatingAudit
from hoodwink.service.application.audit.stored_audit import StoredAudit
from hoodwink.service.application.commands.erasure import Erasure
from hoodwink.service.application.commands.forgetting import Forgetting
from hoodwink.service.application.commands.forks import Forks
from hoodwink.service.application.commands.import_keeping import ImportKeeping
from hoodwink.service.application.commands.import_shelf import DAY_MS
from hoodwink.service.application.commands.imports import Imports
from hoodwink.service.application.commands.rematches import Rematches
from hoodwink.service.application.commands.tournament_orders import TournamentOrders
from hoodwink.service.application.jobs.arrangements import Arrangements
from hoodwink.service.application.jobs.job_runs import JobDispatcher
from hoodwink.service.application.jobs.jobs import Jobs
from hoodwink.service.application.players.administration import Administration
from hoodwink.service.application.players.administrators import Administrators
from hoodwink.service.application.players.identity import Identities
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.players.stream_tokens import StreamTokens
from hoodwink.service.application.ports import Clock, Entropy, EventStore
from hoodwink.service.application.projecting.projecting import Projector
from hoodwink.service.application.projecting.rating import Rater
from hoodwink.service.application.reading.leaderboards import Leaderboards
from hoodwink.service.application.reading.ledger import Ledger
from hoodwink.service.application.reading.my_tables import MyTables
from hoodwink.service.application.reading.queries import Queries
from hoodwink.service.application.reading.statements import Statements
from hoodwink.service.application.streams.aggregates import TABLE, TOURNAMENT
from hoodwink.service.application.streams.outages import Outages
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.application.work.archiver import Archiver
from hoodwink.service.application.work.clock_mover import ClockMover, OutageDispatcher
from hoodwink.service.application.work.dispatch import Dispatcher
from hoodwink.service.application.work.due import IdleTimes
from hoodwink.service.application.work.table_worker import TableWorker
from hoodwink.service.application.work.tasks import TaskQueue
from hoodwink.service.application.work.tournament_worker import TournamentWorker
from hoodwink.service.foundation import Foundation
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


class Service(Foundation):
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
        super().__init__(settings, process)
        self.metered = metered
        vars(self).update(given)  # `cached_property` computes nothing that it finds in there

    @cached_property
    def tables(self) -> Tables:
        return Tables(
            aggregate=TABLE,
            store=self.metered(self.store),
            clock=self.clock,
            rollbacks=self.rollbacks,
            outages=self.outages,
        )

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
    def outages(self) -> Outages:
        heart = RedisHeart(client=self.client)
        # Only API processes beat: an outage is the time in which nobody could act, even if workers were running.
        return Outages(heart=heart, clock=self.clock, beats=self.process == "api")

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
            keeping=self.import_keeping,
        )

    @cached_property
    def import_keeping(self) -> ImportKeeping:
        return ImportKeeping(
            shelf=RedisImportShelf(client=self.client, partitions=self.settings.partitions),
            clock=self.clock,
            bounds=self.settings.bounds,
            max_bytes=self.settings.imports_megabytes << 20,
            stays_ms=round(self.settings.import_days * DAY_MS),
        )

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(
            store=self.job_store,
            identities=self.identities,
            entropy=self.entropy,
            clock=self.clock,
            bounds=self.settings.bounds,
        )

    @cached_property
    def tournaments(self) -> Tournaments:
        return Tournaments(
            aggregate=TOURNAMENT,
            store=self.metered(self.store),
            clock=self.clock,
            rollbacks=self.rollbacks,
            outages=self.outages,
            cached=500,  # fewer than tables, because the state of a tournament is larger
        )

    @cached_property
    def arrangements(self) -> Arrangements:
        return Arrangements(RedisArrangementStore(client=self.client))

    @cached_property
    def tournament_orders(self) -> TournamentOrders:
        return TournamentOrders(
            tournaments=self.tournaments,
            arrangements=self.arrangements,
            ratings=self.queries.ratings_of_entrants,
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
        )

    @cached_property
    def queries(self) -> Queries:
        return Queries(reader=self.projection_store, tables=self.tables, clock=self.clock)

    @cached_property
    def my_tables(self) -> MyTables:
        # Gathered, because a list of many tables would otherwise take a round trip for each table.
        return MyTables(reader=self.projection_store, tables=self.tables, players=self.players, gather=gather)

    @cached_property
    def shared_counts(self) -> SharedCounts:
        return SharedCounts(
            self.limits,
            client=self.client,
            process=self.entropy.command_id(),  # unlike a pid, unique on all machines and after a restart
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
            imports=self.import_keeping,
            feed=self.feed,
            store=self.store,
            blocks=self.blocks,
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
        installation_secret = InstallationSecret(client=self.client)
        return Identities(
            secrets=installation_secret,
            entropy=self.entropy,
            hears=lambda: self.players.is_known(),  # noqa: PLW0108 - players need the identities, so they come later
        )

    @cached_property
    def administration(self) -> Administration:
        reasons = RedisReasons(client=self.client)
        return Administration(store=self.store, reasons=reasons, identities=self.identities, clock=self.clock)

    def loop_connection(self) -> LoopConnection:
        """Returns the connection for requests on an event loop; it belongs to the loop that opens it."""
        url = self.settings.redis_url
        assert url is not None, "the start of a process sets the address of Redis"

        async def ready() -> AsyncClient:
            # If a request created one of these parts, it would be suspended halfway. Other requests could then see a half
            # created part, and before Python 3.12 they would block on the lock of cached_property. So a thread creates them.
            await asyncio.to_thread(lambda: (self.clock, self.tables, self.players, self.limits))
            # No timeout in redis-py, because LoopConnection has its own.
            return await connect_async(url, reply_seconds=None)

        return LoopConnection(ready, on_loss=self._forget_players)

    def _forget_players(self) -> None:
        # After a reconnection, the store may be an older copy that lacks some players. Cached tables are compared with the
        # store at each use, but players are not, because that would cost a round trip.
        made = vars(self)  # only existing parts: this runs while Redis reconnects, so it must not create any
        if "players" in made:
            self.players.forget()
        if "identities" in made:
            self.identities.forget()

    @property
    def idle_times(self) -> IdleTimes:
        return IdleTimes(self.settings.open_after_ms, self.settings.abandon_after_ms)

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

    def log_audit(self, notes: Notes, checked: Checked = uncounted, *, with_archive: bool = True) -> LogAudit:
        """Returns the audit that verifies every log, except those that the notes name."""
        streams = self.store.streams if with_archive else self.store.in_memory
        return LogAudit(store=self.store, streams=streams, notes=notes, checked=checked)

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

    def stored_audit(self) -> StoredAudit:
        """Returns the audit that compares data derived from events with the events."""
        records = RedisStoredRecords(client=self.client, partitions=self.settings.partitions)
        return StoredAudit(store=self.store, records=records)

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
        )

    @cached_property
    def dispatcher(self) -> Dispatcher:
        return Dispatcher(
            due_times=self.due_times,
            tasks=self.tasks,
            broker=self.broker,
            clock=self.clock,
            idle_times=self.idle_times,
        )

    @cached_property
    def job_dispatcher(self) -> JobDispatcher:
        assert self.settings.tasks_url is not None, "the start of a process sets the address of the broker"
        # Imported late: Celery is slow to import, and only processes that send jobs need it.
        from hoodwink.service.adapters.tasks.task_queue import CeleryJobQueue, job_application  # noqa: PLC0415

        queue = CeleryJobQueue(job_application(self.settings.tasks_url))
        return JobDispatcher(store=self.job_store, queue=queue, clock=self.clock)
