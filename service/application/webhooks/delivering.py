"""Sends the messages of webhooks, in the order of the events, each until it is delivered or given up.

The log of the tournament is the queue: a webhook stores only how far its messages have come. It notes that after an answer,
so a process that is killed sends a message twice rather than never, with the same id.
"""

from collections.abc import Callable, Sequence
from random import uniform
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.service.application.commands.tournament_intents import check_organiser
from hoodwink.service.application.errors import Forbidden, NotFound
from hoodwink.service.application.ports import Clock, FeedEntry
from hoodwink.service.application.streams.aggregates import TOURNAMENT
from hoodwink.service.application.streams.feed import entries_of
from hoodwink.service.application.streams.tournaments import LoadedTournament, Tournaments
from hoodwink.service.application.webhooks.messages import (
    WIRES,
    Message,
    message_id,
    message_of,
    ping,
    type_of,
)
from hoodwink.service.application.webhooks.webhooks import (
    MAX_REST_MS,
    DeliveryOutcome,
    Progress,
    Taken,
    Tracked,
    Webhook,
    Webhooks,
    WebhookStore,
    WebhookTimes,
)

PAUSES_MS: Final = (30_000, 120_000, 600_000, 3_600_000, 14_400_000)
"""How long to wait after each attempt that failed; the last pause repeats. Each is up to a fifth longer, by chance."""

MAX_PAUSE_MS: Final = 21_600_000
"""A receiver that asks for a longer pause gets this one."""

GIVE_UP_MS: Final = 86_400_000
"""A message that has failed for this long is given up, because one message alone may be the trouble."""

MAX_GIVEN_UP: Final = 3
"""A webhook is stopped when this many messages in a row were given up."""

STAYS_MS: Final = 7 * 86_400_000
"""After this time without an event, the webhooks of a tournament that is over are removed."""

VISIT_MS: Final = 2_000
"""A thread turns to another webhook after this time, once the attempt has ended."""

REST: Final = 9
"""A webhook then waits this many times as long, so that slow receivers leave most of each thread to others."""

_PAGE: Final = 50


class Sent(NamedTuple):
    """The outcome of an attempt; `wait_ms` is the pause that the receiver asked for."""

    outcome: DeliveryOutcome
    wait_ms: int = 0


class Sender(Protocol):
    def send(self, url: str, message: Message, *, id_: str, secrets: Sequence[bytes]) -> Sent:
        """Signs a message with each of the secrets and sends it."""
        ...


class WebhookWatch:
    """Notes which webhooks may have messages. Used by one thread of the projector."""

    def __init__(self, *, store: WebhookStore, times: WebhookTimes, clock: Clock) -> None:
        self._store = store
        self._times = times
        self._clock = clock

    def watch(self, entries: Sequence[FeedEntry]) -> None:
        """Wakes the webhooks of tournaments in which something happened; raises `StoreUnavailable`."""
        followed = entries_of(TOURNAMENT.category, entries)
        changed = {entry.stream.id for entry in followed if not WIRES.isdisjoint(entry.types)}
        if changed and (woken := self._store.ids(sorted(changed))):
            self._times.wake(woken, self._clock.now_ms())


