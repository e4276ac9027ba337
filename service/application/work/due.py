"""The times at which streams are due: their kinds, and the port that stores them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from hoodwink.domain.due_times import IMMEDIATELY

DueKind: TypeAlias = Literal["work", "rest", "report", "round", "result", "season"]

CATEGORIES: Final[Mapping[DueKind, str]] = MappingProxyType(
    {
        "work": "table",
        "rest": "table",
        "report": "table",
        "round": "tournament",
        "result": "tournament",
        "season": "series",
    }
)
"""The category of the streams of each kind of due time.

The kinds are part of Redis keys, so they must not be renamed: stored due times survive an upgrade.
"""


class Due(msgspec.Struct, frozen=True, gc=False):
    """When a stream is due, computed from its state after one event.

    Attributes:
        version: of that event; 0 if there is no such stream.
        head: the hash of that event; empty if it is not known.
        at: ms since the epoch, or `None` if nothing is due.
        is_for_bots: whether the `work` is at a table where no person plays; always false for the other kinds.
    """

    version: int
    head: str
    at: int | None
    is_for_bots: bool = False


class IdleTimes(NamedTuple):
    """Idle times in ms after which a table is ended.

    Attributes:
        open: since its opening, if it has not started (G-17).
        playing: since a person last acted, if it has started (G-14).
    """

    open: int
    playing: int


class DueTimes(Protocol):
    """Stores when tables, tournaments and series are next due. Every call may raise `StoreUnavailable`.

    A table is due for `work` (a bot, a deal, a score, a clock), for `rest` (it may have expired or been abandoned)
    and for `report` (its tournament must hear of its end or a no-show). A tournament is due for `round`, its next
    step, and for `result` (its series must count it). A series is due for `season`, the opening of a tournament.
    """

    def record(self, due: Mapping[DueKind, Mapping[str, Due]]) -> None:
        """Records the due times of each kind by the id of the stream, unless one of a later version is recorded.

        A due time of an event that the store does not hold changes nothing. Its history is gone, because the store
        came back older.
        """
        ...

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> dict[str, int]:
        """Returns since when streams are due, in ms by id: up to `count` that are due by now, the longest due first.

        For `work`, up to `count` tables without people follow those with people.
        """
        ...


def due_time(at: int | None, now: int) -> int | None:
    # Immediate work gets the current time, so that it does not overtake work that has been due for longer.
    return now if at == IMMEDIATELY else at
