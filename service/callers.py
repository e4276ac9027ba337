"""Creates the parts of a service that tell people and programs what happens at tables and in tournaments: pushes and webhooks."""

from collections.abc import Callable
from functools import cached_property

from hoodwink.service.accounts import Accounts
from hoodwink.service.adapters.outgoing.guard import Guard
from hoodwink.service.adapters.outgoing.webhook_sender import WebhookSender
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.store.webhooks import RedisWebhooks, RedisWebhookTimes
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.pushes import PushOutcome
from hoodwink.service.application.ports import EventStore, StreamId
from hoodwink.service.application.reading.my_tables import MyTables
from hoodwink.service.application.streams.aggregates import TABLE, TOURNAMENT
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.application.webhooks.delivering import Deliverer, WebhookWatch
from hoodwink.service.application.webhooks.webhooks import DeliveryOutcome, Webhooks
from hoodwink.service.application.work.calling import Caller, CallWatch
from hoodwink.service.application.work.recalls import Recalls
from hoodwink.service.settings import Settings


class Callers(Accounts):
    """Tables and tournaments, and the parts that call people to them, created on first use."""

    def __init__(self, settings: Settings, process: str, metered: Callable[[EventStore], EventStore]) -> None:
        """`metered` wraps the event store that tables and tournaments use, for metrics."""
        super().__init__(settings, process)
        self.metered = metered
        # Metrics are created only in the processes that count them.
        self.pushed: Callable[[PushOutcome], None] = lambda _outcome: None
        self.delivered: Callable[[DeliveryOutcome], None] = lambda _outcome: None

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
    def my_tables(self) -> MyTables:
        # Gathered, because a list of many tables would otherwise take a round trip for each table.
        return MyTables(reader=self.projection_store, tables=self.tables, players=self.players, gather=gather)

    @cached_property
    def recalls(self) -> Recalls:
        return Recalls(self.clock)

    @cached_property
    def caller(self) -> Caller:
        return Caller(
            tables=self.tables,
            tournaments=self.tournaments,
            subscriptions=self.subscriptions,
            push_subscriptions=self.push_subscriptions,
            push=self.web_push.send,
            recalls=self.recalls,
            last_nudge=self.sayings.last_nudge,
            count=self.pushed,
        )

    @cached_property
    def call_watch(self) -> CallWatch:
        return CallWatch(
            subscriptions=self.subscriptions, my_tables=self.my_tables, tasks=self.tasks, clock=self.clock
        )

    @cached_property
    def webhook_guard(self) -> Guard:
        # Not that of the pushes: it has threads of its own that resolve names, and some name servers are slow.
        return Guard()

    @cached_property
    def webhook_store(self) -> RedisWebhooks:
        return RedisWebhooks(client=self.client, partitions=self.settings.partitions)

    @cached_property
    def webhook_times(self) -> RedisWebhookTimes:
        return RedisWebhookTimes(client=self.client)

    @cached_property
    def webhooks(self) -> Webhooks:
        return Webhooks(
            store=self.webhook_store,
            times=self.webhook_times,
            identities=self.identities,
            confirm=lambda tournament: self.store.confirm(StreamId(TOURNAMENT.category, tournament)),
            clock=self.clock,
            is_sent=self.settings.webhook_slots > 0,
        )

    @cached_property
    def webhook_watch(self) -> WebhookWatch:
        return WebhookWatch(store=self.webhook_store, times=self.webhook_times, clock=self.clock)

    @cached_property
    def deliverer(self) -> Deliverer:
        return Deliverer(
            webhooks=self.webhooks,
            store=self.webhook_store,
            times=self.webhook_times,
            tournaments=self.tournaments,
            text_of=self._text_of,
            sender=WebhookSender(guard=self.webhook_guard, now_ms=self.clock.now_ms),
            clock=self.clock,
            count=self.delivered,
        )

    def _text_of(self, digest: str) -> str | None:
        try:
            return self.administration.reason(digest).text
        except NotFound:  # it was erased
            return None
