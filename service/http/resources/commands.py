"""Executes the command in a request at its table, and answers with the effect."""

from collections.abc import Callable
from typing import Any

import msgspec

from hoodwink.domain.kernel import Names, Viewer
from hoodwink.domain.players import Player
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.commands import TableCommand
from hoodwink.domain.tables.state import Table, seat_of
from hoodwink.service.application.errors import VersionConflict
from hoodwink.service.application.streams.tables import Accepted, Intent
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, H, Reply, operation
from hoodwink.service.http.messages.answers import AcceptedAnswer, effect
from hoodwink.service.http.resources.access import (
    EffectSchema,
    IncludeSchema,
    command_key,
    etag_of,
    expected_position,
    names_at,
    table_id,
    table_version_mismatch,
    wants_legal_actions,
    wants_words,
)
from hoodwink.service.http.resources.admission import Admission, check_watcher


def command_operation(
    path: str, summary: str, done: str, *, answer: type[msgspec.Struct], status: int = 200, **more: Any
) -> Callable[[H], H]:
    """Declares a command to a table or tournament; `more` overrides the usual values."""
    common: dict[str, Any] = {"method": "POST", "access": Access.PLAYER, "query": IncludeSchema()}
    return operation(
        path=path,
        summary=summary,
        answer=Answer(done, {JSON: answer}, status, ("ETag",)),
        reads=("If-Match",),
        **{**common, **more},
    )


def table_operation(path: str, summary: str, done: str, **more: Any) -> Callable[[H], H]:
    """Declares a command to a table; `path` follows the table's own."""
    return command_operation(
        f"/v1/tables/{{table_id}}{path}",
        summary,
        done,
        answer=AcceptedAnswer,
        **{"query": EffectSchema(), **more},
    )


class Commands:
    """Executes the commands of players and administrators at tables."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def execute(self, call: Call, intent: Intent, *, admit: Admission = check_watcher) -> Reply:
        """Executes a command; raises `Problem` and the exceptions of `Tables.execute`."""
        tables, table = self._service.tables, table_id(call)
        expected = expected_position(call, lambda: tables.load(table).position)

        # Within the intent, so that access is checked on the very state on which the command is decided.
        def admitted(state: Table) -> tuple[TableCommand, Actor]:
            admit(self._service, call, state)
            return intent(state)

        try:
            accepted = tables.execute(table, admitted, key=command_key(call), expected=expected)
        except VersionConflict as conflict:
            # Versions are compared before the intent runs, and a stranger must not learn that of a closed table.
            admit(self._service, call, conflict.current)
            raise table_version_mismatch(conflict, call, self._service.clock.now_ms()) from None
        after = accepted.after.state
        # Only sentences name people without a seat, such as somebody who was offered one.
        names = names_at(self._service, after, accepted.events if wants_words(call) else ())
        return effect_reply(call, accepted, _viewer(after, call.player), names)


def effect_reply(
    call: Call,
    accepted: Accepted,
    viewer: Viewer,
    names: Names,
    location: str | None = None,
) -> Reply:
    """Returns the answer to an accepted command, with the additional fields of the request.

    Args:
        location: the path of the table that the command opened.
    """
    after = accepted.after
    answer = effect(
        after,
        accepted.events,
        viewer,
        names,
        now=after.at,  # not the clock, so that a repeated command has exactly the same answer
        words=wants_words(call),
        with_legal=wants_legal_actions(call),
    )
    headers = {"ETag": etag_of(after.position, is_weak=True)}
    if location is not None:
        headers["Location"] = location
    return Reply(answer, headers)


def _viewer(table: Table, player: Player | None) -> Viewer:
    seat = None if player is None else seat_of(table, player.id)
    return "spectator" if seat is None else seat
