"""Records of every imported log besides its events: its keepers, its expiry, and the people named in it."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

import msgspec

from hoodwink.service.application.limits import Limit

DAY_MS: Final = 86_400_000
MAX_MS: Final = 365 * DAY_MS
"""However often an import is viewed, it goes this long after it was imported."""

OPERATOR: Final = "operator"
"""The keeper of what `hoodwink import` brought."""


class Keeper(NamedTuple):
    """Somebody who imports a log.

    Attributes:
        player: the id of the player.
        address: that of the client as limits count it, in a form that does not tell it.
    """

    player: str
    address: str


BY_OPERATOR: Final = Keeper(OPERATOR, "")


class Shelved(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is noted of an imported log, so that nobody has to read it again to show it.

    Attributes:
        table: the id that the table had where it was played.
        game: the name of its game.
        size: the bytes of the log.
        events: how many it has.
        at: when it was first imported, in ms.
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
        shelved: what is noted of it.
        expires_at: in ms.
        is_own: whether the player in question keeps it.
    """

    shelved: Shelved
    expires_at: int
    is_own: bool


class Figures(NamedTuple):
    """How much is imported.

    Attributes:
        imports: their number.
        size: their bytes.
        removed: how many have gone, by the reason.
    """

    imports: int
    size: int
    removed: Mapping[str, int]


class Reason(StrEnum):
    """Why an import has gone."""

    DELETED = "deleted"
    ERASED = "erased"
    EVICTED = "evicted"
    EXPIRED = "expired"


class Dropped(StrEnum):
    """What came of giving up an import."""

    NOT_KEPT = "not_kept"
    """The player did not keep it."""
    KEPT_BY_OTHERS = "kept_by_others"
    GONE = "gone"


class Going(Exception):
    """Raised for an import that has expired or was given up, and is not deleted yet."""


class Beyond(Exception):
    """Raised for a limit that one more import would exceed."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit = limit


class ImportShelf(Protocol):
    """Keeps account of imports. Every call may raise `StoreUnavailable`."""

    def check(
        self, import_id: str, keeper: Keeper, size: int, bounds: Mapping[Limit, int], *, now: int
    ) -> None:
        """Raises `Beyond` if the keeper may keep no more, and does not keep this one already."""
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
        """Notes one more keeper, and the import itself if it is new; raises `Beyond` or `Going`."""
        ...

    def find(self, import_id: str, player: str, *, now: int) -> Found | None:
        """Returns an import, unless it has expired or was given up."""
        ...

    def renew(self, import_id: str, until: int) -> None:
        """Lets an import expire later."""
        ...

    def kept_by(self, player: str, *, now: int) -> Sequence[tuple[str, Found]]:
        """Returns the imports that a player keeps, by id."""
        ...

    def drop(self, import_id: str, player: str, reason: Reason) -> Dropped:
        """Gives up an import for one player; with its last keeper it goes."""
        ...

    def victim(self, *, spared: str) -> tuple[str, str] | None:
        """Returns the import to evict, and its keeper: of the address with most bytes, and there of the player with most,
        the one that has been there longest; never the one that is spared.
        """
        ...

    def figures(self) -> Figures: ...

    def due(self, *, now: int, count: int) -> Sequence[str]:
        """Returns up to `count` imports that have expired or were given up."""
        ...

    def delete(self, import_id: str, *, now: int) -> None:
        """Deletes an import that has expired or that has no record."""
        ...
