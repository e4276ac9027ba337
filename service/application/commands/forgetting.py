"""Forgets players who registered long ago and never took part in anything.

The store notes every player at the registration, and every player whom an event of a table or tournament names, each in
the same commit. So who never took part is known exactly, for all who registered since these notes are kept.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, Protocol

from hoodwink.service.application.errors import NotFound, SignedOut
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock

SETTLE_MS: Final = 3_600_000
"""Delay between erasure and deletion. Everything that any process began before it heard of the erasure is stored by then."""


class Newcomers(Protocol):
    """The players who may never have taken part in anything. Every call may raise `StoreUnavailable`."""

    def due(self, until_ms: int, *, count: int) -> dict[str, int]:
        """Returns up to `count` of those noted until a time, the earliest first: by id, for when they are noted."""
        ...

    def took_part(self, players: Collection[str]) -> set[str]:
        """Returns those whom an event of any table or tournament names."""
        ...

    def note(self, player: str, at: int) -> None:
        """Notes a player for another time, in ms since the epoch."""
        ...

    def keep(self, player: str) -> None: ...

    def delete(self, player: str) -> None:
        """Deletes everything that is stored of a player whom no other stream names."""
        ...


class Forgetting:
    """Erases players who never took part, and deletes them an hour later. Two processes may do so at the same time."""

    def __init__(
        self,
        *,
        newcomers: Newcomers,
        players: Players,
        leave: Callable[[str], None],
        clock: Clock,
        after_ms: int,
    ) -> None:
        """Takes after how long a player is forgotten, 0 for never, and what gives up everything of an erased player."""
        self._newcomers = newcomers
        self._players = players
        self._leave = leave
        self._clock = clock
        self._after_ms = after_ms

    def forget(self, *, count: int) -> bool:
        """Sees to the next few players; returns whether there may be more of them. Raises `StoreUnavailable`."""
        if not self._after_ms:
            return False
        due = self._newcomers.due(self._clock.now_ms() - self._after_ms, count=count)
        took_part = self._newcomers.took_part(due)
        for player, noted_for in due.items():
            self._see_to(player, noted_for, took_part=player in took_part)
        return len(due) == count

    def _see_to(self, player_id: str, noted_for: int, *, took_part: bool) -> None:
        try:
            player = self._players.get(player_id)
        except NotFound:  # the store came back older, or another process was faster
            self._newcomers.keep(player_id)
            return
        is_settled = noted_for != player.registered_at
        if took_part:
            if is_settled:  # they sat down at the moment of the erasure
                self._leave(player_id)
            self._newcomers.keep(player_id)
        elif is_settled:
            self._newcomers.delete(player_id)
        else:
            # Not deleted before every process has heard that the token has ended, and what was on its way is stored.
            with suppress(SignedOut):  # the token had ended before
                self._players.erase(player, None)
            self._newcomers.note(player_id, self._clock.now_ms() - self._after_ms + SETTLE_MS)
