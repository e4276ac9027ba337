"""How long imports stay, and how many a player or an address may keep.

An import is a guest: it expires, and its players, their addresses and all together may keep only so much. Several
players may keep the same import, which counts for each of them; it goes with the last one.
"""

from collections.abc import Mapping
from typing import Final

from hoodwink.service.application.commands.import_shelf import (
    DAY_MS,
    MAX_MS,
    OPERATOR,
    Beyond,
    Dropped,
    Figures,
    Found,
    Going,
    ImportShelf,
    Keeper,
    Reason,
    Shelved,
)
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, LimitReached, NotFound, NotFoundCode
from hoodwink.service.application.limits import LASTING_RETRY_SECONDS, Bound, Limit
from hoodwink.service.application.ports import Clock

_RENEWED_EVERY_MS: Final = DAY_MS
"""A view makes an import stay for as long again, but that is written once a day at most."""

_ATTEMPTS: Final = 5


class ImportKeeping:
    """Bounds what is imported. Safe to share between threads and processes.

    Attributes:
        shelf: keeps account.
    """

    def __init__(
        self,
        *,
        shelf: ImportShelf,
        clock: Clock,
        bounds: Mapping[Limit, Bound],
        most_bytes: int,
        stays_ms: int,
    ) -> None:
        """Takes what it needs.

        Args:
            shelf: keeps account.
            clock: says when an import expires.
            bounds: of the limits.
            most_bytes: that all imports may have.
            stays_ms: how long an import stays that nobody views.
        """
        self.shelf = shelf
        self._clock = clock
        self._bounds = {limit: bound for limit, bound in bounds.items() if isinstance(bound, int)}
        self._most_bytes = most_bytes
        self._stays_ms = stays_ms

    def check(self, import_id: str, keeper: Keeper, size: int) -> None:
        """Raises `LimitReached` if the keeper may keep no more; nothing is noted."""
        bounds = self._bounds_of(keeper)
        try:
            self.shelf.check(import_id, keeper, size, bounds, now=self._clock.now_ms())
        except Beyond as beyond:
            raise self._refused(beyond) from None

    def keep(self, import_id: str, keeper: Keeper, shelved: Shelved) -> None:
        """Notes one more keeper of an import, and evicts others if there are too many bytes; raises `LimitReached`."""
        for _ in range(_ATTEMPTS):
            now = self._clock.now_ms()
            until = self._expires_at(shelved.at, now)
            try:
                self.shelf.keep(import_id, keeper, shelved, self._bounds_of(keeper), now=now, until=until)
            except Beyond as beyond:
                raise self._refused(beyond) from None
            except Going:
                self.delete(import_id)
            else:
                self._evict(spared=import_id)
                return
        raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)

    def is_kept(self, import_id: str) -> bool:
        """Returns whether an import is there, and has neither expired nor been given up."""
        return self.shelf.find(import_id, "", now=self._clock.now_ms()) is not None

    def delete(self, import_id: str) -> None:
        """Deletes what is left of an import that nobody keeps any more."""
        self.shelf.delete(import_id, now=self._clock.now_ms())

    def find(self, import_id: str, player: str = "") -> Found:
        """Returns what is noted of an import, and says whether the player keeps it; raises `NotFound`."""
        found = self.shelf.find(import_id, player, now=self._clock.now_ms())
        if found is None:
            raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
        return found

    def view(self, import_id: str, player: str = "") -> Found:
        """Does the same for somebody who looks at the import, which stays the longer for it."""
        found = self.find(import_id, player)
        until = self._expires_at(found.shelved.at, self._clock.now_ms())
        if until < found.expires_at + _RENEWED_EVERY_MS:
            return found
        self.shelf.renew(import_id, until)
        return found._replace(expires_at=until)

    def kept_by(self, player: str) -> list[tuple[str, Found]]:
        """Returns the imports that a player keeps, by id; the one that expires first comes first."""
        kept = self.shelf.kept_by(player, now=self._clock.now_ms())
        return sorted(kept, key=lambda item: (item[1].expires_at, item[0]))

    def give_up(self, import_id: str, player: str) -> Dropped:
        """Gives up an import for its keeper; raises `NotFound`, or `Forbidden` for somebody who does not keep it."""
        self.find(import_id, player)
        dropped = self._drop(import_id, player, Reason.DELETED)
        if dropped is Dropped.NOT_KEPT:
            raise Forbidden(ForbiddenCode.NOT_YOUR_IMPORT)
        return dropped

    def erase(self, player: str) -> None:
        """Gives up everything that a player keeps."""
        for import_id, _ in self.kept_by(player):
            self._drop(import_id, player, Reason.ERASED)

    def figures(self) -> Figures:
        return self.shelf.figures()

    def tidy(self, *, count: int) -> bool:
        """Deletes the next few imports that are due; returns whether there may be more of them."""
        due = self.shelf.due(now=self._clock.now_ms(), count=count)
        for import_id in due:
            self.delete(import_id)
        return len(due) == count

    def _drop(self, import_id: str, player: str, reason: Reason) -> Dropped:
        dropped = self.shelf.drop(import_id, player, reason)
        if dropped is Dropped.GONE:
            self.delete(import_id)
        return dropped

    def _evict(self, *, spared: str) -> None:
        """Evicts from the largest owner first, so that a flood evicts itself."""
        while self.shelf.figures().size > self._most_bytes:
            victim = self.shelf.victim(spared=spared)
            if victim is None:
                return
            self._drop(*victim, Reason.EVICTED)

    def _expires_at(self, imported_at: int, now: int) -> int:
        return min(now + self._stays_ms, max(imported_at + MAX_MS, imported_at + self._stays_ms))

    def _bounds_of(self, keeper: Keeper) -> Mapping[Limit, int]:
        return {} if keeper.player == OPERATOR else self._bounds

    def _refused(self, beyond: Beyond) -> LimitReached:
        return LimitReached(beyond.limit, self._bounds[beyond.limit], LASTING_RETRY_SECONDS)
