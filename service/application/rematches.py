"""Rematches: a table at which the people of an ended one play again. There is one for each table."""

from domain.kernel import RuleViolation
from domain.tables import AnnounceRematch, Table, TableCommand, rematch_of
from domain.tables.asker import HOST, Asker, by_player
from domain.tables.codes import TableCode
from service.application.identity import Identities, idempotency_key
from service.application.intents import own_seat
from service.application.ports import Entropy
from service.application.tables import LoadedTable, Tables


class Rematches:
    """Opens rematches."""

    def __init__(self, *, tables: Tables, identities: Identities, entropy: Entropy) -> None:
        self._tables = tables
        self._identities = identities
        self._entropy = entropy

    def open(self, table_id: str, player_id: str) -> LoadedTable:
        """Returns the rematch of an ended table as it is now; the first who asks for it opens it and becomes its host.

        Raises:
            Forbidden: the player had no seat at the table.
            RuleViolation: the table has not ended or has no rematch.
        """
        ended, opened = self._tables.load(table_id).state, self._identities.rematch_id(table_id)
        own_seat(ended, player_id)
        if ended.rematch is None:
            self._open(ended, opened, player_id)
            self._announce(ended.id, opened, player_id)
        return self._tables.load(opened)

    def _open(self, ended: Table, opened: str, player_id: str) -> None:
        seed = self._entropy.server_seed()
        command = rematch_of(ended, opened=opened, host=player_id, server_seed=seed)
        # One id and one key for everybody who asks: the first request opens the table, the others find it. If the
        # process ends before the announcement, the next request finds the table, too, and announces it.
        self._tables.open(opened, command, by=HOST, key=idempotency_key(ended.id, "rematch", b""))

    def _announce(self, ended: str, opened: str, player_id: str) -> None:
        def intent(table: Table) -> tuple[TableCommand, Asker]:
            return AnnounceRematch(opened), by_player(own_seat(table, player_id))

        try:
            self._tables.execute(ended, intent)
        except RuleViolation as refused:
            if refused.code is not TableCode.REMATCH_OPENED:  # another request was faster
                raise
