"""Deletes players who registered long ago and have never played.

The store notes every player at registration, and every player whom an event of a table or tournament names, each in
the same commit. So it is known exactly who has never played.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, Protocol

from hoodwink.domain.players import Player
from hoodwink.service.application.errors import NotFound, SignedOut
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock

SETTLE_MS: Final = 3_600_000
"""Delay between erasure and deletion. By then, all commands are stored that began before their process heard of the erasure."""


class Newcomers(Protocol):
    """Players who may never have played. Every call may raise `StoreUnavailable`."""

    def due(self, until_ms: int, *, count: int) -> dict[str, int]:
        """Returns when players are noted for, in ms by id: up to `count` that are noted until a time, the earliest first."""
        ...

    def took_part(self, players: Collection[str]) -> set[str]:
        """Returns the players whom an event of any table or tournament names."""
        ...

    def note(self, player: str, at: int) -> None:
        """Notes a player for another time, in ms since the epoch."""
        ...

    def keep(self, player: str) -> None: ...

    def delete(self, player: str) -> None:
        """Deletes all records of a player whom no other stream names."""
        ...


class Forgetting:
    """Erases players who have never played, and deletes them an hour later. Several processes may run it."""

    def __init__(
        self,
        *,
        newcomers: Newcomers,
        players: Players,
        leave: Callable[[str], None],
        erase_description: Callable[[Player], None],
        clock: Clock,
        after_ms: int,
    ) -> None:
        """Erases players after `after_ms`, or never if it is 0.

        `leave` gives up everything that a player has; `erase_description` erases the description of a bot.
        """
        self._newcomers = newcomers
        self._players = players
        self._leave = leave
        self._erase_description = erase_description
        self._clock = clock
        self._after_ms = after_ms

    def forget(self, *, count: int) -> bool:
        """Handles the next few players; returns whether there may be more. Raises `StoreUnavailable`."""
        if not self._after_ms:
            return False
        due = self._newcomers.due(self._clock.now_ms() - self._after_ms, count=count)
        took_part = self._newcomers.took_part(due)
        for player, noted_for in due.items():
            self._forget(player, noted_for, took_part=player in took_part)
        return len(due) == count

    def _forget(self, player_id: str, noted_for: int, *, took_part: bool) -> None:
        try:
            player = self._players.get(player_id)
        except NotFound:  # the store came back older, or another process was faster
            self._newcomers.keep(player_id)
            return
        # The note has the time of registration until the player is erased here, and a later time from then on.
        is_settled = noted_for != player.registered_at
        if took_part:
            if is_settled:  # the player sat down at the moment of the erasure
                self._leave(player_id)
            self._newcomers.keep(player_id)
        elif is_settled:
            self._newcomers.delete(player_id)
        else:
            # Not deleted yet: until every process has heard that the token ended, it may accept a command.
            with suppress(SignedOut):  # the token had already ended
                self._players.erase(player, None)
            if player.owner is not None:
                self._erase_description(player)
            self._newcomers.note(player_id, self._clock.now_ms() - self._after_ms + SETTLE_MS)
