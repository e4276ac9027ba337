"""Replacements for `Streams` that accept every live stream, or none."""

from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import Limit
from hoodwink.service.http.messages.problems import NO_ROOM_FOR_STREAMS, Problem


class Room:
    """Accepts every stream, and serves as its place."""

    def take_place(self, _subscription: object, _address: str) -> "Room":
        return self

    def release(self) -> None:
        """Does nothing."""


class Full:
    """A process without room for another stream."""

    def take_place(self, _subscription: object, _address: str) -> Room:
        raise Problem(NO_ROOM_FOR_STREAMS)


class Limited:
    """A process in which this player has reached the limit."""

    def take_place(self, _subscription: object, _address: str) -> Room:
        raise LimitReached(Limit.STREAMS_PER_PLAYER, 1, 5)
