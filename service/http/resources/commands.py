"""Carries a request's command to its table and answers with what came of it."""

from domain.kernel import Viewer
from domain.players import Player
from domain.tables import Table, seat_of
from service.application.errors import VersionConflict
from service.application.tables import Accepted, Intent
from service.bootstrap import Service
from service.http.framework.operations import Call, Reply
from service.http.messages.answers import accepted_answer
from service.http.resources.access import (
    command_key,
    conflicting,
    etag_of,
    expected_place,
    table_id,
    wants_words,
)


class Commands:
    """The way of every command that a player or an administrator gives."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def carry_out(self, call: Call, intent: Intent) -> Reply:
        """Returns the answer to an accepted command; raises what `Tables.execute` raises, and `Problem`."""
        accepted = self.execute(call, intent)
        viewer = _viewer(accepted.after.state, call.player)
        answer = accepted_answer(accepted, viewer, words=wants_words(call))
        return Reply(answer, {"ETag": etag_of(accepted.after.place)})

    def execute(self, call: Call, intent: Intent) -> Accepted:
        """Carries out the command under the request's key, at the version it insists on."""
        tables, table = self._service.tables, table_id(call)
        expected = expected_place(call, lambda: tables.load(table).place)
        try:
            return tables.execute(table, intent, key=command_key(call), expected=expected)
        except VersionConflict as conflict:
            raise conflicting(conflict, call, self._service.clock.now_ms()) from None


def _viewer(table: Table, player: Player | None) -> Viewer:
    seat = None if player is None else seat_of(table, player.id)
    return "spectator" if seat is None else seat
