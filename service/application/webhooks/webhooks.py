"""The webhooks of tournaments: added, listed, tested and removed by those who organise them."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.facts import is_over
from hoodwink.service.application.commands.tournament_intents import check_organiser
from hoodwink.service.application.errors import (
    ApplicationError,
    ConflictCode,
    KeyReused,
    NotFound,
    NotFoundCode,
)
from hoodwink.service.application.players.identity import Identities, idempotency_key
from hoodwink.service.application.ports import Clock

MAX_WEBHOOKS: Final = 3
"""Maximum number per tournament."""

OVERLAP_MS: Final = 86_400_000
"""How long messages are also signed with the secret that was replaced."""

MAX_REST_MS: Final = 240_000
"""The longest rest of a webhook after a visit, so that a slow receiver leaves the threads to others. No event ends a rest."""


class MessageType(StrEnum):
    """What a message of a webhook is about; each webhook chooses among them."""

    ROUND_PAIRED = "round.paired"
    ROUND_STARTED = "round.started"
    TABLE_RESULT = "table.result"
    RESULT_CHANGED = "result.changed"
    ROUND_ENDED = "round.ended"
    TOURNAMENT_ENDED = "tournament.ended"
    ANNOUNCEMENT = "announcement"


class DeliveryOutcome(StrEnum):
    """The outcome of an attempt. It says no more about a response than the class of its status."""

    DELIVERED = "delivered"
    REDIRECTED = "redirected"  # 3xx, which is not followed
    REJECTED = "rejected"  # 4xx
    BROKEN = "broken"  # 5xx
    GONE = "gone"  # 410: the receiver wants no more messages
    UNANSWERED = "unanswered"  # no valid answer in time
    REFUSED = "refused"  # the name has no address to which this service sends, or none at all


def secret_text(secret: bytes) -> str:
    """Returns a secret as receivers need it.

    >>> secret_text(b"0123456789abcdef01234567")
    'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
    """
    return f"whsec_{b64encode(secret).decode()}"


class Webhook(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An address to which messages about a tournament are sent. Requests write it.

    Attributes:
        types: of the messages that it gets.
        by: the player who added it; it ends when they no longer organise the tournament.
        created_at: in ms since the epoch.
        after: the version of the tournament when it was added.
        secrets: the number of its secrets so far; the last one signs.
        rotated_at: when the last secret replaced another one, in ms; 0 before.
        rotated_by: the request that did so, if it had an idempotency key. Repeating an earlier one replaces the secret again.
        pings: the number of tests that were asked for.
    """

    id: str
    url: str
    types: tuple[MessageType, ...]
    by: str
    created_at: int
    after: int
    secrets: int = 1
    rotated_at: int = 0
    rotated_by: str = ""
    pings: int = 0


