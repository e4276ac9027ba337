"""Records about imported logs: their keepers, their expiry, and the people named in them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.service.application.limits import Limit

DAY_MS: Final = 86_400_000
MAX_AGE_MS: Final = 365 * DAY_MS
"""The age at which an import is deleted, even if it is still viewed."""

OPERATOR: Final = "operator"
"""The keeper of logs that `hoodwink import` stored."""


class Keeper(NamedTuple):
    """Somebody who imports a log.

    Attributes:
        player: the id of the player.
        address: the client's, as limits count it, in a form that does not reveal it.
    """

    player: str
    address: str


BY_OPERATOR: Final = Keeper(OPERATOR, "")


class Shelved(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The record of an imported log, so that nobody has to read the log to list it.

    Attributes:
        table: the id of the table where it was played.
        game: the name of its game.
        size: the bytes of the log.
        events: their number.
        at: the time of the first import, in ms.
        introduced: the people who took a seat.
        others: the people who were only offered a seat.
        names: the names in the first line of the log.
    """

    table: str
    game: str
    size: int
    events: int
    at: int
    introduced: tuple[str, ...]
    others: tuple[str, ...]
    names: dict[str, str]


class Found(NamedTuple):
    """An import that has not expired.

    Attributes:
        shelved: its record.
        expires_at: in ms.
        is_own: whether the player who asks keeps it.
    """

    shelved: Shelved
    expires_at: int
    is_own: bool


class Figures(NamedTuple):
    """The totals of all imports.

    Attributes:
        imports: their number.
        size: their bytes.
        removed: the number of deleted ones, by reason.
    """

    imports: int
    size: int
    removed: Mapping[str, int]


class Reason(StrEnum):
    """The reason for which an import was deleted."""

    DELETED = "deleted"
    ERASED = "erased"
    EVICTED = "evicted"
    EXPIRED = "expired"


class Dropped(StrEnum):
    """The result of giving up an import."""

    NOT_KEPT = "not_kept"
    """The player did not keep it."""
    KEPT_BY_OTHERS = "kept_by_others"
    GONE = "gone"


class PendingDeletion(Exception):
    """Raised for an import that has expired or was given up, but is not deleted yet."""


class OverLimit(Exception):
    """Raised when one more import would exceed a limit."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit = limit


class ImportShelf(Protocol):
    """Stores the records of imports. Every call may raise `StoreUnavailable`."""

    def check(
        self, import_id: str, keeper: Keeper, size: int, bounds: Mapping[Limit, int], *, now: int
    ) -> None:
        """Raises `OverLimit` if the keeper may keep no more, unless the keeper keeps this one already."""
        ...

    def keep(
        self,
        import_id: str,
        keeper: Keeper,
        shelved: Shelved,
        bounds: Mapping[Limit, int],
        *,
        now: int,
        until: int,
    ) -> None:
        """Adds a keeper, and the import itself if it is new; raises `OverLimit` or `PendingDeletion`."""
        ...

    def find(self, import_id: str, player: str, *, now: int) -> Found | None:
        """Returns an import, unless it has expired or was given up."""
        ...

    def renew(self, import_id: str, until: int) -> None:
        """Delays the expiry of an import."""
        ...

    def kept_by(self, player: str, *, now: int) -> Sequence[tuple[str, Found]]:
        """Returns the imports that a player keeps, by id."""
        ...

    def drop(self, import_id: str, player: str, reason: Reason) -> Dropped:
        """Gives up an import for one player. Without keepers, it is to be deleted."""
        ...

    def victim(self, *, spared: str) -> tuple[str, str] | None:
        """Returns the import to evict and its keeper, never the spared one.

        It is the oldest import of the player with most bytes at the address with most bytes.
        """
        ...

    def figures(self) -> Figures: ...

    def due(self, *, now: int, count: int) -> Sequence[str]:
        """Returns up to `count` imports that have expired or were given up."""
        ...

    def delete(self, import_id: str, *, now: int) -> None:
        """Deletes an import that has expired or that has no record."""
        ...