class Deliverer:
    """Sends the messages of webhooks. Safe to share between threads; each call may raise `StoreUnavailable`."""

    def __init__(  # noqa: PLR0913 - what it reads, and what it sends with
        self,
        *,
        webhooks: Webhooks,
        store: WebhookStore,
        times: WebhookTimes,
        tournaments: Tournaments,
        text_of: Callable[[str], str | None],
        sender: Sender,
        clock: Clock,
        count: Callable[[DeliveryOutcome], None] = lambda _: None,
    ) -> None:
        """`text_of` returns the text with a hash in an event, unless it was erased; `count` counts the outcomes."""
        self._webhooks = webhooks
        self._store = store
        self._times = times
        self._tournaments = tournaments
        self._text_of = text_of
        self._sender = sender
        self._clock = clock
        self._count = count

    def visit_next(self) -> bool:
        """Sends messages of the webhook that has waited longest; returns whether one had work."""
        taken = self._times.take(self._clock.now_ms())
        if taken is None:
            return False
        # If this raises, the visit is not finished, and a thread takes the webhook when its lease has ended.
        again_at = self._visit(taken)
        self._times.finish(taken, again_at=again_at, now=self._clock.now_ms())
        return True

    def _visit(self, taken: Taken) -> int | None:
        """Sends messages for a while; returns when there may be more."""
        found = self._store.of(taken.tournament).get(taken.webhook)
        if found is None:
            return None
        # At every visit, because the right to messages ends with the office.
        loaded = self._load_if_permitted(taken.tournament, found.webhook)
        if loaded is None:
            self._remove(taken, found.webhook)
            return None
        began = self._clock.elapsed_ms()
        progress, is_waiting = self._send_all(loaded, found, until=began + VISIT_MS)
        now = self._clock.now_ms()
        rested_at = now + min(REST * (self._clock.elapsed_ms() - began), MAX_REST_MS)
        if is_waiting:
            return max(progress.next_at, rested_at)
        if progress.attempted_at != found.progress.attempted_at:
            # It rests even if it has all messages, because the next event may follow in this moment.
            return rested_at
        return self._end(taken, loaded, found.webhook, now)

    def _send_all(self, loaded: LoadedTournament, found: Tracked, *, until: int) -> tuple[Progress, bool]:
        """Sends messages up to a time; returns the progress, and whether another message waits."""
        webhook, progress = found
        if webhook.pings > progress.pinged:
            progress = self._ping(loaded.state, webhook, progress)
        while not progress.is_stopped:
            recorded = self._next(loaded.state, webhook, progress.position)
            if recorded is None:
                if progress.position < loaded.state.version:
                    # Noted, or every visit would read the events without messages again.
                    progress = msgspec.structs.replace(progress, position=loaded.state.version)
                    self._store.note(loaded.state.id, webhook.id, progress)
                return progress, False
            if self._clock.now_ms() < progress.next_at or self._clock.elapsed_ms() >= until:
                return progress, True
            progress = self._deliver(loaded.state, webhook, progress, recorded)
        return progress, False

    def _next(self, tournament: Tournament, webhook: Webhook, position: int) -> Recorded | None:
        """Returns the first event after a position whose message the webhook gets."""
        while events := self._tournaments.history(tournament.id, after=position, count=_PAGE):
            for recorded in events:
                # A later event may be about a round that this state of the tournament does not have.
                if recorded.entry.version > tournament.version:
                    return None
                if type_of(recorded) in webhook.types:
                    return recorded
            position = events[-1].entry.version
        return None

    def _deliver(
        self, tournament: Tournament, webhook: Webhook, progress: Progress, recorded: Recorded
    ) -> Progress:
        version = recorded.entry.version
        # With the hash: after the store came back older, another event may have this version.
        id_ = message_id(webhook.id, f"{version}:{recorded.entry.hash}")
        message = message_of(recorded, tournament, self._text_of)
        sent = self._send(tournament, webhook, message, id_)
        progress = progress_after(progress, sent, version, now=self._clock.now_ms())
        self._store.note(tournament.id, webhook.id, progress)
        return progress

    def _ping(self, tournament: Tournament, webhook: Webhook, progress: Progress) -> Progress:
        now = self._clock.now_ms()
        id_ = message_id(webhook.id, f"ping {webhook.pings}")
        sent = self._send(tournament, webhook, ping(tournament, now), id_)
        progress = msgspec.structs.replace(
            progress, pinged=webhook.pings, outcome=sent.outcome, attempted_at=now
        )
        if sent.outcome is DeliveryOutcome.DELIVERED:
            # Events from the time while it was stopped are old by now, and the API still has them.
            position = tournament.version if progress.is_stopped else progress.position
            progress = msgspec.structs.replace(
                progress,
                position=position,
                is_stopped=False,
                attempts=0,
                tried_since=0,
                given_up=0,
                next_at=0,
            )
        self._store.note(tournament.id, webhook.id, progress)
        return progress

    def _send(self, tournament: Tournament, webhook: Webhook, message: Message, id_: str) -> Sent:
        secrets = self._webhooks.secrets(tournament.id, webhook)
        sent = self._sender.send(webhook.url, message, id_=id_, secrets=secrets)
        self._count(sent.outcome)
        return sent

    def _load_if_permitted(self, tournament: str, webhook: Webhook) -> LoadedTournament | None:
        """Returns the tournament while the player who added the webhook still organises it."""
        try:
            loaded = self._tournaments.load(tournament)
            check_organiser(loaded.state, webhook.by)
        except (NotFound, Forbidden):
            return None
        return loaded

    def _end(self, taken: Taken, loaded: LoadedTournament, webhook: Webhook, now: int) -> int | None:
        """Removes a webhook long after its tournament; returns when to look again."""
        # The reveal is an event with a message, so it wakes the webhook again.
        if not loaded.state.is_seed_revealed:
            return None
        removed_at = loaded.at + STAYS_MS
        if now < removed_at:
            return removed_at
        self._remove(taken, webhook)
        return None

    def _remove(self, taken: Taken, webhook: Webhook) -> None:
        self._store.remove(taken.tournament, taken.webhook)
        # Last: while the player's list has the webhook, an erasure finds and removes it.
        self._store.forget_added(webhook.by, taken.webhook)


def progress_after(progress: Progress, sent: Sent, version: int, *, now: int) -> Progress:
    """Returns the progress after an attempt to deliver the message of the event with that version."""
    outcome = sent.outcome
    if outcome is DeliveryOutcome.DELIVERED:
        return Progress(position=version, pinged=progress.pinged, outcome=outcome, attempted_at=now)
    tried_since = progress.tried_since or now
    pause = PAUSES_MS[min(progress.attempts, len(PAUSES_MS) - 1)]
    wait = max(min(sent.wait_ms, MAX_PAUSE_MS), round(pause * uniform(1, 1.2)))  # noqa: S311 - spreads the load
    failed = msgspec.structs.replace(
        progress, outcome=outcome, attempted_at=now, next_at=now + wait, tried_since=tried_since
    )
    if now - tried_since < GIVE_UP_MS and outcome is not DeliveryOutcome.GONE:
        return msgspec.structs.replace(failed, attempts=progress.attempts + 1)
    given_up = progress.given_up + 1
    return msgspec.structs.replace(
        failed,
        position=version,
        attempts=0,
        tried_since=0,
        next_at=0,
        given_up=given_up,
        is_stopped=given_up >= MAX_GIVEN_UP or outcome is DeliveryOutcome.GONE,
    )
