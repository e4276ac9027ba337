"""Rematches: a table for the people of an ended one. If it is closed before its start, another one may follow."""

from collections.abc import Callable

from msgspec.structs import replace

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import HOST, Actor, by_player
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import (
    AnnounceRematch,
    OpenRematch,
    TableCommand,
)
from hoodwink.domain.tables.deciding.rematches import rematch_of
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.service.application.commands.intents import own_seat
from hoodwink.service.application.players.identity import Identities, idempotency_key
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Blocks, Entropy
from hoodwink.service.application.streams.tables import LoadedTable, Tables


class Rematches:
    def __init__(
        self, *, tables: Tables, players: Players, blocks: Blocks, identities: Identities, entropy: Entropy
    ) -> None:
        self._tables = tables
        self._players = players
        self._blocks = blocks
        self._identities = identities
        self._entropy = entropy

    def open(
        self, table_id: str, player_id: str, *, count: Callable[[str], None] = lambda _: None
    ) -> LoadedTable:
        """Returns the current rematch of an ended table. The first player who asks opens it and becomes its host.

        Args:
            table_id: of the ended table.
            player_id: of the player who asks.
            count: called with the id of the table before it is opened; may raise.

        Raises:
            Forbidden: the player had no seat at the table.
            RuleViolation: the table has not ended or has no rematch.
        """
        ended = self._tables.load(table_id).state
        own_seat(ended, player_id)  # refuses those who had none
        latest = None if ended.rematch is None else self._tables.load(ended.rematch)
        if latest is not None and not _is_unplayed(latest.state):
            self._tables.confirm(table_id)  # the announcement may not have been confirmed by the replicas
            return latest
        opened = self._identities.rematch_id(table_id, ended.rematches)
        count(opened)
        self._open(ended, opened, player_id)
        self._announce(ended, opened, player_id)
        # Meanwhile this rematch may have been closed and another one announced.
        return self._tables.load(self._tables.load(table_id).state.rematch or opened)

    def _open(self, ended: Table, opened: str, player_id: str) -> None:
        seed = self._entropy.server_seed()
        command = self._without_refused(rematch_of(ended, opened=opened, host=player_id, server_seed=seed))
        # One id and one key for everybody who asks: the first request opens the table, and the others find it. If
        # the process dies before the announcement, the next request finds the table and announces it.
        self._tables.open(opened, command, by=HOST, key=idempotency_key(opened, "rematch", b""))

    def _without_refused(self, command: OpenRematch) -> OpenRematch:
        """Removes offers to players who were erased or have blocked the host, so that their seats are free."""
        host = command.opening.host
        offers = [
            offer
            for offer in command.offers
            if self._players.exists(offer.player) and not self._blocks.has(offer.player, host)
        ]
        return replace(command, offers=tuple(offers))

    def _announce(self, ended: Table, opened: str, player_id: str) -> None:
        def intent(table: Table) -> tuple[TableCommand, Actor]:
            if table.rematches != ended.rematches:  # another request was faster
                raise RuleViolation(TableCode.REMATCH_OPENED)
            return AnnounceRematch(opened), by_player(own_seat(table, player_id))

        try:
            self._tables.execute(ended.id, intent)
        except RuleViolation as refused:
            if refused.code is not TableCode.REMATCH_OPENED:
                raise
            self._tables.confirm(ended.id)


def _is_unplayed(table: Table) -> bool:
    return table.phase is Phase.ENDED and not table.started_at
