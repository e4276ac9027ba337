"""When a stream is next due: the kinds of due times, and the store that keeps them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from hoodwink.domain.tables.pace import IMMEDIATELY

DueKind: TypeAlias = Literal["work", "rest", "report", "round"]

CATEGORIES: Final[Mapping[DueKind, str]] = MappingProxyType(
    {"work": "table", "rest": "table", "report": "table", "round": "tournament"}
)
"""The category of the streams that each kind of due time belongs to.

The kinds are part of Redis keys. They stay as they were, so that stored due times survive an upgrade.
"""


class Due(msgspec.Struct, frozen=True, gc=False):
    """When a stream is due, computed from its state after one event.

    Attributes:
        version: of that event; 0 means that there is no such stream.
        head: the hash of the event at that version; empty if it is not known.
        at: ms since the epoch, or `None` if nothing is due.
        is_for_bots: whether the `work` is at a table where no person plays; the other kinds make no difference.
    """

    version: int
    head: str
    at: int | None
    is_for_bots: bool = False


class IdleTimes(NamedTuple):
    """After how long a table without people acting is ended, in ms.

    Attributes:
        open: from its opening on, if it has not started (G-17).
        playing: once it has started, from the last time on that a person acted (G-14).
    """

    open: int
    playing: int


class DueTimes(Protocol):
    """Stores when tables and tournaments are next due. Every call may raise `StoreUnavailable`.

    A table is due for `work` (a bot, a deal, a score, a clock), for `rest` (the moment from which it may have
    expired, or count as abandoned), and for `report` (its end or a no-show has to be reported to its tournament). A tournament is due for
    `round`: its next step.
    """

    def record(self, kind: DueKind, due: Mapping[str, Due]) -> None:
        """Records the due time of each stream by its id, unless one of a later version is on record.

        A due time of an event that the store does not hold changes nothing: it belongs to a history that is gone
        since the store came back older.
        """
        ...

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> dict[str, int]:
        """Returns up to `count` streams that are due by now, the longest due first: by id, since when in ms.

        Of `work`, up to `count` tables without people come after those of people.
        """
        ...


def due_time(at: int | None, now: int) -> int | None:
    """Returns a due time in ms; what is due immediately is due now, after everything that was due before."""
    return now if at == IMMEDIATELY else at