class Progress(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How far the messages of a webhook have come. Only the process that sends them writes it. All times are in ms.

    Attributes:
        position: the version of the last event whose message was delivered or given up.
        pinged: the number of tests that were sent.
        outcome: of the last attempt, if there was one.
        attempted_at: the time of that attempt.
        attempts: how often the next message was sent.
        tried_since: when it was first sent.
        given_up: the number of messages given up since the last one that was delivered.
        next_at: no message is sent before.
        is_stopped: whether it was stopped after messages that were given up; then only tests are sent.
    """

    position: int
    pinged: int = 0
    outcome: DeliveryOutcome | None = None
    attempted_at: int = 0
    attempts: int = 0
    tried_since: int = 0
    given_up: int = 0
    next_at: int = 0
    is_stopped: bool = False

    @property
    def is_failing(self) -> bool:
        """Whether no message was delivered after the last attempt that failed."""
        return self.attempts > 0 or self.given_up > 0


class Tracked(NamedTuple):
    """A webhook and how far its messages have come."""

    webhook: Webhook
    progress: Progress


class WebhookStore(Protocol):
    """Stores the webhooks of tournaments, whose ids come first. Every call may raise `StoreUnavailable`."""

    def of(self, tournament: str) -> Mapping[str, Tracked]:
        """Returns the webhooks of a tournament by id."""
        ...

    def ids(self, tournaments: Sequence[str]) -> list[tuple[str, str]]:
        """Returns the webhooks of tournaments as pairs of both ids, in one round trip."""
        ...

    def put(self, tournament: str, webhook: Webhook, *, most: int) -> bool:
        """Adds a webhook unless there are `most` others; returns whether it is stored."""
        ...

    def change(self, tournament: str, id_: str, changed: Callable[[Webhook], Webhook]) -> Webhook | None:
        """Changes a webhook and returns it, or `None` if it is not stored.

        If another request changes it meanwhile, `changed` is called again.
        """
        ...

    def note(self, tournament: str, id_: str, progress: Progress) -> None:
        """Replaces the progress of a webhook, if that is stored."""
        ...

    def remove(self, tournament: str, id_: str) -> bool:
        """Removes a webhook; returns whether it was stored."""
        ...

    def added_by(self, player: str) -> Mapping[str, str]:
        """Returns the webhooks that a player has added: id → tournament."""
        ...

    def forget_added(self, player: str, *ids: str) -> None: ...


class Taken(NamedTuple):
    """A webhook that a thread works on; when `until` has passed, another thread takes it."""

    tournament: str
    webhook: str
    until: float


class WebhookTimes(Protocol):
    """Stores when each webhook has work, in ms since the epoch. Every call may raise `StoreUnavailable`."""

    def wake(self, webhooks: Sequence[tuple[str, str]], now: int) -> None:
        """Notes that webhooks may have new messages: those that rest have work later, and the others now.

        None of this is lost while somebody works on them.
        """
        ...

    def hurry(self, tournament: str, webhook: str, now: int) -> None:
        """Notes that a webhook has work now even if it rests, unless somebody works on it; then after its rest."""
        ...

    def take(self, now: int) -> Taken | None:
        """Returns the webhook that has waited longest, if one has work now. Until `finish`, nobody else gets it."""
        ...

    def finish(self, taken: Taken, *, again_at: int | None, now: int) -> None:
        """Sets when the webhook has work again, if at all; if it was woken meanwhile, after its rest at the latest."""
        ...


class Webhooks:
    """Adds, lists, tests and removes the webhooks of a tournament for its organiser, whom each method requires."""

    def __init__(
        self,
        *,
        store: WebhookStore,
        times: WebhookTimes,
        identities: Identities,
        confirm: Callable[[str], None],
        clock: Clock,
        is_sent: bool,
    ) -> None:
        """Takes the parts that it depends on.

        Args:
            store, times, identities, clock: of the service.
            confirm: returns once enough replicas have what was written next to a tournament.
            is_sent: whether this service sends messages.
        """
        self._store = store
        self._times = times
        self._identities = identities
        self._confirm = confirm
        self._clock = clock
        self._is_sent = is_sent

    def of(self, tournament: Tournament, player: str) -> tuple[Tracked, ...]:
        """Returns the webhooks, the oldest first."""
        check_organiser(tournament, player)
        found = self._store.of(tournament.id).values()
        return tuple(sorted(found, key=lambda each: (each.webhook.created_at, each.webhook.id)))

    def add(
        self, tournament: Tournament, player: str, *, url: str, types: Sequence[MessageType], key: str | None
    ) -> Webhook:
        """Adds a webhook; a repeated request returns the same one.

        Raises:
            RuleViolation: the tournament is over.
            ApplicationError: there are too many webhooks, or this service sends none.
            Forbidden, KeyReused, StoreUnavailable
        """
        check_organiser(tournament, player)
        id_ = self._identities.webhook_id(f"{player}:{tournament.id}:{self._identities.key_or_fresh(key)}")
        # Before the checks below: a repetition succeeds even if the tournament has ended meanwhile.
        if known := self._store.of(tournament.id).get(id_):
            if (known.webhook.url, known.webhook.types) != (url, tuple(types)):
                raise KeyReused
            self._confirm(tournament.id)
            return known.webhook
        self._check_sent()
        if is_over(tournament):
            raise RuleViolation(TournamentCode.TOURNAMENT_OVER)
        now = self._clock.now_ms()
        webhook = Webhook(
            id=id_, url=url, types=tuple(types), by=player, created_at=now, after=tournament.version
        )
        if not self._store.put(tournament.id, webhook, most=MAX_WEBHOOKS):
            raise ApplicationError(ConflictCode.TOO_MANY_WEBHOOKS)
        # Something may have happened since the tournament was loaded, before the projector could find the webhook.
        self._times.wake([(tournament.id, id_)], now)
        self._confirm(tournament.id)
        return webhook

    def rotate(self, tournament: Tournament, player: str, id_: str, *, key: str | None) -> Webhook:
        """Replaces the secret of a webhook, for a repeated request once; raises `NotFound` and `Forbidden`."""
        check_organiser(tournament, player)
        request = "" if key is None else idempotency_key(player, key, b"").id

        def rotated(webhook: Webhook) -> Webhook:
            if request and webhook.rotated_by == request:
                return webhook
            return msgspec.structs.replace(
                webhook, secrets=webhook.secrets + 1, rotated_at=self._clock.now_ms(), rotated_by=request
            )

        webhook = self._change(tournament.id, id_, rotated)
        self._confirm(tournament.id)
        return webhook

    def test(self, tournament: Tournament, player: str, id_: str) -> None:
        """Sends a test message to a webhook soon; if that is delivered, a stopped webhook works again.

        Raises `NotFound`, `Forbidden`, and `ApplicationError` if this service sends none.
        """
        check_organiser(tournament, player)
        self._check_sent()
        self._change(
            tournament.id, id_, lambda webhook: msgspec.structs.replace(webhook, pings=webhook.pings + 1)
        )
        self._times.hurry(tournament.id, id_, self._clock.now_ms())
        self._confirm(tournament.id)

    def remove(self, tournament: Tournament, player: str, id_: str) -> None:
        """Removes a webhook; raises `NotFound` and `Forbidden`."""
        check_organiser(tournament, player)
        found = self._store.of(tournament.id).get(id_)
        if found is None:
            raise NotFound(NotFoundCode.WEBHOOK_NOT_FOUND)
        self._store.remove(tournament.id, id_)
        self._store.forget_added(found.webhook.by, id_)
        self._confirm(tournament.id)

    def erase(self, player: str) -> None:
        """Removes all webhooks that an erased player has added."""
        added = self._store.added_by(player)
        for id_, tournament in added.items():
            self._store.remove(tournament, id_)
        # The list last: if the store fails before, a repetition finds the webhooks again.
        self._store.forget_added(player, *added)

    def secret(self, tournament: str, webhook: Webhook) -> bytes:
        """Returns the 32 bytes that sign the messages of a webhook."""
        return self._identities.webhook_secret(f"{tournament}:{webhook.id}:{webhook.secrets}")

    def secrets(self, tournament: str, webhook: Webhook) -> tuple[bytes, ...]:
        """Returns the secret of a webhook, and for a day the one that it replaced, so that receivers have time to change."""
        current = self.secret(tournament, webhook)
        if webhook.secrets == 1 or self._clock.now_ms() >= webhook.rotated_at + OVERLAP_MS:
            return (current,)
        # Secrets are derived from their number, so the former one needs no place in the store.
        before = msgspec.structs.replace(webhook, secrets=webhook.secrets - 1)
        return current, self.secret(tournament, before)

    def _check_sent(self) -> None:
        if not self._is_sent:
            raise ApplicationError(ConflictCode.NO_WEBHOOKS_HERE)

    def _change(self, tournament: str, id_: str, changed: Callable[[Webhook], Webhook]) -> Webhook:
        webhook = self._store.change(tournament, id_, changed)
        if webhook is None:
            raise NotFound(NotFoundCode.WEBHOOK_NOT_FOUND)
        return webhook
