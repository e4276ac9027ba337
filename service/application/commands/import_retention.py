"""The expiry and the limits of imports.

An import is a guest: it expires, and there are limits per player, per address and in all. Several players may keep
the same import, and it counts for each of them. It is deleted with the last one.
"""

from collections.abc import Mapping
from typing import Final

from hoodwink.service.application.commands.import_shelf import (
    DAY_MS,
    MAX_AGE_MS,
    OPERATOR,
    Dropped,
    Figures,
    Found,
    ImportShelf,
    Keeper,
    OverLimit,
    PendingDeletion,
    Reason,
    Shelved,
)
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, LimitReached, NotFound, NotFoundCode
from hoodwink.service.application.limits import LASTING_RETRY_SECONDS, Bound, Limit
from hoodwink.service.application.ports import Clock

_RENEWED_EVERY_MS: Final = DAY_MS
"""A view renews an import, but this is written at most once a day."""

_MAX_ATTEMPTS: Final = 5


class ImportRetention:
    """Limits imports. Safe to share between threads and processes."""

    def __init__(
        self,
        *,
        shelf: ImportShelf,
        clock: Clock,
        bounds: Mapping[Limit, Bound],
        max_bytes: int,
        stays_ms: int,
    ) -> None:
        """Evicts imports beyond `max_bytes` in all, and expires those that nobody has viewed for `stays_ms`."""
        self.shelf = shelf
        self._clock = clock
        self._bounds = {limit: bound for limit, bound in bounds.items() if isinstance(bound, int)}
        self._max_bytes = max_bytes
        self._stays_ms = stays_ms

    def check(self, import_id: str, keeper: Keeper, size: int) -> None:
        """Raises `LimitReached` if the keeper may keep no more; changes nothing."""
        bounds = self._bounds_of(keeper)
        try:
            self.shelf.check(import_id, keeper, size, bounds, now=self._clock.now_ms())
        except OverLimit as over:
            raise self._refused(over) from None

    def keep(self, import_id: str, keeper: Keeper, shelved: Shelved) -> None:
        """Adds a keeper of an import, and evicts others if there are too many bytes; raises `LimitReached`."""
        for _ in range(_MAX_ATTEMPTS):
            now = self._clock.now_ms()
            until = self._expires_at(shelved.at, now)
            try:
                self.shelf.keep(import_id, keeper, shelved, self._bounds_of(keeper), now=now, until=until)
            except OverLimit as over:
                raise self._refused(over) from None
            except PendingDeletion:
                # A process may have died during that deletion, so it is completed before the import begins again.
                self.delete(import_id)
            else:
                self._evict(spared=import_id)
                return
        raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)

    def is_kept(self, import_id: str) -> bool:
        """Returns whether an import exists that has neither expired nor been given up."""
        return self.shelf.find(import_id, "", now=self._clock.now_ms()) is not None

    def delete(self, import_id: str) -> None:
        """Deletes an import that nobody keeps any more."""
        self.shelf.delete(import_id, now=self._clock.now_ms())

    def find(self, import_id: str, player: str = "") -> Found:
        """Returns the record of an import and whether the player keeps it; raises `NotFound`."""
        found = self.shelf.find(import_id, player, now=self._clock.now_ms())
        if found is None:
            raise NotFound(NotFoundCode.IMPORT_NOT_FOUND)
        return found

    def view(self, import_id: str, player: str = "") -> Found:
        """Does the same for somebody who looks at the import, and delays its expiry."""
        found = self.find(import_id, player)
        until = self._expires_at(found.shelved.at, self._clock.now_ms())
        if until < found.expires_at + _RENEWED_EVERY_MS:
            return found
        self.shelf.renew(import_id, until)
        return found._replace(expires_at=until)

    def kept_by(self, player: str) -> list[tuple[str, Found]]:
        """Returns the imports that a player keeps, with their ids, the earliest expiry first."""
        kept = self.shelf.kept_by(player, now=self._clock.now_ms())
        return sorted(kept, key=lambda item: (item[1].expires_at, item[0]))

    def give_up(self, import_id: str, player: str) -> Dropped:
        """Gives up an import for its keeper; raises `NotFound`, or `Forbidden` if the player does not keep it."""
        self.find(import_id, player)
        dropped = self._drop(import_id, player, Reason.DELETED)
        if dropped is Dropped.NOT_KEPT:
            raise Forbidden(ForbiddenCode.NOT_YOUR_IMPORT)
        return dropped

    def erase(self, player: str) -> None:
        """Gives up all imports that a player keeps."""
        for import_id, _ in self.kept_by(player):
            self._drop(import_id, player, Reason.ERASED)

    def figures(self) -> Figures:
        return self.shelf.figures()

    def tidy(self, *, count: int) -> bool:
        """Deletes the next few expired imports; returns whether there may be more."""
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
        # The new import is spared: its entries are stored after this.
        while self.shelf.figures().size > self._max_bytes:
            victim = self.shelf.victim(spared=spared)
            if victim is None:
                return
            self._drop(*victim, Reason.EVICTED)

    def _expires_at(self, imported_at: int, now: int) -> int:
        # Views do not delay expiry beyond the maximum age; if `stays_ms` is longer, they do not delay it at all.
        return min(now + self._stays_ms, max(imported_at + MAX_AGE_MS, imported_at + self._stays_ms))

    def _bounds_of(self, keeper: Keeper) -> Mapping[Limit, int]:
        return {} if keeper.player == OPERATOR else self._bounds

    def _refused(self, over: OverLimit) -> LimitReached:
        return LimitReached(over.limit, self._bounds[over.limit], LASTING_RETRY_SECONDS)
