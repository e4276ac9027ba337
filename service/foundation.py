"""Creates the adapters of a service: Redis, the broker, the clock and random numbers."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cached_property
from pathlib import Path

from redis import Redis

from hoodwink.service.adapters.archive.folder import Folder
from hoodwink.service.adapters.archive.objects import ObjectStore
from hoodwink.service.adapters.archive.segments import Segments
from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.adapters.limits.shared_counts import SharedCounts
from hoodwink.service.adapters.process.disk_space import DiskSpace
from hoodwink.service.adapters.process.system import SystemEntropy
from hoodwink.service.adapters.redis.connection import Client, close_async, connect, connect_async
from hoodwink.service.adapters.redis.embedded_address import embedded_url
from hoodwink.service.adapters.redis.gathering import is_gathered
from hoodwink.service.adapters.redis.partitions import hold_partitions
from hoodwink.service.adapters.redis.replication import wait_for
from hoodwink.service.adapters.store.archive import RedisArchive
from hoodwink.service.adapters.store.archived_logs import ArchivedLogs
from hoodwink.service.adapters.store.clock import clock_on
from hoodwink.service.adapters.store.due_times import RedisDueTimes
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.feeds.feed_tail import FeedTail
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.people.presence import RedisPresence
from hoodwink.service.adapters.store.people.sayings import RedisSayings
from hoodwink.service.adapters.store.projections.projection_store import RedisProjectionStore
from hoodwink.service.adapters.store.projections.rebuilt_parts import RebuiltParts
from hoodwink.service.adapters.store.rollbacks import RedisRollbacks
from hoodwink.service.adapters.store.stored_records import RedisStoredRecords
from hoodwink.service.adapters.store.thoughts import RedisThoughts
from hoodwink.service.adapters.store.write_check import check_writes
from hoodwink.service.adapters.tasks.arrangement_store import RedisArrangementStore
from hoodwink.service.adapters.tasks.broker import JOB_KEYS, PUSH_KEYS, TASK_KEYS, THINKING_KEYS, Broker
from hoodwink.service.adapters.tasks.job_store import RedisJobStore
from hoodwink.service.adapters.tasks.pulse import RedisHeart
from hoodwink.service.adapters.tasks.task_queue import CeleryTaskQueue
from hoodwink.service.application.jobs.arrangements import Arrangements
from hoodwink.service.application.ports import Clock, Entropy
from hoodwink.service.application.streams.event_reader import EventReader
from hoodwink.service.application.streams.outages import Outages
from hoodwink.service.application.work.due import IdleTimes
from hoodwink.service.application.work.tasks import TaskQueue
from hoodwink.service.settings import Settings


class Foundation(ABC):
    """The adapters of a service, created on first use."""

    def __init__(self, settings: Settings, process: str) -> None:
        """Takes the settings, and the name of the process for metrics and records, such as `api`."""
        self.settings = settings
        self.process = process

    @abstractmethod
    def _forget_players(self) -> None:
        """Empties the caches of players and tokens."""

    @cached_property
    def client(self) -> Client:
        """The connection to the Redis that holds the events; raises `StoreUnavailable`."""
        assert self.settings.redis_url is not None, "the start of a process sets the address of Redis"
        # In a gathered greenlet, `hold_partitions` would suspend in the middle of this property.
        assert not is_gathered(), "parts are created in a thread, where nothing else sees them half created"
        client = connect(self.settings.redis_url, on_connect=self._forget_players)
        # Checked before anything is read: with another number of partitions, nothing would be found.
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
            check_room=self.disk_space.check,
            archived=self.archived_logs,
        )

    @cached_property
    def archived_logs(self) -> ArchivedLogs:
        partitions, segments = self.settings.partitions, self.segments
        return ArchivedLogs(client=self.client, partitions=partitions, segments=segments)

    @cached_property
    def segments(self) -> Segments | None:
        """The files of the archive, or `None` if there is no place for them."""
        if "://" in self.settings.archive:
            return Segments(ObjectStore(self.settings.archive))
        if self.settings.archive:
            return Segments(Folder(Path(self.settings.archive)))
        # Processes on other machines could not read a folder of this one.
        return Segments(Folder(self.settings.data_folder / "archive")) if self._is_embedded else None

    @cached_property
    def archive(self) -> RedisArchive | None:
        """The archive of finished tables, tournaments and series, or `None` if there is no place for it."""
        if self.segments is None:
            return None
        return RedisArchive(
            client=self.client,
            partitions=self.settings.partitions,
            store=self.store,
            archived=self.archived_logs,
            segments=self.segments,
        )

    @property
    def _is_embedded(self) -> bool:
        return self.settings.redis_url == embedded_url(self.settings.data_folder / "redis")

    @cached_property
    def disk_space(self) -> DiskSpace:
        # The disk of an external Redis is not visible from here.
        return DiskSpace(self.settings.data_folder / "redis" if self._is_embedded else None)

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
    def presence(self) -> RedisPresence:
        return RedisPresence(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def sayings(self) -> RedisSayings:
        return RedisSayings(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def job_store(self) -> RedisJobStore:
        return RedisJobStore(client=self.client, max_bytes=self.settings.jobs_megabytes << 20)

    @cached_property
    def limits(self) -> Counters:
        return Counters(self.settings.bounds)

    @cached_property
    def shared_counts(self) -> SharedCounts:
        return SharedCounts(
            self.limits,
            client=self.client,
            process=self.entropy.command_id(),  # unlike a pid, unique on all machines and after a restart
        )

    @cached_property
    def rebuilt_parts(self) -> RebuiltParts:
        return RebuiltParts(client=self.client)

    @cached_property
    def stored_records(self) -> RedisStoredRecords:
        return RedisStoredRecords(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def entropy(self) -> Entropy:
        return SystemEntropy()

    def follow(self) -> AbstractAsyncContextManager[FeedTail]:
        """Follows the feed from now on, over its own connection; raises `StoreUnavailable`."""
        keys = Keys(self.settings.partitions)
        return self._tail(keys.feeds, keys.quiet)

    def follow_players(self) -> AbstractAsyncContextManager[FeedTail]:
        """Follows changes of players from now on, over its own connection; raises `StoreUnavailable`."""
        return self._tail(Keys(self.settings.partitions).players)

    @asynccontextmanager
    async def _tail(self, *feeds: Sequence[str]) -> AsyncIterator[FeedTail]:
        assert self.settings.redis_url is not None, "the start of a process sets the address of Redis"
        # Its own connection, because each read blocks the connection until there is something new.
        client = await connect_async(self.settings.redis_url)
        try:
            yield FeedTail(client=client, feeds=feeds)
        finally:
            await close_async(client)

    def check_store(self) -> None:
        """Raises `StoreUnavailable` unless Redis accepts writes and the disk has room for them."""
        self.disk_space.check()
        check_writes(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def clock(self) -> Clock:
        """The clock, never behind the last time that another process used; raises `StoreUnavailable`."""
        return clock_on(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def due_times(self) -> RedisDueTimes:
        return RedisDueTimes(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def outages(self) -> Outages:
        heart = RedisHeart(client=self.client)
        # Only API processes beat: an outage is the time in which nobody could act, even if workers were running.
        return Outages(heart=heart, clock=self.clock, beats=self.process == "api")

    @cached_property
    def arrangements(self) -> Arrangements:
        return Arrangements(RedisArrangementStore(client=self.client))

    @property
    def idle_times(self) -> IdleTimes:
        return IdleTimes(self.settings.open_after_ms, self.settings.abandon_after_ms)

    @cached_property
    def thoughts(self) -> RedisThoughts:
        return RedisThoughts(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def event_reader(self) -> EventReader:
        return EventReader(self.store, rollbacks=self.rollbacks)

    @cached_property
    def tasks(self) -> TaskQueue:
        """The queue of the workers; raises `StoreUnavailable`."""
        brokers = self.brokers
        return CeleryTaskQueue(brokers[TASK_KEYS], thinkers=brokers[THINKING_KEYS], pushes=brokers[PUSH_KEYS])

    @cached_property
    def brokers(self) -> Mapping[str, Broker]:
        """Celery's own data in Redis, by the prefix of its keys; raises `StoreUnavailable`."""
        client = connect(self.settings.broker_url) if self.settings.broker_url else self.client
        # Celery knows no clusters; the start checks this.
        assert isinstance(client, Redis), "a cluster cannot be a broker"
        return {keys: Broker(client, keys=keys) for keys in (TASK_KEYS, JOB_KEYS, THINKING_KEYS, PUSH_KEYS)}
