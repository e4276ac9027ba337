"""Places of event streams: limits them per process, per player and per address."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from threading import RLock
from typing import Final

import structlog

from hoodwink.domain.tables.state import seat_of
from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import Hold, Limit, Limits
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.streaming import AnySubscription, TableSubscription
from hoodwink.service.http.messages.problems import NO_ROOM_FOR_STREAMS, unavailable

log = structlog.get_logger(__name__)

_RESERVED: Final = 4
"""One in this many places is reserved for seated players."""
_RETRY_SECONDS: Final = 5
_ATTEMPTS: Final = 5


class Follower(StrEnum):
    """Who follows a stream: a seated player, another player, or somebody without a token."""

    SEATED = "seated"
    SIGNED_IN = "signed_in"
    ANONYMOUS = "anonymous"


def follower_of(subscription: AnySubscription) -> Follower:
    match subscription:
        case _ if subscription.actor is None:
            return Follower.ANONYMOUS
        case TableSubscription() if seat_of(subscription.loaded.state, subscription.actor.id) is not None:
            return Follower.SEATED
        case _:
            return Follower.SIGNED_IN


class Place:
    """The place of one stream, from its request to its end.

    Attributes:
        follower: who follows the stream.
        player: the id of that player, if known.
        address: the client's address, in the form that limits count.
        counted: the limits against which it counts, and for whom.
    """

    __slots__ = ("_end", "_has_to_end", "_holds", "_leave", "address", "counted", "follower", "player")

    def __init__(
        self, follower: Follower, player: str | None, address: str, leave: "Callable[[Place], None]"
    ) -> None:
        self.follower = follower
        self.player = player
        self.address = address
        self.counted: list[tuple[Limit, str]] = []
        self._holds: list[Hold] = []
        self._leave = leave
        self._end: Callable[[], object] | None = None
        self._has_to_end = False

    def count(self, limit: Limit, who: str, hold: Hold) -> None:
        """Notes a limit against which the place counts."""
        self.counted.append((limit, who))
        self._holds.append(hold)

    def begin(self, end: Callable[[], object]) -> None:
        """Takes a threadsafe function that ends the stream when another one gets its place."""
        self._end = end
        # Another request may have taken the place between this one's check and the start of the stream.
        if self._has_to_end:
            end()

    def give_way(self) -> None:
        """Frees the place for another stream."""
        self.release()
        self._has_to_end = True
        if self._end is not None:
            self._end()

    def release(self) -> None:
        """Frees the place. It may be called twice: when the stream gives way, and when it has ended."""
        self._leave(self)
        for hold in self._holds:
            hold.release()


class Places:
    """All places of this process. Safe to share between threads."""

    def __init__(
        self,
        limits: Callable[[], Limits],
        *,
        max_streams: int,
        agree: Callable[[Limit, str], bool] = lambda _limit, _who: True,
    ) -> None:
        """Takes the limits.

        Args:
            limits: of players and addresses.
            max_streams: the maximum for this process.
            agree: announces a stream to the other processes; returns whether all streams together are within the limit.
        """
        self._limits = limits
        self._max_streams = max_streams
        self._agree = agree
        self._taken: dict[Place, None] = {}  # a dict keeps the order, so the oldest place comes first
        self._is_closed = False
        self._lock = RLock()  # a stream that gives way releases its place while the lock is held

    def take(self, subscription: AnySubscription, address: str) -> Place:
        """Returns a place for a stream to that address.

        Beyond the limit per player, the player's oldest stream gives way, because the end of a lost connection may
        not have been noticed. Beyond the limit per address, a seated player takes the place of an unseated watcher.

        Raises:
            LimitReached: none of the streams that could give way is in this process.
            Problem: 503 if the process has no room. A quarter of it is reserved for seated players.
        """
        for _ in range(_ATTEMPTS):
            place = self._take_here(subscription, address)
            # Outside the lock: the event loop takes it, too, and must not wait for the store.
            if all(self._agree(limit, who) for limit, who in place.counted):
                return place
            place.release()  # asking made the other processes' streams known here, so the next attempt decides correctly
        raise unavailable(NO_ROOM_FOR_STREAMS, retry_after=_RETRY_SECONDS)

    def _take_here(self, subscription: AnySubscription, address: str) -> Place:
        follower = follower_of(subscription)
        actor = subscription.actor
        place = Place(follower, None if actor is None else actor.id, counted_as(address), self._leave)
        with self._lock:
            self._check_room(follower)
            try:
                self._count(place)
            except LimitReached:
                # It may hold its player's limit already, and fail at that of the address.
                place.release()
                raise
            self._taken[place] = None
        return place

    def close(self) -> None:
        """Refuses all further streams."""
        self._is_closed = True

    def _check_room(self, follower: Follower) -> None:
        reserved = 0 if follower is Follower.SEATED else self._max_streams // _RESERVED
        if self._is_closed or len(self._taken) >= self._max_streams - reserved:
            raise unavailable(NO_ROOM_FOR_STREAMS, retry_after=_RETRY_SECONDS)

    def _count(self, place: Place) -> None:
        if place.player is not None:
            theirs = [taken for taken in self._taken if taken.player == place.player]
            held = self._hold(Limit.STREAMS_PER_PLAYER, place.player, theirs)
            place.count(Limit.STREAMS_PER_PLAYER, place.player, held)
        strangers = [taken for taken in self._taken if taken.follower is not Follower.SEATED]
        at_address = [taken for taken in strangers if taken.address == place.address]
        may_give_way = at_address if place.follower is Follower.SEATED else []
        held = self._hold(Limit.STREAMS_PER_ADDRESS, place.address, may_give_way)
        place.count(Limit.STREAMS_PER_ADDRESS, place.address, held)

    def _hold(self, limit: Limit, who: str, may_give_way: Sequence[Place]) -> Hold:
        """Counts a stream against a limit. The oldest streams give way until there is room."""
        for oldest in may_give_way:
            with suppress(LimitReached):
                return self._limits().hold(limit, who)
            log.info("a stream gave way to a newer one", limit=limit, player=oldest.player)
            oldest.give_way()
        return self._limits().hold(limit, who)

    def _leave(self, place: Place) -> None:
        with self._lock:
            self._taken.pop(place, None)
