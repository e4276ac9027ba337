"""Subscriptions to pushes: messages that reach a player's browser while the page is closed."""

from collections.abc import Collection
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.domain.players import session_of
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock

MAX_SUBSCRIPTIONS: Final = 5
"""Maximum number per player; another one replaces the oldest."""


class PushOutcome(StrEnum):
    """The outcome of a push."""

    SENT = "sent"
    ENDED = "ended"  # the browser has no such subscription any more
    REFUSED = "refused"  # this service does not send to such an address
    DELAYED = "delayed"  # it did not arrive, and is sent again later
    FAILED = "failed"
    LIMITED = "limited"  # the player has had too many


class PushResult(NamedTuple):
    """The outcome of an attempt.

    Attributes:
        outcome: `DELAYED` if another attempt may help.
        wait_ms: the pause that the push service asked for.
    """

    outcome: PushOutcome
    wait_ms: int = 0


class PushAddress(msgspec.Struct, frozen=True, gc=False):
    """The address at which a browser receives messages; the keys are in base 64 for URLs, without padding."""

    endpoint: str
    p256dh: str
    auth: str


class Subscription(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A browser to which pushes are sent.

    Attributes:
        token_hash: of the token that made it; the subscription ends with that token.
        created_at: in ms since the epoch.
        key: the number of the key that signs its pushes; it ends when another key does that.
    """

    id: str
    address: PushAddress
    token_hash: str
    created_at: int
    key: int = 1


class Subscriptions(Protocol):
    """Stores the subscriptions of players. Every call may raise `StoreUnavailable`."""

    def of(self, player: str) -> tuple[Subscription, ...]:
        """Returns a player's subscriptions, the oldest first."""
        ...

    def add(self, player: str, subscription: Subscription, *, remove: Collection[str]) -> None:
        """Stores a subscription, and removes others by their ids."""
        ...

    def remove(self, player: str, ids: Collection[str]) -> int:
        """Removes subscriptions; returns how many there were."""
        ...

    def erase(self, player: str) -> None:
        """Deletes all subscriptions of a player who was erased."""
        ...

    def players(self) -> frozenset[str]:
        """Returns the players who may have subscriptions."""
        ...

    def count(self, player: str, about: str, *, per_hour: int) -> bool:
        """Counts a push to a player about `tables` or `tournaments`; returns whether it is within that limit."""
        ...

    def note_call(self, player: str, table: str, call: str) -> bool:
        """Notes why a table last called a player; returns whether that is new."""
        ...


class PushSubscriptions:
    """Adds, lists and removes the subscriptions of a player."""

    def __init__(self, *, subscriptions: Subscriptions, players: Players, clock: Clock, key: int = 1) -> None:
        """`key` is the number of the key that signs pushes."""
        self._key = key
        self._subscriptions = subscriptions
        self._players = players
        self._clock = clock

    def valid(self, player: str) -> tuple[Subscription, ...]:
        """Returns the subscriptions whose token and key are valid, oldest first, and removes ended ones."""
        found = self._subscriptions.of(player)
        if not found:
            return ()
        current = self._players.find_each([player]).get(player)
        # A process that does not know a newer key yet leaves its subscriptions alone.
        kept = [
            each
            for each in found
            if current and session_of(current, each.token_hash) and each.key >= self._key
        ]
        if len(kept) < len(found):
            self._subscriptions.remove(player, {each.id for each in found} - {each.id for each in kept})
        return tuple([each for each in kept if each.key == self._key])

    def add(self, player: str, address: PushAddress, *, id_: str, token_hash: str) -> Subscription:
        """Adds a subscription, which replaces one with the same id, and the oldest ones beyond the maximum."""
        others = [each.id for each in self.valid(player) if each.id != id_]
        removed = others[: -(MAX_SUBSCRIPTIONS - 1)]
        new = Subscription(
            id=id_,
            address=address,
            token_hash=token_hash,
            created_at=self._clock.now_ms(),
            key=self._key,
        )
        self._subscriptions.add(player, new, remove=removed)
        return new

    def remove(self, player: str, id_: str) -> None:
        """Removes a subscription; raises `NotFound`."""
        if not self._subscriptions.remove(player, [id_]):
            raise NotFound(NotFoundCode.PUSH_NOT_FOUND)
